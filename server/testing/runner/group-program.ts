/**
 * Runs the test files of its arguments one after the other in this process, each as a suite of node:test, so that a
 * file's top-level hooks are hooks of that file alone.
 */
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { after, describe } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { GroupEvent } from './group-reporter.ts'

const files = process.argv.slice(2)
for (const file of files) {
  process.send?.({ type: 'file', file } satisfies GroupEvent)
  await describe(file, async () => {
    const former = describeProcess()
    await import(pathToFileURL(resolve(file)).href)
    if (files.length === 1) return
    // The last hook of the file, since it is registered last.
    after(() =>
      assert.deepEqual(findChanges(former), [], 'The file does not restore this state of the process.'),
    )
  })
  // Lets the reports out, so that a sudden end in the next file does not take them along.
  await setImmediate()
}

/** The state of the process that one test file could spoil for the next. */
function describeProcess(): Record<string, unknown> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection']
  return {
    ...process.env,
    ...Object.fromEntries(signals.map((name) => [`listeners of ${name}`, process.listenerCount(name)])),
    'current folder': process.cwd(),
    fetch: globalThis.fetch,
    Date: globalThis.Date,
    setTimeout: globalThis.setTimeout,
  }
}

function findChanges(former: Record<string, unknown>): string[] {
  const present = describeProcess()
  return Object.keys({ ...former, ...present }).filter((name) => present[name] !== former[name])
}
