/** The shape of the code itself: who may import whom, what files are called, and that nothing promised is missing. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { operations } from '../contract/api.ts'
import { settingList } from '../server/config.ts'

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

/** What every slice of the server stands on. A floor imports floors, never a slice. */
const floors = [
  'clock',
  'database',
  'events',
  'forms',
  'http',
  'jobs',
  'messages',
  'odata',
  'outbound',
  'sessions',
]

/** The only ways from one slice into another. `testing` starts the whole service. */
const sliceEdges: Record<string, readonly string[]> = {
  // The timeline is a debtor's.
  audit: ['debtors'],
  // Its test proves the books of what came back.
  backups: ['cases'],
  // A payment on a case is one on its plan; a plan books on its cases.
  // A reversed payment may be money in suspense again.
  cases: ['debtors', 'items', 'plans', 'suspense', 'users'],
  clients: ['users'],
  // What is owed is one text; its tests' stage.
  dashboard: ['cases'],
  debtors: ['items'],
  documents: ['cases', 'debtors', 'users'],
  // Rows by the same sources and restrictions as the lists.
  exports: ['cases', 'clients', 'debtors', 'plans', 'users'],
  feed: ['debtors'],
  fields: ['lookups'],
  // Own fields whose values a lookup must have.
  imports: ['cases', 'commands', 'debtors', 'holdings', 'lookups', 'plans', 'users'],
  lookups: ['items'],
  // A payment of a bank file is booked as any other.
  'payment-files': ['cases', 'suspense'],
  payouts: ['cases', 'payment-files'],
  plans: ['cases', 'debtors', 'system'],
  // What is owed is one text; a report is set as a letter is, with the words for codes that lookups have; its tests
  // make books of cases and bank files.
  reports: ['cases', 'documents', 'lookups', 'payment-files'],
  services: ['debtors', 'users'],
  strategies: ['cases', 'clients', 'commands', 'documents'],
  testing: ['users'],
}

/** Files of the server's own folder that slices may read. */
const sharedFiles = ['server/config.ts', 'server/version.ts']

const rooms = Object.keys(roomEdges).filter((room) => existsSync(room))
const files = rooms
  .flatMap((room) => readdirSync(room, { recursive: true, encoding: 'utf8' }).map((path) => join(room, path)))
  .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('console/dist'))

function importsOf(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)
  return [...found].map(([, path]) => normalize(join(dirname(file), path!)))
}

const isTest = (file: string) => file.endsWith('.test.ts') || file.startsWith('console/testing/')

function mayImport(file: string, target: string): boolean {
  const [room, slice = ''] = file.split('/')
  const [targetRoom, targetSlice = ''] = target.split('/')
  // The client and the console are tested against the running service.
  if (targetRoom === 'server' && targetSlice === 'testing' && isTest(file)) return true
  if (room !== targetRoom) return roomEdges[room!]!.includes(targetRoom!)
  if (room !== 'server' || slice.includes('.') || slice === targetSlice || sharedFiles.includes(target))
    return true
  if (floors.includes(targetSlice)) return true
  if (sliceEdges[slice]?.includes(targetSlice)) return true
  return slice === 'testing'
    ? target === 'server/app.ts'
    : targetSlice === 'testing' && /(\.test|-for-tests)\.ts$/.test(file)
}

test('there is something to check', () => {
  assert.ok(files.length > 60, `${files.length} source files found`)
  assert.ok(files.flatMap(importsOf).length > 200)
})

test('rooms and slices import along the map', () => {
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => !mayImport(file, target))
      .map((target) => `${file} imports ${target}`),
  )
  assert.deepEqual(wrong, [])
})

test('every import names a file that exists', () => {
  const missing = files.flatMap((file) => importsOf(file).filter((target) => !existsSync(target)))
  assert.deepEqual(missing, [])
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

test('every setting stands in the operations guide as it is', () => {
  const guide = readFileSync('docs/OPERATIONS.md', 'utf8').replaceAll(/ +/g, ' ')
  for (const { name, default: standard, description } of settingList) {
    const row = `| \`${name}\` | ${standard === undefined ? '' : `\`${String(standard)}\` `}| ${description} |`
    assert.ok(guide.includes(row), `docs/OPERATIONS.md lacks: ${row}`)
  }
})
