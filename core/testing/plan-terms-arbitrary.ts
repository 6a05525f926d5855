/** Random plan terms for property tests. */
import * as fc from 'fast-check'
import { addDays } from '../calendar/calendar.ts'
import { buildRateSteps, type InterestTerms, type RateTable } from '../interest/interest.ts'
import type { PlanDeviation, PlanTerms, PlanType } from '../plans/plan-terms.ts'

const table: RateTable = new Map([
  [
    'SE',
    [
      { from: '2000-01-01', rate: '2' },
      { from: '2025-07-01', rate: '2' },
      { from: '2026-01-01', rate: '1.75' },
      { from: '2026-03-17', rate: '0' },
      { from: '2026-07-01', rate: '2.5' },
      { from: '2027-01-01', rate: '4.125' },
    ],
  ],
])

const interestTerms: fc.Arbitrary<InterestTerms> = fc.oneof(
  fc.constant({ kind: 'none' } as const),
  fc
    .constantFrom('8', '10', '24', '9.4822', '11.25', '0.000001', '39.999999')
    .map((rate) => ({ kind: 'fixed', rate }) as const),
  fc.constantFrom('8', '7.5').map((points) => ({ kind: 'reference', series: 'SE', points }) as const),
)

const minor = (max: number): fc.Arbitrary<bigint> => fc.integer({ min: 0, max }).map(BigInt)

const startDate = fc.integer({ min: 0, max: 1100 }).map((days) => addDays('2025-01-01', days))

const cases = (free: boolean) =>
  fc.array(
    fc.record({
      invoices: fc.array(
        fc.record({
          principal: fc.oneof(minor(5000), minor(5_000_000), minor(2_000_000_000)),
          rates: (free ? fc.constant({ kind: 'none' } as const) : interestTerms).map((terms) =>
            buildRateSteps(terms, table),
          ),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      interest: fc.oneof(fc.constant(0n), minor(100_000)),
      costs: fc.oneof(fc.constant(0n), minor(100_000)),
    }),
    { minLength: 1, maxLength: 3 },
  )

const deviations = (last: number): fc.Arbitrary<PlanDeviation[]> =>
  fc.uniqueArray(
    fc.record({
      paymentNo: fc.integer({ min: 2, max: Math.max(2, last) }),
      amount: fc.option(fc.oneof(fc.constant(0n), minor(200_000)), { nil: null }),
    }),
    { maxLength: 3, selector: ({ paymentNo }) => paymentNo },
  )

const interval = fc.constantFrom(
  undefined,
  { type: 3 as const, count: 3 },
  { type: 2 as const, count: 2 },
  { type: 1 as const, count: 10 },
  { type: 4 as const, count: 1 },
)

/**
 * Terms with a given number of payments, at most `most`, for types that have one. `free`: without interest
 * and fees.
 */
export const termsWithCount = (
  types: readonly PlanType[],
  most: number,
  free = false,
): fc.Arbitrary<PlanTerms> =>
  fc.integer({ min: 1, max: most }).chain((numberOfPayments) =>
    fc.record({
      type: fc.constantFrom(...types),
      startDate,
      numberOfPayments: fc.constant(numberOfPayments),
      cases: cases(free),
      firstDueDays: fc.integer({ min: 0, max: 70 }),
      registrationFee: free ? fc.constant(0n) : minor(50_000),
      invoiceFee: free ? fc.constant(0n) : fc.oneof(fc.constant(0n), minor(6000)),
      deviations: numberOfPayments < 3 || free ? fc.constant([]) : deviations(numberOfPayments),
      interval,
    }),
  )

/** Terms with a given amount: alone in types 1 and 3, with a number of payments in the others. */
export const termsWithAmount = (types: readonly PlanType[]): fc.Arbitrary<PlanTerms> =>
  fc
    .tuple(termsWithCount(types, 40), fc.oneof(minor(10_000), minor(1_000_000), minor(100_000_000)))
    .map(([terms, amount]) => ({
      ...terms,
      amount: amount + 1n,
      numberOfPayments: terms.type === 1 || terms.type === 3 ? null : terms.numberOfPayments!,
    }))
