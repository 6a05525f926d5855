import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inTransaction } from '../platform/database/transaction.ts'
import { startApi, type TestApi } from '../testing/api.ts'
import { assertProblem } from '../testing/problem.ts'
import { makeRecords } from '../testing/records/samples.ts'
import { untilWaiting } from '../testing/waiting.ts'

let api: TestApi
let clientGuid: string
before(async () => {
  api = await startApi()
  clientGuid = (await makeRecords(api)).known['client']!
})
after(() => api.close())

const moments: [about: string, lock: string][] = [
  ['before its law is found', 'lock table reference_version in access exclusive mode'],
  ['before it has its number', 'select from case_counter for update'],
]
for (const [about, lock] of moments) {
  test(`a case on a debtor that is deleted ${about} is refused`, async () => {
    const body = { lastname: 'Gone' }
    const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body })
    const { debtorGuid } = made.body
    const { registration } = await inTransaction(api.sql, async (tx) => {
      // The registration has seen its debtor, and waits.
      await tx.unsafe(lock)
      const input = { clientGuid, debtorGuid, principal: 100 }
      const asked = api.call('POST', '/system/forms/case/register', { body: input })
      await untilWaiting(api, 1)
      const removed = await api.call('DELETE', `/system/forms/debtor/edit?id=${debtorGuid}`)
      assert.equal(removed.status, 200, removed.text)
      return { registration: asked }
    })
    assertProblem(await registration, 'conflict', /debtor was deleted by another request/)
  })
}
