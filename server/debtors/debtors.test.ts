import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../testing/api.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

test('a debtor is created and read back', async () => {
  const made = await api.call('POST', '/debtors', { body: { lastname: 'Berg', firstname: 'Eva' } })
  assert.equal(made.status, 201)
  assert.equal(made.body['fullName'], 'Eva Berg')
})
