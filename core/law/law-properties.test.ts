/**
 * Random portfolios over a simulated year: whatever steps, fees and payments plans come in which order, no fee
 * exceeds its ceiling or its count, none comes before its time, and nothing is done to a minor, to the dead, or
 * on a barred or disputed claim. The limits are written here a second time, without the engine.
 * `FORDRA_LAW_RUNS=10000 node bin/test.mjs core/law/law-properties.test.ts` runs more of them.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addDays, daysBetween } from '../calendar/calendar.ts'
import { simulateStrategy } from '../cases/simulate-strategy.ts'
import { shippedStrategies, type StepAction } from '../cases/strategies.ts'
import { shippedFees } from '../ledger/statutory-fees.ts'
import { circumstances } from './pack.ts'
import type { LegalCase } from './legal-case.ts'
import { judge } from './permissions.ts'

const numRuns = Number(process.env['FORDRA_LAW_RUNS'] ?? 400)
const from = '2026-03-02'
const currencies: Record<string, string> = {
  SE: 'SEK',
  NO: 'NOK',
  DK: 'DKK',
  FI: 'EUR',
  DE: 'EUR',
  IS: 'ISK',
}
const feeTypes = [
  'reminder',
  'collectionNotice',
  'collectionDemand',
  'collectionFee',
  'externalCollection',
  'paymentPlan',
  'collectionCall',
  'handling',
]

const someCase = fc
  .record({
    country: fc.constantFrom('SE', 'NO', 'DK', 'FI', 'DE', 'IS'),
    debtor: fc.constantFrom('consumer' as const, 'business' as const),
    principal: fc.constantFrom(900n, 9_000n, 10_000n, 100_000n, 1_000_001n, 60_000_000n),
    dueIn: fc.integer({ min: -60, max: 60 }),
    circumstances: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.constantFrom(...circumstances).map((one) => [one]) },
    ),
    reminderFeeAgreed: fc.boolean(),
    noticeIn: fc.option(fc.integer({ min: -20, max: 40 })),
  })
  .map(({ dueIn, noticeIn, ...one }): LegalCase => ({
    ...one,
    currency: currencies[one.country]!,
    dueDate: addDays(from, dueIn),
    isEnforceable: false,
    hasGuardian: false,
    noticeDeadline: noticeIn === null ? null : addDays(from, noticeIn),
    fees: [],
    letters: [],
  }))

/** What somebody tries: a fee or a letter on a day of the year. */
const someTry = fc.record({
  day: fc.integer({ min: 0, max: 365 }),
  fee: fc.option(
    fc.record({
      type: fc.constantFrom(...feeTypes),
      amount: fc.constantFrom(1n, 550n, 700n, 1_300n, 3_800n, 6_000n, 18_000n, 500_000n),
    }),
  ),
  letter: fc.constantFrom('reminder', 'notice', 'demand', 'legal', 'surveillance'),
  dueDays: fc.constantFrom(null, 7, 10, 14, 30),
})

/** Reglugerð 133/2010, 1. gr. 2, in krónur, which have no smaller unit. */
const icelandicLetters: [upTo: bigint, amount: bigint][] = [
  [2_999n, 1_300n],
  [10_499n, 2_100n],
  [84_999n, 3_700n],
  [10n ** 12n, 5_900n],
]

/** The limits by country, from the sources in data/law, without the engine. */
function checkCase(one: LegalCase): void {
  const told = JSON.stringify(one, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  const sum = (...types: string[]) =>
    one.fees.reduce((total, { type, amount }) => (types.includes(type) ? total + amount : total), 0n)
  const of = (type: string) => one.fees.filter((fee) => fee.type === type)
  const first = [...one.fees, ...one.letters].map(({ date }) => date).toSorted()[0]
  if (one.circumstances.some((it) => it !== 'plan')) assert.equal(first, undefined, told)
  if (first !== undefined) assert.ok(first > one.dueDate || of('paymentPlan').length > 0, told)
  const demandDays = one.country === 'SE' || one.country === 'DK' ? 10 : one.country === 'IS' ? null : 14
  for (const { kind, date, due } of one.letters)
    if (kind === 'demand' && demandDays !== null)
      assert.ok(due !== null && daysBetween(date, due) >= demandDays, told)
  switch (one.country) {
    case 'SE':
      for (const [type, most] of [
        ['reminder', 6_000n],
        ['collectionDemand', 18_000n],
        ['paymentPlan', 17_000n],
      ] as const)
        assert.ok(of(type).length <= 1 && sum(type) <= most, told)
      if (!one.reminderFeeAgreed) assert.equal(of('reminder').length, 0, told)
      break
    case 'NO':
      assert.ok(of('reminder').length + of('collectionNotice').length <= 2, told)
      for (const { date, amount } of [...of('reminder'), ...of('collectionNotice')])
        assert.ok(daysBetween(one.dueDate, date) >= 14 && amount <= 3_800n, told)
      if (of('reminder').length + of('collectionNotice').length === 2) {
        const [earlier, later] = [...of('reminder'), ...of('collectionNotice')]
          .map(({ date }) => date)
          .toSorted()
        assert.ok(daysBetween(earlier!, later!) >= 15, told)
      }
      for (const { date } of one.letters.filter(({ kind }) => kind === 'demand'))
        assert.ok(
          (one.noticeDeadline !== null && one.noticeDeadline < date) ||
            one.letters.some(({ kind, due }) => kind === 'notice' && due !== null && due < date),
          told,
        )
      break
    case 'DK': {
      const reminders = of('reminder')
        .map(({ date }) => date)
        .toSorted()
      assert.ok(
        reminders.length <= 3 && sum('reminder') <= 30_000n && sum('collectionDemand') <= 10_000n,
        told,
      )
      for (let index = 1; index < reminders.length; index++)
        assert.ok(daysBetween(reminders[index - 1]!, reminders[index]!) >= 10, told)
      break
    }
    case 'FI':
      assert.ok(of('collectionDemand').length <= 2, told)
      if (one.debtor === 'consumer') {
        const cap = one.principal <= 10_000n ? 6_000n : one.principal <= 100_000n ? 12_000n : 21_000n
        assert.ok(sum('reminder', 'collectionDemand', 'paymentPlan') <= cap, told)
      }
      break
    case 'IS': {
      const [, letter] = icelandicLetters.find(([upTo]) => one.principal <= upTo)!
      const warning = one.letters.filter(({ kind }) => kind === 'notice')
      assert.ok(warning.length <= 1 && of('collectionNotice').length <= 1, told)
      for (const { date, due } of warning) assert.ok(due !== null && daysBetween(date, due) >= 10, told)
      const isWarned = (date: string) =>
        [one.noticeDeadline, ...warning.map(({ due }) => due)].some((due) => due !== null && due < date)
      const later = one.fees.filter(({ type }) => type !== 'collectionNotice')
      for (const { date } of [...later, ...one.letters.filter(({ kind }) => kind === 'demand')])
        assert.ok(isWarned(date), told)
      assert.ok(of('collectionDemand').length <= 3 && of('collectionCall').length <= 1, told)
      assert.ok(sum('collectionNotice') <= 950n && sum('collectionCall') <= 550n, told)
      assert.ok(sum('paymentPlan') <= 2_700n && sum('reminder') === 0n, told)
      for (const { amount } of of('collectionDemand')) assert.ok(amount <= letter, told)
      break
    }
    default:
      // RVG § 13: nine tenths of the fee, at least 15 euros.
      if (one.principal <= 50_000n)
        assert.ok(sum('reminder', 'collectionDemand', 'collectionFee') <= 4_635n, told)
  }
  assert.equal(of('handling').length, 0, told)
}

test('no sequence of tries exceeds a ceiling, precedes a waiting time or touches who is protected', () => {
  let done = 0
  fc.assert(
    fc.property(someCase, fc.array(someTry, { maxLength: 25 }), (start, tries) => {
      let one = start
      for (const { day, fee, letter, dueDays } of tries.toSorted((a, b) => a.day - b.day)) {
        const date = addDays(from, day)
        if (fee) {
          const { allowed } = judge(one, { action: `fee:${fee.type}`, date, amount: fee.amount }, shippedFees)
          if (allowed) one = { ...one, fees: [...one.fees, { ...fee, date }] }
        } else {
          const { allowed } = judge(one, { action: `letter:${letter}`, date, dueDays }, shippedFees)
          const due = dueDays === null ? null : addDays(date, dueDays)
          if (allowed) one = { ...one, letters: [...one.letters, { kind: letter, date, due }] }
        }
      }
      done += one.fees.length + one.letters.length
      checkCase(one)
    }),
    { numRuns },
  )
  assert.ok(done > numRuns / 2, `Something was allowed: ${done}`)
})

test('the shipped strategy over a year, with fees and letters of its own', () => {
  const nordic = shippedStrategies.find(({ code }) => code === 'NORDIC')!
  let taken = 0
  fc.assert(
    fc.property(someCase, fc.constantFrom('PRECOLLECTION', 'COLLECTION'), (law, service) => {
      const course = simulateStrategy(
        nordic.steps,
        {
          place: { status: 'NEW', subStatus: 'REGISTERED' },
          service: service as 'COLLECTION',
          country: law.country,
          currency: law.currency,
          minorPerUnit: law.country === 'IS' ? 1 : 100,
          remaining: law.principal,
          interestPerDay: 0n,
          since: from,
          beforePlan: null,
          taken: [],
          refusedToday: [],
          feeOn: () => 1_000_000n,
          law,
          lawFees: shippedFees,
        },
        { from, days: 365 },
      )
      let one = law
      let before = law.principal
      for (const { date, actions, remaining, refused } of course) {
        if (refused !== null) continue
        taken++
        const fees = remaining - before
        before = remaining
        one = addActions(one, actions, { date, fees })
      }
      checkCase(one)
    }),
    { numRuns },
  )
  assert.ok(taken > numRuns / 2, `Steps were taken: ${taken}`)
})

/** Each shipped step charges one fee at most, so that what remains tells its amount. */
function addActions(
  one: LegalCase,
  actions: readonly StepAction[],
  { date, fees }: { date: string; fees: bigint },
): LegalCase {
  const charged = actions.flatMap((action) =>
    action.kind === 'fee' && fees > 0n ? [{ type: action.feeType, amount: fees, date }] : [],
  )
  const letters = actions.flatMap((action) =>
    action.kind === 'letter'
      ? [
          {
            kind: action.letter,
            date,
            due: action.dueDays === undefined ? null : addDays(date, action.dueDays),
          },
        ]
      : [],
  )
  return { ...one, fees: [...one.fees, ...charged], letters: [...one.letters, ...letters] }
}
