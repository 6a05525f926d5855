import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AccessGroupListItem } from '../../../contract/access/access-groups.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

test('listAccessGroups lists the groups that the form creates, with the number of users', async () => {
  const made = async (code: string, accessCodes: string) =>
    api.call<{ accessGroupGuid: string }>('POST', '/system/forms/accessgroup/create', {
      body: { code, name: `Group ${code}`, accessCodes },
    })
  const readers = await made('READERS', 'case.read,debtor.read')
  await made('AUDIT', 'audit.read')
  await api.call('POST', '/users', {
    body: {
      fullName: 'Åsa Ek',
      email: 'asa@example.com',
      partyReferenceCode: 'AGENCY',
      userRole: 5,
      password: 'en lång mening som är min',
      accessGroups: ['READERS'],
    },
  })
  const list = async (query: string) => {
    const { body } = await api.call<Page<AccessGroupListItem>>('GET', `/accessgroups?${query}`)
    return body
  }
  const all = await list('$orderby=code')
  assert.equal(all.total, 2)
  assert.deepEqual(all.value[1], {
    accessGroupGuid: readers.body.accessGroupGuid,
    code: 'READERS',
    name: 'Group READERS',
    accessCodes: ['case.read', 'debtor.read'],
    users: 1,
  })
  const unused = await list('$filter=users%20eq%200')
  assert.deepEqual(
    unused.value.map(({ code }) => code),
    ['AUDIT'],
  )
  assertProblem(
    await api.call('GET', '/accessgroups?$filter=accessCodes%20eq%20null'),
    'invalid',
    /accessCodes/,
  )
  assertProblem(
    await api.call('GET', '/accessgroups', { token: await api.signIn(3) }),
    'forbidden',
    /user\.admin/,
  )
})
