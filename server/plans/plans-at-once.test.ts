/** Plans that are made and activated at the same time on the same cases. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem } from '../testing/problem.ts'
import { assertProven } from '../testing/records/cases.ts'
import { openPlanStage, type PlanStage } from '../testing/records/plans.ts'

let stage: PlanStage
before(async () => {
  stage = await openPlanStage('2026-01-15')
})
after(() => stage.api.close())

const owed = { principal: 10_000, interestRate: 10, interestFromDate: '2026-01-15' }
const plan = { paymentPlanType: 1, numberOfPayments: 12, active: 1 }

test('of twelve active plans on the same cases one is made, and no deadlock is met', async () => {
  const { debtorGuid, caseGuids } = await stage.debtorWith(owed, owed)
  const deadlocks = async () => {
    const [row] = await stage.api.sql<{ count: number }[]>`
      select deadlocks::int as count from pg_stat_database where datname = current_database()`
    return row!.count
  }
  const earlier = await deadlocks()
  const answers = await Promise.all(
    Array.from({ length: 12 }, () =>
      stage.api.call('POST', `/debtors/${debtorGuid}/paymentplans`, { body: { ...plan, cases: caseGuids } }),
    ),
  )
  const made = answers.filter(({ status }) => status === 201)
  assert.equal(made.length, 1, answers.map(({ status }) => status).join())
  for (const answer of answers)
    if (answer !== made[0]) assertProblem(answer, 'conflict', /is in the active payment plan/)
  // The statistics of a connection are written when it is idle.
  await stage.api.sql`select pg_stat_force_next_flush()`.catch(() => {})
  assert.equal(await deadlocks(), earlier)
  await assertProven(stage.api)
})
