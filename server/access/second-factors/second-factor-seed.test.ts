import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readSettings } from '../../platform/config.ts'
import { needsSealing, openSeed, sealSeed } from './second-factor-seed.ts'

const withKey = () => readSettings({ FORDRA_SECRET_KEY: randomBytes(32).toString('base64') })
const without = readSettings({})
const user = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'

test('a seed is decrypted for its user under its key, and the stored form reveals nothing', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 16, maxLength: 64 }), fc.uuid(), (seed, userId) => {
      const settings = withKey()
      const stored = sealSeed(settings, userId, seed)
      assert.equal(openSeed(settings, userId, stored), seed)
      assert.ok(!stored.seed.includes(seed))
      assert.notDeepEqual(sealSeed(settings, userId, seed).seed, stored.seed)
    }),
  )
})

test('a seed is not decrypted in another row, under another key, without a key, or with a changed bit', () => {
  const settings = withKey()
  const stored = sealSeed(settings, user, 'GEZDGNBVGY3TQOJQ')
  const fails = /FORDRA_SECRET_KEY/
  assert.throws(() => openSeed(settings, user.replace('0', '1'), stored), fails)
  assert.throws(() => openSeed(withKey(), user, stored), fails)
  assert.throws(() => openSeed(without, user, stored), fails)
  for (let at = 0; at < stored.seed.length; at++) {
    const seed = Buffer.from(stored.seed)
    seed[at]! ^= 1
    assert.throws(() => openSeed(settings, user, { ...stored, seed }), fails)
  }
  assert.throws(() => openSeed(settings, user, { ...stored, seed: stored.seed.subarray(0, 20) }))
})

test('without a key a seed is stored unencrypted, and encrypted once there is a key', () => {
  const stored = sealSeed(without, user, 'GEZDGNBVGY3TQOJQ')
  assert.deepEqual([stored.sealed, openSeed(without, user, stored)], [false, 'GEZDGNBVGY3TQOJQ'])
  const settings = withKey()
  assert.equal(openSeed(settings, user, stored), 'GEZDGNBVGY3TQOJQ')
  assert.deepEqual([needsSealing(settings, user, stored), needsSealing(without, user, stored)], [true, false])
})

test('the first of several keys encrypts and all decrypt, so that keys can be rotated', () => {
  const [old, next] = [withKey(), withKey()]
  const rotating = readSettings({
    FORDRA_SECRET_KEY: `${next.FORDRA_SECRET_KEY},${old.FORDRA_SECRET_KEY}`,
  })
  const before = sealSeed(old, user, 'GEZDGNBVGY3TQOJQ')
  assert.equal(openSeed(rotating, user, before), 'GEZDGNBVGY3TQOJQ')
  assert.equal(needsSealing(rotating, user, before), true)
  const after = sealSeed(rotating, user, 'GEZDGNBVGY3TQOJQ')
  assert.equal(needsSealing(rotating, user, after), false)
  assert.equal(openSeed(next, user, after), 'GEZDGNBVGY3TQOJQ')
  assert.throws(() => openSeed(old, user, after), /FORDRA_SECRET_KEY/)
})

test('a list with an invalid key is refused, and never shown', () => {
  const good = withKey().FORDRA_SECRET_KEY!
  for (const keys of [`${good},`, `,${good}`, `${good},short`, `${good} ${good}`, `${good}, ${good}`]) {
    assert.throws(
      () => readSettings({ FORDRA_SECRET_KEY: keys }),
      (error: Error) => /FORDRA_SECRET_KEY must be/.test(error.message) && !error.message.includes(good),
    )
  }
})
