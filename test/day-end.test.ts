/** The end of a day, interrupted between its chunks and in the midst of them, and run again: as though nothing had been. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays } from '../core/calendar/calendar.ts'
import type { Job } from '../contract/platform/jobs.ts'
import { dayEndSteps } from '../server/app.ts'
import {
  agencyCaller,
  assertProven,
  contextOn,
  makeDebtor,
  setTerms,
} from '../server/testing/records/cases.ts'
import { registerCase } from '../server/cases/register-case.ts'
import type { DayEndStep } from '../server/access/serve/slice.ts'
import { dayEndCommand } from '../server/integration/commands/day-end.ts'
import { makeId } from '../server/platform/database/make-id.ts'
import { toParts, type ChunkedWork } from '../server/platform/jobs/chunked-work.ts'
import type { RunningJob } from '../server/platform/jobs/job.ts'
import { assignStrategy } from '../server/collection/strategies/strategies.store.ts'
import { startApi, type TestApi } from '../server/testing/api.ts'
import { runJobs, waitForJob } from '../server/testing/jobs.ts'

const start = '2026-03-02'
const night = addDays(start, 45)
const opened: TestApi[] = []
let whole: TestApi
before(async () => {
  whole = await openCases()
})
after(async () => {
  for (const api of opened) await api.close()
})

/** Cases that time has barred, a plan that is not kept, and cases with steps that are due. */
async function openCases(): Promise<TestApi> {
  const api = await startApi()
  opened.push(api)
  await api.setDate(start)
  const client = await api.addParty('CLIENT')
  await setTerms(api, client, { country_code: 'SE', currency_code: 'SEK', plan_misses_to_breach: 1 })
  await assignStrategy(api.sql, client, 'NORDIC')
  for (let index = 0; index < 11; index++) {
    const debtorGuid = await makeDebtor(api)
    const input = { clientGuid: client, debtorGuid, principal: 1000 + index, currencyCode: 'SEK' }
    const { caseGuid } = await registerCase(api.sql, agencyCaller, input, contextOn(start))
    if (index < 3)
      await api.sql`update debt_case set limitation_date = ${addDays(start, 5)} where id = ${caseGuid}`
    if (index === 3 || index === 4) {
      const body = { paymentPlanType: 1, numberOfPayments: 4, active: 1 }
      const plan = await api.call('POST', `/debtors/${debtorGuid}/paymentplans`, { body })
      assert.equal(plan.status, 201, plan.text)
    }
  }
  await api.setDate(night)
  return api
}

class Interruption extends Error {}

/** One attempt at the day-end in chunks of two; interrupted when it tells of its progress more than `most` times. */
function attempt(api: TestApi, jobId: string, steps: readonly DayEndStep[], most = Infinity) {
  let told = 0
  const job: RunningJob = {
    id: jobId,
    name: 'day-end',
    payload: {},
    attempt: 1,
    attemptsMax: 5,
    askedBy: null,
    origin: contextOn(night).origin,
    sql: api.sql as never,
    databaseUrl: api.databaseUrl,
    signal: new AbortController().signal,
    progress: async () => {
      if (++told > most) throw new Interruption()
    },
    complete: async () => {},
  }
  return dayEndCommand(api.app.service.clock, steps).run(job, [undefined])
}

/** What the day left behind, without what is made of chance. */
async function readTrace(api: TestApi) {
  const cases = await api.sql`
    select case_number, status, sub_status, closure_code, version, added_fee,
      (select count(*)::int from strategy_step_taken k where k.case_id = c.id) as steps,
      (select count(*)::int from document o where o.case_id = c.id) as letters,
      (select count(*)::int from movement m where m.case_id = c.id) as movements,
      (select array_agg(type order by sequence) from event e where e.subject = c.id) as events
    from debt_case c order by running_number`
  const plans = await api.sql`select active, end_reason from payment_plan order by id`
  const [messages] = await api.sql`select count(*)::int as count from message`
  return [...cases, ...plans, messages].map((row) => ({ ...row }))
}

test('interrupted after any chunk and run again it leaves what one leaves that was not, and tells the same', async () => {
  const told = await attempt(whole, makeId(), dayEndSteps(2))
  const left = await readTrace(whole)
  const steps = (told as { steps: Record<string, { closed?: number; taken?: number }> }).steps
  assert.equal(steps['close-time-barred']!.closed, 3)
  assert.equal(steps['apply-strategies']!.taken, 8)
  const api = await openCases()
  const jobId = makeId()
  let interruptions = 0
  for (let over = false; !over;) {
    // Each attempt may tell once more than the one before.
    const result = await attempt(api, jobId, dayEndSteps(2), interruptions).catch((error: unknown) => {
      if (!(error instanceof Interruption)) throw error
      interruptions++
    })
    if (result === undefined) continue
    over = true
    assert.deepEqual(result, told)
  }
  assert.ok(interruptions > 5, `${interruptions}`)
  assert.deepEqual(await readTrace(api), left)
  await assertProven(api)
})

test('a chunk that ends suddenly leaves nothing of it, and is done once', async () => {
  const api = await openCases()
  const jobId = makeId()
  const seen = new Set<string>()
  const failEachOnce = (part: ChunkedWork, name: string): ChunkedWork => ({
    ...part,
    run: async (...given) => {
      const next = await part.run(...given)
      const place = `${name} ${JSON.stringify(given[1])}`
      if (seen.has(place)) return next
      seen.add(place)
      throw new Interruption()
    },
  })
  const stumbling = dayEndSteps(2).map(({ name, work }) => {
    const { parts, join } = toParts(work)
    return { name, work: { parts: parts.map((part, index) => failEachOnce(part, `${name} ${index}`)), join } }
  })
  let result: unknown
  while (result === undefined) {
    result = await attempt(api, jobId, stumbling).catch((error: unknown) => {
      if (!(error instanceof Interruption)) throw error
    })
  }
  assert.deepEqual(await readTrace(api), await readTrace(whole))
  await assertProven(api)
})

test('its job tells how far it is, piece by piece', async () => {
  const api = await openCases()
  const runner = await runJobs(api)
  const { body } = await api.call<{ jobId: string }>('POST', '/system/commands/day-end', { body: {} })
  const job: Job = await waitForJob(api, body.jobId)
  await runner.stop()
  assert.equal(job.status, 'completed', job.lastError ?? '')
  // 3 cases, 2 plans, 6 cases that have waited long enough for a step (those that are closed by then were counted before),
  // and the end of each step.
  assert.deepEqual([job.progressDone, job.progressTotal], [20, 20])
})
