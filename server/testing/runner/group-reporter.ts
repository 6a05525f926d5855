/** A reporter of node:test for group-program.ts: sends what happens to the parent process. */
import { Transform } from 'node:stream'
import { inspect } from 'node:util'
import type { TestEvent } from 'node:test/reporters'

export interface Outcome {
  passed: boolean
  skipped: boolean
  isSuite: boolean
  milliseconds: number
  error?: string
}

export type GroupEvent =
  /** Sent by the program itself, before the file is loaded. */
  | { type: 'file'; file: string }
  /** Begins to run. Its ancestors' reports may still be held back by node:test. */
  | { type: 'begin'; name: string }
  /** The reports of what is inside follow. */
  | { type: 'start'; name: string; nesting: number }
  | { type: 'end'; name: string; nesting: number; outcome: Outcome }
  /** Of the whole process, such as an error after the end of its test. */
  | { type: 'diagnostic'; message: string }

/** What node:test tells of every run at its end; the parent counts by itself. */
const summary = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /

export default new Transform({
  writableObjectMode: true,
  transform(event: TestEvent, _encoding, done) {
    const message = translate(event)
    if (message) process.send?.(message)
    done()
  },
})

function translate(event: TestEvent): GroupEvent | undefined {
  if (event.type === 'test:dequeue') return { type: 'begin', name: event.data.name }
  if (event.type === 'test:start')
    return { type: 'start', name: event.data.name, nesting: event.data.nesting }
  if (event.type === 'test:diagnostic') {
    const { message, nesting } = event.data
    return nesting > 0 || summary.test(message) ? undefined : { type: 'diagnostic', message }
  }
  if (event.type !== 'test:pass' && event.type !== 'test:fail') return undefined
  const { name, nesting, details, skip } = event.data
  const outcome = {
    passed: event.type === 'test:pass',
    skipped: skip !== undefined && skip !== false,
    isSuite: details.type === 'suite',
    milliseconds: details.duration_ms,
    ...(event.type === 'test:fail' && { error: describeError(event.data.details.error) }),
  }
  return { type: 'end', name, nesting, outcome }
}

function describeError(error: Error): string {
  return inspect(error.cause ?? error, { depth: 8, colors: false, breakLength: 110 })
}
