/**
 * Custom services as actions of strategies: checked when the strategy is saved, and again when the job runs.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Problem } from '../../../contract/platform/problem.ts'
import type { StrategyItem } from '../../../contract/collection/strategies.ts'
import { agencyCaller, contextOn, makeDebtor, setTerms } from '../../testing/records/cases.ts'
import { registerCase } from '../../cases/register-case.ts'
import { runChunks } from '../../platform/jobs/chunked-work.ts'
import type { JobRunner } from '../../platform/jobs/run-jobs.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import { applyStrategies } from './apply-strategies.ts'
import { assignStrategy } from './strategies.store.ts'

const start = '2026-03-02'
let api: TestApi
let runner: JobRunner
let made = 0
let userGuid: string
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '' })
  runner = await runJobs(api)
  userGuid = await addUser()
})
after(async () => {
  await runner.stop()
  await api.close()
})

const addUser = (userRole: 3 | 5 = 3) =>
  api.addUser({ email: `caller${++made}@agency.example`, password: 'a long enough password', userRole })
const stepWith = (action: object) => ({
  code: 'CALL',
  status: 'NEW',
  afterDays: 0,
  actions: [
    { kind: 'letter', letter: 'reminder' },
    { kind: 'service', service: 'address-check', userGuid, ...action },
  ],
})
const create = (action: object) =>
  api.call<StrategyItem & Problem>('POST', '/strategies', {
    body: { code: `CALLS${++made}`, name: 'Calls', steps: [stepWith(action)] },
  })
const at = 'steps[0].actions[1]'

/** A case on which the day-end takes the strategy's step. `between` runs before the service's job. */
async function runStepJob(code: string, between: () => PromiseLike<unknown>) {
  await api.setDate(start)
  const client = await api.addParty(`CLIENT${++made}`)
  await setTerms(api, client, { country_code: 'SE' })
  await assignStrategy(api.sql, client, code)
  const debtorGuid = await makeDebtor(api)
  const input = {
    clientGuid: client,
    debtorGuid,
    principal: 1000,
    currencyCode: 'SEK',
    dueDate: '2026-01-15',
    reminderFeeAgreed: true,
  }
  await registerCase(api.sql, agencyCaller, input, contextOn(start))
  await runner.stop()
  await runChunks(api.sql, applyStrategies(), { ...contextOn(start).origin, operation: 'day-end' })
  await between()
  runner = await runJobs(api)
  const [job] = await api.sql<{ id: string }[]>`
    select id from job_run where kind = 'service' and payload -> 'item' ->> 'guid' = ${debtorGuid}`
  return waitForJob(api, job!.id)
}

test('a valid service action calls the service', async () => {
  const { status, body, text } = await create({ input: {}, userGuid: userGuid.toUpperCase() })
  assert.equal(status, 201, text)
  const job = await runStepJob(body.code, async () => {})
  assert.deepEqual(
    [job.status, job.name, job.attempts],
    ['completed', 'address-check', 1],
    job.lastError ?? '',
  )
})

test('wrong input of a service is refused, and the errors name each member', async () => {
  const answer = await create({ input: { nonsense: 1, returnedFrom: 5 } })
  assert.equal(answer.status, 400, answer.text)
  assert.deepEqual(Object.keys(answer.body.errors!).toSorted(), [
    `${at}.input.nonsense`,
    `${at}.input.returnedFrom`,
  ])
  const list = await create({ input: [1] })
  assert.deepEqual([list.status, Object.keys(list.body.errors!)], [400, [`${at}.input`]])
  const deep = await create({ service: 'personal-data-erasure', input: { personalDataTypeIds: ['x'] } })
  assert.equal(deep.status, 400)
  assert.ok(deep.body.errors![`${at}.input.personalDataTypeIds[0]`], deep.text)
})

test('changing and simulating a strategy apply the same checks', async () => {
  const { body } = await create({})
  const steps = [stepWith({ input: { returnedFrom: 'x' } })]
  const changed = await api.call<Problem>('PUT', `/strategies/${body.strategyGuid}`, { body: { steps } })
  assert.deepEqual([changed.status, Object.keys(changed.body.errors!)], [400, [`${at}.input.returnedFrom`]])
  const simulated = await api.call<Problem>('POST', '/strategies/simulate', {
    body: { steps, days: 1, case: { amount: 1000, country: 'SE', currency: 'SEK' } },
  })
  assert.deepEqual(
    [simulated.status, Object.keys(simulated.body.errors!)],
    [400, [`${at}.input.returnedFrom`]],
  )
})

test('the user must exist, not be disabled, and have the right to call the service', async () => {
  const disabled = await addUser()
  await api.sql`update app_user set disabled = true where id = ${disabled}`
  const weak = await addUser(5)
  for (const [user, message] of [
    ['01900000-0000-7000-8000-000000000000', /not disabled/],
    [disabled, /not disabled/],
    [weak, /lacks service\.write/],
  ] as const) {
    const { status, body, text } = await create({ userGuid: user })
    assert.equal(status, 400, text)
    assert.match(body.errors![`${at}.userGuid`]!.join(' '), message)
  }
})

test('a job whose input is no longer valid fails at once with the reason', async () => {
  const { body } = await create({ input: {} })
  const job = await runStepJob(
    body.code,
    () => api.sql`update job_run set payload = jsonb_set(payload, '{input}', '{"returnedFrom": 5}')
      where kind = 'service' and status = 'waiting'`,
  )
  assert.deepEqual([job.status, job.attempts], ['failed', 1])
  assert.match(job.lastError!, /input does not fit the service address-check: returnedFrom must be a text/)
})

test('a job whose user lost the right to call the service fails at once with the reason', async () => {
  const leaving = await addUser()
  const disabled = await create({ userGuid: leaving })
  const gone = await runStepJob(
    disabled.body.code,
    () => api.sql`update app_user set disabled = true where id = ${leaving}`,
  )
  assert.deepEqual([gone.status, gone.attempts], ['failed', 1])
  assert.match(gone.lastError!, /disabled/)
  const demoted = await addUser()
  const weakened = await create({ userGuid: demoted })
  const weak = await runStepJob(
    weakened.body.code,
    () => api.sql`update app_user set user_role = 5 where id = ${demoted}`,
  )
  assert.deepEqual([weak.status, weak.attempts], ['failed', 1])
  assert.match(weak.lastError!, /Missing: service\.write/)
})
