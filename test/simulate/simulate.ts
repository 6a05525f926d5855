// npm run simulate: see test/simulate/README.md.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SeedRunner } from './run-worker.ts'
import { shrink } from './shrink.ts'
import type { RunResult } from './simulation.ts'
import type { WorkerRequest } from './worker.ts'

const folder = join(import.meta.dirname, '../../coverage/simulate')

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    length: { type: 'string' },
    resume: { type: 'string' },
    minutes: { type: 'string' },
    'cpu-minutes': { type: 'string' },
    replay: { type: 'string' },
    times: { type: 'string', default: '1' },
    plant: { type: 'string' },
    only: { type: 'string' },
    tries: { type: 'string', default: '25' },
    trace: { type: 'boolean', default: false },
    calm: { type: 'boolean', default: false },
    'keep-going': { type: 'boolean', default: false },
  },
})
const runner = new SeedRunner(values.plant)
const length = {
  ...(values.length !== undefined && { length: Number(values.length) }),
  ...(values.calm && { calm: true }),
  ...(values.only !== undefined && { only: values.only.split(',') }),
}
if (length.only) await refuseUnknown(length.only)
process.exitCode = (await main()) ? 0 : 1
await runner.stop()

/** A mistyped name would be drawn by nobody, and the run would seem to have held. */
async function refuseUnknown(names: readonly string[]): Promise<void> {
  const { operations } = await import('./operations/operations.ts')
  const known = operations.map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  console.error(`There is no operation ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
  process.exit(2)
}

async function main(): Promise<boolean> {
  if (values.replay !== undefined) return replay(values.replay)
  if (values.seed !== undefined) return runOne(Number(values.seed))
  return runMany()
}

async function replay(file: string): Promise<boolean> {
  const request = JSON.parse(readFileSync(file, 'utf8')) as WorkerRequest
  const times = Number(values.times)
  let failed = 0
  for (let time = 1; time <= times; time++) {
    const result = await runner.run(request)
    if (times === 1) print(result)
    if (result.faults.length > 0) failed++
    console.log(
      `${result.faults[0] ?? 'All held.'} ${result.missed} of ${request.recorded?.length} decisions could not be followed.`,
    )
  }
  if (times > 1) console.log(`${failed} of ${times} replays failed.`)
  return failed === 0
}

async function runOne(seed: number): Promise<boolean> {
  const result = await runner.run({ seed, ...length })
  if (result.faults.length === 0) {
    if (values.trace) print(result)
    console.log(
      `Seed ${seed}: all held. ${result.operations} operations, ${result.steps} decisions, ${result.milliseconds} ms.`,
    )
    return true
  }
  await tell(result)
  return false
}

async function runMany(): Promise<boolean> {
  const [from, to] = readRange(values.seeds ?? '1..100')
  const done = new Set<number>()
  if (values.resume !== undefined && existsSync(values.resume))
    for (const line of readFileSync(values.resume, 'utf8').split('\n').filter(Boolean))
      done.add((JSON.parse(line) as { seed: number }).seed)
  const began = performance.now()
  const endsAt = began + Number(values.minutes ?? Infinity) * 60_000
  const counts: Record<string, number> = {}
  const answers: RunResult['answers'] = {}
  const cpuMost = Number(values['cpu-minutes'] ?? Infinity) * 60
  let [runs, failed, decisions, cpu] = [0, 0, 0, 0]
  for (let seed = from; seed <= to && performance.now() < endsAt && cpu < cpuMost; seed++) {
    if (done.has(seed)) continue
    const result = await runner.run({ seed, ...length })
    runs++
    decisions += result.steps
    cpu += result.cpuSeconds
    for (const [name, count] of Object.entries(result.counts)) counts[name] = (counts[name] ?? 0) + count
    for (const [name, statuses] of Object.entries(result.answers))
      for (const [status, count] of Object.entries(statuses))
        (answers[name] ??= {})[Number(status)] = (answers[name][Number(status)] ?? 0) + count
    const { faults, milliseconds, steps, cpuSeconds } = result
    if (values.resume !== undefined)
      appendFileSync(
        values.resume,
        `${JSON.stringify({ seed, milliseconds, cpuSeconds, steps, ...(faults.length > 0 && { faults }) })}\n`,
      )
    if (faults.length === 0) continue
    failed++
    await tell(result)
    if (!values['keep-going']) break
  }
  const seconds = (performance.now() - began) / 1000
  console.log(
    `${runs} seeds, ${failed} failed, ${decisions} decisions, ${Math.round(seconds)} s, ${Math.round(cpu)} s of CPU, ${Math.round((runs * 60) / seconds)} seeds a minute.`,
  )
  if (values.trace) console.log(counts, JSON.stringify(answers, null, 1).replaceAll(/\n {2,}/g, ' '))
  return failed === 0
}

function readRange(text: string): [number, number] {
  const match = /^(\d+)\.\.(\d+)$/.exec(text)
  if (!match) throw new Error(`--seeds ${text} is no range such as 1..100.`)
  return [Number(match[1]), Number(match[2])]
}

/** Says what failed, with the fewest operations that were found, and how to run it again. */
async function tell(failed: RunResult): Promise<void> {
  const { seed } = failed
  console.log(`Seed ${seed} failed:`)
  for (const fault of failed.faults) console.log(`  ${fault}`)
  const tries = Number(values.tries)
  const { without, result } =
    tries > 0 && failed.operations > 0
      ? await shrink(failed, (left) => runner.run({ seed, ...length, without: left }), tries)
      : { without: [], result: failed }
  print(result)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `seed-${seed}.json`)
  writeFileSync(file, JSON.stringify({ seed, ...length, without, recorded: result.decisions }))
  console.log(
    `${failed.operations - without.length} of ${failed.operations} operations are enough. Replay it:`,
  )
  console.log(`  npm run simulate -- --replay coverage/simulate/seed-${seed}.json`)
}

function print({ trace, faults, steps }: RunResult): void {
  for (const line of trace) console.log(`    ${line.slice(0, 400)}`)
  console.log(`  ${faults.length} faults after ${steps} decisions.`)
}
