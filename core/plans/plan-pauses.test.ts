/// <reference types="node" />
/** Plans that know of interest pauses: what they reckon ahead is what the ledgers post. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addDays, daysBetween, fromDayNumber } from '../calendar/calendar.ts'
import { deriveLedger } from '../ledger/case-ledger.ts'
import { allocationOrders } from '../ledger/allocation.ts'
import type { LedgerInput, Movement, MovementEffect } from '../ledger/case-movement.ts'
import { fixed, rates } from '../testing/case-scenario.ts'
import { computeOwed, pausesAhead } from './plan-balances.ts'
import { computePlan } from './plan.ts'

const registeredOn = '2026-01-01'
type Dated = MovementEffect & { on: string }

function makeInput(movements: Dated[], principal = 3_650_000n): LedgerInput & { movements: Movement[] } {
  return {
    opening: {
      registeredOn,
      interest: 0n,
      cost: 0n,
      terms: fixed('10'),
      claims: [{ id: 'a', principal, dueDate: registeredOn, interestFrom: registeredOn, terms: null }],
    },
    movements: movements.map(({ on, ...effect }, index) => ({
      id: `m${index}`,
      booking: index,
      valueDate: on,
      ...effect,
    })),
    order: allocationOrders.COST_INTEREST_PRINCIPAL,
    tolerance: 0n,
    rates,
  }
}
const pause = (on: string): Dated => ({ kind: 'pause', on })
const resume = (on: string): Dated => ({ kind: 'resume', on })

test('the pauses ahead are those that last on the day or begin later', () => {
  const table: [string, Dated[], string][] = [
    ['none', [], ''],
    ['over', [pause('2026-01-05'), resume('2026-01-20')], ''],
    ['ends today', [pause('2026-01-05'), resume('2026-01-31')], ''],
    ['lasts, with an end', [pause('2026-01-05'), resume('2026-03-01')], '2026-01-05 to 2026-03-01'],
    ['lasts, without an end', [pause('2026-01-05')], '2026-01-05 to ever'],
    ['begins later', [pause('2026-02-05'), resume('2026-03-01')], '2026-02-05 to 2026-03-01'],
    [
      'overlapping ones are one',
      [pause('2026-02-05'), pause('2026-02-10'), resume('2026-02-20'), resume('2026-03-01')],
      '2026-02-05 to 2026-03-01',
    ],
    [
      'two',
      [pause('2026-02-05'), resume('2026-02-10'), pause('2026-03-01')],
      '2026-02-05 to 2026-02-10, 2026-03-01 to ever',
    ],
    ['reversed', [pause('2026-02-05'), { kind: 'reversal', of: 'm0', on: '2026-02-05' }], ''],
    ['an end without a beginning', [resume('2026-02-10')], ''],
  ]
  for (const [what, movements, expected] of table) {
    const found = pausesAhead(makeInput(movements), '2026-01-31').map(
      ({ after, through }) =>
        `${fromDayNumber(after)} to ${through === null ? 'ever' : fromDayNumber(through)}`,
    )
    assert.equal(found.join(', '), expected, what)
  }
})

// 36,500.00 at 10 % is 10.00 a day.
const computeInterest = (movements: Dated[], startDate = '2026-01-31') => {
  const outcome = computePlan({
    type: 2,
    startDate,
    cases: [computeOwed(makeInput(movements), startDate)],
    numberOfPayments: 2,
    amount: 100_000n,
    firstDueDate: '2026-02-28',
  })
  assert.ok(outcome.ok)
  return outcome.plan.rows.map((row) => Number(row.interest) / 100).join(' ')
}

test('a plan reckons no interest for the days of a pause, and for none after a pause without an end', () => {
  // 300.00 until the start, 28 days, then 28 days of what principal is left.
  assert.equal(computeInterest([]), '580 276.78')
  assert.equal(computeInterest([pause('2026-02-10'), resume('2026-02-20')]), '480 276.01')
  assert.equal(computeInterest([pause('2026-02-10')]), '400 0')
  assert.equal(computeInterest([pause('2026-01-11')]), '100 0')
  assert.equal(computeInterest([pause('2026-02-28'), resume('2026-03-18')]), '580 98.85')
})

test('paid on time, every row of a plan with a pause is what the ledger makes of it', () => {
  let walked = 0
  const drawn = fc.record({
    principal: fc.integer({ min: 100_000, max: 5_000_000 }).map(BigInt),
    number: fc.integer({ min: 2, max: 14 }),
    type: fc.constantFrom(1 as const, 3 as const),
    // From a due date on, so that interest is rounded once in each period; or for ever.
    begins: fc.integer({ min: 0, max: 12 }),
    days: fc.option(fc.integer({ min: 1, max: 200 })),
    shift: fc.integer({ min: 0, max: 27 }),
  })
  fc.assert(
    fc.property(drawn, ({ principal, number, type, begins, days, shift }) => {
      const plain = plan([], principal, { type, number })
      const due = plain.rows[Math.min(begins, number - 1)]!.dueDate
      const pauses = days === null ? [pause(addDays(due, shift))] : [pause(due), resume(addDays(due, days))]
      const { rows } = plan(pauses, principal, { type, number })
      const input = makeInput(pauses, principal)
      for (const [index, row] of rows.entries()) {
        const before = deriveLedger(input, row.dueDate).balances.remaining
        assert.equal(before.interest, row.interest, `interest of payment ${row.paymentNo}`)
        const id = `p${index}`
        const paid = { kind: 'payment' as const, amount: row.amount }
        input.movements.push({ id, booking: 100 + index, valueDate: row.dueDate, ...paid })
        assert.equal(deriveLedger(input, row.dueDate).balances.remaining.principal, row.balance)
      }
      const saved = plain.totals.interest - rows.reduce((sum, { interest }) => sum + interest, 0n)
      const last = plain.rows.at(-1)!.dueDate
      if (daysBetween(pauses[0]!.on, last) > 0) assert.ok(saved >= 0n, `${saved} less interest`)
      walked++
    }),
    { numRuns: 150 },
  )
  assert.ok(walked >= 150)
})

function plan(pauses: Dated[], principal: bigint, { type, number }: { type: 1 | 3; number: number }) {
  const outcome = computePlan({
    type,
    startDate: registeredOn,
    cases: [computeOwed(makeInput(pauses, principal), registeredOn)],
    numberOfPayments: number,
  })
  assert.ok(outcome.ok)
  return outcome.plan
}
