import assert from 'node:assert/strict'
import type { TestApi } from '../../server/testing/api.ts'

/** A new debtor with a case of 1,000 of a client, on which an amount is paid. */
export async function collect(
  api: TestApi,
  clientGuid: string,
  amount: number,
  currencyCode = 'SEK',
): Promise<void> {
  const debtor = await api.call<{ debtorGuid: string }>('POST', '/debtors', {
    body: { lastname: `Betalar ${amount}` },
  })
  const made = await api.call<{ caseGuid: string }>('POST', '/system/forms/case/register', {
    body: { clientGuid, debtorGuid: debtor.body.debtorGuid, principal: 1000, currencyCode },
  })
  const { status } = await api.call('POST', '/system/forms/payment/register', {
    body: { caseGuid: made.body.caseGuid, amount, currencyCode },
  })
  assert.equal(status, 201)
}
