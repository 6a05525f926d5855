import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commands } from '../../../contract/platform/commands.ts'
import type { Problem } from '../../../contract/platform/problem.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import type { JobRunner } from '../../platform/jobs/run-jobs.ts'
import type { JobKind } from '../../platform/jobs/job.ts'
import type { ChunkedWork } from '../../platform/jobs/chunked-work.ts'
import { commandJobs } from './commands.routes.ts'
import type { DayEndStep } from '../../access/serve/slice.ts'
import { dayEndCommand, dayEndSchedule } from './day-end.ts'
import { enqueueScheduled } from '../../platform/jobs/schedules.ts'

let api: TestApi
let runner: JobRunner
before(async () => {
  api = await startApi()
  await api.setDate('2026-06-15')
  runner = await runJobs(api)
})
after(async () => {
  await runner.stop()
  await api.close()
})

type Started = Problem & { jobId: string }
const run = (command: string, body?: object) =>
  api.call<Started>('POST', `/system/commands/${command}`, body === undefined ? {} : { body })
const finish = async (command: string, body?: object) => {
  const { status, body: problem } = await run(command, body)
  assert.equal(status, 200, JSON.stringify(problem))
  return waitForJob(api, problem.jobId)
}

test('S11 starts a command as a job and answers problem details with its jobId', async () => {
  const { status, body } = await run('verify-ledger', { argument: null })
  assert.equal(status, 200)
  assert.deepEqual([body.type, body.status, body.title], ['about:blank', 200, 'OK'])
  const job = await waitForJob(api, body.jobId)
  assert.deepEqual([job.kind, job.name, job.status], ['command', 'verify-ledger', 'completed'])
  // The seal covers an entry only when every transaction begun before it, in any database of the server, has ended.
  let verified = job
  while (Number(verified.result!['auditEntries']) === 0) verified = await finish('verify-ledger')
  assert.ok(Number(verified.result!['auditEntries']) > 0)
  assert.ok(job.requestedBy, 'who asked is known')
  const entries =
    await api.sql`select changes from audit_entry where entity_id = ${body.jobId} and action = 'created'`
  assert.deepEqual(entries[0]!['changes'], { command: [null, 'verify-ledger'] })
})

test('S11 ignores arguments that are null or empty, up to six', async () => {
  const padded = { argument: ['2026-06-14', null, '', ' ', null, ''] }
  const job = await finish('day-end', padded)
  assert.deepEqual([job.status, job.result!['date']], ['completed', '2026-06-14'])
  assert.equal((await finish('retry-jobs', { argument: [null, '', null, '', null, ''] })).status, 'completed')
  assert.equal((await run('day-end', { argument: [null, '', null, '', null, '', null] })).status, 400)
})

test('S11 a finished command reports full progress', async () => {
  for (const command of ['verify-ledger', 'purge-expired']) {
    const { status, progressDone, progressTotal } = await finish(command)
    assert.equal(status, 'completed')
    assert.ok(progressTotal! > 1, command)
    assert.equal(progressDone, progressTotal, command)
  }
})

test('S11 without a body takes no arguments', async () => {
  assert.equal((await finish('retry-jobs')).status, 'completed')
})

test('S11 verify-ledger fails when the audit trail was changed, and says where', async () => {
  const broken = await startApi()
  const brokenRunner = await runJobs(broken)
  await broken.sql`alter table audit_entry disable trigger audit_entry_append_only`
  // Open transactions of other tests on the same server delay the seal.
  for (let seals = 0; seals === 0;) {
    const first = await broken.call<Started>('POST', '/system/commands/verify-ledger')
    assert.equal((await waitForJob(broken, first.body.jobId)).status, 'completed')
    seals = (await broken.sql<{ seals: number }[]>`select count(*)::int as seals from audit_seal`)[0]!.seals
  }
  await broken.sql`update audit_entry set operation = 'forged' where position = (select min(position) from audit_entry)`
  const { body } = await broken.call<Started>('POST', '/system/commands/verify-ledger')
  const job = await waitForJob(broken, body.jobId)
  assert.equal(job.status, 'failed')
  assert.match(job.lastError!, /broken at seal 1/)
  await brokenRunner.stop()
  await broken.close()
})

const refused: [what: string, command: string, body: object, member: string][] = [
  ['seven arguments', 'day-end', { argument: ['1', '2', '3', '4', '5', '6', '7'] }, 'argument'],
  ['an argument that it does not take', 'verify-ledger', { argument: ['all'] }, 'argument[0]'],
  ['two dates', 'day-end', { argument: ['2026-06-14', '2026-06-15'] }, 'argument[1]'],
  ['a date after an empty one', 'day-end', { argument: ['', null, '2026-06-15'] }, 'argument[2]'],
  ['a bad date', 'day-end', { argument: ['2026-02-30'] }, 'argument[0]'],
  ['a date-time', 'day-end', { argument: ['2026-06-15T00:00:00Z'] }, 'argument[0]'],
  ['a number', 'day-end', { argument: [20260615] }, 'argument[0]'],
  ['a text for the list', 'day-end', { argument: '2026-06-15' }, 'argument'],
  ['an unknown member', 'day-end', { arguments: [] }, 'arguments'],
]
for (const [what, command, body, member] of refused) {
  test(`S11 refuses ${what}`, async () => {
    const answer = await run(command, body)
    assert.equal(answer.status, 400)
    assert.ok(answer.body.errors?.[member], answer.text)
  })
}

test('S11 refuses a future date', async () => {
  const answer = await run('day-end', { argument: ['2026-06-16'] })
  assert.equal(answer.status, 422)
})

test('S11 answers an unknown command with 404 and names the known ones', async () => {
  for (const command of ['shutdown', 'constructor', 'DAY-END']) {
    const { status, body } = await run(command)
    assert.equal(status, 404)
    assert.match(
      body.detail,
      /day-end, accrue-interest, apply-strategies, check-payment-plans, verify-ledger, law-review, retry-jobs, purge-expired, rebuild-search, restore-drill, import/,
    )
  }
})

test('S11 needs an administrator', async () => {
  const answer = await api.call('POST', '/system/commands/verify-ledger', { token: await api.signIn(3) })
  assert.equal(answer.status, 403)
})

test('S11 refuses a command that is already running and names its job', async () => {
  await runner.stop()
  const first = await run('purge-expired')
  assert.equal(first.status, 200)
  const second = await run('purge-expired')
  assert.deepEqual([second.status, second.body.code, second.body.jobId], [409, 'conflict', first.body.jobId])
  const twice = await Promise.all([run('rebuild-search'), run('rebuild-search'), run('rebuild-search')])
  assert.deepEqual(twice.map(({ status }) => status).toSorted(), [200, 409, 409])
  runner = await runJobs(api)
  await waitForJob(api, first.body.jobId)
  assert.equal((await finish('purge-expired')).status, 'completed')
})

test('S11 with an idempotency key starts one job', async () => {
  const headers = { 'idempotency-key': 'command-once' }
  const first = await api.call<Started>('POST', '/system/commands/retry-jobs', { headers })
  await waitForJob(api, first.body.jobId)
  const second = await api.call<Started>('POST', '/system/commands/retry-jobs', { headers })
  assert.equal(second.headers.get('idempotency-replayed'), 'true')
  assert.equal(second.body.jobId, first.body.jobId)
})

test('S11 purge-expired removes what has expired', async () => {
  await api.sql`insert into idempotency_key (caller_id, key, request_hash, status, headers, body, created_at)
    values (gen_random_uuid(), 'old', '', 200, '{}', '', now() - interval '2 days')`
  await finish('purge-expired')
  const left = await api.sql`select from idempotency_key where key = 'old'`
  assert.equal(left.length, 0)
})

test('S11 rebuild-search repairs the search items', async () => {
  const { body } = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Ek' } })
  await api.sql`update item set primary_description = 'wrong' where guid = ${body.debtorGuid}`
  await api.sql`insert into item (guid, type, primary_description, debtor_id)
    values ('01900000-0000-7000-8000-000000000001', 3, 'nobody', '01900000-0000-7000-8000-000000000001')`
  const job = await finish('rebuild-search')
  assert.deepEqual(job.result, { written: 1, removed: 1 })
  const [item] = await api.sql`select primary_description as text from item where guid = ${body.debtorGuid}`
  assert.equal(item!['text'], 'Ek')
})

test('S11 retry-jobs retries failed jobs', async () => {
  await api.sql`insert into job_run (id, kind, name, payload, status, attempts, attempts_max, ended_at)
    values ('01900000-0000-7000-8000-000000000002', 'command', 'nothing', '{"arguments": []}', 'failed', 5, 5, now())`
  const job = await finish('retry-jobs')
  assert.deepEqual(job.result, { retried: 1 })
  const again = await waitForJob(api, '01900000-0000-7000-8000-000000000002')
  assert.deepEqual([again.status, again.attempts], ['failed', 1])
})

const schedule = () => ({ ...dayEndSchedule('Europe/Stockholm', 0), slot: () => '2026-06-15' })

test('day-end does each step once per date, however often it is requested and by whom', async () => {
  const done: string[] = []
  let stumble = true
  const steps: DayEndStep[] = [
    step('first', async (_tx, _state, { businessDate }) => {
      done.push(`first ${businessDate}`)
      return { figures: { rows: 1 }, place: null, isDone: true, worked: 1 }
    }),
    step('second', async (tx, _state, { businessDate }) => {
      await tx`insert into live_setting (name, value) values (${`second ${businessDate}`}, '1')`
      if (stumble) throw new Error('stumbled')
      return { figures: { rows: 2 }, place: null, isDone: true, worked: 1 }
    }),
  ]
  const { clock } = api.app.service
  const kind = commandJobs([dayEndCommand(clock, steps)])
  await runner.stop()
  const nodes = await Promise.all(
    [1, 2].map(() =>
      runJobs({ ...api, app: { ...api.app, jobs: { ...api.app.jobs, kinds: [kind as JobKind] } } }),
    ),
  )
  await Promise.all([1, 2, 3].map(() => enqueueScheduled(api.sql, schedule(), new Date())))
  const [asked] = await api.sql<{ id: string }[]>`
    select id from job_run where name = 'day-end' and asked_by is null`
  const stumbled = await waitFor(
    () => api.sql`select from job_run where id = ${asked!.id} and last_error = 'stumbled'`,
  )
  assert.equal(stumbled.length, 1)
  assert.deepEqual(
    [...(await api.sql`select from live_setting where name like 'second%'`)],
    [],
    'it was undone',
  )
  stumble = false
  await api.sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at := now())`
  const job = await waitForJob(api, asked!.id)
  assert.deepEqual(job.result, {
    date: '2026-06-15',
    steps: { first: { rows: 1 }, second: { rows: 2 } },
  })
  const again = await finish('day-end')
  assert.deepEqual((again.result!['steps'] as Record<string, unknown>)['second'], 'was done before')
  await api.setDate('2026-06-17')
  await finish('day-end')
  assert.deepEqual(done, ['first 2026-06-15', 'first 2026-06-17'])
  const count = await api.sql`select from job_run where name = 'day-end' and asked_by is null`
  assert.equal(count.length, 1)
  for (const node of nodes) await node.stop()
  runner = await runJobs(api)
})

test('a day-end that ran under a date set forward is done again when that day comes', async () => {
  await finish('day-end')
  await api.setDate('2026-07-20')
  await finish('day-end')
  const stepsDone = async () => Object.values((await finish('day-end')).result!['steps'] as object)
  assert.ok((await stepsDone()).every((done) => done === 'was done before'))
  await api.setDate('2026-06-17')
  assert.ok(
    (await stepsDone()).every((done) => done === 'was done before'),
    'this day was done',
  )
  await api.setDate('2026-07-20')
  assert.ok((await stepsDone()).every((done) => done !== 'was done before'))
  await api.setDate('2026-06-17')
})

test('a day-end of a day that the date was set back before does nothing', async () => {
  await runner.stop()
  await api.setDate('2026-07-21')
  const { body } = await api.call<{ jobId: string }>('POST', '/system/commands/day-end', {
    body: { argument: ['2026-07-21'] },
  })
  await api.setDate('2026-06-17')
  runner = await runJobs(api)
  const job = await waitForJob(api, body.jobId)
  assert.equal(job.status, 'failed')
  assert.match(job.lastError!, /set back to 2026-06-17, before 2026-07-21/)
  assert.deepEqual([...(await api.sql`select from day_end_step where business_date > '2026-06-17'`)], [])
})

const step = (name: string, chunk: ChunkedWork['run']): DayEndStep => ({
  name,
  work: { none: { rows: 0 }, count: async () => 1, run: chunk },
})

async function waitFor<T extends { length: number }>(read: () => PromiseLike<T>): Promise<T> {
  for (;;) {
    const rows = await read()
    if (rows.length > 0) return rows
  }
}

test('each command of the contract has a description', () => {
  assert.deepEqual(
    commands.map(({ command }) => command),
    [
      'day-end',
      'accrue-interest',
      'apply-strategies',
      'check-payment-plans',
      'verify-ledger',
      'law-review',
      'retry-jobs',
      'purge-expired',
      'rebuild-search',
      'restore-drill',
      'import',
      'check-import',
    ],
  )
})
