/** Groups of a directory, and what nobody gets by them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../../testing/api.ts'
import { openDirectory, type Directory, type ScimResponse } from './directory-for-tests.ts'

let api: TestApi
let scim: Directory

const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const coreGroup = 'urn:ietf:params:scim:schemas:core:2.0:Group'

before(async () => {
  api = await startApi()
  scim = await openDirectory(api, { userRole: 2 })
})
after(() => api.close())

let made = 0
async function addPerson(directory = scim, change: object = {}): Promise<string> {
  const person = { userName: `member${++made}@agency.example`, displayName: `Member ${made}`, ...change }
  const { status, body, text } = await directory.call('POST', '/Users', person)
  assert.equal(status, 201, text)
  return body['id'] as string
}
async function addGroup(body: object = {}): Promise<string> {
  const answer = await scim.call('POST', '/Groups', {
    schemas: [coreGroup],
    displayName: `Group ${++made}`,
    ...body,
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body['id'] as string
}
const patch = (id: string, operations: object[], headers = {}, directory = scim) =>
  directory.call('PATCH', `/Groups/${id}`, { schemas: [patchOp], Operations: operations }, headers)
async function listMembers(id: string): Promise<string[]> {
  const { body } = await scim.call('GET', `/Groups/${id}`)
  return ((body['members'] ?? []) as { value: string }[]).map(({ value }) => value).toSorted()
}
const refusal = ({ status, body }: ScimResponse) => [status, body['scimType']]

test('Microsoft Entra: the published life of a group', async () => {
  const [one, other] = [await addPerson(), await addPerson()]
  const created = await scim.call('POST', '/Groups', {
    schemas: [coreGroup, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
    externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
    displayName: 'displayName',
    meta: { resourceType: 'Group' },
  })
  assert.equal(created.status, 201, created.text)
  const id = created.body['id'] as string
  assert.equal(created.headers.get('location'), `${api.address}/scim/v2/Groups/${id}`)
  const listed = await scim.call(
    'GET',
    '/Groups?excludedAttributes=members&filter=displayName+eq+%22displayName%22',
  )
  assert.deepEqual(
    (listed.body['Resources'] as object[]).map((group) => [(group as { id: string }).id, 'members' in group]),
    [[id, false]],
  )
  assert.equal((await patch(id, [{ op: 'Replace', path: 'displayName', value: 'renamed' }])).status, 204)
  const add = [
    {
      op: 'Add',
      path: 'members',
      value: [
        { $ref: null, value: one },
        { $ref: null, value: other },
      ],
    },
  ]
  assert.equal((await patch(id, add)).status, 204)
  assert.equal((await patch(id, add)).status, 204)
  assert.deepEqual(await listMembers(id), [one, other].toSorted())
  const user = await scim.call('GET', `/Users/${one}`)
  assert.deepEqual(user.body['groups'], [
    { value: id, display: 'renamed', type: 'direct', $ref: `${api.address}/scim/v2/Groups/${id}` },
  ])
  const remove = [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: one }] }]
  assert.equal((await patch(id, remove)).status, 204)
  assert.deepEqual(await listMembers(id), [other])
  assert.equal((await scim.call('DELETE', `/Groups/${id}`)).status, 204)
  assert.equal((await scim.call('GET', `/Groups/${id}`)).status, 404)
  assert.equal((await scim.call('GET', `/Users/${other}`)).body['groups'], undefined)
})

test('Okta: the published changes of a group', async () => {
  const [one, other, third] = [await addPerson(), await addPerson(), await addPerson()]
  const id = await addGroup({ members: [{ value: one, display: 'test.user@okta.local' }] })
  await patch(id, [{ op: 'replace', value: { id, displayName: 'Test SCIMv2' } }])
  assert.equal((await scim.call('GET', `/Groups/${id}`)).body['displayName'], 'Test SCIMv2')
  await patch(id, [
    { op: 'remove', path: `members[value eq "${one}"]` },
    { op: 'add', path: 'members', value: [{ value: other, display: 'test.user@okta.local' }] },
  ])
  assert.deepEqual(await listMembers(id), [other])
  await patch(id, [{ op: 'replace', path: 'members', value: [{ value: one }, { value: third }] }])
  assert.deepEqual(await listMembers(id), [one, third].toSorted())
  await patch(id, [{ op: 'remove', path: `members[value eq "${other}"]` }])
  assert.deepEqual(await listMembers(id), [one, third].toSorted())
  const replaced = await scim.call('PUT', `/Groups/${id}`, {
    schemas: [coreGroup],
    id,
    displayName: 'Test SCIMv3',
    members: [{ value: third }],
  })
  assert.equal(replaced.status, 200, replaced.text)
  assert.deepEqual(await listMembers(id), [third])
  await patch(id, [{ op: 'remove', path: 'members' }])
  assert.deepEqual(await listMembers(id), [])
})

test('lists, versions and wrong input of groups', async () => {
  const person = await addPerson()
  const id = await addGroup({ externalId: 'G-1', members: [{ value: person }] })
  for (const filter of [
    'externalId eq "G-1"',
    `members.value eq "${person}"`,
    `members[value eq "${person}"]`,
  ]) {
    const { body } = await scim.call('GET', `/Groups?${new URLSearchParams({ filter })}`)
    assert.deepEqual(
      (body['Resources'] as { id: string }[]).map((group) => group.id),
      [id],
      filter,
    )
  }
  const etag = (await scim.call('GET', `/Groups/${id}`)).headers.get('etag')!
  assert.equal((await scim.call('GET', `/Groups/${id}`, undefined, { 'if-none-match': etag })).status, 304)
  const removal = [{ op: 'remove', path: 'members' }]
  assert.equal((await patch(id, removal, { 'if-match': etag })).status, 204)
  assert.equal((await patch(id, removal, { 'if-match': etag })).status, 412)
  const wrong: [body: object, status: number, scimType: string][] = [
    [{ displayName: '' }, 400, 'invalidValue'],
    [{ displayName: 'x'.repeat(201) }, 400, 'invalidValue'],
    [{ displayName: 'New', members: [{ value: 'nobody' }] }, 400, 'invalidValue'],
    [{ displayName: 'New', members: [{ value: id }] }, 400, 'invalidValue'],
    [{ displayName: 'New', members: [{ value: scim.userGuid }] }, 400, 'invalidValue'],
    [
      { displayName: 'New', members: Array.from({ length: 1_001 }, () => ({ value: person })) },
      400,
      'invalidValue',
    ],
  ]
  for (const [body, ...expected] of wrong)
    assert.deepEqual(
      refusal(await scim.call('POST', '/Groups', body)),
      expected,
      JSON.stringify(body).slice(0, 100),
    )
  const { displayName } = (await scim.call('GET', `/Groups/${id}`)).body
  const again = await scim.call('POST', '/Groups', { displayName: String(displayName).toUpperCase() })
  assert.deepEqual(refusal(again), [409, 'uniqueness'])
  assert.equal((await scim.call('GET', '/Groups/no-guid')).status, 404)
})

test('nobody gets by a directory what the directory lacks', async () => {
  const provision = await api.call('POST', '/system/forms/accessgroup/create', {
    body: { code: 'PROVISION', name: 'Provision', accessCodes: 'user.provision' },
  })
  assert.equal(provision.status, 201, provision.text)
  const auditors = await api.call<{ accessGroupGuid: string }>('POST', '/system/forms/accessgroup/create', {
    body: { code: 'AUDIT', name: 'Auditors', accessCodes: 'audit.read' },
  })
  const weak = await openDirectory(api, { userRole: 3, accessGroups: ['PROVISION'] })
  const person = await addPerson(weak, { roles: [{ value: '3' }] })
  // No role above its own, at creation or later.
  const chief = { userName: 'chief@agency.example', displayName: 'Chief', roles: [{ value: '2' }] }
  assert.equal((await weak.call('POST', '/Users', chief)).status, 403)
  const raise = {
    schemas: [patchOp],
    Operations: [{ op: 'replace', path: 'roles', value: [{ value: '2' }] }],
  }
  assert.equal((await weak.call('PATCH', `/Users/${person}`, raise)).status, 403)
  // No group with access codes that it lacks, whoever is put in or taken out.
  const { accessGroupGuid } = auditors.body
  const join = [{ op: 'add', path: 'members', value: [{ value: person }] }]
  assert.equal((await patch(accessGroupGuid, join, {}, weak)).status, 403)
  assert.equal((await patch(accessGroupGuid, join)).status, 204)
  assert.equal((await patch(accessGroupGuid, [{ op: 'remove', path: 'members' }], {}, weak)).status, 403)
  const rename = [{ op: 'replace', path: 'displayName', value: 'Ours' }]
  assert.equal((await patch(accessGroupGuid, rename, {}, weak)).status, 403)
  assert.equal((await weak.call('DELETE', `/Groups/${accessGroupGuid}`)).status, 403)
  // Nobody above it is touched: the person is now an auditor.
  const off = { schemas: [patchOp], Operations: [{ op: 'replace', path: 'active', value: false }] }
  assert.equal((await weak.call('PATCH', `/Users/${person}`, off)).status, 403)
  assert.equal((await weak.call('DELETE', `/Users/${person}`)).status, 403)
  assert.deepEqual(await listMembers(accessGroupGuid), [person])
  // Nor taken back.
  await scim.call(
    'DELETE',
    `/Users/${await addPerson(scim, { userName: 'former@agency.example', roles: [{ value: '2' }] })}`,
  )
  const former = { userName: 'former@agency.example', displayName: 'Former' }
  assert.equal((await weak.call('POST', '/Users', former)).status, 403)
})

test('a directory of one client sees its own people, and no groups', async () => {
  const party = await api.addParty('CLIENT')
  const group = await api.call('POST', '/system/forms/accessgroup/create', {
    body: { code: 'PROVISION2', name: 'Provision 2', accessCodes: 'user.provision' },
  })
  assert.equal(group.status, 201, group.text)
  const own = await openDirectory(api, {
    userRole: 6,
    partyReferenceCode: 'CLIENT',
    accessGroups: ['PROVISION2'],
  })
  const stranger = await addPerson()
  const member = await addPerson(own, { roles: [{ value: '9' }] })
  const listed = await own.call('GET', '/Users')
  assert.deepEqual(
    (listed.body['Resources'] as { id: string }[]).map(({ id }) => id),
    [member],
  )
  assert.equal((await own.call('GET', `/Users/${stranger}`)).status, 404)
  assert.equal((await own.call('DELETE', `/Users/${stranger}`)).status, 404)
  assert.equal((await own.call('GET', '/Groups')).status, 403)
  // A role of the agency would reach all clients.
  const agent = { userName: 'agent@client.example', displayName: 'Agent', roles: [{ value: '5' }] }
  assert.equal((await own.call('POST', '/Users', agent)).status, 403)
  const elsewhere = {
    userName: 'elsewhere@client.example',
    displayName: 'Elsewhere',
    roles: [{ value: '9' }],
    'urn:ietf:params:scim:schemas:extension:fordra:2.0:User': { partyReferenceCode: 'AGENCY' },
  }
  assert.equal((await own.call('POST', '/Users', elsewhere)).status, 400)
  assert.ok(party)
})

test('API users are no resources: a directory neither sees nor changes them, nor itself', async () => {
  const { body } = await scim.call('GET', '/Users?count=200')
  assert.ok((body['Resources'] as { id: string }[]).every(({ id }) => id !== scim.userGuid))
  assert.equal((await scim.call('GET', `/Users/${scim.userGuid}`)).status, 404)
  assert.equal((await scim.call('DELETE', `/Users/${scim.userGuid}`)).status, 404)
})
