/** Notifications over HTTP: who is told of what, who sees it, and reading it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Notification } from '../../../contract/platform/notifications.ts'
import { notificationKinds, unreadMax } from '../../../contract/platform/notifications.ts'
import type { UserRole } from '../../../contract/access/access.ts'
import { startSession } from '../../access/sessions/sessions.ts'
import type { Page } from '../../platform/database/list.ts'
import type { JobRunner } from '../../platform/jobs/run-jobs.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import { assertProblem } from '../../testing/problem.ts'
import { openPlanStage, type PlanStage } from '../../testing/records/plans.ts'
import { purgeNotifications } from './notifications.store.ts'

const start = '2026-01-15'
const own = '/users/current/notifications'
let stage: PlanStage
let manager: Person
let runner: JobRunner
interface Person {
  guid: string
  token: string
}
before(async () => {
  stage = await openPlanStage(start)
  manager = await person('Maja Lind', 2)
  runner = await runJobs(stage.api)
})
after(async () => {
  await runner.stop()
  await stage.api.close()
})

async function person(name: string, role: UserRole = 3): Promise<Person> {
  const token = await stage.api.signIn(role)
  const [row] = await stage.api.sql<{ id: string }[]>`
    update app_user set full_name = ${name}
    where id = (select id from app_user order by created_at desc, id desc limit 1) returning id`
  return { guid: row!.id, token }
}
const open = async () => {
  const { debtorGuid, caseGuids } = await stage.debtorWith({ dueDate: '2026-01-01' })
  return { debtorGuid, caseGuid: caseGuids[0]! }
}
const list = async ({ token }: Person, query = '') =>
  (await stage.api.call<Page<Notification>>('GET', `${own}${query}`, { token })).body.value
const kinds = async (who: Person) => (await list(who)).map(({ kind }) => kind)
const unread = async ({ token }: Person) =>
  (await stage.api.call<{ unread: number }>('GET', `${own}/unread`, { token })).body.unread
const mark = ({ token }: Person, body: object) =>
  stage.api.call<{ unread: number }>('POST', `${own}/read`, { token, body })
const assign = (caseGuids: string[], ownerGuid: string | null, token = manager.token) =>
  stage.api.call('POST', '/work/assignments', { token, body: { caseGuids, ownerGuid } })

test('listNotifications tells a handler of an assigned case, and countNotifications counts it', async () => {
  const handler = await person('Anna Berg')
  const { caseGuid, debtorGuid } = await open()
  assert.equal((await assign([caseGuid], handler.guid)).status, 200)
  const [one, ...others] = await list(handler)
  assert.deepEqual(others, [])
  assert.deepEqual(
    [one!.kind, one!.count, one!.isRead, one!.caseGuid, one!.debtorGuid, one!.actorName],
    ['ASSIGNED', 1, false, caseGuid, debtorGuid, 'Maja Lind'],
  )
  assert.ok(one!.caseNumber && one!.debtorName)
  assert.equal(await unread(handler), 1)
  assert.deepEqual(await list(manager), [], 'nobody else is told')
})

test('several cases of one act are one notification, and nobody is told what they do themselves', async () => {
  const handler = await person('Bo Ek')
  const cases = [(await open()).caseGuid, (await open()).caseGuid]
  await assign(cases, handler.guid)
  assert.deepEqual(
    (await list(handler)).map(({ kind, count, caseGuid }) => [kind, count, caseGuid]),
    [['ASSIGNED', 2, null]],
  )
  await assign(cases, handler.guid)
  await assign(cases, null)
  await assign(cases, handler.guid, handler.token)
  assert.equal((await list(handler)).length, 1)
})

test('markNotifications marks one, and all, as read and one as unread', async () => {
  const handler = await person('Cia Dahl')
  for (let number = 0; number < 3; number++) await assign([(await open()).caseGuid], handler.guid)
  const [first] = await list(handler)
  const notificationGuids = [first!.notificationGuid]
  assert.equal((await mark(handler, { notificationGuids })).body.unread, 2)
  assert.equal((await list(handler, '?$filter=isRead%20eq%20true')).length, 1)
  assert.equal((await mark(handler, {})).body.unread, 0)
  assert.equal((await mark(handler, { notificationGuids, isRead: false })).body.unread, 1)
  assert.equal((await mark(manager, { notificationGuids })).status, 200)
  assert.equal(await unread(handler), 1, 'of others nothing is marked')
  assertProblem(await mark(handler, { isRead: false }), 'invalid', /notificationGuids.*is required to mark/s)
})

test('a mention is told once for each note, about a case and about a debtor', async () => {
  const handler = await person('Dag Falk')
  const { caseGuid, debtorGuid } = await open()
  const write = (item: string, text: string) =>
    stage.api.call<{ noteGuid: string }>('POST', `/system/forms/note/create?id=${item}`, {
      token: manager.token,
      body: { text },
    })
  const { body } = await write(caseGuid, 'Ring @Dag Falk')
  await stage.api.call('PATCH', `/system/forms/note/edit?id=${caseGuid}&subId=${body.noteGuid}`, {
    token: manager.token,
    body: { text: 'Ring @Dag Falk, i dag' },
  })
  await write(debtorGuid, 'Fråga @Dag Falk')
  assert.deepEqual(
    (await list(handler)).map((one) => [one.kind, one.caseGuid, one.debtorGuid, one.actorName]),
    [
      ['MENTION', null, debtorGuid, 'Maja Lind'],
      ['MENTION', caseGuid, debtorGuid, 'Maja Lind'],
    ],
  )
  assert.doesNotMatch(JSON.stringify(await list(handler)), /Fråga/, 'the text of a note stays in the note')
})

test('a request for approval is told to those who may decide it, and the decision to who requested it', async () => {
  const handler = await person('Eva Grön')
  const reader = await person('Finn Hall', 5)
  await stage.api.sql`
    insert into approval_limit (id, act, user_role, currency_code, amount)
    values (gen_random_uuid(), 'WRITE_OFF', 3, 'SEK', 0)`
  const { caseGuid } = await open()
  const request = async () => {
    const body = { act: 'WRITE_OFF', caseGuid, input: { amount: 100 } }
    const made = await stage.api.call<{ approvalGuid: string }>('POST', '/approvals', {
      token: handler.token,
      body,
    })
    assert.equal(made.status, 201, made.text)
    return made.body.approvalGuid
  }
  const decide = (guid: string, decision: string, who: Person) =>
    stage.api.call('POST', `/approvals/${guid}/${decision}`, {
      token: who.token,
      body: { decisionText: 'Seen.' },
    })
  await mark(manager, {})
  const [first, second, third] = [await request(), await request(), await request()]
  assert.deepEqual(
    (await list(manager)).map((one) => [one.kind, one.act, one.actorName, one.caseGuid]),
    Array.from({ length: 3 }, () => ['APPROVAL_WAITING', 'WRITE_OFF', 'Eva Grön', caseGuid]),
  )
  assert.deepEqual(await kinds(reader), [])
  assert.equal((await decide(first, 'approve', manager)).status, 200)
  assert.equal((await decide(second, 'reject', manager)).status, 200)
  assert.equal((await decide(third, 'reject', handler)).status, 200)
  assert.deepEqual(
    (await list(handler)).map(({ kind, approvalGuid, actorName }) => [kind, approvalGuid, actorName]),
    [
      ['REJECTED', second, 'Maja Lind'],
      ['APPROVED', first, 'Maja Lind'],
    ],
  )
  assert.deepEqual(await list(manager), [], 'what is decided waits no longer')
})

test('who asked for a job is told that it is done, and that it has failed', async () => {
  const administrator = await person('Gun Holm', 1)
  const run = async () => {
    const { body } = await stage.api.call<{ jobId: string }>('POST', '/system/commands/verify-ledger', {
      token: administrator.token,
    })
    return waitForJob(stage.api, body.jobId)
  }
  const done = await run()
  const { caseGuid } = await open()
  await stage.api.sql`update debt_case set event_sequence = event_sequence + 2 where id = ${caseGuid}`
  const failed = await run()
  await stage.api.sql`update debt_case set event_sequence = event_sequence - 2 where id = ${caseGuid}`
  assert.deepEqual([done.status, failed.status], ['completed', 'failed'])
  assert.deepEqual(
    (await list(administrator)).map(({ kind, jobId, jobName }) => [kind, jobId, jobName]),
    [
      ['JOB_FAILED', failed.jobId, 'verify-ledger'],
      ['JOB_DONE', done.jobId, 'verify-ledger'],
    ],
  )
})

test('a promise is told on its day, and the day after if it was not kept', async () => {
  await stage.setDate(start)
  const handler = await person('Hedda Ivarsson')
  const cases = [await open(), await open()]
  const promise = (caseGuid: string, promisedDate: string) =>
    stage.api.call('POST', `/cases/${caseGuid}/calls`, {
      token: manager.token,
      body: { outcome: 'REACHED', rightParty: true, promisedAmount: 500, promisedDate },
    })
  for (const { caseGuid } of cases) {
    await assign([caseGuid], handler.guid)
    assert.equal((await promise(caseGuid, '2026-02-02T00:00:00Z')).status, 201)
  }
  await mark(handler, {})
  await stage.setDate('2026-02-01')
  assert.equal(await unread(handler), 0)
  await stage.setDate('2026-02-02')
  const filter = '?$filter=isRead%20eq%20false'
  assert.deepEqual(
    (await list(handler, filter)).map(({ kind, count, caseGuid }) => [kind, count, caseGuid]),
    [['PROMISE_DUE', 2, null]],
  )
  await stage.pay({ caseGuid: cases[0]!.caseGuid, amount: 500, valueDate: '2026-02-02' })
  await mark(handler, {})
  await stage.setDate('2026-02-03')
  assert.deepEqual(
    (await list(handler, filter)).map(({ kind, count, caseGuid }) => [kind, count, caseGuid]),
    [['PROMISE_BROKEN', 1, cases[1]!.caseGuid]],
  )
  await stage.setDate('2026-02-02')
  await stage.setDate('2026-02-03')
  assert.equal(await unread(handler), 1, 'a date that comes again tells nothing again')
  await stage.setDate(start)
})

test('who is restricted to other clients, or has no access to cases, no longer sees what is about a case', async () => {
  const handler = await person('Ivar Jung')
  await assign([(await open()).caseGuid], handler.guid)
  assert.equal(await unread(handler), 1)
  const other = await stage.api.addParty(`OTHER-${Date.now()}`)
  await stage.api.sql`
    insert into user_client_restriction (user_id, party_id, include_sub_parties) values (${handler.guid}, ${other}, true)`
  const { token } = await again(handler)
  assert.deepEqual(await list({ ...handler, token }), [])
  assert.equal(await unread({ ...handler, token }), 0)
  assert.equal((await mark({ ...handler, token }, {})).body.unread, 0)
  await stage.api.sql`delete from user_client_restriction where user_id = ${handler.guid}`
  assert.equal(await unread(await again(handler)), 1, 'what is not seen is not marked')
})

/** The rights of a new session. */
async function again({ guid }: Person): Promise<Person> {
  const { tokens } = await startSession(stage.api.sql, guid)
  return { guid, token: tokens.accessToken }
}

test('unread ones are counted up to a limit, and old ones are deleted', async () => {
  const handler = await person('Jon Kvist')
  await stage.api.sql`
    insert into notification (user_id, kind, merge_key, created_at)
    select ${handler.guid}, ${notificationKinds[0]}, n::text, now() - case when n <= 1100 then '1 day' else '91 days' end::interval
    from generate_series(1, 1101) n`
  assert.equal(await unread(handler), unreadMax)
  await purgeNotifications(stage.api.sql)
  const [row] = await stage.api.sql<{ count: number }[]>`
    select count(*)::int as count from notification where user_id = ${handler.guid}`
  assert.equal(row!.count, 1000)
})
