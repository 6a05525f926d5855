// Stages the npm package: compiled sources, the built console, documents, a manifest and its locked dependencies.
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { fail, findNode, root } from '../bootstrap.mjs'
import { dropSuperseded } from '../superseded.mjs'
import { lockDependencies } from './lockfile.mjs'
import { copyInto, listTracked, readJson, writeJson } from './run.mjs'

const documents = ['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs']
const programs = [
  'bin/fordra.mjs',
  'bin/bootstrap.mjs',
  'bin/console.mjs',
  'bin/superseded.mjs',
  'bin/follow-parent.mjs',
]
const rooms = ['cli', 'client', 'contract', 'core', 'data', 'server', 'services']
const deployed = [
  'deploy/backup',
  'deploy/fordra.service',
  'deploy/grafana',
  'deploy/prometheus',
  'deploy/proxy',
]

/** Puts the package into an empty folder. */
export function stagePackage(folder) {
  compile(folder)
  copyInto(folder, [
    ...listTracked(...documents, ...programs, ...deployed),
    ...listTracked(...rooms).filter(isData),
  ])
  copyInto(folder, ['console/dist'])
  dropSuperseded(join(folder, 'console', 'dist'))
  keepDeclarations(folder)
  const manifest = writeManifest(folder)
  writeJson(
    join(folder, 'npm-shrinkwrap.json'),
    lockDependencies(readJson(join(root, 'package-lock.json')), manifest),
  )
}

/** Node strips no types below node_modules, so a package is JavaScript. */
function compile(folder) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(findNode(), [tsc, '-p', 'tsconfig.release.json', '--outDir', folder], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) fail(`The sources could not be compiled:\n${stdout}`)
}

/** SQL, templates and JSON that sources read at run time. */
const isData = (file) => !/\.(tsx?|py)$|tsconfig[^/]*\.json$|README\.md$|(^|\/)testing\//.test(file)

/** Declarations are for those who write custom services: only what that module reaches stays. */
function keepDeclarations(folder) {
  const kept = new Set()
  const visit = (file) => {
    if (kept.has(file)) return
    kept.add(file)
    const text = fs.readFileSync(file, 'utf8').replaceAll(/(['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2')
    fs.writeFileSync(file, text)
    for (const [, path] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)\.js['"]/g))
      visit(join(file, '..', `${path}.d.ts`))
  }
  visit(join(folder, 'server/integration/services/define-service.d.ts'))
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name)
    if (name.endsWith('.d.ts') && !kept.has(file)) fs.rmSync(file)
  }
}

function writeManifest(folder) {
  const {
    scripts: _scripts,
    devDependencies: _development,
    ...manifest
  } = readJson(join(root, 'package.json'))
  const service = './server/integration/services/define-service'
  const released = {
    ...manifest,
    exports: {
      './service': { types: `${service}.d.ts`, default: `${service}.js` },
      './package.json': './package.json',
    },
  }
  writeJson(join(folder, 'package.json'), released)
  return released
}
