/** What the runner prints. */
import type { FileResult, GroupResult, TestResult } from './group-process.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`
const isFailedTest = ({ passed, isSuite, error }: TestResult) =>
  !passed && (!isSuite || !isSubtestFault(error))
const isSubtestFault = (error = '') => /^'?\d+ subtests? failed/.test(error)

/** One line, with the names of its tests and what it wrote where `withNames` asks for them; then what failed. */
export function printFile(result: FileResult, { withNames }: { withNames: boolean }): void {
  const { file, passed, tests, milliseconds, output } = result
  print(`${passed ? '✔' : '✖'} ${file} (${countTests(tests)} tests, ${seconds(milliseconds)})`)
  if (withNames) for (const test of tests) printTest(test)
  if ((withNames || !passed) && output.trim() !== '') print(output.trimEnd())
  for (const fault of listFaults(result)) print(fault)
}

function printTest({ path, passed, skipped, milliseconds }: TestResult): void {
  const mark = skipped ? '﹣' : passed ? '✔' : '✖'
  print(`  ${mark} ${path.join(' > ')} (${milliseconds.toFixed(0)} ms)`)
}

const countTests = (tests: readonly TestResult[]) => tests.filter(({ isSuite }) => !isSuite).length

function listFaults({ file, passed, error, tests }: FileResult): string[] {
  if (passed) return []
  const faults = tests.filter(isFailedTest)
  const ofFile = isSubtestFault(error) || error === undefined ? [] : [`✖ ${file}\n${indent(error)}`]
  return [
    ...ofFile,
    ...faults.map((test) => `✖ ${file}: ${test.path.join(' > ')}\n${indent(test.error ?? '')}`),
  ]
}

const firstLine = (text: string) => text.split('\n', 1)[0]!

/** Of a failure, at the end: enough to tell what happened where only the end of the output is kept. */
const shownLines = 30

function shorten(text: string): string {
  const lines = text.split('\n')
  if (lines.length <= shownLines) return text
  return [...lines.slice(0, shownLines), `    … ${lines.length - shownLines} more lines above`].join('\n')
}
const indent = (text: string) => text.replaceAll(/^/gm, '    ')

/** Prints the slowest files and tests, the totals, and what failed, for those who see only the end of the output. */
export function printSummary(groups: readonly GroupResult[], { seed }: { seed: number }): boolean {
  const files = groups.flatMap((group) => group.files)
  const tests = files.flatMap((one) => one.tests.map((test) => ({ file: one.file, ...test })))
  printSlowest(
    files,
    tests.filter(({ isSuite }) => !isSuite),
  )
  const faults = groups.flatMap(listGroupFaults)
  if (faults.length > 0) print(`\nFailures:\n${faults.join('\n')}`)
  const skipped = tests.filter((test) => test.skipped).length
  const passed = tests.filter((test) => test.passed && !test.skipped && !test.isSuite).length
  print(
    `\n${passed} passed, ${faults.length} failed, ${skipped} skipped in ${files.length} files, seed ${seed}`,
  )
  return faults.length === 0
}

/** Each with the files that ran before in the same process, since one of them may be the cause. */
function listGroupFaults({ group, files, faults }: GroupResult): string[] {
  const ofFiles = files.flatMap((file, index) => {
    const found = listFaults(file).map(shorten)
    if (found.length === 0 || index === 0) return found
    const before = files.slice(0, index).map((one) => one.file)
    return [...found.slice(0, -1), `${found.at(-1)!}\n  In its process ran before: ${before.join(' ')}`]
  })
  return [...ofFiles, ...faults.map((fault) => `✖ process of ${group.name}: ${firstLine(fault)}`)]
}

const bySpeed = (a: { milliseconds: number }, b: { milliseconds: number }) => b.milliseconds - a.milliseconds

function printSlowest(files: readonly FileResult[], tests: readonly (TestResult & { file: string })[]): void {
  print('\nSlowest files:')
  for (const { file, milliseconds } of files.toSorted(bySpeed).slice(0, 10))
    print(`  ${seconds(milliseconds).padStart(8)}  ${file}`)
  print('Slowest tests:')
  for (const { file, path, milliseconds } of tests.toSorted(bySpeed).slice(0, 10))
    print(`  ${seconds(milliseconds).padStart(8)}  ${file}: ${path.join(' > ')}`)
}
