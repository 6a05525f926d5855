import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fingerprints } from './fingerprints.ts'

test('a value is remembered for each of very many texts', () => {
  const lines = new Fingerprints()
  const count = 200_000
  for (let n = 0; n < count; n++)
    assert.equal(
      lines.update(`key ${n}`, () => n),
      undefined,
    )
  for (let n = 0; n < count; n += 997)
    assert.equal(
      lines.update(`key ${n}`, (before = -1) => before),
      n,
    )
  assert.equal(
    lines.update('another', () => 1),
    undefined,
  )
})

test('a value can be counted up', () => {
  const counts = new Fingerprints()
  const add = () => counts.update('a', (count = 0) => count + 1)
  assert.deepEqual([add(), add(), add()], [undefined, 1, 2])
})
