import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors.ts'
import { openWorkGate, workLimits, type WorkGate, type WorkLimits } from './work-gate.ts'

const limits: WorkLimits = { max: 4, callerMax: 3, callerWritesMax: 1, waitMs: 2_147_483_647 }
const read = (caller: string) => ({ caller, isWrite: false })
const write = (caller: string) => ({ caller, isWrite: true })
const noLeave = () => {}

const isOverloaded = (error: unknown) =>
  error instanceof ApiError && error.kind === 'overloaded' && error.headers['retry-after'] === '1'

/** Enters, and names what has started in the order of its start. */
function makeCallers(gate: WorkGate) {
  const started: string[] = []
  const ends: (() => void)[] = []
  const enter = async (name: string, work = read(name)) => {
    ends.push(await gate.enter(work, noLeave))
    started.push(name)
  }
  /** Ends the oldest work. */
  const end = async () => {
    ends.shift()!()
    await new Promise(setImmediate)
  }
  return { started, enter, end }
}

test('callers take turns, whoever asks more often', async () => {
  const gate = openWorkGate({ ...limits, callerMax: 4 })
  const { started, enter, end } = makeCallers(gate)
  for (let time = 0; time < 20; time++) void enter('greedy')
  void enter('modest')
  await new Promise(setImmediate)
  assert.deepEqual([gate.count(), started.length], [4, 4])
  await end()
  await end()
  assert.deepEqual(started.slice(4), ['greedy', 'modest'])
})

test('one caller never takes every place, nor every connection by writing', async () => {
  const gate = openWorkGate(limits)
  const { started, enter } = makeCallers(gate)
  for (let time = 0; time < 5; time++) void enter('greedy')
  await enter('modest')
  assert.deepEqual(started, ['greedy', 'greedy', 'greedy', 'modest'])
  const other = openWorkGate(limits)
  other.enter(write('writer'), noLeave)
  assert.ok(other.enter(write('writer'), noLeave) instanceof Promise)
  assert.equal(typeof other.enter(read('writer'), noLeave), 'function')
  assert.equal(typeof other.enter(write('another'), noLeave), 'function')
})

test("of a caller's waiting requests the newest is next", async () => {
  const gate = openWorkGate({ ...limits, max: 1 })
  const { started, enter, end } = makeCallers(gate)
  for (const name of ['first', 'second', 'third']) void enter(name, read('a'))
  await new Promise(setImmediate)
  await end()
  await end()
  assert.deepEqual(started, ['first', 'third', 'second'])
})

test('what waits too long is refused, and what its client leaves gives its place in the queue back', async () => {
  const gate = openWorkGate({ ...limits, max: 1, waitMs: 1 })
  // As the connections of the waiting requests would.
  const alive = setInterval(() => {}, 1_000)
  const end = await gate.enter(read('a'), noLeave)
  await assert.rejects(async () => gate.enter(read('b'), noLeave), isOverloaded)
  await assert.rejects(async () => gate.enter(read('b'), (then) => then()), isOverloaded)
  clearInterval(alive)
  end()
  assert.equal(gate.count(), 0)
  assert.equal(typeof gate.enter(read('b'), noLeave), 'function')
})

test('the least limits leave a place', () => {
  assert.deepEqual(workLimits(1, 2, 5), { max: 1, callerMax: 1, callerWritesMax: 1, waitMs: 5_000 })
  assert.deepEqual(workLimits(256, 16, 5), { max: 256, callerMax: 192, callerWritesMax: 12, waitMs: 5_000 })
})
