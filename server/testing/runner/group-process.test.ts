/** The runner fails a run in which something was not tested, and names the file. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runGroup, type GroupResult } from './group-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'fordra-runner-'))
after(() => rmSync(folder, { recursive: true }))

const importing = (path: string) => `import '${path}'\n`
const registers = (body: string) => `import { after, before, describe, test } from 'node:test'\n${body}`
const texts = {
  'passes.test.ts': registers(
    `test('one', (t) => { t.diagnostic('took a while') }); describe('two', () => { test('three', () => {}) })`,
  ),
  'skips.test.ts': registers(`test.skip('later', () => {})`),
  'fails.test.ts': registers(
    `describe('outer', () => { test('inner', () => { throw new Error('wrong') }) })`,
  ),
  'lost.test.ts': importing('./nowhere.ts'),
  'empty.test.ts': `export {}`,
  'hook.test.ts': registers(`before(() => { throw new Error('no start') }); test('one', () => {})`),
  'leak.test.ts': registers(`test('one', () => { process.env['LEFT_BEHIND'] = '1' })`),
  'exit.test.ts': registers(`test('ends all', () => process.exit(0))`),
  'crash.test.ts': registers(`test('is killed', () => process.kill(process.pid, 'SIGKILL'))`),
  'still.test.ts': registers(
    `test('waits for ever', () => new Promise((done) => setTimeout(done, 2 ** 30)))`,
  ),
  'late.test.ts': registers(
    `test('one', () => { setTimeout(() => { throw new Error('late') }, 5) }); test('two', () => new Promise((done) => setTimeout(done, 50)))`,
  ),
}
type Name = keyof typeof texts
for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text)

const run = (...names: Name[]): Promise<GroupResult> => runWithin(undefined, ...names)
const runWithin = (silenceMs: number | undefined, ...names: Name[]): Promise<GroupResult> =>
  runGroup(
    { name: 'tried', files: names.map((name) => join(folder, name)) },
    {
      testOptions: [],
      isFiltered: false,
      environment: process.env,
      onStart: () => {},
      onFile: () => {},
      ...(silenceMs !== undefined && { silenceMs }),
    },
  )
const trimFolder = (file: string) => file.slice(folder.length + 1)
const outcomes = ({ files }: GroupResult) => files.map(({ file, passed }) => `${trimFolder(file)} ${passed}`)

test('files share a process, and each has results of its own', async () => {
  const result = await run('passes.test.ts', 'fails.test.ts', 'skips.test.ts')
  assert.deepEqual(outcomes(result), ['passes.test.ts true', 'fails.test.ts false', 'skips.test.ts true'])
  assert.deepEqual(result.faults, [])
  const [passing, failing, skipping] = result.files
  assert.deepEqual(
    passing!.tests.map(({ path }) => path.join(' > ')),
    ['one', 'two > three', 'two'],
  )
  assert.deepEqual(failing!.tests[0]!.path, ['outer', 'inner'])
  assert.match(failing!.tests[0]!.error!, /Error: wrong\n.*fails\.test\.ts/)
  assert.equal(skipping!.tests[0]!.skipped, true)
})

test('a file that does not load, registers no test or has a failing hook fails alone', async () => {
  const result = await run('lost.test.ts', 'empty.test.ts', 'hook.test.ts', 'passes.test.ts')
  assert.deepEqual(outcomes(result), [
    'lost.test.ts false',
    'empty.test.ts false',
    'hook.test.ts false',
    'passes.test.ts true',
  ])
  assert.match(result.files[0]!.error!, /nowhere\.ts/)
  assert.match(result.files[1]!.error!, /registers no test/)
  assert.match(result.files[2]!.error!, /no start/)
})

test('a file that leaves its process changed fails', async () => {
  const result = await run('leak.test.ts', 'passes.test.ts')
  assert.deepEqual(outcomes(result), ['leak.test.ts false', 'passes.test.ts true'])
  assert.match(result.files[0]!.error!, /LEFT_BEHIND/)
})

for (const [name, end] of [
  ['exit.test.ts', 'exit code 0'],
  ['crash.test.ts', 'SIGKILL'],
] as const) {
  test(`a process that ends with ${end} names the file and those without a result`, async () => {
    const { faults } = await run(name, 'passes.test.ts')
    assert.equal(faults.length, 2)
    assert.ok(faults[0]!.includes(name) && faults[0]!.includes(`ended the process with ${end}`), faults[0])
    assert.ok(faults[1]!.endsWith('passes.test.ts has no result.'), faults[1])
  })
}

test('an error after the end of its test fails the process and names the file', async () => {
  const { faults } = await run('late.test.ts')
  assert.equal(faults.length, 1)
  assert.match(faults[0]!, /late\.test\.ts/)
})

test('a test that stands still ends its process and is named', async () => {
  const { faults } = await runWithin(3000, 'still.test.ts', 'passes.test.ts')
  assert.match(faults[0]!, /reported nothing for 3 s/)
  assert.match(faults[1]!, /still\.test\.ts.*"waits for ever".*SIGKILL/)
  assert.ok(faults[2]!.endsWith('passes.test.ts has no result.'), faults[2])
})
