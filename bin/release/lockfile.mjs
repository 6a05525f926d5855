// Which packages of the lockfile something needs. npm's own marks also count optional peers, such as a compiler.
const prefix = 'node_modules/'

export const nameAt = (path) => path.slice(path.lastIndexOf(prefix) + prefix.length)

/** Where `name` is found from the package at `path`, as Node looks: in its own folder, then in each above. */
function resolveFrom(packages, path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf(prefix) - 1))) {
    const found = `${folder === '' ? '' : `${folder}/`}${prefix}${name}`
    if (packages[found]) return found
    if (folder === '') return undefined
  }
}

function listNames({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta[name]?.optional)
  return Object.keys({ ...dependencies, ...optionalDependencies }).concat(peers)
}

/** The paths of what the package at `path` needs itself. */
export const listNeeded = (packages, path) =>
  listNames(packages[path]).flatMap((name) => resolveFrom(packages, path, name) ?? [])

/** The paths of the packages of these names at the top, and of all that they need, in the order of the lockfile. */
export function findNeeded(packages, names) {
  const found = new Set()
  const visit = (path) => {
    if (path === undefined || found.has(path)) return
    found.add(path)
    listNeeded(packages, path).forEach(visit)
  }
  for (const name of names) visit(resolveFrom(packages, '', name))
  return Object.keys(packages).filter((path) => found.has(path))
}

/** The paths of what an installation without development packages has, on any platform. */
export const findShipped = ({ packages }, { dependencies, optionalDependencies }) =>
  findNeeded(packages, Object.keys({ ...dependencies, ...optionalDependencies }))

/** The lockfile of the shipped packages alone: an installation gets exactly these versions. */
export function lockDependencies(lockfile, manifest) {
  const { name, version, license, dependencies, bin, engines, optionalDependencies } = manifest
  const own = { name, version, license, dependencies, bin, engines, optionalDependencies }
  const shipped = findShipped(lockfile, manifest).map((path) => {
    const { dev: _dev, devOptional: _both, peer: _peer, ...entry } = lockfile.packages[path]
    return [path, entry]
  })
  return { ...lockfile, name, version, packages: { '': own, ...Object.fromEntries(shipped) } }
}
