/**
 * Costs that a case brought with it and fees that are charged later: together they exceed no ceiling and no number. The
 * limits are written here a second time, without the engine.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addDays } from '../../calendar/calendar.ts'
import { shippedFees } from '../../ledger/statutory-fees.ts'
import { findOpeningCeiling } from './opening-costs.ts'
import { unstatedFee, type ChargedFee, type LegalCase } from '../legal-case.ts'
import { judge } from '../permissions.ts'

const from = '2026-03-02'
const currencies: Record<string, string> = { SE: 'SEK', NO: 'NOK', DK: 'DKK', FI: 'EUR', DE: 'EUR' }
const types = ['reminder', 'collectionDemand', 'collectionFee', 'paymentPlan']

const someCase = fc.record({
  country: fc.constantFrom('SE', 'NO', 'DK', 'FI', 'DE'),
  principal: fc.constantFrom(9_000n, 50_000n, 100_000n, 1_000_000n),
  type: fc.constantFrom(null, ...types),
  /** Of the ceiling, in percent. */
  part: fc.constantFrom(10n, 50n, 100n),
})
const someFee = fc.record({
  day: fc.integer({ min: 0, max: 200 }),
  type: fc.constantFrom(...types),
  amount: fc.constantFrom(500n, 1_200n, 3_500n, 6_000n, 17_000n),
})

/** A case whose creditor has done what the law asks before a fee, with lawful costs of before. */
function openCase({ country, principal, type, part }: Drawn): LegalCase {
  const dueDate = addDays(from, -60)
  const facts = {
    country,
    debtor: 'consumer' as const,
    currency: currencies[country]!,
    principal,
    dueDate,
    reminderFeeAgreed: true,
  }
  const ceiling = findOpeningCeiling(facts, { feeType: type, date: dueDate }, shippedFees)
  const amount = ((ceiling?.highest ?? 0n) * part) / 100n
  return {
    ...facts,
    circumstances: [],
    isEnforceable: false,
    hasGuardian: false,
    noticeDeadline: addDays(from, -10),
    fees: [],
    openingCosts: amount > 0n ? { type: type ?? unstatedFee, amount, date: dueDate } : null,
    letters: [{ kind: 'demand', date: addDays(from, -9), due: addDays(from, -1) }],
  }
}
interface Drawn {
  country: string
  principal: bigint
  type: string | null
  part: bigint
}

function checkTogether(one: LegalCase): void {
  const told = JSON.stringify(one, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  const all: readonly ChargedFee[] = one.openingCosts ? [...one.fees, one.openingCosts] : one.fees
  const of = (...wanted: string[]) => all.filter(({ type }) => wanted.includes(type))
  const sum = (...wanted: string[]) => of(...wanted).reduce((total, { amount }) => total + amount, 0n)
  switch (one.country) {
    case 'SE':
      for (const type of ['reminder', 'collectionDemand', 'paymentPlan'])
        assert.ok(of(type).length <= 1, told)
      break
    case 'NO':
      assert.ok(of('reminder').length <= 2, told)
      break
    case 'DK':
      assert.ok(of('reminder').length <= 3 && of('collectionDemand').length <= 1, told)
      break
    case 'FI': {
      const cap = one.principal <= 10_000n ? 6_000n : one.principal <= 100_000n ? 12_000n : 21_000n
      assert.ok(sum('reminder', 'collectionDemand', 'paymentPlan', unstatedFee) <= cap, told)
      assert.ok(of('collectionDemand').length <= 2, told)
      break
    }
    default:
      // RVG § 13: nine tenths of the fee, at least 15 euros.
      if (one.principal <= 50_000n)
        assert.ok(sum('reminder', 'collectionDemand', 'collectionFee', unstatedFee) <= 4_635n, told)
  }
}

test('costs of before and later fees together exceed no ceiling and no number', () => {
  let charged = 0
  let refused = 0
  fc.assert(
    fc.property(someCase, fc.array(someFee, { maxLength: 12 }), (drawn, tries) => {
      let one = openCase(drawn)
      for (const { day, ...fee } of tries.toSorted((a, b) => a.day - b.day)) {
        const date = addDays(from, day)
        const asked = { action: `fee:${fee.type}`, date, amount: fee.amount }
        const { allowed } = judge(one, asked, shippedFees)
        const without = judge({ ...one, openingCosts: null }, asked, shippedFees)
        assert.ok(!allowed || without.allowed, 'costs of before allow nothing')
        if (without.allowed && !allowed) refused++
        if (!allowed) continue
        charged++
        one = { ...one, fees: [...one.fees, { ...fee, date }] }
      }
      checkTogether(one)
    }),
    { numRuns: 400 },
  )
  assert.ok(charged > 100, `fees were charged: ${charged}`)
  assert.ok(refused > 50, `fees were refused for the costs of before alone: ${refused}`)
})
