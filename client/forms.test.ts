/** The operations of forms over the typed client, on the running service. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeRecords, type Records } from '../server/testing/records/samples.ts'
import { startApi, type TestApi } from '../server/testing/api.ts'
import { ApiProblem, createClient, type Client } from './client.ts'

let api: TestApi
let client: Client
let records: Records
before(async () => {
  api = await startApi()
  records = await makeRecords(api)
  const tokens = { accessToken: api.token, refreshToken: '', expiresAt: Date.now() + 3_600_000 }
  client = createClient({ baseUrl: api.address, tokens, retries: 0 })
})
after(() => api.close())

test('a case is registered, invoiced, paid, changed and closed by methods with types', async () => {
  const clientGuid = records.known['client']!
  const debtorGuid = records.known['debtor']!
  const { caseGuid, caseNumber } = await client.registerCase({
    body: {
      clientGuid,
      debtorGuid,
      principal: 100,
      currencyCode: 'SEK',
      dueDate: '2026-01-15',
      interestRate: 0,
    },
  })
  assert.match(String(caseNumber), /^\d+$/)
  const { invoiceGuid } = await client.addInvoice({
    id: caseGuid,
    body: { principal: 50, dueDate: '2026-01-20', interestRate: 0 },
  })
  assert.equal(typeof invoiceGuid, 'string')
  await client.updateCase({ id: caseGuid, body: { clientReferenceNumber: 'K-1' } })
  const { paymentGuid } = await client.registerPayment({
    body: { caseGuid, amount: 150, currencyCode: 'SEK' },
  })
  await client.reversePayment({ id: paymentGuid, body: { reason: 'Paid by mistake' } })
  await client.closeCase({ id: caseGuid, body: { closureCode: 'RECALLED_BY_CLIENT' } })
  const { value } = await client.listAllCases({ $filter: `caseGuid eq ${caseGuid}` })
  assert.equal(value[0]!.status, 'CLOSED')
  assert.equal(value[0]!.clientReferenceNumber, 'K-1')
  assert.equal(
    (await client.getCaseEditValues({ initialValues: true, id: caseGuid })).clientReferenceNumber,
    'K-1',
  )
})

test('a misspelt or missing field does not compile, and the server names the nearest', async () => {
  const refused = client.registerPayment({
    // @ts-expect-error -- amuont is no field
    body: { amuont: 1 },
  })
  const problem = await refused.catch((error: unknown) => error)
  assert.ok(problem instanceof ApiProblem)
  assert.equal(problem.status, 400)
  assert.deepEqual(problem.errors?.['amuont'], ['is not known here. Did you mean amount?'])
  // @ts-expect-error -- without an amount
  await assert.rejects(client.addFee({ id: records.known['case']!, body: {} }))
  // @ts-expect-error -- of which case is not said
  await assert.rejects(client.addInvoice({ body: { principal: 1 } }))
  // @ts-expect-error -- a text where a number belongs
  await assert.rejects(client.addInvoice({ id: records.known['case']!, body: { principal: '1' } }))
})

test('an edit demands nothing, and records are deleted by the method of their form', async () => {
  const { accessGroupGuid } = await client.createAccessGroup({
    body: { code: 'typed', name: 'Typed', accessCodes: 'debtor.read' },
  })
  await client.updateAccessGroup({ id: accessGroupGuid, body: { name: 'Typed, and changed' } })
  await client.deleteAccessGroup({ id: accessGroupGuid })
  const gone = await client
    .getAccessGroupEditValues({ initialValues: true, id: accessGroupGuid })
    .catch((error: unknown) => error)
  assert.ok(gone instanceof ApiProblem && gone.status === 404)
})
