/// <reference types="node" />
/** Claims that come to a case after its interest terms have changed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addDays, daysBetween } from '../calendar/calendar.ts'
import { divideHalfUp } from '../money/money.ts'
import { fixed, rates } from '../testing/case-scenario.ts'
import { allocationOrders } from './allocation.ts'
import { deriveLedger } from './case-ledger.ts'
import type { Movement } from './case-movement.ts'

const registeredOn = '2025-01-01'
const days = 400

interface Drawn {
  principal: number
  /** Days after the registration. */
  interestFrom: number
  addedOn: number
  changes: { on: number; rate: number }[]
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  principal: fc.integer({ min: 1, max: 10_000_000 }),
  interestFrom: fc.nat(days),
  addedOn: fc.nat(days),
  changes: fc.uniqueArray(fc.record({ on: fc.nat(days), rate: fc.integer({ min: 0, max: 30 }) }), {
    maxLength: 5,
    selector: ({ on }) => on,
  }),
})

function derive({ principal, interestFrom, addedOn, changes }: Drawn, asOf: number) {
  const claim = {
    id: 'late',
    principal: BigInt(principal),
    dueDate: null,
    interestFrom: addDays(registeredOn, interestFrom),
    terms: null,
  }
  const added = { kind: 'claim', claim, byTermsOfDay: true } as const
  const movements: Movement[] = [
    { id: 'claim', booking: 0, valueDate: addDays(registeredOn, addedOn), ...added },
    ...changes.map(({ on, rate }, index): Movement => ({
      id: `terms ${index}`,
      booking: index + 1,
      valueDate: addDays(registeredOn, on),
      kind: 'terms',
      terms: fixed(String(rate)),
      claim: null,
    })),
  ]
  const opening = { registeredOn, claims: [], interest: 0n, cost: 0n, terms: fixed('10') }
  const order = allocationOrders.COST_INTEREST_PRINCIPAL
  return deriveLedger({ opening, movements, order, tolerance: 0n, rates }, addDays(registeredOn, asOf))
}

/** Percent-days of principal, day by day, over 36,500: with none of the ledger's code. */
function reckonPlainly({ principal, interestFrom, changes }: Drawn, asOf: number): bigint {
  const ordered = changes.toSorted((a, b) => a.on - b.on)
  let sum = 0n
  for (let day = interestFrom + 1; day <= asOf; day++)
    sum += BigInt(principal) * BigInt(ordered.findLast(({ on }) => on < day)?.rate ?? 10)
  return sum
}

test('each day of a late claim bears the interest of its own terms, whatever was booked first', () => {
  fc.assert(
    fc.property(drawn, fc.nat(100), (given, more) => {
      const asOf = days + more
      const { balances } = derive(given, asOf)
      // Each change rounds by at most half a cent, and so does what is not posted.
      const off = balances.remaining.interest * 36_500n - reckonPlainly(given, asOf)
      assert.ok(2n * (off < 0n ? -off : off) <= BigInt(given.changes.length + 1) * 36_500n, String(off))
    }),
    { numRuns: 1000 },
  )
})

test('the figures of a day follow from those of another, by its line', () => {
  fc.assert(
    fc.property(drawn, fc.nat(days), (given, asOf) => {
      const lastAct = Math.max(given.addedOn, ...given.changes.map(({ on }) => on))
      fc.pre(asOf >= lastAct)
      const { line, accrued, pending } = derive(given, asOf)
      assert.equal(
        pending.reduce((sum, { amount }) => sum + amount, 0n),
        accrued,
      )
      const until = line.until === null ? asOf + 30 : daysBetween(registeredOn, line.until)
      const later = Math.min(asOf + 30, until)
      const exact = line.exact + line.perDay * BigInt(later - asOf)
      assert.equal(divideHalfUp(exact, 160_308_000_000_000n), derive(given, later).accrued)
    }),
    { numRuns: 500 },
  )
})

test('a claim booked before this was known keeps its interest', () => {
  const claim = { id: 'late', principal: 365_000n, dueDate: null, interestFrom: registeredOn, terms: null }
  const movements: Movement[] = [
    { id: 'a', booking: 0, valueDate: '2025-01-11', kind: 'terms', terms: fixed('20'), claim: null },
    { id: 'b', booking: 1, valueDate: '2025-01-21', kind: 'claim', claim },
  ]
  const opening = { registeredOn, claims: [], interest: 0n, cost: 0n, terms: fixed('10') }
  const input = { opening, movements, order: allocationOrders.COST_INTEREST_PRINCIPAL, tolerance: 0n, rates }
  const read = (given: typeof input) => deriveLedger(given, '2025-01-21').balances.remaining.interest
  assert.equal(read(input), 4000n, 'twenty days at 20 percent')
  const [change, late] = movements as [Movement, Movement]
  const dated = { ...late, byTermsOfDay: true } as Movement
  assert.equal(read({ ...input, movements: [change, dated] }), 3000n, 'ten at 10 and ten at 20 percent')
})
