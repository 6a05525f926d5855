import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, isPassword, placeholderHash } from './passwords.ts'

const turn = { sender: '', account: '' }
const readCost = (hash: string) => hash.split('$').slice(0, 4)

test('an unknown user is refused at the cost of a known one, whatever the password', async () => {
  assert.deepEqual(readCost(placeholderHash), readCost(await hashPassword('a long sentence')))
  assert.equal(await isPassword(null, 'a long sentence', turn), false)
  assert.equal(await isPassword(null, 'nobody has this password', turn), false)
})
