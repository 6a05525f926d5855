import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { User, UserListItem, UserSummary } from '../../../contract/access/users.ts'
import type { Page } from '../../platform/database/list.ts'
import { assertProblem } from '../../testing/problem.ts'
import { startApi, type CallOptions, type Response, type TestApi } from '../../testing/api.ts'

let api: TestApi
before(async () => {
  api = await startApi()
  await api.sql`
    insert into access_group (id, code, name, access_codes) values
      (gen_random_uuid(), 'AUDITORS', 'Auditors', '{audit.read}'), (gen_random_uuid(), 'READERS', 'Readers', '{debtor.read}')`
})
after(() => api.close())

let number = 0
const eva = () => {
  number += 1
  return {
    partyReferenceCode: 'agency',
    userCode: `eva${number}`,
    email: `Eva${number}@Agency.Example`,
    password: 'en lång mening som är hennes',
    fullName: 'Eva Lind',
    userRole: 3,
  }
}
type Body = User & { errors: Record<string, string[]>; accessToken: string }
const create = (body: object, options: CallOptions = {}) =>
  api.call<Body>('POST', '/users', { body, ...options })
const get = (guid: string, token = api.token) => api.call<User>('GET', `/users/${guid}`, { token })
const update = (guid: string, body: object, options: CallOptions = {}) =>
  api.call<Body>('PUT', `/users/${guid}`, { body, ...options })
const signIn = (login: string, password: string) =>
  api.call<Body>('POST', '/auth/login', { body: { login, password }, token: null })
const wrongMembers = (answer: Response<Body>) => Object.keys(answer.body.errors ?? {})

test('U9 creates, U10 and U12 read, and the user can sign in by e-mail and userCode', async () => {
  const input = {
    ...eva(),
    languageCode: 'SV',
    countryFormat: 'se',
    phoneNumber: '040-628 04 11',
    accessGroups: ['auditors'],
  }
  const made = await create(input)
  assert.equal(made.status, 201, made.text)
  const user = made.body
  assert.equal(made.headers.get('location'), `/api/v1/users/${user.uniqueId}`)
  assert.equal(user.partyReferenceCode, 'AGENCY')
  assert.equal(user.languageCode, 'sv')
  assert.equal(user.countryFormat, 'SE')
  assert.equal(user.phoneNumber, '+46406280411')
  assert.deepEqual(user.accessGroups, ['AUDITORS'])
  assert.deepEqual([user.disabled, user.apiUser], [false, false])
  assert.ok(!made.text.includes('mening'))
  assert.deepEqual((await get(user.uniqueId)).body, user)
  const summary = await api.call<UserSummary>('GET', `/users/${user.uniqueId}/summary`)
  assert.equal(summary.body.fullName, 'Eva Lind')
  assert.equal((await signIn(input.email.toUpperCase(), input.password)).status, 200)
  assert.equal((await signIn(input.userCode.toUpperCase(), input.password)).status, 200)
})

const refused: [what: string, change: object, member: string][] = [
  ['no party', { partyReferenceCode: null }, 'partyReferenceCode'],
  ['an unknown party', { partyReferenceCode: 'NOBODY' }, 'partyReferenceCode'],
  ['no e-mail', { email: '' }, 'email'],
  ['a malformed e-mail', { email: 'eva' }, 'email'],
  ['no name', { fullName: null }, 'fullName'],
  ['no role', { userRole: null }, 'userRole'],
  ['an unknown role', { userRole: 15 }, 'userRole'],
  ['no password', { password: null }, 'password'],
  ['a short password', { password: 'kort och gott' }, 'password'],
  ['a common password', { password: '1234567890', mfaType: 1 }, 'password'],
  ['the product as a password', { password: 'fordrafordrafordra' }, 'password'],
  ['a client id that is no GUID', { clientId: 'x', clientSecret: 'y'.repeat(36) }, 'clientId'],
  ['a client id without its secret', { clientId: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70' }, 'clientSecret'],
  ['an unknown access group', { accessGroups: ['READERS', 'NONE'] }, 'accessGroups[1]'],
  [
    'an unknown client',
    { clientRestriction: [{ partyReferenceCode: 'X', includeSubParties: true }] },
    'clientRestriction[0].partyReferenceCode',
  ],
  [
    'a client without its flag',
    { clientRestriction: [{ partyReferenceCode: 'AGENCY' }] },
    'clientRestriction[0].includeSubParties',
  ],
  ['a language that is none', { languageCode: 'xx' }, 'languageCode'],
  ['a userCode with @', { userCode: 'eva@home' }, 'userCode'],
  ['a GUID that is none', { existingUserUniqueId: '17' }, 'existingUserUniqueId'],
  ['a photo that is a script', { photoImageType: 'image/svg+xml', photoImage: 'PHN2Zz4=' }, 'photoImageType'],
  ['a photo of another type', { photoImageType: 'image/png', photoImage: '/9j/4AAQSkZJRg==' }, 'photoImage'],
  ['a photo without a type that is no base64', { photoImageType: null, photoImage: '***' }, 'photoImage'],
  ['a photo that is no base64', { photoImageType: 'image/png', photoImage: 'a b' }, 'photoImage'],
]
for (const [what, change, member] of refused) {
  test(`U9 refuses ${what}`, async () => {
    const answer = await create({ ...eva(), ...change })
    assert.equal(answer.status, 400, answer.text)
    assert.deepEqual(wrongMembers(answer), [member], answer.text)
  })
}

test('U9: e-mail, userCode and GUID are unique regardless of letter case', async () => {
  const first = eva()
  const { body } = await create(first)
  for (const [member, change] of [
    ['email', { email: first.email.toLowerCase() }],
    ['userCode', { userCode: first.userCode.toUpperCase() }],
    ['existingUserUniqueId', { existingUserUniqueId: body.uniqueId.toUpperCase() }],
  ] as const) {
    const answer = await create({ ...eva(), ...change })
    assert.equal(answer.status, 409, answer.text)
    assert.deepEqual(wrongMembers(answer), [member])
  }
  const guid = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e71'
  assert.equal((await create({ ...eva(), existingUserUniqueId: guid })).body.uniqueId, guid)
})

test('a photo is returned unchanged, and the audit trail does not hold it', async () => {
  const photoImage = Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64')
  const { body } = await create({ ...eva(), photoImageType: 'IMAGE/PNG', photoImage })
  assert.deepEqual([body.photoImageType, body.photoImage], ['image/png', photoImage])
  await update(body.uniqueId, { password: null, photoImage: '' })
  const { body: changed } = await get(body.uniqueId)
  assert.deepEqual([changed.photoImageType, changed.photoImage], [null, null])
  const entries =
    await api.sql`select changes::text as changes from audit_entry where subject = ${body.uniqueId}`
  assert.ok(entries.every(({ changes }) => !(changes as string).includes(photoImage)))
})

function photo(bytes: number) {
  const image = Buffer.alloc(bytes)
  image.write('89504e470d0a1a0a', 'hex')
  return { photoImageType: 'image/png', photoImage: image.toString('base64') }
}

test('a photo of 1 MiB is accepted by operations and forms, a larger one is not', async () => {
  const largest = photo(1_048_576)
  const { status, body, text } = await create({ ...eva(), ...largest })
  assert.equal(status, 201, text)
  assert.equal((await update(body.uniqueId, { password: null, ...largest })).status, 200)
  const form = '/system/forms/user'
  const made = await api.call('POST', `${form}/create`, { body: { ...eva(), ...largest } })
  assert.equal(made.status, 201, made.text)
  const stored = await api.call('PATCH', `${form}/edit?id=${body.uniqueId}`, { body: largest })
  assert.equal(stored.status, 200, stored.text)
  assert.deepEqual(wrongMembers(await create({ ...eva(), ...photo(1_048_577) })), ['photoImage'])
  assertProblem(await create({ ...eva(), ...photo(1_600_000) }), 'payload-too-large', /2 MiB with a photo/)
})

test('U11 needs the member password; null changes nothing, the empty string clears', async () => {
  const input = { ...eva(), department: 'Juridik', city: 'Lund' }
  const { body } = await create(input)
  assert.deepEqual(wrongMembers(await update(body.uniqueId, { department: 'X' })), ['password'])
  const answer = await update(body.uniqueId, {
    password: null,
    department: '',
    city: null,
    fullName: 'Eva Ek',
  })
  assert.equal(answer.status, 200)
  const { body: changed, headers } = await get(body.uniqueId)
  assert.deepEqual([changed.department, changed.city, changed.fullName], [null, 'Lund', 'Eva Ek'])
  assert.equal(headers.get('etag'), '"2"')
  assert.equal((await signIn(input.email, input.password)).status, 200)
  assert.equal(
    (await update(body.uniqueId, { password: null }, { headers: { 'if-match': '"1"' } })).status,
    412,
  )
})

test('U11: a new password ends the sessions and the old password', async () => {
  const input = eva()
  const { body } = await create(input)
  const { accessToken } = (await signIn(input.email, input.password)).body
  assert.equal((await api.call('GET', '/system/information', { token: accessToken })).status, 200)
  assert.equal((await update(body.uniqueId, { password: 'en helt annan mening nu' })).status, 200)
  assert.equal((await api.call('GET', '/system/information', { token: accessToken })).status, 401)
  assert.equal((await signIn(input.email, input.password)).status, 401)
  assert.equal((await signIn(input.email, 'en helt annan mening nu')).status, 200)
})

test('U11: a disabled user is signed out at once, and can sign in when enabled again', async () => {
  const input = eva()
  const { body } = await create(input)
  const { accessToken } = (await signIn(input.email, input.password)).body
  await update(body.uniqueId, { password: null, disabled: true })
  assert.equal((await api.call('GET', '/users/current', { token: accessToken })).status, 401)
  assert.equal((await signIn(input.email, input.password)).status, 401)
  await update(body.uniqueId, { password: null, disabled: false })
  assert.equal((await signIn(input.email, input.password)).status, 200)
})

test('U11 cannot change fixed members, nor take an e-mail in use', async () => {
  const [first, second] = [eva(), eva()]
  await create(first)
  const { body } = await create(second)
  for (const member of ['apiUser', 'userCode', 'partyReferenceCode', 'mfaType', 'clientSecret']) {
    assert.deepEqual(wrongMembers(await update(body.uniqueId, { password: null, [member]: 'x' })), [member])
  }
  assert.equal((await update(body.uniqueId, { password: null, email: first.email })).status, 409)
})

test('the last administrator cannot be removed', async () => {
  const own = await startApi()
  try {
    const { body } = await own.call<{ uniqueId: string }>('GET', '/users/current')
    for (const change of [{ disabled: true }, { userRole: 5 }]) {
      const answer = await own.call('PUT', `/users/${body.uniqueId}`, { body: { password: null, ...change } })
      assert.equal(answer.status, 422)
    }
  } finally {
    await own.close()
  }
})

test('U8 lists, filters and sorts', async () => {
  const input = { ...eva(), department: 'Listan', fullName: 'Örjan' }
  await create(input)
  await create({ ...eva(), department: 'Listan', fullName: 'Adam' })
  const query = new URLSearchParams({ $filter: "department eq 'Listan'", $orderby: 'fullName desc' })
  const { body } = await api.call<Page<UserListItem>>('GET', `/users?${query}`)
  assert.deepEqual(
    body.value.map(({ fullName }) => fullName),
    ['Örjan', 'Adam'],
  )
  assert.equal(body.total, 2)
  for (const name of Object.keys(body.value[0]!)) {
    const one = await api.call(
      'GET',
      `/users?${new URLSearchParams({ $filter: `${name} eq null`, $orderby: name })}`,
    )
    // Every scalar member of the list item can be filtered and sorted.
    assert.equal(one.status, 200, `${name}: ${one.text}`)
  }
  assert.equal(
    (await api.call('GET', `/users?${new URLSearchParams({ $filter: "passwordHash eq 'x'" })}`)).status,
    400,
  )
})

test('nobody can grant more than they have', async () => {
  const client = await api.addParty('KUND')
  await api.addParty('ANNAN')
  const chief = await api.signIn(6, client)
  const mine = { ...eva(), partyReferenceCode: 'KUND', userRole: 7 }
  const made = await create(mine, { token: chief })
  assert.equal(made.status, 201, made.text)
  assert.equal(
    (await create({ ...eva(), partyReferenceCode: 'KUND', userRole: 3 }, { token: chief })).status,
    403,
  )
  assert.equal(
    (await create({ ...eva(), partyReferenceCode: 'KUND', userRole: 2 }, { token: chief })).status,
    403,
  )
  assert.equal(
    (
      await create(
        { ...mine, ...eva(), partyReferenceCode: 'KUND', userRole: 7, accessGroups: ['AUDITORS'] },
        { token: chief },
      )
    ).status,
    403,
  )
  assert.deepEqual(wrongMembers(await create({ ...eva(), userRole: 7 }, { token: chief })), [
    'partyReferenceCode',
  ])
  const elsewhere = { clientRestriction: [{ partyReferenceCode: 'ANNAN', includeSubParties: false }] }
  assert.equal(
    (await create({ ...eva(), partyReferenceCode: 'KUND', userRole: 7, ...elsewhere }, { token: chief }))
      .status,
    400,
  )
  assert.equal(
    (await update(made.body.uniqueId, { password: null, userRole: 2 }, { token: chief })).status,
    403,
  )
  assert.equal(
    (await update(made.body.uniqueId, { password: null, department: 'Ny' }, { token: chief })).status,
    200,
  )
})

test('a restricted user sees only users of their own parties', async () => {
  const client = await api.addParty('SYN')
  const contact = await api.signIn(11, client)
  const { body: agencyUser } = await create(eva())
  const { body: list } = await api.call<Page<UserListItem>>('GET', '/users', { token: contact })
  assert.deepEqual([...new Set(list.value.map(({ partyReferenceCode }) => partyReferenceCode))], ['SYN'])
  assert.equal(list.total, list.value.length)
  assert.equal((await get(agencyUser.uniqueId, contact)).status, 404)
  assert.equal((await update(agencyUser.uniqueId, { password: null }, { token: contact })).status, 404)
  assert.equal(
    (await api.call('GET', `/users/${agencyUser.uniqueId}/summary`, { token: contact })).status,
    404,
  )
})

test('an access group grants its codes, also to running sessions', async () => {
  const input = { ...eva(), userRole: 8 }
  const { body } = await create(input)
  const { accessToken } = (await signIn(input.email, input.password)).body
  assert.equal((await api.call('GET', '/users', { token: accessToken })).status, 403)
  await api.sql`
    insert into access_group (id, code, name, access_codes) values (gen_random_uuid(), 'PEOPLE', 'People', '{user.read}')`
  await update(body.uniqueId, { password: null, accessGroups: ['PEOPLE'] })
  const profile = await api.call<{ accessCodes: string[] }>('GET', '/users/current', { token: accessToken })
  assert.ok(profile.body.accessCodes.includes('user.read'))
  assert.equal((await api.call('GET', '/users', { token: accessToken })).status, 200)
})

test('each change is an event and audited, without the password', async () => {
  const input = eva()
  const { body } = await create(input)
  await update(body.uniqueId, { password: 'en helt annan mening nu', department: 'Spår' })
  const events =
    await api.sql`select type, data from event where subject = ${body.uniqueId} order by sequence`
  assert.deepEqual(
    events.map(({ type }) => type),
    ['user.created', 'user.updated'],
  )
  assert.deepEqual((events[1]!['data'] as { changed: string[] }).changed.toSorted(), [
    'department',
    'password',
  ])
  const entries =
    await api.sql`select changes from audit_entry where subject = ${body.uniqueId} order by position`
  assert.deepEqual(entries[1]!['changes'], { department: [null, 'Spår'], password: [null, 'changed'] })
})
