import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { GroupEvent, Outcome } from './group-reporter.ts'
import type { Group } from './plan.ts'

export interface TestResult extends Outcome {
  /** From the outermost suite to the test. */
  path: string[]
}

export interface FileResult {
  file: string
  passed: boolean
  milliseconds: number
  tests: TestResult[]
  /** Why the file failed as a whole: it did not load, or a hook failed. */
  error?: string | undefined
  /** What its process wrote meanwhile. */
  output: string
}

export interface GroupResult {
  group: Group
  files: FileResult[]
  /** Faults that belong to the process: a crash, or an error after the end of a test. */
  faults: string[]
}

/** A process whose tests report nothing for this long stands still, and is ended. The slowest test takes two minutes. */
const silenceMsMax = 600_000
const program = join(import.meta.dirname, 'group-program.ts')
const testContext = pathToFileURL(join(import.meta.dirname, 'test-context.ts')).href
const reporter = pathToFileURL(join(import.meta.dirname, 'group-reporter.ts')).href

/** Runs a group in a process of its own; `onFile` hears of each file as it ends. */
export async function runGroup(
  group: Group,
  options: {
    /** For node:test, as on its command line. */
    testOptions: readonly string[]
    /** Whether the options may leave a file without a test. */
    isFiltered: boolean
    environment: NodeJS.ProcessEnv
    onStart(child: ChildProcess): void
    onFile(result: FileResult): void
    silenceMs?: number
  },
): Promise<GroupResult> {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      // Tests make much that is soon gone: collecting it less often saves a fourteenth of their processor time.
      '--max-semi-space-size=64',
      `--test-reporter=${reporter}`,
      '--test-reporter-destination=stdout',
      `--import=${testContext}`,
      ...options.testOptions,
      program,
      ...group.files,
    ],
    {
      stdio: ['inherit', 'pipe', 'pipe', 'ipc'],
      // Within a run of node --test, a program would report to that.
      env: { ...options.environment, NODE_TEST_CONTEXT: undefined },
    },
  )
  options.onStart(child)
  const collector = new Collector(options)
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (collector.output += text))
  const { silenceMs = silenceMsMax } = options
  const silence = setTimeout(() => {
    collector.faults.push(`Its tests reported nothing for ${silenceMs / 1000} s.`)
    child.kill('SIGKILL')
  }, silenceMs)
  child.on('message', (event: GroupEvent) => {
    silence.refresh()
    collector.take(event)
  })
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (...end) => resolve(end))
  })
  clearTimeout(silence)
  const { files, faults } = collector
  return { group, files, faults: [...faults, ...collector.describeEnd(group, code, signal)] }
}

/** Puts a group's events together into files. */
class Collector {
  readonly files: FileResult[] = []
  readonly faults: string[] = []
  output = ''
  #path: string[] = []
  #tests: TestResult[] = []
  #file = ''
  #begun = ''
  readonly #options: { isFiltered: boolean; onFile(result: FileResult): void }

  constructor(options: { isFiltered: boolean; onFile(result: FileResult): void }) {
    this.#options = options
  }

  take(event: GroupEvent): void {
    if (event.type === 'file') this.#file = event.file
    else if (event.type === 'diagnostic') this.faults.push(event.message)
    else if (event.type === 'begin') this.#begun = event.name
    else {
      this.#path.length = event.nesting
      if (event.type === 'start') this.#path.push(event.name)
      else this.#end(event)
    }
  }

  #end({ name, nesting, outcome }: GroupEvent & { type: 'end' }): void {
    if (nesting > 0) {
      this.#tests.push({ ...outcome, path: [...this.#path.slice(1), name] })
      return
    }
    const { passed, milliseconds, error } = outcome
    const result = { file: name, passed, milliseconds, error, tests: this.#tests, output: this.output }
    // A file that registers no test tests nothing, whatever its name promises.
    if (passed && result.tests.length === 0 && !this.#options.isFiltered)
      Object.assign(result, { passed: false, error: 'The file registers no test.' })
    this.#tests = []
    this.output = ''
    this.files.push(result)
    this.#options.onFile(result)
  }

  /** The faults that the end of the process shows. */
  describeEnd(group: Group, code: number | null, signal: string | null): string[] {
    const end = signal ?? `exit code ${code}`
    const unfinished = group.files.filter((name) => !this.files.some(({ file }) => file === name))
    // Of a file in which the filter leaves nothing, node:test reports nothing.
    const isLeftOut = this.#options.isFiltered && code === 0
    if (unfinished.length > 0 && !isLeftOut) {
      const test = this.#begun === '' ? '' : ` (the last test heard of was "${this.#begun}")`
      return [
        `${this.#file}${test} ended the process with ${end}.\n${this.output}`,
        ...unfinished.filter((file) => file !== this.#file).map((file) => `${file} has no result.`),
      ]
    }
    const isExplained = this.faults.length > 0 || this.files.some(({ passed }) => !passed)
    return code === 0 || isExplained ? [] : [`It ended with ${end} after its last test.\n${this.output}`]
  }
}
