/** Whether the tests notice a mutant: only those that call the function it is in, the module's own first. */
import { findFunctions, instrument, type FunctionRange } from './instrument.ts'
import type { Mutant } from './mutants.ts'
import { baselines, keepBaseline, keepResult, results, type Result } from './results.ts'
import { firstFunction, runInWorker } from './run-worker.ts'
import { dependenciesFrom, hashDependencies, sourceFiles, testFiles, readText } from './sources.ts'

/** Runs every test file on the code as it is, where it changed since. Throws when a test fails. */
export async function measureBaselines(
  tests: readonly string[],
  report: (line: string) => void,
): Promise<void> {
  for (const testFile of tests) {
    if (baselines.get(testFile)?.hash === hashDependencies(testFile)) continue
    const start = performance.now()
    const run = {
      mutant: nextMutant++,
      file: '',
      source: '',
      fresh: sourceFiles,
      testFile,
      mostSteps: Number.MAX_SAFE_INTEGER,
    }
    const { status, failure, steps, called } = await runInWorker(run, 600_000)
    if (status !== 'passed') throw new Error(`Without any mutant ${testFile} fails: ${failure}`)
    const milliseconds = Math.round(performance.now() - start)
    report(`${testFile}: ${milliseconds} ms, ${steps} steps`)
    keepBaseline(testFile, {
      hash: hashDependencies(testFile),
      milliseconds,
      steps,
      called: nameFunctions(called),
    })
  }
}

let nextMutant = 1

function nameFunctions(ids: readonly number[]): string[] {
  const firsts = [...firstFunction].toReversed()
  return ids
    .filter((id) => id >= 0)
    .map((id) => {
      const [file, first] = firsts.find(([, start]) => start <= id)!
      return `${file}#${id - first}`
    })
}

const ranges = new Map<string, FunctionRange[]>()

/** The room of core/ that a file belongs to: `core/plans` for `core/plans/schedule/plan-rows.ts`. */
const coreRoom = (file: string): string => file.split('/').slice(0, 2).join('/')

/** A module's own tests have to notice: those in its room that import it. Tests of others would hide what these lack. */
export const ownTests = (file: string): string[] =>
  testFiles.filter(
    (testFile) => coreRoom(testFile) === coreRoom(file) && dependenciesFrom(testFile).has(file),
  )

const without = new Set<string>()

/** For a first look: a mutant may then survive that the tests left out would kill, and none is killed that would not be. */
export const leaveOut = (names: readonly string[]): void => {
  for (const file of testFiles) if (names.some((name) => file.includes(name))) without.add(file)
}

/** The test files that may notice a mutant, in the order in which they are asked. */
function testsFor(mutant: Mutant): string[] {
  const { file, start, end } = mutant
  const functions = ranges.get(file) ?? findFunctions(file, readText(file), 0)
  ranges.set(file, functions)
  const inner = functions.findLast((range) => range.start <= start && end <= range.end)
  const own = file.replace(/\.ts$/, '.test.ts')
  const cost = (testFile: string) => (testFile === own ? 0 : baselines.get(testFile)!.milliseconds)
  return ownTests(file)
    .filter((testFile) => !without.has(testFile))
    .filter((testFile) => !inner || baselines.get(testFile)!.called.includes(`${file}#${inner.id}`))
    .toSorted((a, b) => cost(a) - cost(b))
}

const mutantKey = ({ file, start, end, text }: Mutant) => `${file}:${start}:${end}:${text}`

/** What is known of a mutant; undefined when tests are still to be run. */
export function knownResult(mutant: Mutant): Result | undefined {
  const result = results.get(mutantKey(mutant))
  if (!result) return undefined
  const passed = (testFile: string) => result.tests[testFile] === hashDependencies(testFile)
  if (result.status !== 'survived') return Object.keys(result.tests).every(passed) ? result : undefined
  return testsFor(mutant).every(passed) ? result : undefined
}

/** Runs the tests on a mutant until one fails, without those that passed before and have not changed. */
export async function judge(mutant: Mutant): Promise<Result> {
  const before = results.get(mutantKey(mutant))
  const source = readText(mutant.file)
  const { file, start, end, text } = mutant
  const run = {
    mutant: nextMutant++,
    file,
    source: instrument(file, source.slice(0, start) + text + source.slice(end), firstFunction.get(file)),
    fresh: sourceFiles.filter((one) => dependenciesFrom(one).has(file)),
  }
  const result: Result = { status: 'survived', tests: {} }
  for (const testFile of testsFor(mutant)) {
    const hash = hashDependencies(testFile)
    const { steps, milliseconds } = baselines.get(testFile)!
    if (before?.status !== 'survived' || before.tests[testFile] !== hash) {
      const mostSteps = 10 * steps + 100_000
      const outcome = await runInWorker({ ...run, testFile, mostSteps }, 30_000 + 20 * milliseconds)
      if (outcome.status !== 'passed') {
        result.status = outcome.status === 'failed' ? 'killed' : 'endless'
        result.tests = { [testFile]: hash }
        break
      }
    }
    result.tests[testFile] = hash
  }
  keepResult(mutantKey(mutant), result)
  return result
}
