import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../platform/http/errors.ts'
import { openHashQueue, type HashQueue, type HashTurn } from './hash-queue.ts'

/** Work that ends when `finish` is called, in the order of its start. */
function makeWork(queue: HashQueue) {
  const started: string[] = []
  const refused: string[] = []
  const finishers: (() => void)[] = []
  const ask = (name: string, turn: HashTurn) =>
    void queue
      .run(turn, () => {
        started.push(name)
        return new Promise<void>((resolve) => finishers.push(resolve))
      })
      .catch((error: unknown) => {
        assert.ok(error instanceof ApiError)
        assert.deepEqual([error.kind, error.headers['retry-after']], ['overloaded', '2'])
        refused.push(name)
      })
  const finish = async () => {
    finishers.shift()!()
    await new Promise(setImmediate)
  }
  return { started, refused, ask, finish }
}

test('a flood from one address takes turns with a single sign-in from another, and with another account', async () => {
  const { started, ask, finish } = makeWork(openHashQueue(2, 100))
  for (let number = 0; number < 20; number++) ask(`flood ${number}`, { sender: '192.0.2.1', account: 'a' })
  ask('neighbour', { sender: '192.0.2.1', account: 'b' })
  ask('other', { sender: '192.0.2.2', account: 'a' })
  assert.deepEqual(started, ['flood 0', 'flood 1'])
  for (let turn = 0; turn < 3; turn++) await finish()
  assert.deepEqual(started.slice(2), ['flood 2', 'other', 'neighbour'])
  for (let turn = 0; turn < 18; turn++) await finish()
  assert.equal(started.length, 22)
  assert.deepEqual(
    started.filter((name) => name.startsWith('flood')),
    Array.from({ length: 20 }, (_, number) => `flood ${number}`),
    'one account keeps its order',
  )
})

test('a full queue refuses the newest of the sender who fills it', async () => {
  const { started, refused, ask, finish } = makeWork(openHashQueue(1, 4))
  ask('running', { sender: 'x', account: 'x' })
  for (const name of ['a', 'b', 'c', 'd']) ask(name, { sender: 'flood', account: name })
  ask('right', { sender: 'other', account: 'r' })
  ask('e', { sender: 'flood', account: 'e' })
  await new Promise(setImmediate)
  assert.deepEqual(refused, ['d', 'e'])
  for (let turn = 0; turn < 5; turn++) await finish()
  assert.deepEqual(started, ['running', 'a', 'right', 'b', 'c'])
  ask('later', { sender: 'flood', account: 'a' })
  assert.equal(started.at(-1), 'later')
})
