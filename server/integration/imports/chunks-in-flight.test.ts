import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'node:test'
import { ChunksInFlight } from './chunks-in-flight.ts'

const isDone = async (promise: Promise<void>) => {
  let done = false
  void promise.then(() => (done = true))
  await nextTurn()
  return done
}

test('the limit of chunks holds, and the next starts when one has ended or failed', async () => {
  const flights = new ChunksInFlight(2)
  const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  for (const flight of [one, two]) {
    await flights.wait(new Set())
    flights.add(new Set(), flight.promise)
  }
  const third = flights.wait(new Set())
  assert.equal(await isDone(third), false)
  one.reject(new Error('failed'))
  assert.equal(await isDone(third), true)
})

test('a chunk that shares a key with another waits for it', async () => {
  const flights = new ChunksInFlight(3)
  const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  flights.add(new Set(['a', 'b']), one.promise)
  flights.add(new Set(['c']), two.promise)
  assert.equal(await isDone(flights.wait(new Set(['d']))), true)
  const sharing = flights.wait(new Set(['b', 'x']))
  two.resolve()
  assert.equal(await isDone(sharing), false)
  one.resolve()
  assert.equal(await isDone(sharing), true)
})
