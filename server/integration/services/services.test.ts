import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '../../../contract/platform/jobs.ts'
import type { Problem } from '../../../contract/platform/problem.ts'
import type { JobRunner } from '../../platform/jobs/run-jobs.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob, waitForJobUntil } from '../../testing/jobs.ts'

const folder = join(import.meta.dirname, '../../testing/services')
let api: TestApi
let runner: JobRunner
let debtorGuid: string
let userGuid: string
before(async () => {
  api = await startApi({ FORDRA_SERVICES: folder })
  await api.setDate('2026-06-15')
  runner = await runJobs(api)
  const users = await api.call<{ value: { uniqueId: string }[] }>('GET', '/users')
  userGuid = users.body.value[0]!.uniqueId
})
beforeEach(async () => {
  debtorGuid = (await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Ek' } })).body
    .debtorGuid
})
after(async () => {
  await runner.stop()
  await api.close()
})

const invoke = (path: string, body: unknown = {}, token?: string) =>
  api.call<Problem>('POST', path, { body, ...(token && { token }) })
const jobId = (answer: { headers: Headers }) => answer.headers.get('location')!.split('/').at(-1)!
const readResult = async (answer: { headers: Headers }) => (await waitForJob(api, jobId(answer))).result
const findNames = async () => {
  const { body } = await api.call<{ value: { name: string }[] }>('GET', `/debtors/${debtorGuid}/extrafields`)
  return body.value.map(({ name }) => name).toSorted()
}
const readEvents = async (subject: string) =>
  (await api.sql`select type from event where subject = ${subject} order by sequence`).map(
    (row) => row['type'],
  )

test('U14 and D26 invoke a global service and answer with an empty object', async () => {
  for (const path of ['/users/services/echo', '/debtors/services/echo']) {
    const answer = await invoke(path, { text: 'hej', nested: { list: [1, 2] } })
    assert.equal(answer.status, 200)
    assert.equal(answer.text, '{}')
    const { id, ...result } = (await readResult(answer)) as Record<string, unknown>
    assert.equal(id, jobId(answer))
    assert.deepEqual(result, {
      text: 'hej',
      item: null,
      businessDate: '2026-06-15',
      attempt: 1,
      userGuid: result['userGuid'],
      environment: [],
    })
    assert.deepEqual(await readEvents(jobId(answer)), ['service.completed'])
  }
})

test('U14 without a body gives the service an empty object', async () => {
  const answer = await api.call('POST', '/users/services/echo')
  assert.equal(answer.status, 200)
})

test("D25 writes with the caller's rights, and its event is under the debtor", async () => {
  const answer = await invoke(`/debtors/${debtorGuid}/services/note`, { name: 'one' })
  assert.equal(answer.status, 200)
  assert.equal(answer.text, '{}')
  assert.deepEqual(await findNames(), ['one'])
  assert.deepEqual(await readEvents(debtorGuid), [
    'debtor.created',
    'extrafield.created',
    'service.completed',
  ])
  const [entry] = await api.sql`select operation, actor_id from audit_entry
    where subject = ${debtorGuid} and entity = 'extrafield'`
  assert.equal(entry!['operation'], 'D25')
})

test('D25: a service that fails stores nothing but the failure', async () => {
  const answer = await invoke(`/debtors/${debtorGuid}/services/note`, { name: 'two', after: 'fail' })
  assert.deepEqual([answer.status, answer.body.code], [502, 'service-failed'])
  assert.deepEqual(await findNames(), [])
  assert.deepEqual(await readEvents(debtorGuid), ['debtor.created', 'service.failed'])
})

test('D25: a nested transaction rolls back alone, and a refused call does not affect the rest', async () => {
  await invoke(`/debtors/${debtorGuid}/services/note`, { name: 'three', after: 'undo' })
  assert.deepEqual(await findNames(), ['three'])
  const answer = await invoke(`/debtors/${debtorGuid}/services/note`, { name: 'four', after: 'conflict' })
  assert.deepEqual(await readResult(answer), { code: 'conflict', total: 2 })
  assert.deepEqual(await findNames(), ['four', 'three'])
})

test('D25: a service cannot sign in, nor see more than its caller', async () => {
  const signIn = await invoke(`/debtors/${debtorGuid}/services/note`, { name: 'x', after: 'sign-in' })
  assert.equal(signIn.status, 502)
  assert.match(signIn.body.detail, /cannot call signIn/)
  const other = await invoke(`/debtors/${debtorGuid}/services/note`, {
    name: 'x',
    after: 'other-debtor',
    guid: '01900000-0000-7000-8000-000000000000',
  })
  assert.equal(other.status, 502)
  assert.match(other.body.detail, /no such debtor/)
})

test("a failure shows the caller only the service's own message", async () => {
  const told = await invoke('/users/services/echo', { fail: 'told' })
  assert.equal(told.status, 502)
  assert.match(told.body.detail, /The register does not answer/)
  const untold = await invoke('/users/services/echo', { fail: 'untold' })
  assert.equal(untold.status, 502)
  assert.ok(!untold.text.includes('hunter2'))
})

const attacks: [what: string, path: () => string, body: object, status: number][] = [
  ['an endless loop', () => '/users/services/loop', {}, 504],
  ['one that waits for ever', () => `/debtors/${debtorGuid}/services/sleep`, {}, 504],
  ['one that eats the heap', () => '/debtors/services/eater', {}, 502],
  ['one that eats buffers', () => '/debtors/services/eater', { what: 'buffers' }, 502],
  ['one that calls process.exit', () => `/users/${userGuid}/services/leaver`, {}, 502],
  ['one that throws where nobody catches', () => `/users/${userGuid}/services/leaver`, { how: 'throw' }, 502],
  [
    'one that rejects where nobody catches',
    () => `/users/${userGuid}/services/leaver`,
    { how: 'reject' },
    502,
  ],
  ['one that returns too much', () => '/users/services/big', {}, 502],
]
for (const [what, path, body, status] of attacks) {
  test(`the server survives ${what} and answers ${status} (U13, U14, D25, D26)`, async () => {
    const answer = await invoke(path(), body)
    assert.equal(answer.status, status)
    assert.equal((await invoke('/users/services/echo')).status, 200)
    assert.deepEqual(await findNames(), [])
  })
}

test('a thread that exits after its run is not reused', async () => {
  for (let n = 0; n < 4; n++) {
    const answer = await invoke(`/users/${userGuid}/services/leaver`, { how: 'later' })
    assert.equal(answer.status, 200)
    await sleep(n * 8)
  }
})

test('a failure stores nothing but the failure, also with an idempotency key; a repeated request runs again', async () => {
  const headers = { 'idempotency-key': 'service-fails' }
  const path = `/debtors/${debtorGuid}/services/note`
  const send = () => api.call<Problem>('POST', path, { headers, body: { name: 'kept?', after: 'fail' } })
  assert.equal((await send()).status, 502)
  assert.equal((await send()).status, 502)
  assert.deepEqual(await findNames(), [])
  assert.deepEqual(await readEvents(debtorGuid), ['debtor.created', 'service.failed', 'service.failed'])
})

const refused: [what: string, body: unknown, member: string][] = [
  ['a member of the wrong type', { text: 1 }, 'text'],
  ['a wrong element deep inside', { nested: { list: [1, 'two'] } }, 'nested.list[1]'],
  ['an unknown member', { nested: { other: 1 } }, 'nested.other'],
  ['a day that is none', { day: '2026-02-30' }, 'day'],
  ['a list', [], ''],
  ['a text', 'hej', ''],
]
for (const [what, body, member] of refused) {
  test(`input that violates the schema is a 400 with its path: ${what}`, async () => {
    for (const query of ['', '?async=true']) {
      const answer = await invoke(`/users/services/echo${query}`, body)
      assert.equal(answer.status, 400)
      assert.ok(answer.body.errors?.[member], answer.text)
    }
  })
}

test('an unknown service, a wrong scope and an unknown item are a 404', async () => {
  const nobody = '01900000-0000-7000-8000-000000000000'
  for (const path of [
    '/users/services/nothing',
    '/users/services/note',
    '/debtors/services/leaver',
    '/users/services/constructor',
    `/debtors/${debtorGuid}/services/echo`,
    `/users/${userGuid}/services/note`,
    `/debtors/${nobody}/services/note`,
    `/users/${nobody}/services/leaver`,
    '/users/services/..%2f..%2fpackage.json',
  ]) {
    assert.equal((await invoke(path, { name: 'x' })).status, 404, path)
    assert.equal((await invoke(`${path}?async=true`, { name: 'x' })).status, 404, path)
  }
})

test('a service needs service.write and its own access code, and its item must be visible', async () => {
  assert.equal((await invoke('/users/services/echo', {}, await api.signIn(5))).status, 403)
  const handler = await api.signIn(3)
  assert.equal((await invoke('/users/services/echo', {}, handler)).status, 200)
  const big = await invoke('/users/services/big', {}, handler)
  assert.equal(big.status, 403)
  assert.match(big.body.detail, /system\.admin/)
})

test('async=true answers 202 with an empty object at once, and the service runs later, once', async () => {
  const answer = await invoke(`/debtors/${debtorGuid}/services/note?async=true`, { name: 'later' })
  assert.equal(answer.status, 202)
  assert.equal(answer.text, '{}')
  const job = await waitForJob(api, jobId(answer))
  assert.deepEqual([job.status, job.kind, job.name], ['completed', 'service', 'note'])
  assert.deepEqual(await findNames(), ['later'])
  assert.deepEqual(await readEvents(debtorGuid), [
    'debtor.created',
    'extrafield.created',
    'service.completed',
  ])
  assert.equal((await invoke(`/users/services/echo?async=perhaps`)).status, 400)
})

test('async=true of a global service completes, fails at the last attempt, and reports both', async () => {
  for (const path of ['/users/services/echo', '/debtors/services/echo']) {
    const answer = await invoke(`${path}?async=true`, { text: 'later' })
    assert.deepEqual([answer.status, answer.text], [202, '{}'])
    const job = await waitForJob(api, jobId(answer))
    assert.deepEqual([job.status, job.attempts, job.result!['text']], ['completed', 1, 'later'])
    assert.deepEqual(await readEvents(jobId(answer)), ['service.completed', 'job.completed'])
    const failing = await invoke(`${path}?async=true`, { fail: 'told' })
    await waitForJobUntil(api, jobId(failing), ({ lastError }) => lastError !== null)
    await api.sql`update job_run set attempts_max = attempts + 1 where id = ${jobId(failing)}`
    await api.sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at := now())`
    const failed = await waitForJob(api, jobId(failing))
    assert.equal(failed.status, 'failed')
    assert.match(failed.lastError!, /register does not answer/)
    assert.deepEqual((await readEvents(jobId(failing))).toSorted(), ['job.failed', 'service.failed'])
  }
})

test("async=true retries with the same id, and the first attempt's writes are gone", async () => {
  const answer = await invoke(`/debtors/${debtorGuid}/services/note?async=true`, {
    name: 'again',
    after: 'fail-once',
  })
  const between = await waitForJobUntil(api, jobId(answer), ({ lastError }) => lastError !== null)
  assert.equal(between.status, 'waiting')
  assert.equal(between.attemptsMax, 10)
  assert.deepEqual(await findNames(), [])
  await api.sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at := now())`
  assert.equal((await waitForJob(api, jobId(answer))).attempts, 2)
  assert.deepEqual(await findNames(), ['again'])
})

test('async=true: a failed last attempt leaves a failed job with its event', async () => {
  const answer = await invoke(`/debtors/${debtorGuid}/services/note?async=true`, {
    name: 'no',
    after: 'fail',
  })
  await api.sql`update job_run set attempts_max = attempts where id = ${jobId(answer)}`
  await api.sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at := now())`
  const job = await waitForJob(api, jobId(answer))
  assert.equal(job.status, 'failed')
  assert.deepEqual(await readEvents(debtorGuid), ['debtor.created', 'service.failed'])
})

test('async=true fails when the caller has lost the right to call the service', async () => {
  await runner.stop()
  const userGuidOfHandler = await api.addUser({
    email: 'leaving@agency.example',
    password: 'a long enough password',
  })
  const { body } = await api.call<{ accessToken: string }>('POST', '/auth/login', {
    body: { login: 'leaving@agency.example', password: 'a long enough password' },
    token: null,
  })
  const answer = await invoke(
    `/debtors/${debtorGuid}/services/note?async=true`,
    { name: 'x' },
    body.accessToken,
  )
  assert.equal(answer.status, 202)
  await api.sql`update app_user set disabled = true where id = ${userGuidOfHandler}`
  runner = await runJobs(api)
  const job = await waitForJob(api, jobId(answer))
  assert.equal(job.status, 'failed')
  assert.match(job.lastError!, /requested by a user who is disabled/)
  assert.deepEqual(await findNames(), [])
})

test('an idempotency key runs a service once', async () => {
  const headers = { 'idempotency-key': 'service-once' }
  const path = `/debtors/${debtorGuid}/services/note`
  const first = await api.call('POST', path, { headers, body: { name: 'once' } })
  const second = await api.call('POST', path, { headers, body: { name: 'once' } })
  assert.deepEqual([first.status, second.status], [200, 200])
  assert.equal(second.headers.get('idempotency-replayed'), 'true')
  assert.deepEqual(await findNames(), ['once'])
})

test('many concurrent runs are each done, or refused quickly', async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => invoke('/users/services/echo', { text: String(index) })),
  )
  const statuses = new Set(answers.map(({ status }) => status))
  assert.ok(statuses.has(200))
  for (const status of statuses) assert.ok(status === 200 || status === 503)
  const { body } = await api.call<{ value: Job[] }>(
    'GET',
    "/jobs?$filter=name eq 'echo' and status eq 'completed'",
  )
  assert.ok(body.value.length > 0)
})
