import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedRuns } from './shared-runs.ts'

/** A work that ends when it is told to, and gives how often it began. */
function work() {
  const ends: { resolve: (value: number) => void; reject: (error: Error) => void }[] = []
  const run = () => new Promise<number>((resolve, reject) => ends.push({ resolve, reject }))
  return { run, ends }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('who asks while a run is under way shares the next one with the others', async () => {
  const runs = new SharedRuns<number>()
  const { run, ends } = work()
  const first = runs.run('a', run)
  const later = [runs.run('a', run), runs.run('a', run)]
  assert.equal(ends.length, 1)
  ends[0]!.resolve(1)
  assert.equal(await first, 1)
  await settle()
  assert.equal(ends.length, 2)
  const last = runs.run('a', run)
  ends[1]!.resolve(2)
  assert.deepEqual(await Promise.all(later), [2, 2])
  await settle()
  assert.equal(ends.length, 3)
  ends[2]!.resolve(3)
  assert.equal(await last, 3)
})

test('other questions do not wait, and after a failure the next run begins anew', async () => {
  const runs = new SharedRuns<number>()
  const { run, ends } = work()
  const failing = runs.run('a', run)
  const next = runs.run('a', run)
  const other = runs.run('b', run)
  assert.equal(ends.length, 2)
  ends[0]!.reject(new Error('lost'))
  await assert.rejects(failing, /lost/)
  await settle()
  ends[1]!.resolve(2)
  ends[2]!.resolve(3)
  assert.deepEqual(await Promise.all([other, next]), [2, 3])
})

test('a run is aborted when all who asked for it have left', async () => {
  const runs = new SharedRuns<number>()
  const signals: AbortSignal[] = []
  const { run, ends } = work()
  const watched = (signal: AbortSignal) => {
    signals.push(signal)
    return run()
  }
  const [one, other, third] = [new AbortController(), new AbortController(), new AbortController()]
  const asked = [one, other, third].map(({ signal }) => runs.run('a', watched, signal))
  one.abort(new Error('left'))
  assert.ok(signals[0]!.aborted)
  ends[0]!.reject(new Error('left'))
  await assert.rejects(asked[0]!, /left/)
  await settle()
  other.abort()
  assert.ok(!signals[1]!.aborted)
  ends[1]!.resolve(2)
  assert.deepEqual(await Promise.all(asked.slice(1)), [2, 2])
  const without = runs.run('b', watched)
  assert.ok(!signals[2]!.aborted)
  ends[2]!.resolve(3)
  assert.equal(await without, 3)
})
