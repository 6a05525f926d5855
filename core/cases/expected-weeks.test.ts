import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectWeeks, readShares, shareOfAll, type ExpectedClaim } from './expected-weeks.ts'
import { simulateStrategy } from './simulate-strategy.ts'
import type { SimulatedCase } from './simulated-case.ts'
import type { StrategyStep } from './strategies.ts'

const from = '2026-03-02'
const fees: Record<string, bigint> = { reminder: 6_000n, courtCost: 90_000n }
const start: SimulatedCase = {
  place: { status: 'NEW', subStatus: 'REGISTERED' },
  service: 'COLLECTION',
  country: 'SE',
  currency: 'SEK',
  minorPerUnit: 100,
  remaining: 94_000n,
  interestPerDay: 0n,
  since: from,
  beforePlan: null,
  taken: [],
  refusedToday: [],
  feeOn: (feeType) => fees[feeType] ?? 0n,
  law: null,
  lawFees: [],
}
const reminder: StrategyStep = {
  code: 'REMIND',
  status: 'NEW',
  afterDays: 0,
  actions: [
    { kind: 'fee', feeType: 'reminder' },
    { kind: 'letter', letter: 'reminder' },
  ],
}
const demand: StrategyStep = {
  code: 'DEMAND',
  status: 'NEW',
  afterDays: 14,
  actions: [
    { kind: 'fee', feeType: 'courtCost' },
    { kind: 'letter', letter: 'demand' },
    { kind: 'task', task: 'Call.' },
  ],
}
const shares: Record<string, number[]> = { reminder: [0.5, 0.2], demand: [0.25] }

function expect(days: number, given: Partial<ExpectedClaim> = {}, steps = [reminder, demand]) {
  const claim: ExpectedClaim = {
    start,
    course: simulateStrategy(steps, start, { from, days }),
    lastLetter: null,
    channel: 'letter',
    findShares: (letter) => shares[letter] ?? [],
    ...given,
  }
  return expectWeeks([claim], { days })
}
const isNear = (value: number, wanted: number) => assert.ok(Math.abs(value - wanted) < 1e-6, `${value}`)
const sum = (weeks: ReturnType<typeof expectWeeks>, name: 'collected' | 'fees' | 'letters') =>
  weeks.reduce((all, week) => all + week[name], 0)

test('a week after a letter brings the share of that week, and later steps count for the unpaid part alone', () => {
  const weeks = expect(21)
  assert.equal(weeks.length, 4)
  // The reminder of day 0 is answered from day 1 to day 14: half of 1,000 in seven days, then a fifth of the other half.
  isNear(weeks[0]!.collected, 100_000 * (1 - 0.5 ** (6 / 7)))
  isNear(weeks[0]!.collected + weeks[1]!.collected + weeks[2]!.collected - demandDays(6), 60_000)
  isNear(weeks[2]!.letters, 0.4)
  isNear(weeks[2]!.tasks, 0.4)
  isNear(weeks[2]!.fees, 36_000)
  isNear(weeks[2]!.outlays, 36_000)
  // 1,000 and the court's 900, of which 40% are unpaid, and a quarter of it in seven days.
  isNear(sum(weeks, 'collected'), 60_000 + 76_000 * 0.25)
})

/** What the first days after the demand bring. */
const demandDays = (days: number) => 76_000 * (1 - 0.75 ** (days / 7))

test('the letter before the first day is still answered, and an e-mail is no posted letter', () => {
  const before = expect(0, { lastLetter: { letter: 'reminder', days: 8 }, course: [], channel: 'email' })
  isNear(before[0]!.collected, 94_000 * (1 - 0.8 ** (1 / 7)))
  const [week] = expect(0, { channel: 'email' })
  assert.deepEqual([week!.emails, week!.letters, week!.fees], [1, 0, 6_000])
})

test('the notice before legal action is posted, also to a debtor who gets other letters by e-mail', () => {
  const notice: StrategyStep = { ...reminder, actions: [{ kind: 'letter', letter: 'legal' }] }
  const [week] = expect(0, { channel: 'email', course: simulateStrategy([notice], start, { from, days: 0 }) })
  assert.deepEqual([week!.emails, week!.letters], [0, 1])
})

test('without shares nothing is collected, and everything counts in full', () => {
  const weeks = expect(21, { findShares: () => [] })
  assert.deepEqual([sum(weeks, 'collected'), sum(weeks, 'letters'), sum(weeks, 'fees')], [0, 2, 96_000])
})

test('interest up to the day is collected too', () => {
  const perDay = { ...start, interestPerDay: 160_308_000_000_000n * 100n }
  const course = simulateStrategy([reminder], perDay, { from, days: 1 })
  const [week] = expect(1, { start: perDay, course })
  isNear(week!.collected, 100_100 * (1 - 0.5 ** (1 / 7)))
})

test('a refused step costs nothing and is no letter', () => {
  const refused = simulateStrategy([reminder], start, { from, days: 0 }).map((step) => ({
    ...step,
    refused: 'Not allowed.',
  }))
  const [week] = expect(0, { course: refused })
  assert.deepEqual([week!.letters, week!.fees], [0, 0])
})

const observe = (week: number, letters: number, paid: number) => ({ week, letters, owed: 100, paid })

test('shares are read as long as enough letters were observed, and never above one', () => {
  assert.deepEqual(
    readShares([observe(1, 30, 10), observe(0, 40, 120), observe(2, 19, 5), observe(3, 30, 5)], 20),
    [1, 0.1],
  )
  assert.deepEqual(readShares([observe(1, 30, 10)], 20), [])
  isNear(shareOfAll([0.5, 0.2]), 0.6)
  assert.equal(shareOfAll([]), 0)
})
