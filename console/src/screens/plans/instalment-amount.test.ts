/** What the console says of each payment of a plan. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeInstalments } from './instalment-amount.ts'

const payments = [{ amount: 2370.63 }, { amount: 1637.51 }, { amount: 1583.72 }]
const say = (type: number, given = payments) =>
  describeInstalments(given, { type, regular: 1570.8 }, (amount) => `${amount} kr`)

test('a linear plan says the highest and the lowest payment, not the principal alone', () => {
  for (const type of [3, 4]) assert.equal(say(type), '2370.63 kr – 1583.72 kr')
})

test('other plans say the regular payment', () => {
  for (const type of [1, 2, 5]) assert.equal(say(type), '1570.8 kr')
})

test('payments of nothing are left out, and equal ones are said once', () => {
  assert.equal(say(3, [{ amount: 0 }, { amount: 100 }, { amount: 100 }]), '100 kr')
})
