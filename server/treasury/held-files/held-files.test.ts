/** Bank files above the limit of a role wait for a second person (docs/domain/approvals.md#bank-files). */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { CaseMovements } from '../../../contract/cases/all-cases.ts'
import type { Approval, ApprovalDetail } from '../../../contract/access/approvals.ts'
import type { Notification } from '../../../contract/platform/notifications.ts'
import type { HeldPaymentFile } from '../../../contract/treasury/held-payment-files.ts'
import type { PaymentFile, PaymentFileCheck } from '../../../contract/treasury/payment-files.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs } from '../../testing/jobs.ts'
import { assertProblem } from '../../testing/problem.ts'
import {
  addPerson,
  approveAct,
  clearLimits,
  requestAct,
  setLimit,
  type Person,
} from '../../testing/records/agency-people.ts'
import { assertProven, openCases, type OpenedCases } from '../../testing/records/cases.ts'
import { makeBgMax, makeCamt, type TestPayment } from '../../testing/records/files.ts'
import { purgeHeldFiles } from './remove-held-files.ts'

let api: TestApi
let cases: OpenedCases
let handler: Person
let colleague: Person
let manager: Person
let elsewhere: Person
let runner: Awaited<ReturnType<typeof runJobs>>
before(async () => {
  api = await startApi()
  runner = await runJobs(api)
  cases = await openCases(api)
  handler = await addPerson(api, 3)
  colleague = await addPerson(api, 3)
  manager = await addPerson(api, 2)
  elsewhere = await addPerson(api, 2, { restrictedTo: 'OTHER' })
})
after(async () => {
  await runner.stop()
  await assertProven(api)
  await api.close()
})
beforeEach(() => clearLimits(api))

const sendTo =
  <T>(path: string) =>
  (who: Person, raw: string) =>
    who.call<T>('POST', path, { raw, headers: { 'content-type': 'application/octet-stream' } })
const upload = sendTo<PaymentFile>('/payment-files')
const hold = sendTo<HeldPaymentFile>('/payment-files/held')
const check = sendTo<PaymentFileCheck>('/payment-files/check')
let bankReferences = 0
const paid = (reference: string | null, amount: number, more: Partial<TestPayment> = {}): TestPayment => ({
  reference,
  amount,
  bankReference: `HELD${++bankReferences}`,
  ...more,
})
const remaining = async (caseGuid: string) => Number((await cases.readState(caseGuid))['remaining'])
const waitUntilPosted = async (guid: string) => {
  for (;;) {
    const { body } = await api.call<PaymentFile>('GET', `/payment-files/${guid}`)
    if (body.postedAt !== null) return body
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
const readApproval = async (guid: string) =>
  (await manager.call<ApprovalDetail>('GET', `/approvals/${guid}`)).body
const clearHeld = () => api.sql`delete from held_payment_file`
const countHeld = async () => (await api.sql`select id from held_payment_file`).length

/** A file of one payment on a new case, held by the handler with a request. Amounts in öre. */
async function requestFile(amount = 60_000) {
  const { caseGuid, paymentReferenceNumber: reference } = await cases.register()
  const raw = makeCamt([paid(reference, amount)])
  const held = await hold(handler, raw)
  assert.equal(held.status, 201, held.text)
  const { heldFileGuid } = held.body
  const guid = await requestAct(handler, {
    act: 'BANK_FILE',
    input: { heldFileGuid },
    reason: 'From the bank.',
  })
  return { caseGuid, raw, heldFileGuid, guid }
}

test('without a limit a file is booked by whoever sends it', async () => {
  const { caseGuid, paymentReferenceNumber } = await cases.register()
  const raw = makeCamt([paid(paymentReferenceNumber, 60_000)])
  assert.equal((await check(handler, raw)).body.needsApproval, false)
  const sent = await upload(handler, raw)
  assert.equal(sent.status, 201, sent.text)
  await waitUntilPosted(sent.body.paymentFileGuid)
  assert.equal(await remaining(caseGuid), 40_000)
  const { body } = await api.call<CaseMovements>('GET', `/cases/${caseGuid}/movements`)
  assert.deepEqual(
    body.movements.map(({ kind, detail }) => [kind, detail]),
    [['payment', 'Bank file']],
  )
})

test('a file above the limit stores nothing; held and requested, a second person books it (holdPaymentFile, checkHeldPaymentFile, bookHeldPaymentFile)', async () => {
  await setLimit(api, 'BANK_FILE', 500)
  const { caseGuid, paymentReferenceNumber: reference } = await cases.register()
  const raw = makeCamt([paid(reference, 30_000), paid(reference, 30_000)])
  assert.equal((await check(handler, raw)).body.needsApproval, true)
  assert.equal((await check(manager, raw)).body.needsApproval, false, 'whose role has no limit')
  assertProblem(await upload(handler, raw), 'needs-approval', /600.*above.*500/)
  const [files] = await api.sql`select count(*)::int as count from payment_file_entry where amount = 30000`
  assert.equal(files!['count'], 0)
  const held = await hold(handler, raw)
  assert.equal(held.status, 201, held.text)
  const { heldFileGuid } = held.body
  assert.deepEqual([held.body.bytes, held.body.heldBy], [Buffer.byteLength(raw), handler.userGuid])
  const guid = await requestAct(handler, {
    act: 'BANK_FILE',
    input: { heldFileGuid },
    reason: 'From the bank.',
  })
  const shown = await manager.call<ApprovalDetail>('GET', `/approvals/${guid}`)
  assert.deepEqual(
    [shown.body.amount, shown.body.currencyCode, shown.body.input],
    [600, 'SEK', { heldFileGuid, fileName: null }],
  )
  const told = await manager.call<PaymentFileCheck>('POST', `/payment-files/held/${heldFileGuid}/check`)
  assert.deepEqual([told.status, told.body.booked], [200, 2])
  assert.equal(await remaining(caseGuid), 100_000, 'nothing is booked yet')
  assertProblem(await approveAct(handler, guid), 'forbidden', /requested it yourself/)
  assertProblem(await approveAct(elsewhere, guid), 'not-found', /approval/)
  const approved = await approveAct(manager, guid)
  assert.equal(approved.status, 200, approved.text)
  const list = await api.call<Page<PaymentFile>>('GET', '/payment-files?$orderby=receivedAt desc&$top=1')
  const [file] = list.body.value
  assert.equal(file!.receivedBy, manager.userGuid)
  await waitUntilPosted(file!.paymentFileGuid)
  assert.equal(await remaining(caseGuid), 40_000)
  assert.equal(await countHeld(), 0)
  const trail = await api.sql<{ type: string; actor: string }[]>`
    select type, actor_id as actor from audit_entry where data ->> 'approvalGuid' = ${guid} order by type`
  assert.deepEqual(
    trail.map(({ type, actor }) => [type, actor]),
    [
      ['approval.approved', manager.userGuid],
      ['approval.requested', handler.userGuid],
    ],
  )
})

test('files under the limit add up for their sender, in parts and in other formats', async () => {
  await setLimit(api, 'BANK_FILE', 500, { periodDays: 30 })
  const { paymentReferenceNumber: reference } = await cases.register()
  assert.equal((await upload(handler, makeCamt([paid(reference, 40_000)]))).status, 201)
  const next = makeBgMax([paid(reference, 20_000)])
  assertProblem(await upload(handler, next), 'needs-approval', /that you did alone/)
  assert.equal((await upload(colleague, next)).status, 201, 'whose sum is another one')
})

test('what earlier files have had does not count, and no other currency is free', async () => {
  await setLimit(api, 'BANK_FILE', 500, { periodDays: 30 })
  const { paymentReferenceNumber: reference } = await cases.register()
  const known = paid(reference, 40_000)
  assert.equal((await upload(handler, makeCamt([known]))).status, 201)
  const again = makeCamt([known, paid(reference, 5_000)], { messageId: 'NEXT' })
  assert.equal((await upload(handler, again)).status, 201)
  assertProblem(
    await upload(handler, makeCamt([paid(null, 100)], { currency: 'EUR' })),
    'needs-approval',
    /above/,
  )
})

test('a rejected or withdrawn file never books, is deleted, and may be sent again', async () => {
  await setLimit(api, 'BANK_FILE', 500)
  for (const who of [manager, handler]) {
    const { caseGuid, raw, heldFileGuid, guid } = await requestFile()
    assertProblem(await hold(handler, raw), 'conflict', new RegExp(guid))
    assertProblem(await hold(colleague, raw), 'conflict', /waits for a second person/)
    const body = { decisionText: 'Made up.' }
    assert.equal((await who.call('POST', `/approvals/${guid}/reject`, { body })).status, 200)
    assertProblem(await approveAct(manager, guid), 'conflict', /decided/)
    const book = await manager.call('POST', `/payment-files/held/${heldFileGuid}/book`)
    assertProblem(book, 'conflict', /rejected or withdrawn/)
    await purgeHeldFiles(api.sql)
    assert.equal(await countHeld(), 0)
    assert.equal(await remaining(caseGuid), 100_000)
    const sent = await upload(manager, raw)
    assert.equal((await waitUntilPosted(sent.body.paymentFileGuid)).booked, 1)
  }
})

test('a file that the bank sends meanwhile is booked once, whatever is decided then', async () => {
  await setLimit(api, 'BANK_FILE', 500)
  const { caseGuid, raw, guid } = await requestFile()
  const sent = await upload(manager, raw)
  await waitUntilPosted(sent.body.paymentFileGuid)
  assert.equal(await remaining(caseGuid), 40_000)
  assert.equal((await approveAct(manager, guid)).status, 200)
  assert.equal(await remaining(caseGuid), 40_000)
  assertProblem(await hold(handler, raw), 'conflict', /received before/)
})

test('two approvers at once book a file once', async () => {
  await setLimit(api, 'BANK_FILE', 500)
  const { caseGuid, guid } = await requestFile()
  const other = await addPerson(api, 2)
  const answers = await Promise.all([manager, other, manager].map((one) => approveAct(one, guid)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409])
  const list = await api.call<Page<PaymentFile>>('GET', '/payment-files?$orderby=receivedAt desc&$top=1')
  await waitUntilPosted(list.body.value[0]!.paymentFileGuid)
  assert.equal(await remaining(caseGuid), 40_000)
})

test('the sender books no held file alone, and nobody holds what needs no second person for long', async () => {
  await setLimit(api, 'BANK_FILE', 500)
  const { heldFileGuid, guid } = await requestFile()
  assertProblem(
    await handler.call('POST', `/payment-files/held/${heldFileGuid}/book`),
    'needs-approval',
    /above/,
  )
  await handler.call('POST', `/approvals/${guid}/reject`, { body: {} })
  const small = await hold(handler, makeCamt([paid(null, 100)]))
  const request = { act: 'BANK_FILE', input: { heldFileGuid: small.body.heldFileGuid } }
  assertProblem(
    await handler.call('POST', '/approvals', { body: request }),
    'unprocessable',
    /no second person/,
  )
  await api.sql`update held_payment_file set held_at = now() - interval '25 hours'`
  await purgeHeldFiles(api.sql)
  assert.equal(await countHeld(), 0)
})

test('a file that waited for 30 days is deleted, its request ends, and its requester is told why', async () => {
  await setLimit(api, 'BANK_FILE', 500)
  const { caseGuid, raw, guid } = await requestFile()
  const younger = await requestFile()
  await api.sql`update held_payment_file set held_at = now() - interval '31 days' where sha256 = sha256(${Buffer.from(raw)})`
  await purgeHeldFiles(api.sql)
  assert.equal(await countHeld(), 1)
  const { status, endReason, decidedBy, decidedAt } = await readApproval(guid)
  assert.deepEqual([status, endReason, decidedBy], ['ENDED', 'FILE_EXPIRED', null])
  assert.ok(decidedAt)
  assertProblem(await approveAct(manager, guid), 'conflict', /decided: ended/)
  assert.equal((await readApproval(younger.guid)).status, 'WAITING')
  const told = await handler.call<Page<Notification>>('GET', '/users/current/notifications?$top=1')
  assert.deepEqual([told.body.value[0]!.kind, told.body.value[0]!.approvalGuid], ['ENDED', guid])
  const waiting = await manager.call<Page<Notification>>('GET', '/users/current/notifications')
  assert.ok(waiting.body.value.every(({ approvalGuid }) => approvalGuid !== guid))
  const [ended] = await api.sql`
    select sequence::int as sequence from audit_entry where type = 'approval.ended' and subject = ${guid}`
  assert.equal(ended!['sequence'], 2)
  assert.equal(await remaining(caseGuid), 100_000)
  await handler.call('POST', `/approvals/${younger.guid}/reject`, { body: {} })
  assert.equal((await hold(handler, raw)).status, 201, 'the bank’s file may be sent again')
  await clearHeld()
})

test('a waiting file outlives the user who sent it', async () => {
  await setLimit(api, 'BANK_FILE', 500)
  const { caseGuid, paymentReferenceNumber: reference } = await cases.register()
  const leaver = await addPerson(api, 3)
  const held = await hold(leaver, makeCamt([paid(reference, 60_000)]))
  const input = { heldFileGuid: held.body.heldFileGuid }
  const guid = await requestAct(colleague, { act: 'BANK_FILE', input })
  const gone = await api.call('DELETE', `/system/forms/user/edit?id=${leaver.userGuid}`)
  assert.equal(gone.status, 200, gone.text)
  const approved = await approveAct(manager, guid)
  assert.equal(approved.status, 200, approved.text)
  const list = await api.call<Page<PaymentFile>>('GET', '/payment-files?$orderby=receivedAt desc&$top=1')
  await waitUntilPosted(list.body.value[0]!.paymentFileGuid)
  assert.equal(await remaining(caseGuid), 40_000)
})

test('an erased debtor stays in no held file, however the bank writes the name; the request ends', async () => {
  await setLimit(api, 'BANK_FILE', 500)
  const person = { firstname: 'Åsa', lastname: 'Björk', cellularPhone: '+46701740605' }
  const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: person })
  const files = [
    makeCamt([paid(null, 60_000, { payer: 'BJÖRK ÅSA MARIA' })]),
    makeCamt([paid(null, 60_000, { payer: 'Åsa Björk' })])
      .replaceAll('Å', '&#197;')
      .replaceAll('ö', '&#xF6;'),
    makeBgMax([paid(null, 60_000, { payer: 'ASA BJORK' })]),
    makeCamt([paid(null, 60_000, { message: 'Ring 070-174 06 05' })]),
    makeCamt([paid(null, 60_000, { payer: 'Åsa Lind', message: 'Till Björn och Björkman' })]),
  ]
  const guids: string[] = []
  for (const raw of files) {
    const { heldFileGuid } = (await hold(handler, raw)).body
    guids.push(await requestAct(handler, { act: 'BANK_FILE', input: { heldFileGuid } }))
  }
  const erased = await api.call('POST', `/debtors/${made.body.debtorGuid}/erasures`, { body: {} })
  assert.equal(erased.status, 200, erased.text)
  const ends = await Promise.all(guids.map(readApproval))
  assert.deepEqual(
    ends.map(({ status, endReason }) => endReason ?? status),
    [...Array.from({ length: 4 }, () => 'PERSON_ERASED'), 'WAITING'],
  )
  assert.equal(await countHeld(), 1)
  await handler.call('POST', `/approvals/${guids.at(-1)!}/reject`, { body: {} })
  await clearHeld()
})

test('bad files, restricted users and roles without the right hold nothing', async () => {
  assertProblem(await hold(handler, 'nonsense'), 'unprocessable', /Nothing of the file was booked/)
  assertProblem(await hold(elsewhere, makeCamt([paid(null, 100)])), 'forbidden', /restricted/)
  const reader = await addPerson(api, 5, { codes: ['payment.read'] })
  assertProblem(await hold(reader, makeCamt([paid(null, 100)])), 'forbidden', /payment\.write/)
  const unknown = { act: 'BANK_FILE', input: { heldFileGuid: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70' } }
  assertProblem(await handler.call('POST', '/approvals', { body: unknown }), 'not-found', /held payment file/)
  const none = { act: 'BANK_FILE', input: {} }
  assert.ok([400, 404].includes((await handler.call('POST', '/approvals', { body: none })).status))
  for (let file = 0; file < 10; file++)
    assert.equal((await hold(colleague, makeCamt([paid(null, 100)], { messageId: `M${file}` }))).status, 201)
  assertProblem(await hold(colleague, makeCamt([paid(null, 100)])), 'conflict', /10 held files/)
  const list = await manager.call<Page<Approval>>('GET', "/approvals?$filter=status eq 'WAITING'")
  assert.equal(list.body.total, 0)
})

test('the held files of a user have at most 128 MiB together', async () => {
  await clearHeld()
  const sender = await addPerson(api, 3)
  const fill = (megabytes: number, name: string) => api.sql`
    insert into held_payment_file (id, sha256, content, held_by)
    select gen_random_uuid(), sha256(convert_to(${name}, 'UTF8')),
      convert_to(repeat('x', ${megabytes * 1_048_576}::int), 'UTF8'), ${sender.userGuid}`
  await fill(64, 'first')
  await fill(63, 'second')
  const small = await hold(sender, makeCamt([paid(null, 100)]))
  assert.equal(small.status, 201, small.text)
  await fill(1, 'third')
  assertProblem(await hold(sender, makeCamt([paid(null, 100)])), 'conflict', /more than 128 MiB.*withdraw/)
  const colleagues = await hold(colleague, makeCamt([paid(null, 100)]))
  assert.equal(colleagues.status, 201, 'each user has a sum of their own')
  await clearHeld()
})
