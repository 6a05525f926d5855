import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeId } from './make-id.ts'

test('identifiers are unique UUIDs of version 7, in increasing order', () => {
  const ids = Array.from({ length: 2000 }, makeId)
  for (const id of ids)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.deepEqual(ids, ids.toSorted())
  assert.equal(new Set(ids).size, ids.length)
  const made = Number.parseInt(ids[0]!.replaceAll('-', '').slice(0, 12), 16)
  assert.ok(Math.abs(made - Date.now()) < 60_000)
})
