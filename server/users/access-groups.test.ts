import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AccessGroup } from '../../contract/access-groups.ts'
import { startApi, type TestApi } from '../testing/api.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

test('listAccessGroups gives each group with its codes, to administrators alone', async () => {
  for (const [code, name, accessCodes] of [
    ['READERS', 'Läsare', 'debtor.read,case.read'],
    ['AUDITORS', 'Revisorer', 'audit.read'],
  ]) {
    const made = await api.call('POST', '/system/forms/accessgroup/create', {
      body: { code, name, accessCodes },
    })
    assert.equal(made.status, 201, made.text)
  }
  const path = '/accessgroups?$orderby=name'
  const { body } = await api.call<{ total: number; value: AccessGroup[] }>('GET', path)
  assert.deepEqual(
    body.value.map(({ code, accessCodes }) => [code, accessCodes]),
    [
      ['READERS', ['case.read', 'debtor.read']],
      ['AUDITORS', ['audit.read']],
    ],
  )
  const some = await api.call<{ total: number }>('GET', "/accessgroups?$filter=code eq 'AUDITORS'")
  assert.equal(some.body.total, 1)
  assert.equal((await api.call('GET', path, { token: await api.signIn(3) })).status, 403)
})
