/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addDays, addMonths, toDayNumber } from '../../calendar/calendar.ts'
import { buildRateSteps, type RateTable } from '../../interest/interest.ts'
import { createDueDates } from './plan-dates.ts'
import { createPeriodRates, caseInterest } from './plan-interest.ts'
import type { DayCount } from '../plan-terms.ts'

const table: RateTable = new Map([
  [
    'DE',
    [
      { from: '2023-01-01', rate: '1.62' },
      { from: '2024-01-10', rate: '3.37' },
      { from: '2024-02-29', rate: '3.62' },
    ],
  ],
])

/** The fraction of a year times percent that one period holds, by the day count. */
function computeYearFraction(
  dayCount: DayCount,
  from: string,
  to: string,
  rate: string | null = '1',
): number {
  const dates = createDueDates({ type: 1, startDate: from, firstDueDate: to, cases: [] })
  const rates = buildRateSteps(
    rate === null ? { kind: 'reference', series: 'DE', points: '5' } : { kind: 'fixed', rate },
    table,
  )
  const periods = createPeriodRates([{ principal: 1n, rates }], dates, 1, dayCount)
  periods.extendTo(1)
  return (periods.numerators[0]![1]! / periods.denominator) * 100
}

const near = (found: number, expected: number) =>
  assert.ok(Math.abs(found - expected) < 1e-14, `${found} ${expected}`)

test('the day counts of published schedules', () => {
  near(computeYearFraction('actual/365', '2024-02-01', '2024-03-01'), 29 / 365)
  near(computeYearFraction('30/360', '2024-02-01', '2024-03-01'), 30 / 360)
  near(computeYearFraction('30/360', '2024-01-31', '2024-02-29'), 29 / 360)
  near(computeYearFraction('30/360', '2024-05-31', '2024-07-31'), 60 / 360)
  near(computeYearFraction('actual/actual', '2023-12-12', '2024-01-12'), 19 / 365 + 12 / 366)
  near(computeYearFraction('actual/actual', '2024-12-12', '2026-01-12'), 19 / 366 + 1 + 12 / 365)
  // Days up to 9 January at 6.62, to 28 February at 8.37, then at 8.62.
  near(
    computeYearFraction('actual/365', '2023-12-31', '2024-03-10', null),
    (9 * 6.62 + 50 * 8.37 + 11 * 8.62) / 365,
  )
  near(
    computeYearFraction('30/360', '2023-12-31', '2024-03-10', null),
    (9 * 6.62 + 49 * 8.37 + 12 * 8.62) / 360,
  )
})

test('the parts of a period sum to the period, whatever the day count', () => {
  const dayCount = fc.constantFrom<DayCount>('actual/365', '30/360', 'actual/actual')
  fc.assert(
    fc.property(dayCount, fc.nat(700), fc.nat(700), fc.nat(700), (count, begin, first, second) => {
      const from = addDays('2023-01-01', begin)
      const middle = addDays(from, first)
      const to = addDays(middle, second)
      const whole = computeYearFraction(count, from, to, null)
      assert.ok(
        Math.abs(
          computeYearFraction(count, from, middle, null) +
            computeYearFraction(count, middle, to, null) -
            whole,
        ) < 1e-9,
      )
      assert.ok(whole >= 0)
    }),
  )
})

test('thirty days to the month make a twelfth of a year of every month', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 27 }), fc.nat(400), (day, months) => {
      const from = addMonths(addDays('2020-01-01', day), months)
      assert.ok(Math.abs(computeYearFraction('30/360', from, addMonths(from, 1)) - 1 / 12) < 1e-14)
    }),
  )
})

test('interest is rounded exactly, half up or half even, however large the amounts', () => {
  const balance = fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: 10 ** 15 }))
  const numerator = fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 10 ** 12 }))
  const denominator = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 36_500_000_000 }))
  const parts = fc.array(fc.tuple(balance, numerator), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(parts, denominator, fc.boolean(), (invoices, divisor, halfEven) => {
      const exact = invoices.reduce((sum, [one, other]) => sum + BigInt(one) * BigInt(other), 0n)
      const whole = exact / BigInt(divisor)
      const twice = 2n * (exact % BigInt(divisor)) - BigInt(divisor)
      const expected = twice > 0n || (twice === 0n && (!halfEven || whole % 2n === 1n)) ? whole + 1n : whole
      const rates = {
        denominator: divisor,
        numerators: invoices.map(([, other]) => [0, other]),
        extendTo: () => {},
      }
      const balances = invoices.map(([one]) => one)
      const found = caseInterest(rates, balances, { from: 0, to: invoices.length }, 1, halfEven)
      assert.equal(BigInt(found), BigInt(Number(expected)))
    }),
    { numRuns: 2000 },
  )
})

test('an invoice bears interest from its own day', () => {
  const dates = createDueDates({ type: 1, startDate: '2026-01-15', firstDueDate: '2026-02-15', cases: [] })
  const rates = buildRateSteps({ kind: 'fixed', rate: '10' }, table)
  const invoices = ['2026-01-01', '2026-02-05', '2026-03-01'].map((interestFrom) => ({
    principal: 1n,
    rates,
    interestFrom,
  }))
  const periods = createPeriodRates(invoices, dates, 1, 'actual/365')
  periods.extendTo(2)
  const days = periods.numerators.map((numerators) =>
    [1, 2].map((no) => Math.round((numerators[no]! / periods.denominator) * 3650)),
  )
  assert.deepEqual(days, [
    [31, 28],
    [10, 28],
    [0, 14],
  ])
  assert.equal(dates.due[2], toDayNumber('2026-03-15'))
})
