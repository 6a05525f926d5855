import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from './errors.ts'
import { compileForeignCheck } from './validation.ts'

const isRefused = (check: (value: unknown) => void, value: unknown): boolean => {
  try {
    check(value)
    return false
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return true
  }
}

test('each schema checks by its own rules, also two with one $id and one after a wrong one', () => {
  const own = { $id: 'https://example.com/input', type: 'object' }
  const first = compileForeignCheck({ ...own, required: ['city'] })
  assert.throws(() => compileForeignCheck({ ...own, type: 'thing' }), /type/)
  const second = compileForeignCheck({ ...own, properties: { email: { type: 'string', format: 'email' } } })
  assert.deepEqual([isRefused(first, {}), isRefused(first, { city: 'Malmö' })], [true, false])
  assert.deepEqual([isRefused(second, { email: 'nobody' }), isRefused(second, {})], [true, false])
})
