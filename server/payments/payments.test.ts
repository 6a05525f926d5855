/** Payments by reference and by debtor: preview, idempotence, reversal and concurrency. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CaseOverview } from '../../contract/cases/cases.ts'
import { startApi, type TestApi } from '../testing/api.ts'
import {
  agencyCaller,
  assertProven,
  assertRefused,
  context,
  nowhere,
  openCases,
} from '../testing/records/cases.ts'
import { addFee } from '../cases/movements.ts'
import { previewPayment } from './payments.ts'
import { registerCase } from '../cases/register-case.ts'
import { reversePayment } from './reverse-payment.ts'

let api: TestApi
let cases: Awaited<ReturnType<typeof openCases>>
before(async () => {
  api = await startApi()
  cases = await openCases(api)
})
after(() => api.close())

const register = (input?: object) => cases.register(input)
const pay = (input: object) => cases.pay(input)
const readState = (caseGuid: string) => cases.readState(caseGuid)

describe('a payment', () => {
  test('finds its case by the payment reference as a payer writes it', async () => {
    const made = await register()
    const spaced = `${made.paymentReferenceNumber.slice(0, 4)} ${made.paymentReferenceNumber.slice(4)}`
    const { parts } = await pay({ paymentReferenceNumber: spaced, amount: 100 })
    assert.deepEqual(
      parts.map(({ caseGuid, principal, remainingSum }) => [caseGuid, principal, remainingSum]),
      [[made.caseGuid, 100, 900]],
    )
  })

  test('names its case in the body, or by id as the other forms of a case do', async () => {
    const { caseGuid } = await register()
    const { caseGuid: other } = await register()
    const form = '/system/forms/payment/register'
    const send = (query: string, body: object) =>
      api.call<Record<string, unknown>>('POST', `${form}${query}`, { body })
    for (const [query, body] of [
      ['', { caseGuid, amount: 10 }],
      [`?id=${caseGuid}`, { amount: 10 }],
      [`?id=${caseGuid.toUpperCase()}`, { caseGuid, amount: 10 }],
    ] as const) {
      const made = await send(query, body)
      assert.equal(made.status, 201, JSON.stringify(made.body))
      assert.equal(made.body['caseGuid'], caseGuid)
    }
    assert.equal((await readState(caseGuid))['remaining'], 97_000)
    const two = await send(`?id=${caseGuid}`, { caseGuid: other, amount: 10 })
    assert.equal(two.status, 400)
    assert.match(JSON.stringify(two.body['errors']), /names another case than the parameter id/)
    const sum = await send(`/recalculate?recalc=allocation&id=${caseGuid}`, { amount: 10 })
    assert.equal(sum.body['remainingSum'], 960)
    const opened = await api.call<Record<string, unknown>>('GET', `${form}?initialValues=true&id=${caseGuid}`)
    assert.equal(opened.body['caseGuid'], caseGuid)
  })

  test('whose digits fit several cases goes to the exact match, or to none', async () => {
    const { paymentReferenceNumber: reference, caseGuid } = await register()
    const { caseGuid: other } = await register()
    // As a KID, the reference without its last digit is another case number.
    await api.sql`update debt_case set case_number = ${reference.slice(0, -1)} where id = ${other}`
    const { parts } = await pay({ paymentReferenceNumber: reference, amount: 1 })
    assert.equal(parts[0]!.caseGuid, caseGuid)
    await api.sql`update debt_case set payment_reference_number = 'X' where id = ${caseGuid}`
    const input = { paymentReferenceNumber: reference, amount: 1 }
    await assertRefused(() => pay(input), 'invalid', 'paymentReferenceNumber', 'two')
  })

  test('on a debtor pays the oldest case first and leaves the remainder as credit', async () => {
    const { debtorGuid, caseGuid: first } = await register({ principal: 300 })
    const second = await registerCase(
      api.sql,
      agencyCaller,
      { clientGuid: cases.client, debtorGuid, principal: 200, currencyCode: 'SEK' },
      context,
    )
    const { body } = await api.call<CaseOverview>('GET', `/debtors/${debtorGuid}/caseoverview`)
    const { parts } = await pay({ paymentReferenceNumber: body.paymentReference, amount: 350 })
    assert.deepEqual(
      parts.map(({ caseGuid, principal, credit }) => [caseGuid, principal, credit]),
      [
        [first, 300, 0],
        [second.caseGuid, 50, 0],
      ],
    )
    const rest = await pay({ debtorGuid, amount: 200 })
    assert.deepEqual(
      rest.parts.map(({ principal, credit }) => [principal, credit]),
      [[150, 50]],
    )
    assert.equal((await readState(second.caseGuid))['credit'], 5000)
    await assertProven(api)
    await reversePayment(
      api.sql,
      agencyCaller,
      { paymentGuid: rest.paymentGuid, input: { reason: 'x' } },
      context,
    )
    assert.deepEqual(
      [(await readState(second.caseGuid))['credit'], (await readState(second.caseGuid))['status']],
      [0, 'NEW'],
    )
    await assertProven(api)
  })

  test('on several cases reports to each case only its own part', async () => {
    const { debtorGuid, ...first } = await register({ principal: 100 })
    await register({ debtorGuid, principal: 777 })
    await pay({ debtorGuid, amount: 300 })
    const entries = await api.sql<{ changes: Record<string, unknown> }[]>`
      select changes from audit_entry where subject = ${first.caseGuid} and type = 'payment.registered'`
    assert.equal(entries.length, 1)
    assert.ok(!JSON.stringify(entries[0]!.changes).includes('30000'), JSON.stringify(entries[0]))
  })

  test('can be previewed without storing anything', async () => {
    const { caseGuid } = await register({ fee: 60 })
    const input = { caseGuid, amount: 160 }
    const shown = await previewPayment(api.sql, agencyCaller, input, context)
    const [payments] = await api.sql`select count(*) from payment where case_id = ${caseGuid}`
    assert.equal(payments!['count'], 0)
    assert.deepEqual((await pay(input)).parts, shown)
    assert.deepEqual([shown[0]!.fee, shown[0]!.principal, shown[0]!.remainingSum], [60, 100, 900])
  })

  test('with a payer’s reference is booked only once', async () => {
    const { caseGuid } = await register()
    const first = await pay({ caseGuid, amount: 10, payerReference: 'Bank 17' })
    const again = () => pay({ caseGuid, amount: 10, payerReference: 'bank 17' })
    const failure = await assertRefused(again, 'conflict', 'payerReference', 'twice')
    assert.equal(failure.members['existingPaymentGuid'], first.paymentGuid)
    await reversePayment(
      api.sql,
      agencyCaller,
      { paymentGuid: first.paymentGuid, input: { reason: 'x' } },
      context,
    )
    await again()
    const other2 = await register()
    const many = await Promise.allSettled(
      Array.from({ length: 6 }, () => pay({ caseGuid: other2.caseGuid, amount: 10, payerReference: 'R' })),
    )
    assert.equal(many.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  test('is reversed once, with a reason', async () => {
    const { caseGuid } = await register()
    const { paymentGuid } = await pay({ caseGuid, amount: 10 })
    const reverse = (reason: string | null) =>
      reversePayment(api.sql, agencyCaller, { paymentGuid, input: { reason } }, context)
    await assertRefused(() => reverse(' '), 'invalid', 'reason', 'blank')
    await reverse('bounced')
    await assertRefused(() => reverse('bounced'), 'conflict', null, 'again')
    const unknown = { paymentGuid: nowhere, input: { reason: 'x' } }
    await assertRefused(
      () => reversePayment(api.sql, agencyCaller, unknown, context),
      'not-found',
      null,
      'unknown',
    )
  })

  test('writes events in order, and audit entries', async () => {
    const { caseGuid } = await register()
    await pay({ caseGuid, amount: 1000 })
    const events =
      await api.sql`select type, sequence from event where subject = ${caseGuid} order by sequence`
    assert.deepEqual(
      events.map(({ type, sequence }) => [sequence, type]),
      [
        [1, 'case.registered'],
        [2, 'payment.registered'],
        [3, 'case.closed'],
        [4, 'payment.allocated'],
      ],
    )
    const entries =
      await api.sql`select entity, action from audit_entry where subject = ${caseGuid} order by position`
    assert.equal(entries.length, 4)
  })
})

test('concurrent payments and fees on one case are all booked', async () => {
  const { caseGuid } = await register({ principal: 10_000, interestRate: 10, interestFromDate: '2026-01-01' })
  const works = Array.from({ length: 32 }, (_, index) =>
    index % 4 === 3
      ? addFee(api.sql, agencyCaller, { caseGuid, input: { feeType: 'reminder', amount: 10 } }, context)
      : pay({ caseGuid, amount: 100 }),
  )
  await Promise.all(works)
  const [row] = await api.sql`
    select paid_principal + paid_interest + paid_fee as paid, added_fee, movement_count from debt_case where id = ${caseGuid}`
  assert.deepEqual({ ...row }, { paid: 240_000, added_fee: 8_000, movement_count: 32 })
  await assertProven(api)
})

test('concurrent payments on a debtor and on each of their cases finish without deadlock', async () => {
  const { debtorGuid, caseGuid } = await register({ principal: 5000 })
  const input = { clientGuid: cases.client, debtorGuid, principal: 5000, currencyCode: 'SEK' }
  const second = await registerCase(api.sql, agencyCaller, input, context)
  const targets = [{ debtorGuid }, { caseGuid }, { caseGuid: second.caseGuid }]
  await Promise.all(Array.from({ length: 24 }, (_, index) => pay({ ...targets[index % 3], amount: 100 })))
  const [row] = await api.sql`
    select sum(paid_principal) as paid from debt_case where id in (${caseGuid}, ${second.caseGuid})`
  assert.equal(Number(row!['paid']), 240_000)
  await assertProven(api)
})
