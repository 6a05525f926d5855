/// <reference types="node" />
/** Late-payment compensation and the costs of collection: together at most the larger of both. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { shippedFees } from '../ledger/statutory-fees.ts'
import type { LegalCase } from './legal-case.ts'
import { judge } from './permissions.ts'
import { findPack } from './packs.ts'

const date = '2026-11-20'
const countries = { SE: 'SEK', NO: 'NOK', DK: 'DKK', FI: 'EUR', DE: 'EUR' } as const
type Country = keyof typeof countries

const businessCase = (country: Country, principal = 10_000_00n): LegalCase => ({
  country,
  debtor: 'business',
  currency: countries[country],
  principal,
  dueDate: '2026-01-10',
  circumstances: [],
  isEnforceable: false,
  hasGuardian: false,
  reminderFeeAgreed: true,
  noticeDeadline: '2026-02-10',
  fees: [],
  letters: [
    { kind: 'reminder', date: '2026-01-30', due: '2026-02-12' },
    { kind: 'demand', date: '2026-03-01', due: '2026-03-20' },
  ],
})
const ask = (one: LegalCase, type: string, amount?: bigint) =>
  judge(one, { action: `fee:${type}`, date, ...(amount !== undefined && { amount }) }, shippedFees)
const charge = (one: LegalCase, type: string, amount: bigint): LegalCase => ({
  ...one,
  fees: [...one.fees, { type, amount, date }],
})

/** The fees that the rule sets against each other. */
function findFees(country: Country): string[] {
  const rule = findPack(country)!.rules.find(({ subject }) => subject === 'offset')
  assert.ok(rule?.subject === 'offset')
  return rule.actions.map((action) => action.slice('fee:'.length))
}

for (const country of Object.keys(countries) as Country[]) {
  test(`${country}: whatever is charged first, both come to the larger one`, () => {
    const fees = findFees(country)
    assert.ok(fees.length > 1)
    fc.assert(
      fc.property(
        fc.bigInt(100_00n, 1_000_000_00n),
        fc.array(fc.constantFrom(...fees), { minLength: 2, maxLength: 6 }),
        (principal, types) => {
          let one = businessCase(country, principal)
          // What the fees that were charged might have been without the rule.
          const alone = { compensation: 0n, costs: 0n }
          for (const type of types) {
            const { highest } = ask(one, type)
            if (highest === null || highest === 0n || !ask(one, type, highest).allowed) continue
            const others = one.fees.filter(
              (fee) => (fee.type === 'compensation') === (type === 'compensation'),
            )
            alone[type === 'compensation' ? 'compensation' : 'costs'] += ask(
              { ...one, fees: others },
              type,
            ).highest!
            one = charge(one, type, highest)
          }
          const sum = one.fees.reduce((total, { amount }) => total + amount, 0n)
          const larger = alone.compensation > alone.costs ? alone.compensation : alone.costs
          assert.ok(sum <= larger, `${types.join(', ')}: ${sum} is above ${larger}`)
        },
      ),
      { numRuns: 300 },
    )
  })
}

test('SE: no demand is charged beside the compensation, and the refusal names the rule', () => {
  const compensated = charge(businessCase('SE'), 'compensation', 450_00n)
  const { allowed, reason, rule, highest } = ask(compensated, 'collectionDemand', 180_00n)
  assert.deepEqual([allowed, reason, rule?.code, highest], [false, 'total', 'SE-COMPENSATION-OFFSET', 0n])
})

test('SE: the compensation is lowered by what was charged before', () => {
  const demanded = charge(businessCase('SE'), 'collectionDemand', 180_00n)
  assert.equal(ask(demanded, 'compensation').highest, 270_00n)
  assert.equal(ask(demanded, 'compensation', 450_00n).rule?.code, 'SE-COMPENSATION-OFFSET')
  assert.ok(ask(demanded, 'compensation', 270_00n).allowed)
})

test('NO: a second compensation is refused by its own rule', () => {
  const compensated = charge(businessCase('NO'), 'compensation', 100_00n)
  assert.equal(ask(compensated, 'compensation', 1_00n).rule?.code, 'NO-COMPENSATION-ONCE')
})

test('consumers owe no compensation, and their costs are as before', () => {
  const consumer: LegalCase = { ...businessCase('SE'), debtor: 'consumer' }
  assert.equal(ask(consumer, 'collectionDemand').highest, 180_00n)
})
