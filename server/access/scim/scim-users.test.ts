/** Users of a directory. The bodies are those that RFC 7644, Microsoft and Okta publish, with our own names in them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openDirectory, type Directory } from './directory-for-tests.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
let scim: Directory

const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const coreUser = 'urn:ietf:params:scim:schemas:core:2.0:User'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

before(async () => {
  api = await startApi()
  scim = await openDirectory(api, { userRole: 2 })
})
after(() => api.close())

let people = 0
async function addPerson(change: object = {}): Promise<Record<string, unknown> & { id: string }> {
  const name = `person${++people}@agency.example`
  const made = await scim.call('POST', '/Users', {
    schemas: [coreUser],
    userName: name,
    name: { givenName: 'Eva', familyName: `Lind${people}` },
    ...change,
  })
  assert.equal(made.status, 201, made.text)
  return made.body as Record<string, unknown> & { id: string }
}
const patch = (id: string, operations: object[], headers = {}) =>
  scim.call('PATCH', `/Users/${id}`, { schemas: [patchOp], Operations: operations }, headers)
const search = async (filter: string) =>
  (await scim.call('GET', `/Users?${new URLSearchParams({ filter })}`)).body as unknown as {
    totalResults: number
    Resources: { id: string; userName: string }[]
  }

test('RFC 7644: a user is created, read, replaced and changed', async () => {
  const made = await scim.call('POST', '/Users', {
    schemas: [coreUser],
    userName: 'bjensen',
    externalId: 'bjensen',
    name: { formatted: 'Ms. Barbara J Jensen III', familyName: 'Jensen', givenName: 'Barbara' },
    emails: [{ value: 'bjensen@agency.example', type: 'work', primary: true }],
  })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.headers.get('content-type'), 'application/scim+json; charset=utf-8')
  const { id } = made.body as { id: string }
  const location = `${api.address}/scim/v2/Users/${id}`
  assert.equal(made.headers.get('location'), location)
  assert.deepEqual(made.body, {
    schemas: [coreUser, 'urn:ietf:params:scim:schemas:extension:fordra:2.0:User'],
    id,
    externalId: 'bjensen',
    userName: 'bjensen',
    name: { formatted: 'Ms. Barbara J Jensen III', familyName: 'Jensen', givenName: 'Barbara' },
    displayName: 'Ms. Barbara J Jensen III',
    active: true,
    emails: [{ value: 'bjensen@agency.example', type: 'work', primary: true }],
    roles: [{ value: '5', display: 'Solicitor, Other', primary: true }],
    'urn:ietf:params:scim:schemas:extension:fordra:2.0:User': { partyReferenceCode: 'AGENCY' },
    meta: {
      resourceType: 'User',
      created: (made.body as { meta: { created: string } }).meta.created,
      location,
      version: made.headers.get('etag'),
    },
  })
  const read = await scim.call('GET', `/Users/${id}`)
  assert.deepEqual(read.body, made.body)
  assert.equal(read.headers.get('etag'), made.headers.get('etag'))

  const replaced = await scim.call(
    'PUT',
    `/Users/${id}`,
    {
      schemas: [coreUser],
      id,
      userName: 'bjensen',
      externalId: 'bjensen',
      name: {
        formatted: 'Ms. Barbara J Jensen III',
        familyName: 'Jensen',
        givenName: 'Barbara',
        middleName: 'Jane',
      },
      roles: [],
      emails: [{ value: 'bjensen@agency.example' }, { value: 'babs@jensen.example' }],
      phoneNumbers: [{ type: 'work', value: '+46 40 12 34 56' }],
    },
    { 'if-match': made.headers.get('etag')! },
  )
  assert.equal(replaced.status, 200, replaced.text)
  assert.deepEqual(replaced.body['phoneNumbers'], [{ type: 'work', value: '+4640123456' }])

  const changed = await patch(id, [
    {
      op: 'add',
      value: { emails: [{ value: 'babs@agency.example', type: 'home' }], nickName: 'Babs' },
    },
  ])
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(changed.body['emails'], [{ value: 'bjensen@agency.example', type: 'work', primary: true }])
})

test('Microsoft Entra: the published life of a user', async () => {
  const userName = 'Test_User_ab6490ee-1e48-479e-a20b-2d77186b5dd1'
  const made = await scim.call('POST', '/Users', {
    schemas: [coreUser, enterprise],
    externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
    userName,
    active: true,
    emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@testuser.com' }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
  })
  assert.equal(made.status, 201, made.text)
  const { id } = made.body as { id: string }
  assert.deepEqual(
    (await search(`userName eq "${userName}"`)).Resources.map((one) => one.id),
    [id],
  )
  assert.deepEqual((await search(`externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"`)).totalResults, 1)
  assert.deepEqual(await search('userName eq "non-existent user"'), {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: 0,
    startIndex: 1,
    itemsPerPage: 0,
    Resources: [],
  })
  const renamed = await patch(id, [
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
    { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
  ])
  assert.equal(renamed.status, 200, renamed.text)
  assert.deepEqual(renamed.body['emails'], [
    { value: 'updatedEmail@microsoft.com', type: 'work', primary: true },
  ])
  assert.deepEqual((renamed.body['name'] as { familyName: string }).familyName, 'updatedFamilyName')
  const moved = await patch(id, [{ op: 'Replace', path: 'userName', value: '5b50642d@testuser.com' }])
  assert.equal(moved.body['userName'], '5b50642d@testuser.com')
  const added = await patch(id, [
    { op: 'Add', path: `${enterprise}:department`, value: 'Legal' },
    { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+46701234567' },
    { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Malmö' },
    { op: 'Add', path: 'title', value: 'scim tester' },
    { op: 'Replace', path: 'active', value: 'False' },
  ])
  assert.equal(added.status, 200, added.text)
  assert.deepEqual(added.body[enterprise], { department: 'Legal' })
  assert.deepEqual(added.body['phoneNumbers'], [{ type: 'mobile', value: '+46701234567' }])
  assert.equal(added.body['active'], false)
  assert.equal((await patch(id, [{ op: 'Replace', path: 'active', value: 'True' }])).body['active'], true)
  assert.equal((await scim.call('DELETE', `/Users/${id}`)).status, 204)
  assert.equal((await scim.call('GET', `/Users/${id}`)).status, 404)
})

test('Okta: import, create, update and deactivate as published', async () => {
  assert.equal((await scim.call('GET', '/Users?startIndex=1&count=2')).status, 200)
  const made = await scim.call('POST', '/Users', {
    schemas: [coreUser],
    userName: 'test.user@okta.local',
    name: { givenName: 'Test', familyName: 'User' },
    emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
    displayName: 'Test User',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  })
  assert.equal(made.status, 201, made.text)
  assert.equal('password' in made.body, false)
  const { id } = made.body as { id: string }
  const off = await scim.call('PATCH', `/Users/${id}`, {
    schemas: [patchOp],
    Operations: [{ op: 'replace', value: { active: false } }],
  })
  assert.equal(off.body['active'], false, off.text)
  const replaced = await scim.call('PUT', `/Users/${id}`, {
    schemas: [coreUser],
    id,
    userName: 'test.user@okta.local',
    name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
    emails: [{ primary: true, value: 'test.user@okta.local', type: 'work', display: 'test.user@okta.local' }],
    active: true,
    groups: [],
    meta: { resourceType: 'User' },
  })
  assert.equal(replaced.status, 200, replaced.text)
  assert.equal(replaced.body['displayName'], 'Another User')
  assert.equal(replaced.body['active'], true)
})

test('filters find by every attribute, and what is wrong with one is said', async () => {
  const one = await addPerson({
    externalId: 'X-1',
    displayName: 'Åsa "Quote" Öst',
    [enterprise]: { department: 'Law', employeeNumber: '0701984' },
    roles: [{ value: '3' }],
    preferredLanguage: 'sv-SE',
  })
  const name = one['userName'] as string
  const found = [
    `userName eq "${name.toUpperCase()}"`,
    `userName sw "${name.slice(0, 8)}" and externalId eq "X-1"`,
    `userName co "${name.slice(2, 9)}" and userName ew ".example" and not (externalId ne "X-1")`,
    `emails.value eq "${name}"`,
    `emails[type eq "work" and value co "${name}"]`,
    `emails eq "${name}"`,
    'displayName co "\\u00c5SA \\"quote\\""',
    'externalId eq "X-1" and active eq true',
    'externalId eq "X-1" and active eq "True"',
    `id eq "${one.id}"`,
    `${coreUser}:userName eq "${name}"`,
    `${enterprise}:employeeNumber eq "0701984"`,
    'externalId eq "X-1" and (roles.value eq "3" or roles.value eq "9")',
    'externalId eq "X-1" and meta.created gt "2020-01-01T00:00:00Z"',
    'EXTERNALID EQ "X-1" AND NAME.FAMILYNAME PR',
  ]
  for (const filter of found) {
    const answer = await search(filter)
    assert.deepEqual(
      answer.Resources?.map(({ id }) => id),
      [one.id],
      `${filter}: ${JSON.stringify(answer)}`,
    )
  }
  for (const filter of ['externalId eq "x-1"', 'externalId eq "X-1" and active eq false', 'id eq "nobody"'])
    assert.equal((await search(filter)).totalResults, 0, filter)
  const wrong = [
    'userName',
    'userName eq',
    'userName eq "a" or',
    'nothing eq "a"',
    'password eq "a"',
    'userName like "a"',
    'active gt true',
    'userName gt "a"',
    'userName eq "a") or (active eq true',
    `userName eq "a'; drop table app_user; --`,
    `${'('.repeat(20)}active eq true${')'.repeat(20)}`,
    `userName eq "${'a'.repeat(3_000)}"`,
    'meta.created gt "yesterday"',
  ]
  for (const filter of wrong) {
    const { status, body } = await scim.call('GET', `/Users?${new URLSearchParams({ filter })}`)
    assert.equal(status, 400, filter)
    assert.deepEqual(
      { schemas: body['schemas'], status: body['status'], scimType: body['scimType'] },
      { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '400', scimType: 'invalidFilter' },
      filter,
    )
  }
})

test('pages begin at 1, have a limit, and give the attributes that were asked for', async () => {
  await addPerson()
  await addPerson()
  const all = await scim.call('GET', '/Users?count=1000')
  const total = all.body['totalResults'] as number
  assert.equal(all.body['itemsPerPage'], total)
  const ids: string[] = []
  for (let startIndex = 1; startIndex <= total; startIndex += 2) {
    const page = await scim.call(
      'GET',
      `/Users?startIndex=${startIndex}&count=2&attributes=userName,name.familyName`,
    )
    for (const one of page.body['Resources'] as Record<string, unknown>[]) {
      assert.deepEqual(
        Object.keys(one).filter((name) => !['schemas', 'id', 'name', 'userName', 'meta'].includes(name)),
        [],
      )
      ids.push(one['id'] as string)
    }
  }
  assert.equal(new Set(ids).size, total)
  const none = await scim.call('GET', '/Users?count=0')
  assert.deepEqual([none.body['totalResults'], none.body['itemsPerPage']], [total, 0])
  assert.equal((await scim.call('GET', '/Users?startIndex=0&count=-1')).body['itemsPerPage'], 0)
  assert.equal((await scim.call('GET', '/Users?startIndex=a')).body['scimType'], 'invalidValue')
  const without = await scim.call('GET', `/Users/${ids[0]}?excludedAttributes=emails,roles`)
  assert.equal('emails' in without.body || 'roles' in without.body, false)
  const posted = await scim.call('POST', '/Users/.search', {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
    filter: 'userName sw "person"',
    attributes: ['userName'],
    startIndex: 1,
    count: 1,
  })
  assert.equal(posted.body['itemsPerPage'], 1, posted.text)
})

test('versions: a change of an old version is refused, an unchanged resource is not sent again', async () => {
  const { id } = await addPerson()
  const read = await scim.call('GET', `/Users/${id}`)
  const etag = read.headers.get('etag')!
  assert.match(etag, /^W\/"\d+"$/)
  assert.equal((await scim.call('GET', `/Users/${id}`, undefined, { 'if-none-match': etag })).status, 304)
  const change = [{ op: 'replace', path: 'displayName', value: 'Eva Berg' }]
  assert.equal((await patch(id, change, { 'if-match': 'W/"99"' })).status, 412)
  assert.equal((await patch(id, change, { 'if-match': etag })).status, 200)
  assert.equal((await scim.call('DELETE', `/Users/${id}`, undefined, { 'if-match': etag })).status, 412)
})

const refuse = async (body: object, status: number, scimType: string | undefined) => {
  const answer = await scim.call('POST', '/Users', { schemas: [coreUser], ...body })
  assert.deepEqual([answer.status, answer.body['scimType']], [status, scimType], answer.text)
}

test('two users cannot have one name, in any spelling; wrong values are named', async () => {
  const one = await addPerson()
  await refuse({ userName: (one['userName'] as string).toUpperCase(), displayName: 'A' }, 409, 'uniqueness')
  await refuse(
    { userName: one['userName'], emails: [{ value: 'other@agency.example' }], displayName: 'A' },
    409,
    'uniqueness',
  )
  await refuse({ displayName: 'A' }, 400, 'invalidValue')
  await refuse({ userName: 'no-mail' }, 400, 'invalidValue')
  await refuse({ userName: 'x@agency.example', emails: [{ value: 'no mail' }] }, 400, 'invalidValue')
  await refuse({ userName: 'x@agency.example', active: 'perhaps' }, 400, 'invalidValue')
  await refuse({ userName: 'x@agency.example', roles: [{ value: '99' }] }, 400, 'invalidValue')
  await refuse({ userName: 'x@agency.example', roles: [{ value: '3' }, { value: '4' }] }, 400, 'invalidValue')
  await refuse({ userName: 'x@agency.example', preferredLanguage: 'xx' }, 400, 'invalidValue')
  await refuse({ userName: `${'x'.repeat(300)}@agency.example` }, 400, 'invalidValue')
  const [{ count }] = await api.sql<[{ count: number }]>`
    select count(*)::int as count from app_user where email = 'x@agency.example'`
  assert.equal(count, 0)
})

test('a wrong change says what is wrong, and changes nothing', async () => {
  const { id } = await addPerson()
  const refused: [operations: object[], scimType: string][] = [
    [[{ op: 'replace', path: 'id', value: 'x' }], 'mutability'],
    [[{ op: 'add', path: 'groups', value: [{ value: id }] }], 'mutability'],
    [[{ op: 'replace', path: 'colour', value: 'red' }], 'invalidPath'],
    [[{ op: 'replace', path: 'userName[a eq 1]', value: 'red' }], 'invalidPath'],
    [[{ op: 'replace', path: 'emails[type co "home"].value', value: 'a@b.example' }], 'noTarget'],
    [[{ op: 'remove' }], 'noTarget'],
    [[{ op: 'remove', path: 'userName' }], 'invalidValue'],
    [[{ op: 'move', path: 'userName', value: 'a' }], 'invalidSyntax'],
    [[{ op: 'replace', path: '__proto__.polluted', value: 'yes' }], 'invalidPath'],
    [
      [
        { op: 'replace', path: 'displayName', value: 'Changed' },
        { op: 'replace', path: 'active', value: 3 },
      ],
      'invalidValue',
    ],
    [
      [
        {
          op: 'replace',
          path: 'urn:ietf:params:scim:schemas:extension:fordra:2.0:User:partyReferenceCode',
          value: 'OTHER',
        },
      ],
      'mutability',
    ],
  ]
  const { text } = await scim.call('GET', `/Users/${id}`)
  for (const [operations, scimType] of refused) {
    const answer = await patch(id, operations)
    assert.deepEqual([answer.status, answer.body['scimType']], [400, scimType], JSON.stringify(operations))
  }
  const bare = await scim.call('PATCH', `/Users/${id}`, {
    Operations: [{ op: 'remove', path: 'preferredLanguage' }],
  })
  assert.equal(bare.body['scimType'], 'invalidSyntax')
  assert.equal((await scim.call('GET', `/Users/${id}`)).text, text)
  assert.equal(({} as { polluted?: string }).polluted, undefined)
})

test('a deleted user is disabled and signed out, keeps the trail, and comes back with new rights only', async () => {
  const group = await scim.call('POST', '/Groups', { displayName: 'Night shift' })
  const one = await addPerson({ roles: [{ value: '3' }], externalId: 'old' })
  const member = [{ op: 'add', path: 'members', value: [{ value: one.id }] }]
  await scim.call('PATCH', `/Groups/${group.body['id']}`, { schemas: [patchOp], Operations: member })
  const { startSession } = await import('../sessions/sessions.ts')
  const { tokens } = await startSession(api.sql, one.id)
  const signedIn = () => api.call('GET', '/users/current', { token: tokens.accessToken })
  assert.equal((await signedIn()).status, 200)
  assert.equal((await scim.call('DELETE', `/Users/${one.id}`)).status, 204)
  assert.equal((await signedIn()).status, 401)
  assert.equal((await scim.call('DELETE', `/Users/${one.id}`)).status, 404)
  assert.equal((await patch(one.id, [{ op: 'replace', path: 'active', value: true }])).status, 404)
  assert.equal((await search(`userName eq "${one['userName']}"`)).totalResults, 0)
  const kept = await api.call<{ disabled: boolean; accessGroups: string[] }>('GET', `/users/${one.id}`)
  assert.deepEqual([kept.body.disabled, kept.body.accessGroups], [true, []])

  const again = await scim.call('POST', '/Users', {
    userName: one['userName'],
    displayName: 'Eva Again',
    externalId: 'new',
  })
  assert.equal(again.status, 201, again.text)
  assert.equal(again.body['id'], one.id)
  assert.deepEqual(
    [
      again.body['active'],
      again.body['externalId'],
      again.body['groups'],
      (again.body['roles'] as { value: string }[])[0]!.value,
    ],
    [true, 'new', undefined, '5'],
  )
  const audit = await api.call<{ value: { type: string; actorGuid: string }[] }>(
    'GET',
    `/audit?$filter=${encodeURIComponent(`entityGuid eq ${one.id}`)}`,
  )
  assert.ok(audit.body.value.length >= 4, audit.text)
})

test('a provisioned user gets no password by e-mail', async () => {
  const one = await addPerson()
  const { lockResettableUser } = await import('../users/password-reset.store.ts')
  assert.equal(await lockResettableUser(api.sql, one['userName'] as string), undefined)
})
