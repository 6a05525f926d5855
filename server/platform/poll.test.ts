import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createPoll } from './poll.ts'

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
afterEach(() => mock.timers.reset())

/** A poll whose outcome the test decides. */
function watchPoll() {
  const seen = { isNeeded: true, polls: 0, errors: [] as unknown[] }
  let current = Promise.withResolvers<void>()
  const poll = createPoll({
    everyMs: 100,
    isNeeded: () => seen.isNeeded,
    poll: () => {
      seen.polls++
      current = Promise.withResolvers()
      return current.promise
    },
    onError: (error) => seen.errors.push(error),
  })
  const end = async (error?: Error) => {
    if (error) current.reject(error)
    else current.resolve()
    await turn()
  }
  return { ...poll, seen, end }
}

test('polls go on one at a time while somebody waits, also after one that failed', async () => {
  const { seen, begin, end } = watchPoll()
  begin()
  begin()
  mock.timers.tick(1_000)
  assert.equal(seen.polls, 1)
  await end(new Error('away'))
  mock.timers.tick(100)
  assert.deepEqual([seen.polls, seen.errors.length], [2, 1])
  seen.isNeeded = false
  await end()
  mock.timers.tick(1_000)
  assert.equal(seen.polls, 2)
  seen.isNeeded = true
  begin()
  mock.timers.tick(100)
  assert.equal(seen.polls, 3)
})

test('no poll begins after the stop, and one that fails then is not reported', async () => {
  const { seen, begin, stop, end } = watchPoll()
  begin()
  mock.timers.tick(100)
  stop()
  await end(new Error('the database is closed'))
  begin()
  mock.timers.tick(1_000)
  assert.deepEqual([seen.polls, seen.errors], [1, []])
})

test('a poll that is due is called off by the stop', () => {
  const { seen, begin, stop } = watchPoll()
  begin()
  stop()
  mock.timers.tick(1_000)
  assert.equal(seen.polls, 0)
})
