/// <reference types="node" />
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { addDays, fromDayNumber, toDayNumber } from '../calendar/calendar.ts'
import {
  accrualLine,
  accruedAt,
  firstKnownDay,
  formatRate,
  interestDenominator,
  interestNumerator,
  computeInterest,
  rateSegments,
  weighSegment,
  buildRateSteps,
  scaleRate,
  type InterestTerms,
} from './interest.ts'
import { divideHalfUp } from '../money/money.ts'
import {
  rateSeries,
  buildRateTable,
  countrySeries,
  shippedRates,
  shippedRateTable,
  statutoryTerms,
} from './reference-rates.ts'

const fixed = (rate: string): InterestTerms => ({ kind: 'fixed', rate })
const table = buildRateTable([
  { series: 'XX', from: '2026-01-01', rate: '2' },
  { series: 'XX', from: '2025-01-01', rate: '-0.5' },
  { series: 'XX', from: '2026-07-01', rate: '-12' },
])
const plus8: InterestTerms = { kind: 'reference', series: 'XX', points: '8' }

describe('interest', () => {
  test('of a principal over a period, first day excluded, last included', () => {
    const cases: [bigint, InterestTerms, string, string, bigint, string][] = [
      [1_000_000n, fixed('10'), '2026-01-01', '2027-01-01', 100_000n, 'a year'],
      [1_000_000n, fixed('10'), '2024-01-01', '2025-01-01', 100_274n, 'a leap year has 366 days over 365'],
      [1_000_000n, fixed('10'), '2024-02-28', '2024-03-01', 548n, '29 February counts'],
      [1_000_000n, fixed('10'), '2023-02-28', '2023-03-01', 274n, 'one day'],
      [1_000_000n, fixed('10'), '2026-05-05', '2026-05-05', 0n, 'no day'],
      [1_000_000n, fixed('10'), '2026-05-05', '2026-05-01', 0n, 'not backwards'],
      [1_000_000n, fixed('0'), '2026-01-01', '2027-01-01', 0n, 'no rate'],
      [1_000_000n, { kind: 'none' }, '2026-01-01', '2027-01-01', 0n, 'no interest'],
      [1_000_000n, fixed('-3'), '2026-01-01', '2027-01-01', 0n, 'never below zero'],
      [10n ** 15n, { kind: 'none' }, '0001-01-01', '9999-12-31', 0n, 'no interest on any principal'],
      [10n ** 15n, fixed('0'), '0001-01-01', '9999-12-31', 0n, 'nor at no rate'],
      [10n ** 15n, fixed('-3'), '0001-01-01', '9999-12-31', 0n, 'nor below zero'],
      [1_000_000n, plus8, '2025-12-01', '2026-01-31', 14_658n, '30 days at 7.5, 31 at 10'],
      [1_000_000n, plus8, '2025-12-31', '2026-01-01', 274n, 'the day of the change has the new rate'],
      [1_000_000n, plus8, '2025-12-30', '2025-12-31', 205n, 'the day before it the old one'],
      [1_000_000n, plus8, '2025-01-01', '2026-01-01', 75_068n, 'a reference below zero lowers the sum'],
      [1_000_000n, plus8, '2026-06-30', '2026-12-31', 0n, 'but the sum is not below zero'],
      [123n, fixed('10'), '2026-01-01', '2026-01-16', 1n, '0.505 yen rounds up'],
      [73n, fixed('10'), '2026-01-01', '2026-01-26', 1n, 'exactly a half rounds up'],
      [72n, fixed('10'), '2026-01-01', '2026-01-26', 0n, 'less than a half down'],
      [10n ** 15n, fixed('1000'), '0001-01-01', '9999-12-31', 100056383561643835616n, 'without loss'],
    ]
    for (const [principal, terms, from, to, interest, why] of cases)
      assert.equal(computeInterest(principal, buildRateSteps(terms, table), from, to), interest, why)
  })

  test('segments show each rate with its days', () => {
    const steps = buildRateSteps(plus8, table)
    const shown = rateSegments(steps, toDayNumber('2025-12-01'), toDayNumber('2026-07-02')).map(
      ({ from, to, rate }) => [fromDayNumber(from), fromDayNumber(to), formatRate(rate)],
    )
    assert.deepEqual(shown, [
      ['2025-12-01', '2025-12-31', '7.5'],
      ['2025-12-31', '2026-06-30', '10'],
      ['2026-06-30', '2026-07-02', '0'],
    ])
  })

  test('a period that begins on the day before a change', () => {
    const steps = buildRateSteps(plus8, table)
    const shown = rateSegments(steps, toDayNumber('2025-12-30'), toDayNumber('2026-01-02')).map(
      ({ from, to, rate }) => [fromDayNumber(from), fromDayNumber(to), formatRate(rate)],
    )
    assert.deepEqual(shown, [
      ['2025-12-30', '2025-12-31', '7.5'],
      ['2025-12-31', '2026-01-02', '10'],
    ])
  })

  test('rates', () => {
    const rates: [string, number][] = [
      ['8.5', 8_500_000],
      ['-0.5', -500_000],
      ['0', 0],
      ['0.000001', 1],
      ['-0.000001', -1],
      ['0.1', 100_000],
      ['-1000', -1_000_000_000],
      ['12.345678', 12_345_678],
      ['1000', 1_000_000_000],
    ]
    for (const [text, scaled] of rates) {
      assert.equal(scaleRate(text), scaled)
      assert.equal(formatRate(scaled), text)
    }
    for (const text of ['', '8,5', '8.1234567', '1000.1', '1e1', ' 8', '--8', '99999'])
      assert.throws(() => scaleRate(text), /at most six decimals/, text)
  })

  test('no rate is made up', () => {
    const steps = buildRateSteps(plus8, table)
    assert.equal(firstKnownDay(steps), '2025-01-01')
    assert.throws(() => computeInterest(1n, steps, '2024-12-30', '2025-02-01'), /before 2025-01-01/)
    assert.equal(computeInterest(1n, steps, '2024-12-31', '2025-01-01'), 0n)
    // No day has passed, so no rate is asked for.
    assert.equal(computeInterest(1n, steps, '2024-06-01', '2024-06-01'), 0n)
    assert.throws(() => buildRateSteps({ kind: 'reference', series: 'YY', points: '8' }, table), /of YY/)
    assert.equal(firstKnownDay(buildRateSteps(fixed('8'), table)), null)
  })
})

const day = fc.integer({ min: toDayNumber('2025-01-01'), max: toDayNumber('2028-01-01') })
const anyTerms = fc.constantFrom(plus8, fixed('8.25'), fixed('0.000001'), { kind: 'none' as const })
const principal = fc.bigInt(0n, 10n ** 15n)

test('the line of interest reaches to the next change', () => {
  const swedish = buildRateSteps(statutoryTerms('SE', 'consumer', '2024-01-01')!, shippedRateTable)
  const lines: [string, string, string | null, bigint, bigint][] = [
    // 12 % until the end of 2024, 11 % in the half-year after it, 10 % since: three half-years in one.
    ['2024-12-31', '2024-12-31', '2025-06-30', 0n, 4392n * 11_000_000n],
    ['2024-12-01', '2024-12-30', '2024-12-31', 4392n * 29n * 12_000_000n, 4392n * 12_000_000n],
    ['2024-12-01', '2025-06-30', null, 4392n * (30n * 12_000_000n + 181n * 11_000_000n), 4392n * 10_000_000n],
    ['2026-01-01', '2025-12-01', '2026-01-01', 0n, 0n],
  ]
  for (const [from, at, until, exact, perDay] of lines) {
    const line = accrualLine([{ principal: 1n, steps: swedish, from: toDayNumber(from) }], toDayNumber(at))
    assert.deepEqual(line, { from: at, exact, perDay, until }, `${from} at ${at}`)
  }
  // A claim that is paid has no changes to come.
  const paid = accrualLine(
    [{ principal: 0n, steps: swedish, from: toDayNumber('2026-01-01') }],
    toDayNumber('2025-12-01'),
  )
  assert.deepEqual(paid, { from: '2025-12-01', exact: 0n, perDay: 0n, until: null })
})

describe('interest is a sum over days', () => {
  test('wherever a period is cut', () => {
    fc.assert(
      fc.property(principal, anyTerms, day, day, day, (amount, terms, ...days) => {
        const [from, middle, to] = days.toSorted((a, b) => a - b) as [number, number, number]
        const steps = buildRateSteps(terms, table)
        const whole = interestNumerator(amount, steps, from, to)
        const parts =
          interestNumerator(amount, steps, from, middle) + interestNumerator(amount, steps, middle, to)
        assert.equal(whole, parts)
        const segments = rateSegments(steps, from, to)
        assert.equal(
          segments.reduce((sum, segment) => sum + amount * weighSegment(segment), 0n),
          whole,
        )
      }),
    )
  })

  test('and a line until its end', () => {
    const part = fc.record({ principal, terms: anyTerms, from: day })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), day, fc.nat(400), (given, start, later) => {
        const parts = given.map(({ terms, ...rest }) => ({ ...rest, steps: buildRateSteps(terms, table) }))
        const line = accrualLine(parts, start)
        const end = line.until ?? addDays(line.from, 400)
        assert.ok(end >= line.from)
        const date = addDays(line.from, later) < end ? addDays(line.from, later) : end
        const exact = parts.reduce(
          (sum, { principal: amount, steps, from }) =>
            sum + interestNumerator(amount, steps, from, toDayNumber(date)),
          0n,
        )
        assert.equal(accruedAt(line, date), divideHalfUp(exact, interestDenominator))
      }),
    )
  })
})

describe('the rates that are shipped', () => {
  test('each series is in order, by half-years or months, and every row has a source', () => {
    for (const { code } of rateSeries) {
      const days = shippedRateTable.get(code)!.map(({ from }) => from)
      assert.deepEqual(days, [...new Set(days)].toSorted())
      const isMonthly = code === 'IS'
      assert.ok(
        days.every((from) => (isMonthly ? /-01$/ : /-(01|07)-01$/).test(from)),
        code,
      )
      assert.equal(days.at(-1), isMonthly ? '2026-09-01' : '2026-07-01')
      assert.ok(buildRateSteps({ kind: 'reference', series: code, points: '0' }, shippedRateTable))
    }
    assert.ok(shippedRates.every(({ source }) => source.length > 5))
    assert.ok(shippedRates.some(({ unverified }) => unverified))
  })

  /** Percentage points above the reference rate, with the days on which the law changed them. */
  test('points above the reference rate', () => {
    const expected: [string, 'consumer' | 'business', string, string][] = [
      ['SE', 'consumer', '2026-01-01', '8'],
      ['SE', 'business', '2026-01-01', '8'],
      ['NO', 'consumer', '2026-01-01', '0'],
      ['NO', 'business', '2026-01-01', '0'],
      ['DK', 'consumer', '2013-02-28', '7'],
      ['DK', 'consumer', '2013-03-01', '8'],
      ['DK', 'business', '2013-02-28', '7'],
      ['DK', 'business', '2013-03-01', '8'],
      ['FI', 'consumer', '2026-01-01', '7'],
      ['FI', 'business', '2026-01-01', '8'],
      ['DE', 'consumer', '2014-07-28', '5'],
      ['DE', 'consumer', '2014-07-29', '5'],
      ['DE', 'business', '2014-07-28', '8'],
      ['DE', 'business', '2014-07-29', '9'],
    ]
    for (const [country, debtor, from, points] of expected)
      assert.deepEqual(
        statutoryTerms(country, debtor, from),
        { kind: 'reference', series: country, points },
        `${country} ${debtor} ${from}`,
      )
  })

  test('what the law gives without agreement', () => {
    const expected: [string, 'consumer' | 'business', string, string | null][] = [
      ['SE', 'consumer', '2017-03-01', '7.5'],
      ['SE', 'business', '2026-08-01', '10'],
      ['NO', 'consumer', '2026-08-01', '12.25'],
      ['DK', 'consumer', '2013-02-01', '7.2'],
      ['FI', 'consumer', '2026-08-01', '9.5'],
      ['FI', 'business', '2026-08-01', '10.5'],
      ['DE', 'consumer', '2026-08-01', '6.52'],
      ['DE', 'business', '2026-08-01', '10.52'],
      ['IS', 'consumer', '2026-08-01', '15.5'],
      ['IS', 'business', '2026-08-01', '16.5'],
      ['IS', 'business', '2015-02-01', '12.25'],
      ['FR', 'business', '2026-08-01', null],
    ]
    for (const [country, debtor, from, rate] of expected) {
      const terms = statutoryTerms(country, debtor, from)
      const [first] = terms
        ? rateSegments(buildRateSteps(terms, shippedRateTable), toDayNumber(from), toDayNumber(from) + 1)
        : []
      assert.equal(first ? formatRate(first.rate) : null, rate, `${country} ${debtor} ${from}`)
    }
    assert.equal(countrySeries('FR'), null)
    assert.equal(countrySeries('SE'), 'SE')
    assert.equal(countrySeries('toString'), null)
  })
})
