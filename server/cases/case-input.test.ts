/** Input that cases refuse, and the fields that the errors name. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startApi, type TestApi } from '../testing/api.ts'
import { holdCase } from './holds/hold-case.ts'
import { changeTerms } from './case-terms.ts'
import { agencyCaller, assertRefused, context, nowhere, openCases } from '../testing/records/cases.ts'
import { addFee, addInvoice, creditInvoice, registerWriteOff } from './movements.ts'
import { addNote } from '../metadata/search/notes.changes.ts'

let api: TestApi
let cases: Awaited<ReturnType<typeof openCases>>
before(async () => {
  api = await startApi()
  cases = await openCases(api)
})
after(() => api.close())

const register = (input?: object) => cases.register(input)
const pay = (input: object, caller = agencyCaller) => cases.pay(input, caller)
const readState = (caseGuid: string) => cases.readState(caseGuid)

describe('input that is refused', () => {
  const amounts: [about: string, amount: unknown][] = [
    ['too many decimals', 10.001],
    ['zero', 0],
    ['below zero', -1],
    ['above the largest', 1e13 + 1],
    ['0.1 + 0.2', 0.1 + 0.2],
    ['none', null],
  ]
  test('a wrong amount', async () => {
    const { caseGuid, debtorGuid } = await register()
    const [row] = await api.sql`select id from invoice where case_id = ${caseGuid}`
    const invoiceGuid = row!['id'] as string
    for (const [about, amount] of amounts) {
      const input = { amount } as { amount: number }
      const works: [() => Promise<unknown>, string][] = [
        [() => pay({ caseGuid, amount }), 'amount'],
        [() => registerWriteOff(api.sql, agencyCaller, { caseGuid, input }, context), 'amount'],
        [() => creditInvoice(api.sql, agencyCaller, { invoiceGuid, input }, context), 'amount'],
        [
          () =>
            addFee(api.sql, agencyCaller, { caseGuid, input: { ...input, feeType: 'reminder' } }, context),
          'amount',
        ],
        [
          () => addInvoice(api.sql, agencyCaller, { caseGuid, input: { principal: input.amount } }, context),
          'principal',
        ],
        [() => register({ debtorGuid, principal: amount }), 'principal'],
      ]
      for (const [work, field] of works) await assertRefused(work, 'invalid', field, about)
    }
    await assertRefused(
      () => register({ currencyCode: 'JPY', principal: 1.5 }),
      'invalid',
      'principal',
      'yen',
    )
    await assertRefused(() => register({ interest: -1 }), 'invalid', 'interest', 'interest below zero')
    await assertRefused(() => register({ fee: 0.005 }), 'invalid', 'fee', 'fee of half a cent')
  })

  test('a future value date (400), and one before the registration (422)', async () => {
    const { caseGuid } = await register()
    const works = (input: { amount: number; valueDate: string }): (() => Promise<unknown>)[] => [
      () => pay({ caseGuid, ...input }),
      () => registerWriteOff(api.sql, agencyCaller, { caseGuid, input }, context),
      () => addFee(api.sql, agencyCaller, { caseGuid, input: { ...input, feeType: 'reminder' } }, context),
      () =>
        changeTerms(
          api.sql,
          agencyCaller,
          { caseGuid, input: { interestRate: 5, valueDate: input.valueDate } },
          context,
        ),
    ]
    for (const work of works({ amount: 1, valueDate: '2026-06-16' }))
      await assertRefused(work, 'invalid', 'valueDate', 'tomorrow')
    for (const work of works({ amount: 1, valueDate: '2026-06-14' }))
      await assertRefused(work, 'unprocessable', 'valueDate', 'before')
  })

  const registrations: [about: string, input: object, field: string][] = [
    ['no client', { clientGuid: null }, 'clientGuid'],
    ['an unknown client', { clientGuid: nowhere }, 'clientGuid'],
    ['no debtor', { debtorGuid: null }, 'debtorGuid'],
    ['an unknown debtor', { debtorGuid: nowhere }, 'debtorGuid'],
    ['an unknown role', { debtorRole: 'FRIEND' }, 'debtorRole'],
    ['a first debtor who owes nothing', { debtorRole: 'PAYER' }, 'debtorRole'],
    ['an unknown service', { service: 'TEA' }, 'service'],
    ['an unknown currency', { currencyCode: 'XQQ' }, 'currencyCode'],
    ['a due date before the invoice', { invoiceDate: '2026-05-01', dueDate: '2026-04-30' }, 'dueDate'],
    ['a rate below zero', { interestRate: -1 }, 'interestRate'],
    ['a rate of seven decimals', { interestRate: 0.1234567 }, 'interestRate'],
    ['a date of another age', { dueDate: '0001-01-01' }, 'dueDate'],
  ]
  for (const [about, input, field] of registrations)
    test(`registering with ${about}`, async () => {
      await assertRefused(() => register(input), 'invalid', field, about)
    })

  test('a missing currency when the client has no default', async () => {
    await assertRefused(() => register({ currencyCode: null }), 'invalid', 'currencyCode', 'none')
  })

  test('a currency other than the case’s', async () => {
    const { caseGuid } = await register()
    await assertRefused(
      () => pay({ caseGuid, amount: 1, currencyCode: 'EUR' }),
      'unprocessable',
      'currencyCode',
      'EUR',
    )
  })

  test('a missing, too large or unknown amount or case in a payment', async () => {
    const { caseGuid, debtorGuid } = await register()
    await assertRefused(() => pay({ amount: 1 }), 'invalid', 'caseGuid', 'nothing')
    await assertRefused(() => pay({ caseGuid, debtorGuid, amount: 1 }), 'invalid', 'caseGuid', 'two')
    await assertRefused(() => pay({ caseGuid: nowhere, amount: 1 }), 'not-found', null, 'unknown case')
    await assertRefused(() => pay({ debtorGuid: nowhere, amount: 1 }), 'not-found', null, 'unknown debtor')
    const wrong = { paymentReferenceNumber: '1234567890123', amount: 1 }
    await assertRefused(() => pay(wrong), 'invalid', 'paymentReferenceNumber', 'check digit')
  })

  test('a write-off or credit above the remaining amount', async () => {
    const { caseGuid } = await register()
    const [row] = await api.sql`select id from invoice where case_id = ${caseGuid}`
    const input = { amount: 1000.01 }
    const invoiceGuid = row!['id'] as string
    await assertRefused(
      () => registerWriteOff(api.sql, agencyCaller, { caseGuid, input }, context),
      'unprocessable',
      'amount',
      'write-off',
    )
    await assertRefused(
      () => creditInvoice(api.sql, agencyCaller, { invoiceGuid, input }, context),
      'unprocessable',
      'amount',
      'credit',
    )
    await registerWriteOff(api.sql, agencyCaller, { caseGuid, input: { amount: 1000 } }, context)
    assert.equal((await readState(caseGuid))['closure_code'], 'WRITTEN_OFF')
  })

  test('a fee without an amount when no statute sets one', async () => {
    const { caseGuid } = await register()
    const input = { feeType: 'lawyerScale' }
    await assertRefused(
      () => addFee(api.sql, agencyCaller, { caseGuid, input }, context),
      'invalid',
      'amount',
      'fee',
    )
    await assertRefused(
      () => addFee(api.sql, agencyCaller, { caseGuid, input: { feeType: 'unheardOf', amount: 5 } }, context),
      'invalid',
      'feeType',
      'unknown type',
    )
    await assertRefused(
      () => addFee(api.sql, agencyCaller, { caseGuid, input: {} }, context),
      'invalid',
      'feeType',
      'type',
    )
  })

  test('a case of another client', async () => {
    const { caseGuid, paymentReferenceNumber } = await register({ clientGuid: cases.other })
    const creditor = { ...agencyCaller, partyIds: [cases.client], partyId: cases.client }
    const works = [
      () => pay({ caseGuid, amount: 1 }, creditor),
      () => pay({ paymentReferenceNumber, amount: 1 }, creditor),
      () => holdCase(api.sql, creditor, { caseGuid, input: { reason: 'HOLD_FRAUD' } }, context),
      () => addFee(api.sql, creditor, { caseGuid, input: { feeType: 'own', amount: 1 } }, context),
      () => addNote(api.sql, creditor, { itemGuid: caseGuid, input: { text: 'x' } }, context.origin),
    ]
    for (const work of works) await assertRefused(work, 'not-found', null, 'another client')
    await addNote(
      api.sql,
      { ...creditor, partyIds: [cases.other] },
      { itemGuid: caseGuid, input: { text: 'x' } },
      context.origin,
    )
  })
})
