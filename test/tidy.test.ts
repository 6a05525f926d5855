/** The shape of the code itself: who may import whom, what files are called, and that nothing promised is missing. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { operations } from '../contract/api.ts'
import { settingList } from '../server/platform/config.ts'

/** Which rooms a room may import besides itself. */
const roomEdges: Record<string, readonly string[]> = {
  contract: [],
  core: ['data'],
  server: ['contract', 'core'],
  services: ['contract', 'server'],
  client: ['contract'],
  console: ['contract', 'core', 'client'],
  // The server for assistants is a client of the API.
  cli: ['contract', 'core', 'client', 'server'],
  bench: ['contract', 'core', 'server', 'cli'],
  test: ['contract', 'core', 'client', 'console', 'server', 'cli'],
}

/** The rooms of the server in their order: a room imports only from rooms named before it. */
const serverRooms = [
  'platform',
  'access',
  'metadata',
  'parties',
  'claims',
  'ledger',
  'plans',
  'cases',
  'payments',
  'treasury',
  'collection',
  'work',
  'integration',
  'insight',
]

const rooms = Object.keys(roomEdges).filter((room) => existsSync(room))
const files = rooms
  .flatMap((room) => readdirSync(room, { recursive: true, encoding: 'utf8' }).map((path) => join(room, path)))
  .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('console/dist'))

function listImports(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)
  return [...found].map(([, path]) => normalize(join(dirname(file), path!)))
}

const isTest = (file: string) => /\.test\.tsx?$|(^|\/)testing\/|-for-tests\.ts$/.test(file)

/** The room of a file of the server; for a file that knows all rooms, such as `app.ts`, the place after them. */
function findRoomIndex(file: string): number {
  const place = serverRooms.indexOf(file.split('/')[1]!)
  return place < 0 ? serverRooms.length : place
}

function mayImport(file: string, target: string): boolean {
  const [room] = file.split('/')
  const [targetRoom, targetFolder] = target.split('/')
  // Tests start the running service.
  if (targetRoom === 'server' && targetFolder === 'testing')
    return isTest(file) || room === 'bench' || room === 'test'
  if (room !== targetRoom) return roomEdges[room!]!.includes(targetRoom!)
  return room !== 'server' || findRoomIndex(target) <= findRoomIndex(file)
}

test('there is something to check', () => {
  assert.ok(files.length > 60, `${files.length} source files found`)
  assert.ok(files.flatMap(listImports).length > 200)
})

test('rooms import along the map, and those of the server in their order', () => {
  const wrong = files.flatMap((file) =>
    listImports(file)
      .filter((target) => !mayImport(file, target))
      .map((target) => `${file} imports ${target}`),
  )
  assert.deepEqual(wrong, [])
})

test('every import names a file that exists', () => {
  const missing = files.flatMap((file) => listImports(file).filter((target) => !existsSync(target)))
  assert.deepEqual(missing, [])
})

test('no folder has more files than can be overlooked, and each room of the server says what it is', () => {
  const most = 26
  const counts = Map.groupBy(files, (file) => dirname(file))
  const large = [...counts].filter(([, inside]) => inside.length > most)
  assert.deepEqual(
    large.map(([folder, inside]) => `${folder}: ${inside.length}`),
    [],
  )
  for (const room of serverRooms) {
    const text = readFileSync(`server/${room}/README.md`, 'utf8')
    assert.ok(text.split('\n').length <= 15, `server/${room}/README.md is longer than 15 lines`)
  }
})

test('names explain themselves', () => {
  const vague = files.filter((file) =>
    /(^|\/)(index|utils?|helpers?|common|misc|base|.*-?(manager|service-class))\.tsx?$/.test(file),
  )
  assert.deepEqual(vague, [])
  const unkebab = files.filter((file) => !/^[a-z0-9.-]+$/.test(file.split('/').at(-1)!))
  assert.deepEqual(unkebab, [])
})

test('every operation of the contract declares who may call it and is named by a test', () => {
  const tests = files.filter((file) => file.endsWith('.test.ts') && !file.startsWith('test/'))
  const texts = tests.map((file) => readFileSync(file, 'utf8')).join('\n')
  assert.ok(operations.length >= 15)
  for (const { id, access } of operations) {
    assert.ok(access === 'public' || access === 'session' || access.length > 0, `${id} has no access code`)
    assert.ok(new RegExp(`\\b${id}\\b`).test(texts), `${id} is in no test`)
  }
})

test('what is shipped is Apache-2.0 and its documents are there', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { license: string }
  assert.equal(manifest.license, 'Apache-2.0')
  const documents = ['README.md', 'LICENSE', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']
  const guides = ['ARCHITECTURE', 'DOMAIN', 'OPERATIONS', 'decisions/README'].map((name) => `docs/${name}.md`)
  assert.deepEqual(
    [...documents, ...guides].filter((file) => !existsSync(file)),
    [],
  )
})

test('every decision record has its four headings and stands in the index', () => {
  const index = readFileSync('docs/decisions/README.md', 'utf8').replaceAll(/ +/g, ' ')
  const names = readdirSync('docs/decisions').filter((name) => name !== 'README.md')
  const rows = names.map((name) => {
    const text = readFileSync(`docs/decisions/${name}`, 'utf8')
    const number = name.slice(0, 4)
    assert.match(name, /^\d{4}-[a-z0-9-]+\.md$/)
    assert.deepEqual(
      [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading),
      ['Context', 'Decision', 'Consequences', 'Status'],
      name,
    )
    const [, title] = new RegExp(`^# ${number}\\. (.+)$`, 'm').exec(text) ?? assert.fail(`${name}: title`)
    const [, date] = /^Date: (\d{4}-\d\d-\d\d)$/m.exec(text) ?? assert.fail(`${name}: date`)
    const [, status] = /^## Status\n\n([^.\n]+)/m.exec(text) ?? assert.fail(`${name}: status`)
    return `| ${number} | [${title}](${name}) | ${date} | ${status!.toLowerCase()} |`
  })
  assert.equal(
    new Set(names.map((name) => name.slice(0, 4))).size,
    names.length,
    'two records have one number',
  )
  assert.deepEqual(
    index.split('\n').filter((line) => /^\| \d/.test(line)),
    rows,
  )
})

test('every dependency has its reason in a decision record', () => {
  const reasons = readFileSync('docs/decisions/0001-dependencies.md', 'utf8')
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string>>
  const packages = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.keys(manifest[kind]!),
  )
  assert.deepEqual(
    packages.filter((name) => !reasons.includes(`\`${name}\``)),
    [],
  )
})

test('links between the documents lead somewhere', () => {
  const documents = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
  ]
  const broken = documents
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\]\(([^)#:]+)(#[^)]*)?\)/g)]
        .map(([, target]) => normalize(join(dirname(file), target!)))
        .filter((target) => !existsSync(target))
        .map((target) => `${file} → ${target}`),
    )
  assert.deepEqual(broken, [])
})

test('the screens that the tests open include every address of the console', () => {
  const routes = [...readFileSync('console/src/router.tsx', 'utf8').matchAll(/[sS]creen\(\s*'([^']+)'/g)]
  const opened = readFileSync('console/testing/screens/all-screens.ts', 'utf8').matchAll(/['`](\/[^'`?]*)/g)
  const paths = new Set([...opened].map(([, path]) => path!.replaceAll(/\$\{[^}]*\}/g, '$')))
  // The reference records have no bank file, and the address of a form needs an entity.
  const elsewhere = ['/payment-files/$', '/forms/$/$']
  const missing = routes
    .map(([, path]) => path!.replaceAll(/\$\w+/g, '$'))
    .filter((path) => !paths.has(path) && !elsewhere.includes(path))
  assert.ok(routes.length > 50)
  assert.deepEqual(missing, [])
})

test('no document names an operation by the number of its specification', () => {
  const documents = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('decisions'))
    .map((name) => `docs/${name}`)
  const found = [
    ...documents,
    'README.md',
    'CHANGELOG.md',
    'client/README.md',
    'console/README.md',
    'server/metadata/README.md',
  ].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?<![\w-])[DSU]\d{1,2}(?![\w-])/g)].map(
      ([number]) => `${file}: ${number}`,
    ),
  )
  assert.ok(documents.length > 60)
  assert.deepEqual(found, [])
})

test('every setting stands in the settings guide as it is', () => {
  const guide = readFileSync('docs/operate/settings.md', 'utf8').replaceAll(/ +/g, ' ')
  for (const { name, default: standard, description } of settingList) {
    const row = `| \`${name}\` | ${standard === undefined ? '' : `\`${String(standard)}\` `}| ${description} |`
    assert.ok(guide.includes(row), `docs/operate/settings.md lacks: ${row}`)
  }
})
