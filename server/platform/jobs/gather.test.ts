import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gather } from './gather.ts'

test('what is asked for in one turn is asked for together, and each gets its own answer', async () => {
  const calls: (readonly number[])[] = []
  const double = gather(async (items: readonly number[]) => {
    calls.push(items)
    return items.map((item) => item * 2)
  })
  assert.deepEqual(await Promise.all([double(1), double(2), double(3)]), [2, 4, 6])
  const fourth = double(4)
  await nextTurn()
  assert.deepEqual(await Promise.all([fourth, double(5)]), [8, 10])
  assert.deepEqual(calls, [[1, 2, 3], [4], [5]])
})

test('nobody waits for a call that is under way', async () => {
  const gate = Promise.withResolvers<void>()
  const pass = gather(async (items: readonly string[]) => {
    if (items.includes('slow')) await gate.promise
    return items
  })
  const slow = pass('slow')
  await nextTurn()
  assert.equal(await pass('quick'), 'quick')
  gate.resolve()
  assert.equal(await slow, 'slow')
})

test('one that is refused says nothing about the others', async () => {
  const calls: (readonly string[])[] = []
  const keep = gather(async (items: readonly string[]) => {
    calls.push(items)
    if (items.includes('bad')) throw new Error('There is a bad one among them.')
    return items
  })
  const outcomes = await Promise.allSettled([keep('one'), keep('bad'), keep('two')])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(calls, [['one', 'bad', 'two'], ['one'], ['bad'], ['two']])
})

test('when the database is away nothing is asked for a second time', async () => {
  let calls = 0
  const lost = gather(async (): Promise<never[]> => {
    calls++
    throw Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' })
  })
  const outcomes = await Promise.allSettled([lost(1), lost(2)])
  assert.deepEqual([outcomes.map(({ status }) => status), calls], [['rejected', 'rejected'], 1])
})
