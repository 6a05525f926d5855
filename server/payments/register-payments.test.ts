/** Payments registered in one batch give the same result as payments registered one by one. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PaymentInput } from '../../contract/cases/case-inputs.ts'
import type { CaseOverview } from '../../contract/cases/cases.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { ApiError } from '../platform/http/errors.ts'
import { startApi, type TestApi } from '../testing/api.ts'
import { agencyCaller, assertProven, context, nowhere, openCases } from '../testing/records/cases.ts'
import { registerPayment, type RegisteredPayment } from './payments.ts'
import { registerPayments } from './register-payments.ts'

let api: TestApi
let cases: Awaited<ReturnType<typeof openCases>>
before(async () => {
  api = await startApi()
  cases = await openCases(api)
})
after(() => api.close())

const onReference = (paymentReferenceNumber: string, amount: number, more: PaymentInput = {}) => ({
  paymentReferenceNumber,
  amount,
  currencyCode: 'SEK',
  ...more,
})

/** Three cases, two of one debtor, and payments on them of every kind. Some are refused. */
async function makeStage(): Promise<{ guids: string[]; inputs: PaymentInput[] }> {
  const first = await cases.register({ principal: 500 })
  const second = await cases.register({ principal: 300, debtorGuid: first.debtorGuid })
  const third = await cases.register({ principal: 200, fee: 60 })
  const { body } = await api.call<CaseOverview>('GET', `/debtors/${first.debtorGuid}/caseoverview`)
  return {
    guids: [first, second, third].map(({ caseGuid }) => caseGuid),
    inputs: [
      onReference(first.paymentReferenceNumber, 100),
      onReference(third.paymentReferenceNumber, 10),
      onReference(first.paymentReferenceNumber, 50),
      onReference(body.paymentReference, 700),
      onReference(third.paymentReferenceNumber, 10, { currencyCode: 'NOK' }),
      onReference(third.paymentReferenceNumber, 10, { valueDate: '2026-06-14' }),
      onReference('1234567806', 10),
      onReference('123', 10),
      { caseGuid: nowhere, amount: 1 },
      { amount: 1 },
      { caseGuid: third.caseGuid, amount: 300 },
      onReference(second.paymentReferenceNumber, 5),
    ],
  }
}

const shown = (outcome: RegisteredPayment | ApiError) =>
  outcome instanceof ApiError
    ? [outcome.kind, outcome.message]
    : outcome.parts.map(({ caseGuid: _guid, caseNumber: _number, ...part }) => part)
const readStates = (guids: readonly string[]) => Promise.all(guids.map((guid) => cases.readState(guid)))

test('a batch of payments gives the same result as single payments in sequence', async () => {
  const [single, batch] = [await makeStage(), await makeStage()]
  const expected: unknown[] = []
  for (const input of single.inputs) {
    const outcome = await registerPayment(api.sql, agencyCaller, input, context).catch(
      (error: unknown) => error,
    )
    expected.push(shown(outcome as RegisteredPayment | ApiError))
  }
  const requests = batch.inputs.map((input, index) => ({ input, sourceReference: `batch/${index}` }))
  const outcomes = await inTransaction(api.sql, (tx) =>
    registerPayments(tx, agencyCaller, requests, context.origin),
  )
  assert.deepEqual(outcomes.map(shown), expected)
  assert.deepEqual(await readStates(batch.guids), await readStates(single.guids))
  const kept = await api.sql<{ reference: string }[]>`
    select source_reference as reference from payment where source_reference like 'batch/%' order by 1`
  assert.equal(kept.length, outcomes.filter((outcome) => !(outcome instanceof ApiError)).length)
  await assertProven(api)
})
