/**
 * What export, backup and restore show on a terminal (created by `script`, Linux), and that they show it nowhere else.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../server/testing/api.ts'
import { openTestDatabase } from '../server/testing/database.ts'
import { startProgressBar } from './progress-bar.ts'
import { runFordra } from './testing/run-fordra.ts'
import { childEnvironment } from '../server/testing/programs/child-environment.ts'

const folder = mkdtempSync(join(tmpdir(), 'fordra-progress-'))
const skip = process.platform !== 'linux' || spawnSync('script', ['--version']).status !== 0
const program = join(import.meta.dirname, 'main.ts')
const full = '█'.repeat(24)
let api: TestApi

before(async () => {
  api = await startApi()
  for (const lastname of ['Ek', 'Alm', 'Lind'])
    assert.equal((await api.call('POST', '/debtors', { body: { lastname } })).status, 201)
})
after(async () => {
  await api.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Everything that was sent to the terminal. */
function onTerminal(args: string[], url: string): string {
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', program, ...args]
  const { stdout, status } = spawnSync(
    'script',
    ['--quiet', '--return', '--command', command.join(' '), '/dev/null'],
    {
      cwd: folder,
      env: childEnvironment({ SHELL: '/bin/sh', DATABASE_URL: url }),
      encoding: 'utf8',
    },
  )
  assert.equal(status, 0, stdout)
  return stdout
}
const piped = (args: string[], url: string) => runFordra(args, { cwd: folder, env: { DATABASE_URL: url } })

/** The final state of each bar. */
const lastFrames = (shown: string) =>
  shown.split('\r\n').flatMap((line) => line.split('\r\u001B[K').at(-1)!.match(/^█.*/) ?? [])

test('a bar is drawn at once, and stays at the end', () => {
  const written: string[] = []
  const write = (text: string) => written.push(text) > 0
  const bar = startProgressBar({ isTTY: true, write }, true)
  for (let n = 1; n <= 4; n++) bar.show(n / 4, `${n} rows`)
  bar.end()
  bar.end()
  assert.equal(written[0]!, `\r\u001B[K${'█'.repeat(6)}${'░'.repeat(18)}  25%  1 rows`)
  assert.match(written.at(-2)!, /█{24} 100% {2}4 rows$/)
  assert.equal(written.at(-1), '\n')
})

test('there is none without a terminal, when disabled, or without work', () => {
  const written: string[] = []
  const write = (text: string) => written.push(text) > 0
  for (const [isTTY, isWanted] of [
    [false, true],
    [true, false],
  ] as const) {
    const bar = startProgressBar({ isTTY, write }, isWanted)
    bar.show(1, 'all')
    bar.end()
  }
  startProgressBar({ isTTY: true, write }, true).end()
  assert.deepEqual(written, [])
})

test('an export counts its rows first', { skip }, async () => {
  const words = ['export', 'debtors', '--out', 'some.csv', '--filter']
  const shown = onTerminal([...words, `"fullName ne 'Ek'"`], api.databaseUrl)
  assert.deepEqual(lastFrames(shown), [`${full} 100%  2 of 2 rows`])
  assert.doesNotMatch(onTerminal([...words, `"fullName ne 'Ek'"`, '--json'], api.databaseUrl), /[█░]/)
  assert.equal(
    (await piped([...words, "fullName ne 'Ek'"], api.databaseUrl)).err,
    '2 debtors written to some.csv.\n',
  )
})

test(
  "a backup's progress follows its tables, a restore's its file and its foreign keys",
  { skip },
  async () => {
    const shown = onTerminal(['backup', 'all.tar'], api.databaseUrl)
    assert.match(lastFrames(shown).join(), /^█{24} 100% {2}\d+ rows$/)
    assert.doesNotMatch(shown, /public\.debtor: 3 rows/)
    const checked = lastFrames(onTerminal(['restore', '--check', 'all.tar'], api.databaseUrl))
    assert.match(checked.join(), /^█{24} 100% {2}(\S+) MB of \1 MB read$/)
    const [one, two] = [await openTestDatabase(), await openTestDatabase()]
    const bars = lastFrames(onTerminal(['restore', 'all.tar'], one.url))
    assert.equal(bars.length, 2)
    assert.match(bars[1]!, /^█{24} 100% {2}\d+ rows$/)
    const { code, err } = await piped(['restore', 'all.tar'], two.url)
    assert.equal(code, 0, err)
    assert.match(err, /^public\.debtor: 3 rows$/m)
    assert.doesNotMatch(err, /[█░]/)
    await one.close()
    await two.close()
  },
)

test('a terminal shows no bar with --quiet or --json', { skip }, () => {
  for (const [file, option] of [
    ['quiet.tar', '--quiet'],
    ['json.tar', '--json'],
  ] as const)
    assert.doesNotMatch(onTerminal(['backup', file, option], api.databaseUrl), /[█░]/)
})
