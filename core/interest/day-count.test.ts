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
  for (const country of ['NO', 'SE', 'DK', 'FI', 'DE', 'IS', 'FR'])
    assert.equal(year(country, '2022-12-31', '2023-12-31'), 2_920_000n, country)
  assert.equal(year('NO', '2023-12-31', '2024-12-31'), 2_920_000n)
  assert.equal(year('SE', '2023-12-31', '2024-12-31'), 2_928_000n)
  // One day of each year around the turn: 1/365 in 2023, 1/366 in 2024.
  assert.equal(year('NO', '2023-12-30', '2023-12-31'), 8000n)
  assert.equal(year('NO', '2023-12-31', '2024-01-01'), divideHalfUp(2_920_000n, 366n))
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
)
const someCounts = fc
  .tuple(fc.constantFrom('SE', 'NO'), fc.option(day), fc.constantFrom('ACTUAL_365', 'ACTUAL_ACTUAL', null))
  .map(([country, change, contract]): { country: string; terms: readonly DayCountTerm[] | null } => ({
    country,
    terms:
      change === null
        ? contractTerms(contract)
        : changeCountry(contractTerms(contract), {
            country: country === 'SE' ? 'NO' : 'SE',
            next: country,
            from: fromDayNumber(change),
          }),
  }))
const someSteps = fc.tuple(someTerms, someCounts).map(([terms, { country, terms: counts }]) => ({
  country,
  counts,
  steps: buildRateSteps(terms, shippedRateTable, readDayCounts(counts, country)),
}))

describe('over leap years', () => {
  test('interest is the sum of its days, each over the length of its year', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 12n), someSteps, day, fc.nat(900), (principal, one, from, length) => {
        let exact = 0n
        for (let at = from + 1; at <= from + length; at++) {
          const date = fromDayNumber(at)
          const { basis } = findDayCount(one.counts, one.country, date)
          const days = basis === 'actual/365' ? 365 : yearLength(Number(date.slice(0, 4)))
          const rate = rateSegments(one.steps, at - 1, at)[0]!.rate
          exact += principal * BigInt(rate) * (days === 365 ? 366n : 365n)
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
