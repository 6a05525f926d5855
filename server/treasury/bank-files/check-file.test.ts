/** A bank file is checked over HTTP (checkPaymentFile): what would become of it, and nothing is stored. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PaymentFileCheck } from '../../../contract/treasury/payment-files.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { openCases } from '../../testing/records/cases.ts'
import { makeBgMax, makeCamt, makeOcrGiro, type TestPayment } from '../../testing/records/files.ts'

let api: TestApi
let cases: Awaited<ReturnType<typeof openCases>>
before(async () => {
  api = await startApi()
  cases = await openCases(api)
})
after(() => api.close())

const send = <T>(path: string, raw: string, token = api.token) =>
  api.call<T>('POST', path, { raw, token, headers: { 'content-type': 'application/octet-stream' } })
const check = (raw: string, token = api.token) => send<PaymentFileCheck>('/payment-files/check', raw, token)
let bankReferences = 0
const paid = (reference: string | null, amount = 10_000, more: Partial<TestPayment> = {}): TestPayment => ({
  reference,
  amount,
  bankReference: `CHECK${++bankReferences}`,
  ...more,
})
const countAll = async () => {
  const [row] = await api.sql`
    select (select count(*) from payment_file)::int as files, (select count(*) from payment_file_entry)::int as entries,
      (select count(*) from payment)::int as payments, (select count(*) from suspense)::int as suspense,
      (select count(*) from event)::int as events, (select count(*) from job_run)::int as jobs`
  return row!
}

test('a check tells format, account, counts, amounts and the first problems, and stores nothing', async () => {
  const { paymentReferenceNumber } = await cases.register()
  const formerly = await countAll()
  const file = makeCamt([
    paid(paymentReferenceNumber, 30_000),
    paid(null, 700, { payer: 'Berit Garn' }),
    paid('1234567806', 800),
    paid(null, 5_000, { direction: 'DBIT', isReturn: true }),
    paid(null, 900, { direction: 'DBIT' }),
  ])
  const { status, body, text } = await check(file)
  assert.equal(status, 200, text)
  const { booked, suspended, alreadyThere, returned, notBooked, untried, entries } = body
  assert.deepEqual(
    [body.format, entries, booked, suspended, alreadyThere, returned, notBooked, untried],
    ['CAMT054', 5, 1, 2, 0, 1, 1, 0],
  )
  assert.equal(body.receivedBefore, null)
  assert.deepEqual(
    body.problems.map(({ number, amount, outcome, reason }) => [number, amount, outcome, reason]),
    [
      [2, 7, 'SUSPENSE', 'NO_REFERENCE'],
      [3, 8, 'SUSPENSE', 'UNKNOWN_REFERENCE'],
      [4, 50, 'NOT_BOOKED', 'REVERSAL'],
      [5, 9, 'NOT_BOOKED', 'DEBIT'],
    ],
  )
  const [account] = body.accounts
  assert.deepEqual(
    [
      body.accounts.length,
      account!.entries,
      account!.booked,
      account!.suspended,
      account!.owner,
      account!.isKnown,
    ],
    [1, 5, 300, 15, null, false],
  )
  assert.deepEqual(await countAll(), formerly)
  // The account of a party is matched by the end of its IBAN.
  await api.sql`update party set bank_account_no = ${`${account!.account.slice(-8, -4)}-${account!.account.slice(-4)}`}
    where parent_id is null`
  const owned = (await check(file)).body.accounts[0]!
  assert.equal(owned.isKnown, true)
  assert.equal(
    owned.owner,
    (await api.sql<{ name: string }[]>`select name from party where parent_id is null`)[0]!.name,
  )
})

test('a file that came before is named, and an entry of an earlier file is a double', async () => {
  const { paymentReferenceNumber } = await cases.register()
  const first = paid(paymentReferenceNumber)
  const sent = await send<{ paymentFileGuid: string }>('/payment-files', makeCamt([first]))
  assert.equal(sent.status, 201, sent.text)
  const again = await check(makeCamt([first]))
  assert.equal(again.body.receivedBefore, sent.body.paymentFileGuid)
  const more = await check(makeCamt([first, paid(paymentReferenceNumber, 200)]))
  assert.deepEqual([more.body.receivedBefore, more.body.alreadyThere, more.body.booked], [null, 1, 1])
})

test('each format is recognised, and a wrong file is refused with the place', async () => {
  const formats = await Promise.all(
    [makeBgMax([paid(null)]), makeOcrGiro([paid('1234567806')])].map(
      async (raw) => (await check(raw)).body.format,
    ),
  )
  assert.deepEqual(formats, ['BGMAX', 'OCRGIRO'])
  assertProblem(await check('name;amount\nBerg;5'), 'unprocessable', /Nothing of the file was booked/)
})

test('a check needs the right to register payments, for the whole agency', async () => {
  const file = makeBgMax([paid(null)])
  assertProblem(await check(file, await api.signIn(5)), 'forbidden', /payment\.write/)
  const restricted = await api.signIn(6, cases.client)
  const [user] = await api.sql<{ id: string }[]>`select id from app_user where party_id = ${cases.client}`
  const group = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'
  await api.sql`
    insert into access_group (id, code, name, access_codes) values (${group}, 'P', 'P', ${['payment.write']})`
  await api.sql`insert into user_access_group values (${user!.id}, ${group})`
  api.app.service.sessions.forgetUser(user!.id)
  const answer = await check(file, restricted)
  assertProblem(answer, 'forbidden', /belong to the agency/)
})
