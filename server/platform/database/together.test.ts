import assert from 'node:assert/strict'
import { test } from 'node:test'
import { together } from './together.ts'
import type { Db } from './transaction.ts'

const pool = () => ({ begin: () => undefined }) as unknown as Db
const inTransaction = {} as Db

/** Doubles numbers; keeps which were asked in one statement, and answers them when told to. */
function doubler(fail: (numbers: readonly number[]) => unknown = () => undefined) {
  const statements: number[][] = []
  const held = Promise.withResolvers<void>()
  const ask = together<number, number>(async (_, numbers) => {
    statements.push([...numbers])
    await held.promise
    const error = fail(numbers)
    if (error !== undefined) throw error
    return numbers.map((number) => number * 2)
  })
  return { statements, ask, answer: () => held.resolve() }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('one alone goes at once, those that come meanwhile in one statement, in their order', async () => {
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

test('no statement takes more than a hundred', async () => {
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

test('what fails for the sake of one fails that one alone', async () => {
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

test('an answer that is missing is told, alone and among others', async () => {
  const ask = together<number, number>((_, numbers) => Promise.resolve(numbers.slice(1)))
  const db = pool()
  const answers = await Promise.allSettled([1, 2, 3, 4].map((number) => ask(db, number)))
  assert.deepEqual(
    answers.map((one) => one.status === 'rejected' && String(one.reason)),
    [1, 3, 3, 3].map((count) => `RangeError: ${count} questions were given ${count - 1} answers.`),
  )
})

test('what is thrown and is no error is passed on', async () => {
  const ask = together<number, number>(() => Promise.reject('no error'))
  const db = pool()
  const answers = await Promise.allSettled([1, 2].map((number) => ask(db, number)))
  assert.deepEqual(
    answers.map((one) => one.status === 'rejected' && (one.reason as unknown)),
    ['no error', 'no error'],
  )
})

test('a connection that is lost fails all, and nothing is asked again', async () => {
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
