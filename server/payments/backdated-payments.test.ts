/**
 * Payments with a value date before existing bookings, or before the registration of one of the debtor's
 * cases.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../testing/api.ts'
import { agencyCaller, assertProven, assertRefused, contextOn, openCases } from '../testing/records/cases.ts'
import { previewPayment, registerPayment } from './payments.ts'

const later = '2026-06-20'

let api: TestApi
let cases: Awaited<ReturnType<typeof openCases>>
before(async () => {
  api = await startApi()
  cases = await openCases(api)
})
after(() => api.close())

const allocated = (paymentGuid: string, interest: number, principal: number) => ({
  entityId: paymentGuid,
  paymentGuid,
  shares: { principal, interest, cost: 0 },
})
const pay = (input: object) => registerPayment(api.sql, agencyCaller, input, contextOn(later))

test('a backdated payment reports its own allocation, and events record the new allocation of both payments', async () => {
  // 10 SEK of interest a day on the full principal.
  const { caseGuid } = await cases.register({ interestRate: 365, interestFromDate: '2026-06-15' })
  await api.setDate(later)
  const first = await pay({ caseGuid, amount: 600 })
  assert.deepEqual([first.parts[0]!.interest, first.parts[0]!.principal], [50, 550])
  const input = { caseGuid, amount: 100, valueDate: '2026-06-16' }
  const shown = await previewPayment(api.sql, agencyCaller, input, contextOn(later))
  const second = await pay(input)
  assert.deepEqual(second.parts, shown)
  assert.deepEqual([second.parts[0]!.interest, second.parts[0]!.principal], [10, 90])
  const told = await api.sql<{ entityId: string; paymentGuid: string; shares: object }[]>`
    select entity_id as "entityId", data ->> 'paymentGuid' as "paymentGuid", data -> 'minorAmounts' as shares from audit_entry
    where subject = ${caseGuid} and type = 'payment.allocated' order by sequence`
  assert.deepEqual(
    [...told],
    [
      allocated(first.paymentGuid, 5000, 55000),
      allocated(second.paymentGuid, 1000, 9000),
      // Four days of interest on the remaining 910.
      allocated(first.paymentGuid, 3640, 56360),
    ],
  )
  await assertProven(api)
})

test('a payment on a debtor skips cases registered after its value date', async () => {
  await api.setDate('2026-06-15')
  const { debtorGuid, caseGuid } = await cases.register({ principal: 300 })
  await api.setDate(later)
  const newer = await cases.register({ debtorGuid, principal: 200 })
  const { parts } = await pay({ debtorGuid, amount: 350, valueDate: '2026-06-18' })
  assert.deepEqual(
    parts.map((part) => [part.caseGuid, part.principal, part.credit]),
    [[caseGuid, 300, 50]],
  )
  await assertRefused(
    () => pay({ debtorGuid, amount: 1, valueDate: '2026-06-18' }),
    'unprocessable',
    'valueDate',
    'only the newer one is open',
  )
  await assertRefused(
    () => pay({ caseGuid: newer.caseGuid, amount: 1, valueDate: '2026-06-18' }),
    'unprocessable',
    'valueDate',
    'the case itself',
  )
  await assertProven(api)
})
