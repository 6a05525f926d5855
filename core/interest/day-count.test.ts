import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { addDays, fromDayNumber, toDayNumber } from '../calendar/calendar.ts'
import { yearLength } from '../calendar/civil-day.ts'
import { divideHalfUp } from '../money/money.ts'
import vectors from './vectors/late-interest.json' with { type: 'json' }
import { changeCountry, contractTerms, findDayCount, readDayCounts, type DayCountTerm } from './day-count.ts'
import {
  accrualLine,
  accruedAt,
  buildRateSteps,
  computeInterest,
  interestDenominator,
  interestNumerator,
  rateSegments,
  type InterestTerms,
} from './interest.ts'
import { shippedRateTable, statutoryTerms } from './reference-rates.ts'

const eight: InterestTerms = { kind: 'fixed', rate: '8' }
const stepsIn = (country: string, terms: InterestTerms, counts: DayCountTerm[] | null = null) =>
  buildRateSteps(terms, shippedRateTable, readDayCounts(counts, country))

interface Vector {
  code: string
  country: string
  principal: number
  rate: string | null
  from: string
  to: string
}
const compute = ({ country, principal, rate, from, to }: Vector) => {
  const terms: InterestTerms =
    rate === null ? statutoryTerms(country, 'consumer', from)! : { kind: 'fixed', rate }
  return computeInterest(BigInt(principal), stepsIn(country, terms), addDays(from, -1), to)
}

describe('what authorities worked out', () => {
  for (const vector of vectors.vectors)
    test(vector.code, () => {
      const interest = compute(vector)
      assert.equal(interest, BigInt(vector.interest), vector.source)
      if ('whole' in vector) assert.equal(divideHalfUp(interest, 100n), BigInt(vector.whole!), vector.source)
    })

  for (const vector of vectors.notReproduced)
    test(`${vector.code}, which nobody can reproduce, has the amount by the rule`, () =>
      assert.equal(compute(vector), BigInt(vector.computed), vector.source))
})

const year = (country: string, from: string, to: string) =>
  computeInterest(36_500_000n, stepsIn(country, eight), from, to)

test('a leap year has 366 days in Norway, and 365 elsewhere', () => {
  for (const country of ['NO', 'SE', 'DK', 'FI', 'DE', 'FR'])
    assert.equal(year(country, '2022-12-31', '2023-12-31'), 2_920_000n, country)
  assert.equal(year('NO', '2023-12-31', '2024-12-31'), 2_920_000n)
  assert.equal(year('SE', '2023-12-31', '2024-12-31'), 2_928_000n)
  // One day of each year around the turn: 1/365 in 2023, 1/366 in 2024.
  assert.equal(year('NO', '2023-12-30', '2023-12-31'), 8000n)
  assert.equal(year('NO', '2023-12-31', '2024-01-01'), divideHalfUp(2_920_000n, 366n))
})

const icelandic = (rate: string, from: string, to: string) =>
  computeInterest(3_600_000n, stepsIn('IS', { kind: 'fixed', rate }), from, to)

test('Iceland counts 30 days in each month and 360 in a year', () => {
  // 1 % of 3,600,000 is 100 a day.
  for (const [from, to, days] of [
    ['2026-01-01', '2026-02-01', 30],
    ['2026-02-01', '2026-03-01', 30],
    ['2024-02-01', '2024-03-01', 30],
    ['2023-12-15', '2024-12-15', 360],
    ['2026-01-30', '2026-01-31', 0],
    ['2026-01-31', '2026-02-01', 1],
    ['2026-02-28', '2026-03-01', 3],
    ['2024-02-29', '2024-03-01', 2],
    ['2026-06-17', '2026-11-28', 161],
  ] as const)
    assert.equal(icelandic('1', from, to), BigInt(days) * 100n, `${from} to ${to}`)
})

test('in Iceland a month bears the rate of its own days, the due day included and the day of payment not', () => {
  const terms = statutoryTerms('IS', 'consumer', '2026-03-15')!
  const owed = (from: string, to: string) => computeInterest(3_600_000n, stepsIn('IS', terms), from, to)
  // 15.00 % until March, 15.25 % in April and May, 15.5 % from June to August, 15.75 % in September 2026.
  assert.equal(owed('2026-03-01', '2026-04-01'), 45_000n)
  assert.equal(owed('2026-04-01', '2026-05-01'), 45_750n)
  assert.equal(owed('2026-03-31', '2026-04-01'), 1500n)
  assert.equal(owed('2026-04-01', '2026-04-02'), 1525n)
  assert.equal(owed('2026-03-15', '2026-09-15'), 16n * 1500n + 60n * 1525n + 90n * 1550n + 14n * 1575n)
  const business = statutoryTerms('IS', 'business', '2026-03-15')!
  assert.deepEqual(
    [terms, business],
    [
      { kind: 'reference', series: 'IS', points: '7' },
      { kind: 'reference', series: 'IS', points: '8' },
    ],
  )
})

test('months of 30 days add up, whichever days part them, and a year is a year', () => {
  const days = fc.array(fc.integer({ min: toDayNumber('2019-06-01'), max: toDayNumber('2033-06-01') }), {
    minLength: 2,
    maxLength: 6,
  })
  fc.assert(
    fc.property(days, fc.bigInt(1n, 10n ** 12n), (given, principal) => {
      const sorted = given.toSorted((a, b) => a - b)
      const steps = stepsIn('IS', eight)
      const [first, last] = [sorted[0]!, sorted.at(-1)!]
      const whole = interestNumerator(principal, steps, first, last)
      const parts = sorted.slice(1).map((to, at) => interestNumerator(principal, steps, sorted[at]!, to))
      assert.equal(
        parts.reduce((sum, part) => sum + part, 0n),
        whole,
      )
      const date = fromDayNumber(first)
      if (date.endsWith('-02-29')) return
      const later = toDayNumber(`${Number(date.slice(0, 4)) + 1}${date.slice(4)}`)
      assert.equal(
        interestNumerator(principal, steps, first, later) * 100n,
        principal * 8n * interestDenominator,
      )
    }),
  )
})

const counted = (terms: DayCountTerm[] | null, country: string, from: string, to: string) =>
  computeInterest(36_600_000n, stepsIn(country, eight, terms), from, to)

test('a contract and the past go before the law', () => {
  const leapYear = ['2023-12-31', '2024-12-31'] as const
  assert.equal(counted(contractTerms('ACTUAL_ACTUAL'), 'SE', ...leapYear), 2_928_000n)
  assert.equal(counted(contractTerms('ACTUAL_365'), 'NO', ...leapYear), 2_936_022n)
  const kept: DayCountTerm[] = [
    { from: null, basis: 'actual/365' },
    { from: '2024-07-01', country: 'NO' },
  ]
  assert.equal(
    counted(kept, 'NO', ...leapYear),
    divideHalfUp(36_600_000n * 8n * (182n * 366n + 184n * 365n), 100n * 365n * 366n),
  )
  assert.deepEqual(findDayCount(kept, 'NO', '2024-06-30'), { basis: 'actual/365', rule: null })
  assert.equal(findDayCount(kept, 'NO', '2024-07-01').rule?.code, 'NO-DAYS')
  assert.equal(findDayCount(null, 'NO', '2024-01-01').basis, 'actual/actual')
  assert.equal(findDayCount(null, 'FR', '2024-01-01').rule, null)
})

test('another governing country counts from its day on, unless a contract names the days', () => {
  const moved = changeCountry(null, { country: 'SE', next: 'NO', from: '2024-03-01' })
  assert.deepEqual(moved, [
    { from: null, country: 'SE' },
    { from: '2024-03-01', country: 'NO' },
  ])
  assert.equal(findDayCount(moved, 'NO', '2024-02-29').basis, 'actual/365')
  assert.equal(findDayCount(moved, 'NO', '2024-03-01').basis, 'actual/actual')
  const agreed = contractTerms('ACTUAL_365')
  assert.equal(changeCountry(agreed, { country: 'SE', next: 'NO', from: '2024-03-01' }), agreed)
})

const day = fc.integer({ min: toDayNumber('2019-06-01'), max: toDayNumber('2033-06-01') })
const someTerms = fc.constantFrom<InterestTerms>(
  eight,
  { kind: 'fixed', rate: '0.000001' },
  { kind: 'reference', series: 'NO', points: '0' },
  { kind: 'reference', series: 'SE', points: '8' },
  { kind: 'reference', series: 'IS', points: '7' },
)
const someCounts = fc
  .tuple(
    fc.constantFrom('SE', 'NO', 'IS'),
    fc.option(day),
    fc.constantFrom('ACTUAL_365', 'ACTUAL_ACTUAL', null),
  )
  .map(([country, change, contract]): { country: string; terms: readonly DayCountTerm[] | null } => ({
    country,
    terms:
      change === null
        ? contractTerms(contract)
        : changeCountry(contractTerms(contract), {
            country: { SE: 'NO', NO: 'IS', IS: 'SE' }[country]!,
            next: country,
            from: fromDayNumber(change),
          }),
  }))
const someSteps = fc.tuple(someTerms, someCounts).map(([terms, { country, terms: counts }]) => ({
  country,
  counts,
  steps: buildRateSteps(terms, shippedRateTable, readDayCounts(counts, country)),
}))

/** What a day weighs, in parts of which a year has 1,603,080: the common multiple of 360, 365 and 366. */
function weighByHand(date: string, basis: string): bigint {
  const [ofYear, month, dayOfMonth] = date.split('-').map(Number) as [number, number, number]
  if (basis === 'actual/365') return 1_603_080n / 365n
  if (basis === 'actual/actual') return 1_603_080n / BigInt(yearLength(ofYear))
  const lastOfFebruary = yearLength(ofYear) - 337
  // The 31st adds nothing, and the first of March makes up for the days that February lacks.
  const days = dayOfMonth === 31 ? 0 : month === 3 && dayOfMonth === 1 ? 31 - lastOfFebruary : 1
  return BigInt(days) * (1_603_080n / 360n)
}

describe('over leap years', () => {
  test('interest is the sum of its days, each over the length of its year', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 12n), someSteps, day, fc.nat(900), (principal, one, from, length) => {
        let exact = 0n
        for (let at = from + 1; at <= from + length; at++) {
          const date = fromDayNumber(at)
          const { basis } = findDayCount(one.counts, one.country, date)
          const rate = rateSegments(one.steps, at - 1, at)[0]!.rate
          exact += principal * BigInt(rate) * weighByHand(date, basis)
        }
        assert.equal(interestNumerator(principal, one.steps, from, from + length), exact)
      }),
      { numRuns: 200 },
    )
  })

  test('an accrual line agrees with the interest until its end', () => {
    const part = fc.record({ principal: fc.bigInt(0n, 10n ** 12n), one: someSteps, from: day })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), day, fc.nat(900), (given, start, later) => {
        const parts = given.map(({ one, ...rest }) => ({ ...rest, steps: one.steps }))
        const line = accrualLine(parts, start)
        const wanted = fromDayNumber(start + later)
        const date = line.until !== null && line.until < wanted ? line.until : wanted
        const exact = parts.reduce(
          (sum, { principal, steps, from }) =>
            sum + interestNumerator(principal, steps, from, toDayNumber(date)),
          0n,
        )
        assert.equal(accruedAt(line, date), divideHalfUp(exact, interestDenominator))
      }),
    )
  })
})
