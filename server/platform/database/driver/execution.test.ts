import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Connection } from 'pg'
import { Execution } from './execution.ts'

const statement = {
  text: 'select 1 / 0',
  values: [],
  simple: true,
  name: '',
  isPrepared: false,
  types: undefined,
  columns: undefined,
}
const refused = Object.assign(new Error('division by zero'), { severity: 'ERROR' })

for (const event of ['readyForQuery', 'end']) {
  test(`an error is told when its locks are released: with ${event}`, async () => {
    const wire = new EventEmitter()
    const execution = new Execution(statement)
    let told: unknown
    execution.done.catch((error: unknown) => (told = error))
    execution.handleError(refused, wire as Connection)
    await setImmediate()
    assert.equal(told, undefined)
    wire.emit(event)
    await setImmediate()
    assert.equal(told, refused)
    assert.deepEqual(wire.eventNames(), [])
  })
}

test('a lost connection is told at once', async () => {
  const lost = new Error('Connection terminated unexpectedly')
  const execution = new Execution(statement)
  execution.handleError(lost, new EventEmitter() as Connection)
  await assert.rejects(execution.done, lost)
})
