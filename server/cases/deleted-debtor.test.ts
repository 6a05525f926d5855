import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inTransaction } from '../platform/database/transaction.ts'
import { startApi, type TestApi } from '../testing/api.ts'
import { assertProblem } from '../testing/problem.ts'
import { makeRecords } from '../testing/records/samples.ts'
import { untilWaiting } from '../testing/waiting.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

test('the registration of a case on a debtor that is deleted at the same moment is refused', async () => {
  const { known } = await makeRecords(api)
  const { body: debtor } = await api.call<{ debtorGuid: string }>('POST', '/debtors', {
    body: { lastname: 'Gone' },
  })
  const registered = await inTransaction(api.sql, async (tx) => {
    // The registration has seen its debtor, and waits for the reference rates.
    await tx`lock table reference_version in access exclusive mode`
    const body = { clientGuid: known['client'], debtorGuid: debtor.debtorGuid, principal: 100 }
    const registration = api.call('POST', '/system/forms/case/register', { body })
    await untilWaiting(api, 1)
    const path = `/system/forms/debtor/edit?id=${debtor.debtorGuid}`
    assert.equal((await api.call('DELETE', path)).status, 200)
    return { registration }
  })
  assertProblem(await registered.registration, 'conflict', /debtor was deleted by another request/)
})
