/**
 * Runs test files in groups that share a process each, with one PostgreSQL for all. Run by bin/test.mjs with files and
 * options of node:test; FORDRA_TEST_SEED repeats an order.
 */
import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { runGroup, type GroupResult } from './runner/group-process.ts'
import { planGroups } from './runner/plan.ts'
import { printFile, printSummary } from './runner/report.ts'
import { makeRunFolder } from './runner/run-folder.ts'
import { startTestServer, testServerVariable } from './test-server.ts'

const isFile = (word: string) => word.endsWith('.test.ts') && !word.startsWith('-')
const [files, options] = divideArguments(process.argv.slice(2))
const seed = Number(process.env['FORDRA_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const concurrency = options.find((option) => option.startsWith('--test-concurrency='))
// One more than the cores: a test often waits for the database or another process.
const processes = Number(concurrency?.split('=')[1] ?? Math.min(availableParallelism() + 1, 8))
const testOptions = options.filter((option) => option !== concurrency)
const isFiltered = testOptions.some((option) => /^--test-(name-pattern|skip-pattern|only)/.test(option))
const withNames = files.length <= 10

process.stdout.write(`Test order by FORDRA_TEST_SEED=${seed}\n`)
const groups = planGroups(files, { seed, processes })
const folder = makeRunFolder()
// The temporary folder of this process and of all that it starts.
process.env['TMPDIR'] = folder
const server = await startTestServer()
// Programs that tests start refuse settings that they do not know.
delete process.env['FORDRA_TEST_SEED']
const environment = { ...process.env, [testServerVariable]: server.url }
const children = new Set<ChildProcess>()
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interruption.abort()
    for (const child of children) child.kill(signal)
  })
}
const results: GroupResult[] = []
await Promise.all(Array.from({ length: processes }, runGroups))
await server.stop()
rmSync(folder, { recursive: true, force: true })
const passed = printSummary(results, { seed })
process.exit(passed && !interruption.signal.aborted ? 0 : 1)

async function runGroups(): Promise<void> {
  for (let group = groups.shift(); group && !interruption.signal.aborted; group = groups.shift()) {
    const result = await runGroup(group, {
      testOptions,
      isFiltered,
      environment,
      onStart: (child) => {
        children.add(child)
        child.once('exit', () => children.delete(child))
      },
      onFile: (file) => printFile(file, { withNames }),
    })
    for (const fault of result.faults) process.stdout.write(`✖ process of ${group.name}: ${fault}\n`)
    results.push(result)
  }
}

function divideArguments(words: string[]): [files: string[], options: string[]] {
  return [
    words.filter(isFile).map((file) => relative(process.cwd(), file)),
    words.filter((word) => !isFile(word)),
  ]
}
