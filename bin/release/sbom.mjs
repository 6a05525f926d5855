// The bill of materials in CycloneDX, made from the lockfile: what is installed, and what the built console contains.
import { createHash } from 'node:crypto'
import { builtinModules } from 'node:module'
import { findNeeded, findShipped, listNeeded, nameAt } from './lockfile.mjs'

const purlOf = (path, entry) => `pkg:npm/${nameAt(path).replace('@', '%40')}@${entry.version}`

/** The packages that the console's sources import, and all that these need: its build contains them. */
function findBundled(packages, sources) {
  const names = sources.flatMap((text) =>
    [...text.matchAll(/(?:from|import|url)\s*\(?\s*['"]((?:@[^/'"]+\/)?[^./'"][^/'"]*)/g)].map(
      ([, name]) => name,
    ),
  )
  return findNeeded(
    packages,
    names.filter((name) => !builtinModules.includes(name)),
  )
}

function describeLicense(license) {
  if (typeof license !== 'string') return []
  return / (OR|AND|WITH) /.test(license)
    ? [{ expression: license }]
    : [{ license: /^[\w.+-]+$/.test(license) ? { id: license } : { name: license } }]
}

function describeComponent(path, entry, bundled) {
  const hash = entry.integrity && Buffer.from(entry.integrity.split('-')[1], 'base64').toString('hex')
  return {
    type: 'library',
    'bom-ref': path,
    name: nameAt(path),
    version: entry.version,
    scope: entry.optional ? 'optional' : 'required',
    ...(hash && { hashes: [{ alg: entry.integrity.split('-')[0].replace('sha', 'SHA-'), content: hash }] }),
    licenses: describeLicense(entry.license),
    purl: purlOf(path, entry),
    ...(bundled && { properties: [{ name: 'fordra:contained-in', value: 'console/dist' }] }),
  }
}

/**
 * @param {{ packages: Record<string, any> }} lockfile
 * @param {{ name: string, version: string, license: string, dependencies: object, optionalDependencies: object }} manifest
 * @param {string[]} consoleSources texts of the console's source files
 * @param {string} timestamp of the commit, so that the same commit gives the same document
 */
export function createSbom(lockfile, manifest, consoleSources, timestamp) {
  const { packages } = lockfile
  const shipped = new Set(findShipped(lockfile, manifest))
  const bundled = findBundled(packages, consoleSources)
  const paths = Object.keys(packages).filter((path) => shipped.has(path) || bundled.includes(path))
  const components = paths.map((path) => describeComponent(path, packages[path], !shipped.has(path)))
  const own = `pkg:npm/${manifest.name}@${manifest.version}`
  const direct = listNeeded(packages, '')
    .concat(bundled)
    .filter((path) => paths.includes(path))
  const digest = createHash('sha256').update(JSON.stringify(components)).digest('hex')
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-5$3-8$4-$5')}`,
    version: 1,
    metadata: {
      timestamp,
      component: {
        type: 'application',
        'bom-ref': own,
        name: manifest.name,
        version: manifest.version,
        licenses: describeLicense(manifest.license),
        purl: own,
      },
    },
    components,
    dependencies: [
      { ref: own, dependsOn: [...new Set(direct)] },
      ...paths.map((path) => ({
        ref: path,
        dependsOn: [...new Set(listNeeded(packages, path))].filter((needed) => paths.includes(needed)),
      })),
    ],
  }
}
