/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { allocationOrders, components } from './allocation.ts'
import { addDays, toDayNumber } from '../calendar/calendar.ts'
import { yearLength } from '../calendar/civil-day.ts'
import { readDayCounts } from '../interest/day-count.ts'
import { explainCase } from './case-explanation.ts'
import { deriveLedger } from './case-ledger.ts'
import type { Claim, LedgerInput, Movement, MovementEffect } from './case-movement.ts'
import { compareTransactions, transactionKey, type Transaction } from './case-transaction.ts'
import {
  accruedAt,
  interestDenominator,
  rateSegments,
  buildRateSteps,
  type InterestTerms,
} from '../interest/interest.ts'
import { divideHalfUp } from '../money/money.ts'
import { assertSound, rates } from '../testing/case-scenario.ts'

const registeredOn = '2025-06-01'
const days = 500
const date = fc.nat(days).map((count) => addDays(registeredOn, count))
const amount = fc.oneof(fc.bigInt(1n, 10n ** 6n), fc.bigInt(1n, 10n ** 13n))
const terms: fc.Arbitrary<InterestTerms> = fc.constantFrom(
  { kind: 'none' },
  { kind: 'fixed', rate: '10' },
  { kind: 'fixed', rate: '0.000001' },
  { kind: 'reference', series: 'XX', points: '8' },
  { kind: 'reference', series: 'SE', points: '8' },
)
const generateClaim = (id: string): fc.Arbitrary<Claim> =>
  fc.record({
    id: fc.constant(id),
    principal: fc.bigInt(1n, 10n ** 13n),
    dueDate: fc.option(date),
    interestFrom: fc.option(date),
    terms: fc.option(terms),
  })
const claimIds = ['A', 'B', 'C', 'D']

const effect: fc.Arbitrary<MovementEffect> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('payment', 'thirdPartyPayment', 'creditUse', 'refund', 'fee'),
    amount,
  }) as fc.Arbitrary<MovementEffect>,
  fc.record({
    kind: fc.constant('writeOff' as const),
    amount: fc.option(amount),
    component: fc.option(fc.constantFrom(...components)),
  }),
  fc.record({ kind: fc.constant('creditNote' as const), amount, claim: fc.constantFrom(...claimIds) }),
  fc.record({ kind: fc.constant('terms' as const), terms, claim: fc.constantFrom(...claimIds, null) }),
  fc.record({ kind: fc.constant('reversal' as const), of: fc.nat(20).map((index) => `m${index}`) }),
  fc.constantFrom(
    { kind: 'close' as const },
    { kind: 'reopen' as const },
    { kind: 'pause' as const },
    { kind: 'resume' as const },
  ),
)

const movements: fc.Arbitrary<Movement[]> = fc
  .tuple(
    fc.array(fc.tuple(date, effect), { maxLength: 16 }),
    fc.array(fc.tuple(date, generateClaim('D'), fc.boolean()), { maxLength: 1 }),
  )
  .map(([effects, claims]) =>
    [
      ...effects.map(([valueDate, one]) => ({ valueDate, ...one })),
      ...claims.map(([valueDate, claim, isDated]) => ({
        valueDate,
        kind: 'claim' as const,
        claim,
        ...(isDated && { byTermsOfDay: true as const }),
      })),
    ].map((one, index) => ({ ...one, id: `m${index}`, booking: index })),
  )

const input: fc.Arbitrary<LedgerInput> = fc.record({
  opening: fc.record({
    registeredOn: fc.constant(registeredOn),
    claims: fc
      .tuple(generateClaim('A'), fc.option(generateClaim('B')), fc.option(generateClaim('C')))
      .map((claims) => claims.filter((claim) => claim !== null)),
    interest: fc.bigInt(0n, 10n ** 6n),
    cost: fc.bigInt(0n, 10n ** 6n),
    terms,
  }),
  movements,
  order: fc.constantFrom(...Object.values(allocationOrders)),
  tolerance: fc.constantFrom(0n, 500n, 10n ** 6n),
  rates: fc.constant(rates),
})

const keys = (transactions: readonly Transaction[]) => transactions.map(transactionKey)

test('any movements: transactions sum to zero, no component is negative, what came equals what went', () => {
  fc.assert(
    fc.property(input, date, (given, asOf) => {
      const ledger = deriveLedger(given, asOf)
      assertSound(ledger)
      const { line, accrued, pending, transactions } = ledger
      assert.equal(
        pending.reduce((sum, period) => sum + period.amount, 0n),
        accrued,
      )
      assert.ok(accrued >= 0n && accrued === accruedAt(line, asOf))
      assert.ok(transactions.every(({ entries }) => entries.every((entry) => entry.amount !== 0n)))
      const order = transactions.map(({ valueDate }) => valueDate)
      assert.deepEqual(order, order.toSorted())
    }),
    { numRuns: 500 },
  )
})

test('the order of booking decides nothing but between movements of one value date', () => {
  fc.assert(
    fc.property(input, fc.infiniteStream(fc.nat()), (given, random) => {
      const shuffled = given.movements
        .map((movement) => ({ movement, place: random.next().value }))
        .toSorted((a, b) => a.place - b.place)
        .map(({ movement }) => movement)
      const asOf = addDays(registeredOn, days)
      const expected = deriveLedger(given, asOf)
      assert.deepEqual(deriveLedger({ ...given, movements: shuffled }, asOf), expected)
      const dates = given.movements.map(({ valueDate }) => valueDate)
      fc.pre(new Set(dates).size === dates.length)
      const rebooked = shuffled.map((movement, booking) => ({ ...movement, booking }))
      assert.deepEqual(deriveLedger({ ...given, movements: rebooked }, asOf), expected)
    }),
    { numRuns: 300 },
  )
})

test('booking one by one, reversing what no longer holds, ends where a replay from scratch does', () => {
  fc.assert(
    fc.property(input, (given) => {
      const asOf = addDays(registeredOn, days)
      let stored: Transaction[] = []
      for (let count = 0; count <= given.movements.length; count++) {
        const { transactions } = deriveLedger({ ...given, movements: given.movements.slice(0, count) }, asOf)
        const { reverse, append } = compareTransactions(stored, transactions)
        stored = [...stored.filter((one) => !reverse.includes(one)), ...append]
        assert.deepEqual(keys(stored).toSorted(), keys(transactions).toSorted())
        assert.deepEqual(compareTransactions(stored, transactions), { reverse: [], append: [] })
      }
    }),
    { numRuns: 200 },
  )
})

test('the figures of a date are those of its movements, and its line gives the days after it', () => {
  fc.assert(
    fc.property(input, date, fc.nat(200), (given, asOf, more) => {
      const { line } = deriveLedger(given, asOf)
      const later = addDays(asOf, more)
      const next = given.movements.filter(({ kind, valueDate }) => kind !== 'reversal' && valueDate > asOf)
      fc.pre(next.every(({ valueDate }) => valueDate > later) && (line.until === null || later <= line.until))
      assert.equal(accruedAt(line, later), deriveLedger(given, later).accrued)
    }),
    { numRuns: 500 },
  )
})

test('every amount shown is explained by lines that sum to it', () => {
  fc.assert(
    fc.property(input, date, (given, asOf) => {
      const ledger = deriveLedger(given, asOf)
      for (const { figure, amount: total, lines } of explainCase(ledger, 'SEK')) {
        assert.equal(
          lines.reduce((sum, line) => sum + line.amount, 0n),
          total,
          figure,
        )
      }
    }),
    { numRuns: 300 },
  )
})

test('a plain reckoning day by day comes to the same, by either day count, in leap years too', () => {
  const event = fc.tuple(fc.nat(days), fc.constantFrom('payment', 'fee'), fc.bigInt(1n, 10n ** 7n))
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 9n),
      terms,
      fc.array(event, { maxLength: 8 }),
      fc.record({
        begins: fc.constantFrom(registeredOn, '2027-06-01'),
        country: fc.constantFrom('SE', 'NO'),
      }),
      (principal, own, events, { begins, country }) => {
        const booked = events.map(([later, kind, sum], booking): Movement => ({
          id: `m${booking}`,
          booking,
          valueDate: addDays(begins, later),
          kind,
          amount: sum,
        }))
        const claim = { id: 'A', principal, dueDate: null, interestFrom: begins, terms: own }
        const dayCounts = readDayCounts(null, country)
        const ledger = deriveLedger(
          {
            opening: {
              registeredOn: begins,
              claims: [claim],
              interest: 0n,
              cost: 0n,
              terms: { kind: 'none' },
            },
            dayCounts,
            movements: booked,
            order: allocationOrders.COST_INTEREST_PRINCIPAL,
            tolerance: 0n,
            rates,
          },
          addDays(begins, days),
        )
        assert.deepEqual(
          ledger.balances.remaining,
          plainReckoning(principal, own, booked, { begins, country }),
        )
      },
    ),
    { numRuns: 300 },
  )
})

/** What remains at the end by walking through the days one at a time: the slow way, with none of the ledger's code. */
function plainReckoning(
  principal: bigint,
  own: InterestTerms,
  booked: readonly Movement[],
  { begins, country }: { begins: string; country: string },
) {
  const left = { principal, interest: 0n, cost: 0n }
  const steps = buildRateSteps(own, rates)
  let exact = 0n
  const settle = () => {
    left.interest += divideHalfUp(exact, interestDenominator)
    exact = 0n
  }
  for (let count = 0; count <= days; count++) {
    const today = addDays(begins, count)
    const day = toDayNumber(today)
    const isLeapDay = country === 'NO' && yearLength(Number(today.slice(0, 4))) === 366
    const rate = count > 0 ? BigInt(rateSegments(steps, day - 1, day)[0]!.rate) : 0n
    exact += left.principal * rate * (isLeapDay ? 4380n : 4392n)
    for (const movement of booked.filter(({ valueDate }) => valueDate === today)) {
      if (movement.kind === 'fee') left.cost += movement.amount
      if (movement.kind !== 'payment') continue
      settle()
      let money = movement.amount
      for (const component of ['cost', 'interest', 'principal'] as const) {
        const part = left[component] < money ? left[component] : money
        left[component] -= part
        money -= part
      }
    }
  }
  settle()
  return left
}
