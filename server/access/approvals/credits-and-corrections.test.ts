/** Credits of objections and corrections of reviews need a second person above a limit. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Approval, ApprovalDetail } from '../../../contract/access/approvals.ts'
import type { LawConfirmation, LawFinding } from '../../../contract/cases/law-reviews.ts'
import type { Objection } from '../../../contract/cases/objections.ts'
import type { Page } from '../../platform/database/list.ts'
import type { JobRunner } from '../../platform/jobs/run-jobs.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import { assertProblem } from '../../testing/problem.ts'
import {
  addPerson,
  approveAct,
  clearLimits,
  requestAct,
  setLimit,
  type Person,
} from '../../testing/records/agency-people.ts'
import { assertProven, openCases, today, type OpenedCases } from '../../testing/records/cases.ts'

let api: TestApi
let runner: JobRunner
let cases: OpenedCases
let handler: Person
let manager: Person
before(async () => {
  api = await startApi()
  runner = await runJobs(api)
  cases = await openCases(api)
  handler = await addPerson(api, 3)
  manager = await addPerson(api, 2)
})
after(async () => {
  await runner.stop()
  await assertProven(api)
  await api.close()
})
beforeEach(async () => {
  await api.setDate(today)
  await clearLimits(api)
})

const readCase = async (caseGuid: string) => {
  const { remaining, closure_code: closed } = await cases.readState(caseGuid)
  return { remaining: Number(remaining) / 100, closed: closed as string | null }
}

async function object(principal: number, amount: number | null = null) {
  const { caseGuid } = await cases.register({ principal, dueDate: '2026-05-02' })
  const made = await api.call<Objection>('POST', `/system/forms/objection/create?id=${caseGuid}`, {
    body: { matter: 'OBJECTION', kind: 'PAID', reason: 'Already paid.', amount },
  })
  assert.equal(made.status, 201, made.text)
  return { caseGuid, objectionGuid: made.body.objectionGuid }
}
const upheld = { decision: 'UPHELD', decisionReason: 'The receipt shows it.' }
const decide = (who: Person, guid: string, body: object = upheld) =>
  who.call('PATCH', `/system/forms/objection/decide?id=${guid}`, { body })

test('the credit of an objection above the limit is refused, requested and approved', async () => {
  await setLimit(api, 'OBJECTION_CREDIT', 500)
  const { caseGuid, objectionGuid } = await object(1000)
  const { remaining } = await readCase(caseGuid)
  const refused = await decide(handler, objectionGuid)
  assertProblem(refused, 'needs-approval', /is above SEK.500\.00/)
  assert.deepEqual((refused.body as { approval?: unknown }).approval, { act: 'OBJECTION_CREDIT' })
  const request = { act: 'OBJECTION_CREDIT', objectionGuid, input: upheld, reason: 'The receipt is attached' }
  const guid = await requestAct(handler, request)
  assert.deepEqual(await readCase(caseGuid), { remaining, closed: null }, 'nothing is booked by the request')
  const waiting = await manager.call<Page<Approval>>(
    'GET',
    `/approvals?$filter=objectionGuid eq ${objectionGuid}`,
  )
  assert.deepEqual(
    waiting.body.value.map((one) => [one.act, one.amount, one.caseGuid, one.objectionGuid]),
    [['OBJECTION_CREDIT', remaining, caseGuid, objectionGuid]],
  )
  assertProblem(await approveAct(handler, guid), 'forbidden', /requested it yourself/)
  const approved = await approveAct(manager, guid)
  assert.equal(approved.status, 200, approved.text)
  assert.deepEqual(await readCase(caseGuid), { remaining: 0, closed: 'CREDITED' })
  const entries = await api.sql<{ type: string; actor: string; data: object }[]>`
    select type, actor_id as actor, data from audit_entry
    where type in ('approval.requested', 'approval.approved', 'objection.decided')
      and data ->> 'objectionGuid' = ${objectionGuid} order by type`
  assert.deepEqual(
    entries.map(({ type, actor }) => [type, actor]),
    [
      ['approval.approved', manager.userGuid],
      ['approval.requested', handler.userGuid],
      ['objection.decided', manager.userGuid],
    ],
  )
})

test('a credit within the limit is decided alone, and a rejection needs nobody', async () => {
  await setLimit(api, 'OBJECTION_CREDIT', 500, { userAmount: 800 })
  const first = await object(400, 300)
  assert.equal((await decide(handler, first.objectionGuid)).status, 200)
  const second = await object(1000)
  assert.equal((await decide(handler, second.objectionGuid, { ...upheld, decision: 'REJECTED' })).status, 200)
  const third = await object(1000)
  const part = { ...upheld, decision: 'PARTLY', amount: 500 }
  assert.equal((await decide(handler, third.objectionGuid, part)).status, 200)
  const fourth = await object(1000)
  const more = { ...part, amount: 0.01 }
  assertProblem(await decide(handler, fourth.objectionGuid, more), 'needs-approval', /with SEK.800\.00/)
})

test('a request about an objection names it, and is of visible clients alone', async () => {
  await setLimit(api, 'OBJECTION_CREDIT', 0)
  const { caseGuid, objectionGuid } = await object(1000)
  const ask = (who: Person, body: object) =>
    who.call('POST', '/approvals', { body: { act: 'OBJECTION_CREDIT', input: upheld, ...body } })
  assertProblem(await ask(handler, {}), 'invalid', /objectionGuid is required/)
  assertProblem(await ask(handler, { objectionGuid, caseGuid }), 'invalid', /caseGuid must be left out/)
  const elsewhere = await addPerson(api, 3, { restrictedTo: 'OTHER' })
  assertProblem(await ask(elsewhere, { objectionGuid }), 'not-found', /objection/)
  const guid = await requestAct(handler, { act: 'OBJECTION_CREDIT', objectionGuid, input: upheld })
  assertProblem(await approveAct(elsewhere, guid), 'not-found', /approval/)
  assert.equal((await decide(manager, objectionGuid, { ...upheld, decision: 'REJECTED' })).status, 200)
  assertProblem(await approveAct(manager, guid), 'conflict', /has been decided/)
})

/** A case, Norwegian unless said, with a fee that is far above its ceiling, found by a review. */
async function overcharge(client: string, currencyCode = 'NOK', governingCountry = 'NO') {
  const { caseGuid } = await cases.register({
    clientGuid: client,
    currencyCode,
    dueDate: '2026-03-02',
  })
  const fee = { feeType: 'reminder', amount: 500, valueDate: '2026-06-15' }
  const charged = await api.call('POST', `/system/forms/fee/add?id=${caseGuid}`, { body: fee })
  assert.equal(charged.status, 201, charged.text)
  const law = await api.call('PATCH', `/system/forms/case/law?id=${caseGuid}`, {
    body: { governingCountry },
  })
  assert.equal(law.status, 200, law.text)
  return caseGuid
}
async function review(): Promise<string> {
  const { body } = await api.call<{ jobId: string }>('POST', '/system/commands/law-review')
  assert.equal((await waitForJob(api, body.jobId)).status, 'completed')
  return body.jobId
}
const findings = async (filter = "findingStatus eq 'OPEN'") =>
  (await api.call<Page<LawFinding>>('GET', `/law-findings?$top=100&$filter=${encodeURIComponent(filter)}`))
    .body.value
const confirm = (who: Person, body: object) =>
  who.call<LawConfirmation>('POST', '/law-findings/confirmations', { body })

test('corrections of a review count together, are requested by which they are, and approved as a whole', async () => {
  const client = await api.addParty('NORWAY')
  await overcharge(client)
  await overcharge(client)
  const reviewGuid = await review()
  const [first, second, ...none] = await findings()
  assert.ok(first && second && none.length === 0)
  const each = first.amount!
  assert.ok(each > 100)
  await setLimit(api, 'LAW_CORRECTION', each, { currencyCode: 'NOK' })
  assertProblem(await confirm(handler, { lawReviewGuid: reviewGuid }), 'needs-approval', /is above/)
  const guid = await requestAct(handler, {
    act: 'LAW_CORRECTION',
    input: { lawReviewGuid: reviewGuid },
  })
  assert.equal((await findings()).length, 2, 'nothing is booked by the request')
  const kept = await manager.call<ApprovalDetail>('GET', `/approvals/${guid}`)
  assert.deepEqual(
    [kept.body.amount, new Set(kept.body.input['lawFindingGuids'] as string[])],
    [each * 2, new Set([first.lawFindingGuid, second.lawFindingGuid])],
  )
  const alone = await confirm(handler, { lawFindingGuids: [first.lawFindingGuid] })
  assert.equal(alone.status, 200, alone.text)
  const divided = await confirm(handler, { lawFindingGuids: [second.lawFindingGuid] })
  assertProblem(divided, 'needs-approval', /that you did alone/)
  const approved = await approveAct(manager, guid)
  assert.equal(approved.status, 200, approved.text)
  assert.equal((await findings()).length, 0)
  const [done] = await findings(`lawFindingGuid eq ${second.lawFindingGuid}`)
  assert.deepEqual([done!.findingStatus, done!.confirmedBy], ['CONFIRMED', 'Person 2'])
})

test('corrections of which one is no longer possible are not approved', async () => {
  const client = await api.addParty('NORWAY2')
  const caseGuid = await overcharge(client)
  await review()
  const [found] = await findings(`caseGuid eq ${caseGuid} and findingStatus eq 'OPEN'`)
  await setLimit(api, 'LAW_CORRECTION', 0, { currencyCode: 'NOK' })
  const guid = await requestAct(handler, {
    act: 'LAW_CORRECTION',
    input: { lawFindingGuids: [found!.lawFindingGuid] },
  })
  await cases.pay({ caseGuid, amount: 10, currencyCode: 'NOK' })
  assertProblem(await approveAct(manager, guid), 'conflict', /can no longer be corrected \(CASE_CHANGED\)/)
  const [left] = await findings(`caseGuid eq ${caseGuid}`)
  assert.equal(left!.findingStatus, 'OPEN')
})

test('a review is confirmed one currency at a time, and named findings of several are refused above a limit', async () => {
  const client = await api.addParty('NORWAY3')
  await overcharge(client)
  await overcharge(client, 'SEK', 'SE')
  const reviewGuid = await review()
  const open = await findings(`clientGuid eq ${client} and findingStatus eq 'OPEN'`)
  assert.deepEqual(new Set(open.map(({ currencyCode }) => currencyCode)), new Set(['NOK', 'SEK']))
  await setLimit(api, 'LAW_CORRECTION', 0, { currencyCode: 'NOK' })
  const named = await confirm(handler, {
    lawFindingGuids: open.map(({ lawFindingGuid }) => lawFindingGuid),
  })
  assertProblem(named, 'unprocessable', /NOK and SEK|SEK and NOK/)
  await api.sql`delete from approval_limit`
  await setLimit(api, 'LAW_CORRECTION', 10_000, { currencyCode: 'NOK' })
  const first = await confirm(handler, { lawReviewGuid: reviewGuid })
  assert.equal(first.status, 200, first.text)
  assert.ok(first.body.confirmed > 0 && first.body.remaining > 0)
  assertProblem(await confirm(handler, { lawReviewGuid: reviewGuid }), 'needs-approval', /is above SEK.0/)
})

test('a restricted user sees own requests of corrections, and others of theirs do not', async () => {
  const client = await api.addParty('NORWAY4')
  const caseGuid = await overcharge(client)
  await review()
  const [found] = await findings(`caseGuid eq ${caseGuid} and findingStatus eq 'OPEN'`)
  await setLimit(api, 'LAW_CORRECTION', 0, { currencyCode: 'NOK' })
  const there = await addPerson(api, 3, { restrictedTo: 'NORWAY4' })
  const beside = await addPerson(api, 3, { restrictedTo: 'NORWAY4' })
  const input = { lawFindingGuids: [found!.lawFindingGuid] }
  const guid = await requestAct(there, { act: 'LAW_CORRECTION', input })
  assertProblem(await beside.call('GET', `/approvals/${guid}`), 'not-found', /approval/)
  const reader = await addPerson(api, 3, { codes: ['case.write', 'client.write'] })
  assertProblem(await approveAct(reader, guid), 'not-found', /approval/)
  assert.equal((await approveAct(manager, guid)).status, 200)
})
