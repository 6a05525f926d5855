/// <reference types="node" />
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  solveAnnualRate,
  intervalBetween,
  presentValue,
  roundPercentage,
  type Flow,
  type Frequency,
} from './annual-percentage.ts'
import { addDays, addMonths, daysBetween } from '../calendar/calendar.ts'

interface Times {
  years?: number
  months?: number
  weeks?: number
  days?: number
  daysInYear?: number
}
interface Item extends Times {
  amount?: number
  amounts?: number[]
  count?: number
  step?: Times
}
interface Vector {
  id: string
  drawdowns: Item[]
  payments: Item[]
  expectedAprPct: number
  expectedDecimals: number
  computedAprPct: number
  aprRounded1dp: number
  aprRounded2dp: number
  verification: string
}
const vectors = JSON.parse(
  readFileSync(new URL('vectors/annual-percentage.json', import.meta.url), 'utf8'),
) as {
  vectors: Vector[]
  roundingVectors: { value: number; dp1: number; dp2: number }[]
  intervalVectors: {
    from_: string
    to: string
    frequency: 'months' | 'years'
    periods: number
    days: number
    daysInYear: number
    t: number
  }[]
}

const convertToYears = ({ years = 0, months = 0, weeks = 0, days = 0, daysInYear = 365 }: Times): number =>
  years + months / 12 + weeks / 52 + days / daysInYear
const makeFlows = (items: Item[]): Flow[] =>
  items.flatMap((item) =>
    Array.from({ length: item.count ?? item.amounts?.length ?? 1 }, (_, index) => ({
      amount: item.amounts?.[index] ?? item.amount!,
      years: convertToYears(item) + index * convertToYears(item.step ?? {}),
    })),
  )

const unlikePrinted = ['32', '34', '36', '37', '38', '39', '41'].map((number) => `EC-MCD-${number}`)

test('the published examples come out to every printed digit', () => {
  assert.equal(vectors.vectors.length, 52)
  for (const vector of vectors.vectors) {
    const percentage = solveAnnualRate(makeFlows(vector.drawdowns), makeFlows(vector.payments))! * 100
    const { id, expectedAprPct, expectedDecimals } = vector
    // These published rates do not follow to the last digit from what is printed: the file says why, and that they agree.
    const exact = vector.verification.startsWith('exact')
    assert.equal(unlikePrinted.includes(id), !exact, id)
    if (exact) assert.equal(roundPercentage(percentage, expectedDecimals), expectedAprPct, id)
    else assert.ok(Math.abs(percentage - expectedAprPct) < 0.001, `${id}: ${percentage}`)
    assert.equal(roundPercentage(percentage, 7), vector.computedAprPct, id)
    assert.equal(roundPercentage(percentage, 1), vector.aprRounded1dp, id)
    assert.equal(roundPercentage(percentage, 2), vector.aprRounded2dp, id)
  }
})

test('days count as the guidelines count them', () => {
  for (const { from_, to, frequency, periods, days, daysInYear, t } of vectors.intervalVectors) {
    const interval = intervalBetween(from_, to, frequency === 'months' ? 3 : 4)
    assert.deepEqual(
      { ...interval, years: Number(interval.years.toFixed(12)) },
      { periods, days, daysInYear, years: t },
      `${from_} ${to}`,
    )
  }
  const table: [string, string, Frequency, number, number][] = [
    ['2026-01-01', '2026-01-29', 2, 4, 0],
    ['2026-01-01', '2026-02-01', 2, 4, 3],
    ['2026-01-01', '2026-02-10', 1, 0, 40],
    ['2026-01-01', '2028-02-10', 1, 2, 40],
    ['2026-01-31', '2026-02-28', 3, 0, 28],
    ['2026-01-15', '2026-01-15', 3, 0, 0],
    ['2026-01-15', '2026-02-15', 3, 1, 0],
    ['2026-01-15', '2026-02-14', 3, 0, 30],
    ['2024-03-15', '2026-03-10', 4, 1, 360],
    ['2024-03-15', '2026-03-15', 4, 2, 0],
  ]
  for (const [from, to, frequency, periods, days] of table) {
    const found = intervalBetween(from, to, frequency)
    assert.deepEqual([found.periods, found.days], [periods, days], `${from} ${to}`)
  }
  const years: [string, string, Frequency, number][] = [
    ['2026-01-01', '2028-02-10', 1, 2 + 40 / 365],
    ['2026-01-01', '2026-02-01', 2, 4 / 52 + 3 / 365],
    ['2026-01-01', '2026-02-11', 3, 1 / 12 + 10 / 365],
    // The year that ends on 1 March 2024 has 366 days.
    ['2024-02-20', '2025-03-01', 4, 1 + 10 / 366],
  ]
  for (const [from, to, frequency, time] of years)
    assert.equal(intervalBetween(from, to, frequency).years, time, `${from} ${to}`)
  assert.throws(() => intervalBetween('2026-03-31', '2026-03-30', 3), RangeError)
})

test('whole periods and days together span the interval', () => {
  fc.assert(
    fc.property(fc.nat(40000), fc.nat(20000), fc.constantFrom(2, 3, 4), (begin, span, frequency) => {
      const from = addDays('1970-01-01', begin)
      const to = addDays(from, span)
      const { periods, days } = intervalBetween(from, to, frequency)
      const reached =
        frequency === 2 ? addDays(to, -7 * periods) : addMonths(to, -periods * (frequency === 3 ? 1 : 12))
      assert.equal(daysBetween(from, reached), days)
      assert.ok(days >= 0 && days <= (frequency === 2 ? 6 : frequency === 3 ? 31 : 366))
    }),
  )
})

test('a percentage is rounded half up by its decimal digits', () => {
  for (const { value, dp1, dp2 } of vectors.roundingVectors) {
    assert.equal(roundPercentage(value, 1), dp1)
    assert.equal(roundPercentage(value, 2), dp2)
  }
  assert.equal(roundPercentage(1.005, 2), 1.01)
  assert.equal(roundPercentage(1.00499999999, 2), 1)
  assert.equal(roundPercentage(0, 2), 0)
})

test('the functions of spreadsheets come out: RATE, IRR, PV', () => {
  const rate = solveAnnualRate([{ amount: 3500, years: 0 }], [{ amount: 10000, years: 10 }])!
  assert.equal(roundPercentage(rate, 4), 0.1107)
  const irr = solveAnnualRate([{ amount: 100, years: 0 }], [{ amount: 74, years: 3 }])!
  assert.equal(Number(irr.toFixed(4)), -0.0955)
  const monthly = Array.from({ length: 120 }, (_, index) => ({ amount: -100, years: index + 1 }))
  const present = presentValue([...monthly, { amount: 15692.93, years: 120 }], 0.05 / 12)
  assert.ok(Math.abs(-present - -100.00067131625819) < 1e-9 || Math.abs(present - -100.00067131625819) < 1e-9)
})

test('the rate discounts any payments to what was drawn', () => {
  // Within days a rate near -100 % has no digits left in 1 + rate to discount by.
  const flow = fc.record({
    amount: fc.integer({ min: 1, max: 1_000_000 }),
    years: fc.integer({ min: 30, max: 3650 }).map((days) => days / 365),
  })
  fc.assert(
    fc.property(
      fc.array(flow, { minLength: 1, maxLength: 40 }),
      fc.double({ min: 0.3, max: 1.2, noNaN: true }),
      (payments, share) => {
        const drawn = payments.reduce((sum, { amount }) => sum + amount, 0) * share
        const rate = solveAnnualRate([{ amount: drawn, years: 0 }], payments)!
        assert.ok(Math.abs(presentValue(payments, rate) - drawn) < 1e-6 * drawn, `${rate}`)
      },
    ),
  )
})

const at = (years: number, amount: number): Flow => ({ amount, years })
// Beside the root's own digits, the last place of a rate near -1 counts.
const close = (found: number | null, growth: number) => {
  const off = Math.abs(found! + 1 - growth)
  assert.ok(off < 1e-11 * growth + 2 * Number.EPSILON, `${found} for ${growth - 1}`)
}

/** 1 + rate is the solution of a quadratic equation: an answer that needs no search. */
test('two payments or two drawdowns a year apart', () => {
  const golden = (1 + Math.sqrt(5)) / 2
  // Drawn 1, paid k after one year and k² after two: the golden ratio times k.
  for (const k of [0.001, 0.01, 0.5, 0.9, 1, 1.1, 10, 1e3, 1e6, 1e12, 1e25]) {
    close(solveAnnualRate([at(0, 1)], [at(1, k), at(2, k * k)]), golden * k)
    close(solveAnnualRate([at(0, 100)], [at(1, 100 * k), at(2, 100 * k * k)]), golden * k)
    close(solveAnnualRate([at(0, 1)], [at(2, k * k), at(1, k)]), golden * k)
    close(solveAnnualRate([at(0, 1)], [at(0.5, k), at(1, k * k)]), (golden * k) ** 2)
    close(solveAnnualRate([at(0, 1)], [at(4, k)]), k ** 0.25)
  }
  // Drawn a now and b a year later, paid c after two years: a x² + b x = c.
  const table: [number, number, number][] = [
    [100, 100, 210],
    [100, 50, 140],
    [1, 2, 1e6],
    [5, 10, 1e6],
    [1, 100, 1e6],
    [1, 1000, 1e6],
    [10_000, 10_000, 10_000],
    [1000, 100, 1],
    [100, 100, 2],
  ]
  for (const [a, b, c] of table) {
    const growth = (-b + Math.sqrt(b * b + 4 * a * c)) / (2 * a)
    close(solveAnnualRate([at(0, a), at(1, b)], [at(2, c)]), growth)
    // The same flows later are worth the same.
    close(solveAnnualRate([at(3, a), at(4, b)], [at(5, c)]), growth)
  }
})

test('an amount smaller than one counts, and one of nothing does not', () => {
  const nothing = { amount: 0, years: 7 }
  const drawn = { amount: 0.5, years: 0 }
  const paid = { amount: 0.75, years: 1 }
  assert.equal(roundPercentage(solveAnnualRate([drawn], [paid])!, 12), 0.5)
  assert.equal(solveAnnualRate([drawn, nothing], [paid, nothing]), solveAnnualRate([drawn], [paid]))
})

test('there is no rate where nothing is lent for any time, and 0 where nothing is charged', () => {
  const now = { amount: 100, years: 0 }
  assert.equal(solveAnnualRate([now], [{ amount: 110, years: 0 }]), null)
  assert.equal(solveAnnualRate([now], []), null)
  assert.equal(solveAnnualRate([], [now]), null)
  assert.equal(
    solveAnnualRate(
      [now],
      [
        { amount: 40, years: 1 },
        { amount: 60, years: 2.5 },
      ],
    ),
    0,
  )
})
