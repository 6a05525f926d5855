import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { openCounts, takeOrHold } from './counts.ts'

test('a place is given at once, and a refusal is held for two seconds', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const counts = openCounts(1)
    const leave = takeOrHold(counts, 'eva')
    assert.equal(typeof leave, 'function')
    const outcomes: unknown[] = []
    const held = Promise.resolve(takeOrHold(counts, 'eva')).catch((error: unknown) => outcomes.push(error))
    mock.timers.tick(1_999)
    await turn()
    assert.deepEqual(outcomes, [])
    assert.equal(typeof takeOrHold(counts, 'bo'), 'function', 'another caller is not held')
    mock.timers.tick(1)
    await held
    assert.match(String(outcomes[0]), /You have 1 requests open already/)
  } finally {
    mock.timers.reset()
  }
})
