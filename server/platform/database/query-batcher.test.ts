import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchQueries, waitMs } from './query-batcher.ts'
import type { Db } from './transaction.ts'

const pool = () => ({ begin: () => undefined }) as unknown as Db
const inTransaction = {} as Db

/** Doubles numbers. Keeps the numbers of each statement, and answers when told to. */
function doubler(fail: (numbers: readonly number[]) => unknown = () => undefined) {
  const statements: number[][] = []
  const held = Promise.withResolvers<void>()
  const ask = batchQueries<number, number>(async (_, numbers) => {
    statements.push([...numbers])
    await held.promise
    const error = fail(numbers)
    if (error !== undefined) throw error
    return numbers.map((number) => number * 2)
  })
  return { statements, ask, answer: () => held.resolve() }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('a lone request is sent at once, and later ones share a statement in their order', async () => {
  const { statements, ask, answer } = doubler()
  const db = pool()
  const answers = [1, 2, 3, 2].map((number) => ask(db, number))
  assert.deepEqual(statements, [[1]])
  await turn()
  assert.deepEqual(statements, [[1], [2, 3, 2]])
  answers.push(ask(db, 4))
  await turn()
  assert.deepEqual(statements, [[1], [2, 3, 2], [4]])
  answer()
  assert.deepEqual(await Promise.all(answers), [2, 4, 6, 4, 8])
  assert.equal(await ask(db, 5), 10)
  assert.deepEqual(statements.at(-1), [5])
})

test('two kinds, two pools and a transaction share no statement', async () => {
  const { statements, ask, answer } = doubler()
  const [one, other] = [pool(), pool()]
  const answers = [
    ...[1, 2, 3].map((number) => ask(one, number, 'odd')),
    ...[4, 5, 6].map((number) => ask(one, number, 'even')),
    ...[7, 8].map((number) => ask(other, number, 'odd')),
    ...[9, 10].map((number) => ask(inTransaction, number, 'odd')),
  ]
  await turn()
  assert.deepEqual(statements.toSorted().map(String), ['1', '10', '2,3', '4', '5,6', '7', '8', '9'])
  answer()
  assert.equal((await Promise.all(answers)).at(-1), 20)
})

test('a statement takes at most 100 requests', async () => {
  const { statements, ask, answer } = doubler()
  const db = pool()
  const answers = Array.from({ length: 251 }, (_, number) => ask(db, number))
  await turn()
  assert.deepEqual(
    statements.map(({ length }) => length),
    [1, 100, 100, 50],
  )
  answer()
  assert.equal((await Promise.all(answers)).at(-1), 500)
})

test('a request that fails its batch is rejected alone', async () => {
  const wrong = Object.assign(new Error('wrong'), { code: '23514' })
  const { statements, ask, answer } = doubler((numbers) => (numbers.includes(3) ? wrong : undefined))
  const db = pool()
  const answers = [1, 2, 3, 4].map((number) => ask(db, number))
  answer()
  assert.deepEqual(await Promise.all(answers.map((one) => one.catch((error: Error) => error.message))), [
    2,
    4,
    'wrong',
    8,
  ])
  assert.deepEqual(statements, [[1], [2, 3, 4], [2, 3], [4], [2], [3]])
})

test('after a lock timeout each request is sent alone', async () => {
  const locked = Object.assign(new Error('locked'), { code: '55P03' })
  const { statements, ask, answer } = doubler((numbers) => (numbers.length > 1 ? locked : undefined))
  const db = pool()
  const answers = [1, 2, 3, 4, 5].map((number) => ask(db, number))
  answer()
  assert.deepEqual(await Promise.all(answers), [2, 4, 6, 8, 10])
  assert.deepEqual(statements, [[1], [2, 3, 4, 5], [2], [3], [4], [5]])
})

test('where the first is delayed, all requests of a turn share a statement and wait for none under way', async () => {
  const statements: (readonly number[])[] = []
  const gate = Promise.withResolvers<void>()
  const ask = batchQueries<number, number>(
    async (_, numbers) => {
      statements.push(numbers)
      if (numbers.includes(1)) await gate.promise
      return numbers.map((number) => number * 2)
    },
    { delaysFirst: true },
  )
  const db = pool()
  const first = [ask(db, 1), ask(db, 2)]
  assert.deepEqual(statements, [])
  await turn()
  assert.equal(await ask(db, 3), 6)
  gate.resolve()
  assert.deepEqual(await Promise.all(first), [2, 4])
  assert.deepEqual(statements, [[1, 2], [3]])
})

test('while the most batches run, later requests share the next one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const statements: (readonly number[])[] = []
  const gates = [1, 2, 3].map(() => Promise.withResolvers<void>())
  const ask = batchQueries<number, number>(
    async (_, numbers) => {
      await gates[statements.push(numbers) - 1]!.promise
      return numbers.map((number) => number * 2)
    },
    { runningMax: 2 },
  )
  const db = pool()
  const first = ask(db, 1)
  const second = ask(db, 2)
  await turn()
  const later = [ask(db, 3)]
  await turn()
  later.push(ask(db, 4))
  await turn()
  assert.deepEqual(statements, [[1], [2]])
  gates[1]!.resolve()
  assert.equal(await second, 4)
  await turn()
  assert.deepEqual(statements, [[1], [2], [3, 4]])
  gates[2]!.resolve()
  assert.deepEqual(await Promise.all(later), [6, 8])
  gates[0]!.resolve()
  assert.equal(await first, 2)
})

test('a batch that hangs holds up others for a short while only', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const held = Promise.withResolvers<void>()
  const ask = batchQueries<number, number>(
    async (_, numbers) => {
      if (numbers.includes(1)) await held.promise
      return numbers.map((number) => number * 2)
    },
    { runningMax: 1 },
  )
  const db = pool()
  const hanging = ask(db, 1)
  const others = [ask(db, 2), ask(db, 3)]
  await turn()
  t.mock.timers.tick(waitMs)
  assert.deepEqual(await Promise.all(others), [4, 6])
  held.resolve()
  assert.equal(await hanging, 2)
})

test('a missing answer rejects its batch', async () => {
  const ask = batchQueries<number, number>((_, numbers) => Promise.resolve(numbers.slice(1)))
  const db = pool()
  const answers = await Promise.allSettled([1, 2, 3, 4].map((number) => ask(db, number)))
  assert.deepEqual(
    answers.map((one) => one.status === 'rejected' && String(one.reason)),
    [1, 3, 3, 3].map((count) => `RangeError: ${count} requests were given ${count - 1} answers.`),
  )
})

test('a thrown value that is not an error is passed on', async () => {
  const ask = batchQueries<number, number>(() => Promise.reject('no error'))
  const db = pool()
  const answers = await Promise.allSettled([1, 2].map((number) => ask(db, number)))
  assert.deepEqual(
    answers.map((one) => one.status === 'rejected' && (one.reason as unknown)),
    ['no error', 'no error'],
  )
})

test('a lost connection rejects the batch, and no request is sent again', async () => {
  const lost = Object.assign(new Error('lost'), { code: 'CONNECTION_CLOSED' })
  const { statements, ask, answer } = doubler((numbers) => (numbers.length > 1 ? lost : undefined))
  const db = pool()
  const answers = [1, 2, 3].map((number) => ask(db, number))
  answer()
  const settled = await Promise.allSettled(answers)
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected'],
  )
  assert.deepEqual(statements, [[1], [2, 3]])
  assert.equal(await ask(db, 4), 8)
})
