import assert from 'node:assert/strict'
import { test } from 'node:test'
import { interestDenominator } from '../interest/interest.ts'
import { simulateStrategy } from './simulate-strategy.ts'
import type { SimulatedCase } from './simulated-case.ts'
import { shippedStrategies, type StrategyStep } from './strategies.ts'

const nordic = shippedStrategies.find(({ code }) => code === 'NORDIC')!
const from = '2026-03-02'
const fees: Record<string, bigint> = { reminder: 6_000n, collectionDemand: 18_000n }

const start: SimulatedCase = {
  place: { status: 'NEW', subStatus: 'REGISTERED' },
  service: 'PRECOLLECTION',
  country: 'SE',
  currency: 'SEK',
  minorPerUnit: 100,
  remaining: 100_000n,
  interestPerDay: 0n,
  since: from,
  beforePlan: null,
  taken: [],
  refusedToday: [],
  feeOn: (feeType) => fees[feeType] ?? 0n,
  law: null,
  lawFees: [],
}
const simulateCourse = (
  given: Partial<SimulatedCase>,
  steps: readonly StrategyStep[] = nordic.steps,
  days = 60,
) => simulateStrategy(steps, { ...start, ...given }, { from, days })
const formatCourse = (course: ReturnType<typeof simulateCourse>) =>
  course.map(({ day, step }) => `${day} ${step}`)

test('the Nordic strategy over 60 days, as the day-end takes it', () => {
  const course = simulateCourse({})
  assert.deepEqual(formatCourse(course), [
    '0 REMINDER',
    '18 DEMAND-AFTER-REMINDER',
    '36 DEMAND-EXPIRED',
    '43 LEGAL-PREPARATION',
  ])
  const last = course.at(-1)!
  assert.deepEqual(
    [last.date, last.place, last.remaining],
    ['2026-04-14', { status: 'AMICABLE', subStatus: 'DEMAND_EXPIRED' }, 124_000n],
  )
  const small = simulateCourse({ remaining: 10_000n, service: 'COLLECTION' })
  assert.deepEqual(formatCourse(small), ['0 DEMAND', '18 DEMAND-EXPIRED', '48 SURVEILLANCE-SMALL'])
})

test('time that has passed counts, and steps that were taken do not come again', () => {
  assert.deepEqual(
    formatCourse(
      simulateCourse({
        place: { status: 'AMICABLE', subStatus: 'DEMAND_SENT' },
        since: '2026-02-22',
        taken: ['REMINDER'],
      }),
    ),
    ['10 DEMAND-EXPIRED', '17 LEGAL-PREPARATION'],
  )
})

test('a step that was refused on the first day is tried again on the next', () => {
  assert.deepEqual(formatCourse(simulateCourse({ refusedToday: ['REMINDER'] })), [
    '1 REMINDER',
    '19 DEMAND-AFTER-REMINDER',
    '37 DEMAND-EXPIRED',
    '44 LEGAL-PREPARATION',
  ])
})

const step = (given: Partial<StrategyStep>): StrategyStep => ({
  code: 'ONE',
  status: 'NEW',
  afterDays: 0,
  actions: [{ kind: 'letter', letter: 'demand' }],
  ...given,
})

test('each condition holds or does not', () => {
  const cases: [Partial<StrategyStep>, boolean][] = [
    [{}, true],
    [{ subStatus: 'VALIDATING' }, false],
    [{ service: 'COLLECTION' }, false],
    [{ countries: ['NO', 'SE'] }, true],
    [{ countries: ['NO'] }, false],
    [{ currencies: ['EUR'] }, false],
    [{ amountFrom: 1000 }, true],
    [{ amountFrom: 1000.01 }, false],
    [{ amountBelow: 1000 }, false],
    [{ amountBelow: 1000.01 }, true],
    [{ onPlan: true }, false],
    [{ onPlan: false }, true],
    [{ afterDays: 1 }, false],
  ]
  for (const [given, isTaken] of cases)
    assert.equal(simulateCourse({}, [step(given)], 0).length, isTaken ? 1 : 0, JSON.stringify(given))
})

test('interest brings a case over an amount, on the day on which it does', () => {
  const interestPerDay = 25n * interestDenominator
  const course = simulateCourse({ interestPerDay }, [step({ amountFrom: 1001 })])
  assert.deepEqual(
    course.map(({ day, remaining }) => [day, remaining]),
    [[4, 100_100n]],
  )
})

test('a step that cannot be taken is told once, with the reason, and does nothing', () => {
  const wrong = step({
    actions: [
      { kind: 'fee', feeType: 'reminder' },
      { kind: 'status', status: 'ENFORCEMENT', subStatus: 'APPLIED' },
    ],
  })
  const course = simulateCourse({}, [wrong], 30)
  assert.equal(course.length, 1)
  assert.match(course[0]!.refused!, /NEW/)
  assert.deepEqual([course[0]!.remaining, course[0]!.place.status], [100_000n, 'NEW'])
})
