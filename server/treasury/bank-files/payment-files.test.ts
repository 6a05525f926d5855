/** Bank files over HTTP: uploaded, booked once, and listed. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PaymentFile, PaymentFileEntry } from '../../../contract/treasury/payment-files.ts'
import { assertProven, nowhere, openCases } from '../../testing/records/cases.ts'
import type { Page } from '../../platform/database/list.ts'
import type { JobRunner } from '../../platform/jobs/run-jobs.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs } from '../../testing/jobs.ts'
import { assertProblem } from '../../testing/problem.ts'
import {
  camtDetail,
  camtEntry,
  camtFrame,
  makeBgMax,
  makeCamt,
  makeOcrGiro,
  type TestPayment,
} from '../../testing/records/files.ts'
import { postChunk, postFile } from './post-entries.ts'
import { receivePaymentFile } from './receive-file.ts'
import { verifyTrust } from './verify-trust.ts'

let api: TestApi
let jobs: JobRunner
let cases: Awaited<ReturnType<typeof openCases>>
/** Verifies the ledger of cases and the trust books. */
async function assertAllProven(): Promise<void> {
  await assertProven(api)
  assert.deepEqual(await verifyTrust(api.sql), [])
}

before(async () => {
  api = await startApi()
  cases = await openCases(api)
  jobs = await runJobs(api)
})
after(async () => {
  await jobs.stop()
  await api.close()
})

/** uploadPaymentFile */
const upload = (raw: string, { fileName = 'file.xml', ...options }: Record<string, unknown> = {}) =>
  api.call<PaymentFile>('POST', `/payment-files?fileName=${String(fileName)}`, {
    raw,
    ...options,
    headers: { 'content-type': 'application/octet-stream', ...(options['headers'] as object) },
  })

/** getPaymentFile, repeated until all entries are booked. */
async function waitUntilPosted(guid: string): Promise<PaymentFile> {
  for (;;) {
    const { body } = await api.call<PaymentFile>('GET', `/payment-files/${guid}`)
    if (body.postedAt !== null) return body
    await sleep(20)
  }
}

async function book(raw: string): Promise<PaymentFile> {
  const { status, body } = await upload(raw)
  assert.equal(status, 201)
  return waitUntilPosted(body.paymentFileGuid)
}

/** listPaymentFileEntries */
const listEntries = async ({ paymentFileGuid }: PaymentFile) =>
  (await api.call<Page<PaymentFileEntry>>('GET', `/payment-files/${paymentFileGuid}/entries`)).body.value

const readCounts = ({ entries, booked, suspended, alreadyThere, notBooked }: PaymentFile) => [
  entries,
  booked,
  suspended,
  alreadyThere,
  notBooked,
]

let bankReferences = 0
const paid = (reference: string | null, amount = 10_000, more: Partial<TestPayment> = {}): TestPayment => ({
  reference,
  amount,
  bankReference: `BANK${++bankReferences}`,
  ...more,
})

describe('a file of payments', () => {
  test('books entries by reference, like manual payments, and reports them', async () => {
    const [first, second] = [await cases.register(), await cases.register()]
    const file = makeCamt([
      paid(first.paymentReferenceNumber, 100_000),
      paid(second.paymentReferenceNumber, 25_000),
      paid(null, 5_000, { message: `tack, ref ${second.paymentReferenceNumber}!` }),
      paid(null, 700),
      paid('1234567806', 800),
    ])
    const done = await book(file)
    assert.deepEqual(readCounts(done), [5, 3, 2, 0, 0])
    assert.deepEqual(
      (await listEntries(done)).map(({ number, outcome, reason, amount }) => [
        number,
        outcome,
        reason,
        amount,
      ]),
      [
        [1, 'BOOKED', null, 1000],
        [2, 'BOOKED', null, 250],
        [3, 'BOOKED', null, 50],
        [4, 'SUSPENSE', 'NO_REFERENCE', 7],
        [5, 'SUSPENSE', 'UNKNOWN_REFERENCE', 8],
      ],
    )
    assert.equal((await cases.readState(first.caseGuid))['closure_code'], 'PAID_IN_FULL')
    assert.equal((await cases.readState(second.caseGuid))['remaining'], 70_000)
    await assertAllProven()
    const events = await api.sql`
      select type from event where subject = ${done.paymentFileGuid} order by sequence`
    assert.deepEqual(
      events.map(({ type }) => type as string),
      ['paymentfile.received', 'paymentfile.posted'],
    )
  })

  test('is booked in its currency, in each Nordic format', async () => {
    const swedish = await cases.register()
    const norwegian = await cases.register({ currencyCode: 'NOK' })
    assert.deepEqual(
      readCounts(await book(makeBgMax([paid(swedish.paymentReferenceNumber)]))),
      [1, 1, 0, 0, 0],
    )
    const file = makeOcrGiro([paid(norwegian.paymentReferenceNumber), paid(swedish.paymentReferenceNumber)])
    const done = await book(file)
    const entries = await listEntries(done)
    assert.deepEqual(
      entries.map(({ outcome, reason }) => [outcome, reason]),
      [
        ['BOOKED', null],
        ['SUSPENSE', 'OTHER_CURRENCY'],
      ],
    )
    await assertAllProven()
  })

  test('books nothing new when repeated, and books an entry in two files once', async () => {
    const { paymentReferenceNumber, caseGuid } = await cases.register()
    const [one, other] = [paid(paymentReferenceNumber), paid(paymentReferenceNumber, 5_000)]
    const file = makeCamt([one])
    const first = await book(file)
    const again = await upload(file)
    assert.deepEqual([again.status, again.body.paymentFileGuid], [201, first.paymentFileGuid])
    const second = await book(makeCamt([one, other], { type: '053', messageId: 'STATEMENT' }))
    assert.deepEqual(readCounts(second), [2, 1, 0, 1, 0])
    assert.equal((await cases.readState(caseGuid))['remaining'], 100_000 - 15_000)
    const bgmax = [paid(paymentReferenceNumber, 300), paid(paymentReferenceNumber, 300)]
    assert.deepEqual(readCounts(await book(makeBgMax(bgmax, { serial: 81 }))), [2, 2, 0, 0, 0])
    const later = makeBgMax(bgmax, { serial: 81, spoil: (line) => line.replace('173035', '183035') })
    assert.deepEqual(readCounts(await book(later)), [2, 0, 0, 2, 0])
    await assertAllProven()
  })

  test('with a “no reference” placeholder tells its payments apart by all other data', async () => {
    const one = await cases.register()
    const other = await cases.register()
    for (const [index, bankReference] of ['NOTPROVIDED', 'NONREF', '0000000000'].entries()) {
      const file = ({ paymentReferenceNumber }: typeof one, messageId: string) =>
        makeCamt([paid(paymentReferenceNumber, 700 + index, { bankReference })], {
          messageId: `${bankReference}-${messageId}`,
        })
      assert.deepEqual(readCounts(await book(file(one, '1'))), [1, 1, 0, 0, 0])
      assert.deepEqual(readCounts(await book(file(other, '2'))), [1, 1, 0, 0, 0])
      assert.deepEqual(readCounts(await book(file(one, '3'))), [1, 0, 0, 1, 0])
    }
    for (const { caseGuid } of [one, other])
      assert.equal((await cases.readState(caseGuid))['remaining'], 100_000 - 2_103)
    await assertAllProven()
  })

  test('with a payment both pending and booked books it once, and so does the next file', async () => {
    const { paymentReferenceNumber, caseGuid } = await cases.register()
    const detail = camtDetail(paid(paymentReferenceNumber, 20_000))
    const file = (messageId: string, ...statuses: string[]) => {
      const { head, foot } = camtFrame({ type: '053', messageId, count: statuses.length })
      return head + statuses.map((status) => camtEntry(20_000, detail, { status })).join('') + foot
    }
    assert.deepEqual(readCounts(await book(file('BOTH', 'PDNG', 'BOOK'))), [2, 1, 0, 0, 1])
    assert.deepEqual(readCounts(await book(file('BOOKED', 'BOOK'))), [1, 0, 0, 1, 0])
    assert.equal((await cases.readState(caseGuid))['remaining'], 100_000 - 20_000)
    await assertAllProven()
  })

  test('uploaded concurrently books each entry once', async () => {
    const { paymentReferenceNumber, caseGuid } = await cases.register()
    const payment = paid(paymentReferenceNumber, 1_000)
    const files = ['A', 'B', 'C', 'A'].map((messageId) => makeCamt([payment], { messageId }))
    const made = await Promise.all(files.map((file) => upload(file)))
    assert.deepEqual(
      made.map(({ status }) => status),
      [201, 201, 201, 201],
    )
    for (const { body } of made) await waitUntilPosted(body.paymentFileGuid)
    assert.equal((await cases.readState(caseGuid))['remaining'], 99_000)
  })

  test('can contain many payments on one case, booked in sequence, and payments on a debtor', async () => {
    const { paymentReferenceNumber, caseGuid, debtorGuid } = await cases.register({ principal: 500 })
    const other = await cases.register({ debtorGuid, principal: 300 })
    const { body } = await api.call<{ paymentReference: string }>(
      'GET',
      `/debtors/${debtorGuid}/caseoverview`,
    )
    const file = makeCamt([
      paid(paymentReferenceNumber, 10_000),
      paid(paymentReferenceNumber, 10_000),
      paid(body.paymentReference, 40_000),
      paid(paymentReferenceNumber, 5_000),
    ])
    assert.deepEqual(readCounts(await book(file)), [4, 4, 0, 0, 0])
    assert.equal((await cases.readState(caseGuid))['remaining'], 0)
    assert.equal((await cases.readState(other.caseGuid))['remaining'], 20_000)
    assert.equal((await cases.readState(caseGuid))['credit'], 5_000)
    await assertAllProven()
  })

  test('settles the payment plan of a case', async () => {
    const { debtorGuid, paymentReferenceNumber } = await cases.register()
    const plan = await api.call<{ paymentPlanGuid: string }>('POST', `/debtors/${debtorGuid}/paymentplans`, {
      body: { paymentPlanType: 1, numberOfPayments: 2 },
    })
    const path = `/debtors/${debtorGuid}/paymentplans/${plan.body.paymentPlanGuid}`
    await api.call('POST', `${path}/activate`, { body: {} })
    await book(makeCamt([paid(paymentReferenceNumber, 50_000), paid(paymentReferenceNumber, 50_000)]))
    const [row] = await api.sql`select active from payment_plan where id = ${plan.body.paymentPlanGuid}`
    assert.equal(row!['active'], 0, JSON.stringify(plan.body))
    await assertAllProven()
  })

  test('is refused whole when invalid, and leaves nothing behind', async () => {
    const { paymentReferenceNumber, caseGuid } = await cases.register()
    const [earlier] = await api.sql`select count(*) from payment_file_entry`
    const wrong = makeBgMax([paid(paymentReferenceNumber)], {
      spoil: (line) => line.replace(/^(15.{65})\d/, '$19').slice(0, 80),
    })
    assertProblem(
      await upload(wrong),
      'unprocessable',
      /deposit is not the sum.*Nothing of the file was booked/,
    )
    const bomb = '<!DOCTYPE a [<!ENTITY b "b">]>'
    const camt = makeCamt([paid(paymentReferenceNumber)])
    assertProblem(await upload(camt.replace('<Document', `${bomb}<Document`)), 'unprocessable', /DOCTYPE/)
    assertProblem(await upload(camt.slice(0, -200)), 'unprocessable', /truncated/)
    const nul = makeBgMax([paid('12\0')])
    const atLine = await upload(nul)
    assertProblem(atLine, 'unprocessable', /Line 3: a line has no NUL characters/)
    const { unreadableFile, line } = atLine.body as { unreadableFile?: boolean; line?: number }
    assert.deepEqual([unreadableFile, line], [true, 3])
    const unknown = await upload('')
    assertProblem(unknown, 'unprocessable', /is unknown/)
    assert.ok(!('line' in unknown.body))
    const json = await api.call('POST', '/payment-files', { body: {} })
    assertProblem(json, 'unsupported-media-type', /octet-stream/)
    assertProblem(await api.call('POST', '/payment-files'), 'invalid', /needs the file as its body/)
    const [later] = await api.sql`select count(*) from payment_file_entry`
    assert.deepEqual(later, earlier)
    assert.equal((await cases.readState(caseGuid))['remaining'], 100_000)
  })

  test('sent with an idempotency key is processed once', async () => {
    const { paymentReferenceNumber } = await cases.register()
    const headers = { 'idempotency-key': 'file-1' }
    const file = makeCamt([paid(paymentReferenceNumber)])
    const first = await upload(file, { headers })
    const again = await upload(file, { headers })
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.equal(again.body.paymentFileGuid, first.body.paymentFileGuid)
    const other = await upload(makeCamt([paid(paymentReferenceNumber)]), { headers })
    assertProblem(other, 'idempotency-mismatch', /another path or body/)
  })

  test('resumes posting after an interruption', async () => {
    const { paymentReferenceNumber, caseGuid } = await cases.register()
    const many = Array.from({ length: 501 }, () => paid(null, 100))
    const origin = { actorId: null, requestId: null, operation: 'test', businessDate: '2026-06-15' }
    const bytes = Buffer.from(makeCamt([...many, paid(paymentReferenceNumber)]))
    const received = await receivePaymentFile(api.sql, [bytes], { fileName: null, bytesMax: 1e7, origin })
    assert.deepEqual([received.isNew, received.entries], [true, 502])
    assert.equal(await postChunk(api.sql, received.fileGuid, origin), 500)
    assert.equal((await cases.readState(caseGuid))['remaining'], 100_000)
    const rest: number[] = []
    const onChunk = (posted: number) => void rest.push(posted)
    await Promise.all([1, 2, 3].map(() => postFile(api.sql, received.fileGuid, { origin, onChunk })))
    assert.deepEqual(
      rest.filter((posted) => posted > 0),
      [2],
    )
    assert.ok((await waitUntilPosted(received.fileGuid)).postedAt)
    assert.equal((await cases.readState(caseGuid))['remaining'], 90_000)
  })

  test('belongs to the agency: restricted users can neither read nor upload it', async () => {
    const group = { id: nowhere, code: 'PAY', name: 'Pay', access_codes: ['payment.write', 'payment.read'] }
    await api.sql`insert into access_group ${api.sql(group as never)}`
    const restricted = await api.signIn(6, cases.client)
    await api.sql`
      insert into user_access_group select id, ${nowhere} from app_user where party_id = ${cases.client}`
    assertProblem(await upload(makeCamt([paid(null)]), { token: restricted }), 'forbidden', /agency/)
    for (const path of ['/payment-files', '/suspense']) {
      const { body } = await api.call<Page<object>>('GET', path, { token: restricted })
      assert.equal(body.total, 0)
    }
    // listPaymentFiles
    const { body } = await api.call<Page<PaymentFile>>('GET', '/payment-files?$top=1')
    assert.ok(body.total > 5)
    const path = `/payment-files/${body.value[0]!.paymentFileGuid}/entries`
    assertProblem(await api.call('GET', path, { token: restricted }), 'not-found', /no such payment file/)
  })
})
