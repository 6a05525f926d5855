/** Money in suspense: allocated, refunded, and returned when its payment is reversed. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Suspense } from '../../../contract/treasury/suspense.ts'
import { assertProven, context, makeDebtor, nowhere, openCases } from '../../testing/records/cases.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { addPerson, clearLimits, setLimit } from '../../testing/records/agency-people.ts'
import { makeCamt } from '../../testing/records/files.ts'
import { postFile } from './post-entries.ts'
import { receivePaymentFile } from './receive-file.ts'
import { verifyTrust } from './verify-trust.ts'

let api: TestApi
let cases: Awaited<ReturnType<typeof openCases>>
const { origin } = context
before(async () => {
  api = await startApi()
  cases = await openCases(api)
})
after(() => api.close())

/** Verifies the ledger of cases and the trust books. */
async function assertAllProven(): Promise<void> {
  await assertProven(api)
  assert.deepEqual(await verifyTrust(api.sql), [])
}

/** listSuspense */
const openSuspense = async (amount: number) => {
  const filter = encodeURIComponent(`status eq 'OPEN' and amount eq ${amount / 100}`)
  return (await api.call<Page<Suspense>>('GET', `/suspense?$filter=${filter}`)).body.value
}

const suspended = async (amount: number): Promise<Suspense> => {
  const bytes = Buffer.from(makeCamt([{ reference: null, amount }]))
  const received = await receivePaymentFile(api.sql, [bytes], { fileName: null, bytesMax: 1e6, origin })
  await postFile(api.sql, received.fileGuid, { origin })
  return (await openSuspense(amount))[0]!
}
const allocate = (guid: string, body: object) =>
  api.call<Suspense>('POST', `/suspense/${guid}/allocate`, { body })
const refund = (guid: string, body: object) =>
  api.call<Suspense>('POST', `/suspense/${guid}/refund`, { body })

const reverse = async (paymentGuid: string, body: object) => {
  const { status } = await api.call('PATCH', `/system/forms/payment/reverse?id=${paymentGuid}`, { body })
  assert.equal(status, 200)
}
/** The balances of some suspense money in the trust books. */
const readBooks = async (suspenseGuid: string) => {
  const [books] = await api.sql`
    select sum(e.amount) filter (where account = 'suspense') as suspense, sum(e.amount) filter (where account = 'bank') as bank
    from trust_entry e join trust_transaction t on t.id = e.transaction_id where t.suspense_id = ${suspenseGuid}`
  return { suspense: Number(books!['suspense']), bank: Number(books!['bank']) }
}

describe('money in suspense', () => {
  test('allocateSuspense needs no second person: a bank file brought the money', async () => {
    await setLimit(api, 'PAYMENT', 0)
    const handler = await addPerson(api, 3)
    const { caseGuid } = await cases.register()
    const { suspenseGuid } = await suspended(70_000)
    const body = { caseGuid }
    const { status, text } = await handler.call('POST', `/suspense/${suspenseGuid}/allocate`, { body })
    assert.equal(status, 200, text)
    const byHand = { body: { caseGuid, amount: 1 } }
    const refused = await handler.call('POST', '/system/forms/payment/register', byHand)
    assertProblem(refused, 'needs-approval', /limit of your role/)
    await clearLimits(api)
  })

  test('allocateSuspense pays a case with it, once', async () => {
    const { caseGuid } = await cases.register()
    const { suspenseGuid } = await suspended(12_300)
    const done = await allocate(suspenseGuid, { caseGuid })
    assert.deepEqual([done.status, done.body.status, done.body.amount], [200, 'ALLOCATED', 123])
    assert.equal((await cases.readState(caseGuid))['remaining'], 87_700)
    assertProblem(await allocate(suspenseGuid, { caseGuid }), 'conflict', /already allocated/)
    assertProblem(await refund(suspenseGuid, { note: 'x' }), 'conflict', /no longer in suspense/)
    await assertAllProven()
    const [books] = await api.sql`
      select sum(e.amount) filter (where account = 'suspense') as suspense, sum(e.amount) as all from trust_entry e
      join trust_transaction t on t.id = e.transaction_id where t.suspense_id = ${suspenseGuid}`
    assert.deepEqual([Number(books!['suspense']), Number(books!['all'])], [0, 0])
  })

  test('returns when its payment is reversed as wrongly placed, and can be allocated to the right case', async () => {
    const [wrong, right] = [await cases.register(), await cases.register()]
    const { suspenseGuid } = await suspended(12_800)
    const first = await allocate(suspenseGuid, { caseGuid: wrong.caseGuid })
    await reverse(first.body.paymentGuid!, { reason: 'Wrong case.' })
    assert.equal((await cases.readState(wrong.caseGuid))['remaining'], 100_000)
    const [again] = await openSuspense(12_800)
    assert.deepEqual(
      [again!.suspenseGuid, again!.paymentGuid, again!.settledDate, again!.settledBy],
      [suspenseGuid, null, null, null],
    )
    await assertAllProven()
    assert.deepEqual(await readBooks(suspenseGuid), { suspense: -12_800, bank: 12_800 })
    const second = await allocate(suspenseGuid, { caseGuid: right.caseGuid, valueDate: '2026-06-15' })
    assert.equal(second.body.status, 'ALLOCATED')
    assert.equal((await cases.readState(right.caseGuid))['remaining'], 87_200)
    await reverse(second.body.paymentGuid!, { reason: 'Wrong again.' })
    assert.equal((await refund(suspenseGuid, { note: 'Paid back.' })).body.status, 'REFUNDED')
    assert.deepEqual(await readBooks(suspenseGuid), { suspense: 0, bank: 0 })
    await assertAllProven()
    const events = await api.sql`select type from event where subject = ${suspenseGuid} order by sequence`
    assert.deepEqual(
      events.map(({ type }) => type as string),
      ['allocated', 'returned', 'allocated', 'returned', 'refunded'].map((one) => `suspense.${one}`),
    )
  })

  test('does not return when the bank took it back', async () => {
    const { caseGuid } = await cases.register()
    const { suspenseGuid } = await suspended(12_900)
    const { body } = await allocate(suspenseGuid, { caseGuid })
    await reverse(body.paymentGuid!, { reason: 'No funds.', bounced: true })
    assert.equal((await cases.readState(caseGuid))['remaining'], 100_000)
    assert.deepEqual(await openSuspense(12_900), [])
    assertProblem(await allocate(suspenseGuid, { caseGuid }), 'conflict', /already allocated/)
    assert.deepEqual(await readBooks(suspenseGuid), { suspense: 0, bank: 0 })
    await assertAllProven()
    const form = `/system/forms/payment/reverse?initialValues=true&id=${body.paymentGuid}`
    assert.equal((await api.call<Record<string, unknown>>('GET', form)).body['bounced'], true)
  })

  test('is not allocated to an unknown case, in another currency, or before it arrived', async () => {
    const { suspenseGuid } = await suspended(12_500)
    const { caseGuid } = await cases.register({ currencyCode: 'NOK' })
    assertProblem(await allocate(suspenseGuid, { caseGuid }), 'unprocessable', /currency/)
    assertProblem(await allocate(suspenseGuid, { caseGuid: nowhere }), 'not-found', /no such case/)
    assertProblem(await allocate(suspenseGuid, {}), 'invalid', /one of the three/)
    const early = { caseGuid, valueDate: '2026-06-14' }
    assertProblem(await allocate(suspenseGuid, early), 'invalid', /before the money arrived/)
    assertProblem(await allocate(nowhere, { caseGuid }), 'not-found', /no such money in suspense/)
    assert.equal((await openSuspense(12_500))[0]!.suspenseGuid, suspenseGuid)
  })

  test('refundSuspense books the refund, with a reason', async () => {
    const { suspenseGuid } = await suspended(12_600)
    assertProblem(await refund(suspenseGuid, {}), 'invalid', /note/)
    const done = await refund(suspenseGuid, { note: 'Paid back to the sender.' })
    assert.deepEqual(
      [done.status, done.body.status, done.body.note],
      [200, 'REFUNDED', 'Paid back to the sender.'],
    )
  })

  test('goes to one of many concurrent requests', async () => {
    const { suspenseGuid } = await suspended(12_700)
    const debtorGuid = await makeDebtor(api)
    const targets = await Promise.all([1, 2, 3].map(() => cases.register({ debtorGuid })))
    const answers = await Promise.all(targets.map(({ caseGuid }) => allocate(suspenseGuid, { caseGuid })))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409])
  })
})
