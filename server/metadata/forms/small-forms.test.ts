/** The forms of notes, access groups, lookup values and system settings. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type Response, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

type Values = Record<string, string | number | boolean>
const form = (path: string) => `/system/forms/${path}`
const post = (path: string, body: object, token = api.token) =>
  api.call<Values>('POST', form(path), { body, token })
const patch = (path: string, body: object, headers = {}) => api.call('PATCH', form(path), { body, headers })
const read = (path: string, token = api.token) =>
  api.call<Values>('GET', `${form(path)}initialValues=true`, { token })

test('a note needs an item that the caller may see', async () => {
  const { debtorGuid } = (await post('debtor/create', { lastname: 'Berg' })).body
  const path = `note/create?id=${String(debtorGuid)}`
  const made = await post(path, { text: ' Called.\nNobody home. ' }, await api.signIn(14))
  assert.deepEqual([made.status, made.body['text']], [201, 'Called.\nNobody home.'])
  const at = `note/edit?id=${String(debtorGuid)}&subId=${String(made.body['noteGuid'])}`
  const { body } = await read(`${at}&`)
  assert.match(String(body['createdBy']), /^User \d+$/)
  assert.match(String(body['createdAt']), /^20\d\d-/)
  assert.equal((await patch(at, { text: 'Called twice.' })).headers.get('etag'), '"2"')
  assertProblem(await patch(at, { text: ' ' }), 'invalid', /text is required/)
  assertProblem(await post(path, { text: 'a\u0001b' }), 'invalid', /control characters/)
  assertProblem(await post(path, { text: 'x' }, await api.signIn(5)), 'forbidden', /debtor\.write/)
  const stranger = await api.signIn(9, await api.addParty('ELSEWHERE'))
  assertProblem(await read(`${at}&`, stranger), 'not-found', /no such item/)
  const nothing = 'note/create?id=0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'
  assertProblem(await post(nothing, { text: 'x' }), 'not-found', /no such item/)
  assert.equal((await api.call('DELETE', form(at))).status, 200)
})

const aboutItem = (guid: unknown) => `note/create?id=${String(guid)}`

test('who may not change the subject of a note writes none: Sales writes about clients only', async () => {
  const { debtorGuid } = (await post('debtor/create', { lastname: 'Berg' })).body
  const client = await api.addParty('NOTED')
  const sales = await api.signIn(4)
  const refused = await post(aboutItem(debtorGuid), { text: 'x' }, sales)
  assertProblem(refused, 'forbidden', /debtor\.write or case\.write/)
  assert.equal((await post(aboutItem(client), { text: 'Wants a visit.' }, sales)).status, 201)
  const made = await post(aboutItem(debtorGuid), { text: 'Called.' })
  const at = form(`note/edit?id=${String(debtorGuid)}&subId=${String(made.body['noteGuid'])}`)
  for (const [method, body] of [
    ['PATCH', { text: 'y' }],
    ['DELETE', undefined],
  ] as const)
    assertProblem(await api.call(method, at, { body, token: sales }), 'forbidden', /debtor\.write/)
})

test('an access group grants its codes, and cannot be deleted while users are in it', async () => {
  const made = await post('accessgroup/create', {
    code: 'AUDIT',
    name: 'Auditors',
    accessCodes: 'audit.read, debtor.read',
  })
  assert.equal(made.body['accessCodes'], 'audit.read,debtor.read')
  const at = `accessgroup/edit?id=${String(made.body['accessGroupGuid'])}`
  const user = await api.addUser({
    email: 'auditor@agency.example',
    password: 'a long passphrase here',
    userRole: 5,
  })
  assert.equal((await patch(`user/edit?id=${user}`, { accessGroups: 'AUDIT' })).status, 200)
  const refused = await api.call('DELETE', form(at))
  assertProblem(refused, 'conflict', /in use by 1 users/)
  await patch(`user/edit?id=${user}`, { accessGroups: '' })
  assert.equal((await api.call('DELETE', form(at))).status, 200)
  const wrong = { code: 'X', name: 'X', accessCodes: 'debtor.read,nosuch' }
  assertProblem(await post('accessgroup/create', wrong), 'invalid', /"accessCodes":\["must be one of/)
  const group = { code: 'TWICE', name: 'Twice' }
  await post('accessgroup/create', group)
  assertProblem(await post('accessgroup/create', { ...group, code: 'twice' }), 'conflict', /code already/)
})

test('nobody can grant access codes that they lack', async () => {
  const administrators = await post('accessgroup/create', {
    code: 'ADMIN',
    name: 'A',
    accessCodes: 'user.admin,user.write',
  })
  const user = await api.addUser({
    email: 'limited@agency.example',
    password: 'a long passphrase here',
    userRole: 5,
  })
  await patch(`user/edit?id=${user}`, { accessGroups: 'ADMIN' })
  const login = { login: 'limited@agency.example', password: 'a long passphrase here' }
  const { body } = await api.call<{ accessToken: string }>('POST', '/auth/login', { body: login })
  const beyond = { code: 'MORE', name: 'More', accessCodes: 'audit.admin' }
  assertProblem(
    await post('accessgroup/create', beyond, body.accessToken),
    'forbidden',
    /audit\.admin yourself/,
  )
  const own = { code: 'SAME', name: 'Same', accessCodes: 'user.write' }
  assert.equal((await post('accessgroup/create', own, body.accessToken)).status, 201)
  assert.ok(administrators.body['accessGroupGuid'])
})

test('a custom lookup is searched at once; the values of built-in lookups stay', async () => {
  const value = { lookupCode: 'Colour', lookupKey: 'R', textEn: 'Red', textSv: 'Röd' }
  const made = await post('lookupvalue/create', value)
  assert.equal(made.body['lookupCode'], 'colour')
  const found = await api.call<{ values: Values[] }>('POST', '/system/lookups/colour', {
    body: { searchStr: 're' },
  })
  assert.deepEqual(found.body.values, [{ lookupCode: 'colour', lookupKey: 'R', description: 'Red' }])
  assertProblem(
    await post('lookupvalue/create', { ...value, lookupKey: 'r' }),
    'conflict',
    /lookupKey already/,
  )
  const more = { lookupKey: 'X', textEn: 'X' }
  assertProblem(
    await post('lookupvalue/create', { ...more, lookupCode: 'gender' }),
    'invalid',
    /accepts no more values/,
  )
  const legal = { ...more, lookupCode: 'addresstype', lookupKey: 'LEGAL' }
  assertProblem(await post('lookupvalue/create', legal), 'invalid', /value of the lookup already/)
  const at = `lookupvalue/edit?id=${String(made.body['lookupValueGuid'])}`
  assertProblem(await patch(at, { textEn: '', textSv: '' }), 'invalid', /textEn is required/)
  assert.equal((await patch(at, { textEn: '' })).status, 200)
})

test('a value used by addresses cannot be deleted', async () => {
  const work = await post('lookupvalue/create', {
    lookupCode: 'addresstype',
    lookupKey: 'WORK',
    textEn: 'Work',
  })
  const { debtorGuid } = (await post('debtor/create', { lastname: 'Berg' })).body
  await post(`address/create?id=${String(debtorGuid)}`, { addressType: 'work', city: 'Lund' })
  const at = `lookupvalue/edit?id=${String(work.body['lookupValueGuid'])}`
  assertProblem(await api.call('DELETE', form(at)), 'conflict', /in use by 1 addresses/)
})

test('system settings have defaults, limits and a history', async () => {
  const first = await read('systemsettings/edit?')
  assert.deepEqual(
    [first.body['countryCode'], first.body['firstDueDays'], first.headers.get('etag')],
    ['SE', 30, '"1"'],
  )
  const stale = { 'if-match': '"9"' }
  assertProblem(
    await patch('systemsettings/edit', { graceDays: 8 }, stale),
    'precondition-failed',
    /"1"|ETag is now/,
  )
  assert.equal(
    (await patch('systemsettings/edit', { graceDays: 8, tolerance: 20, currencyCode: 'nok' })).status,
    200,
  )
  assertProblem(
    await patch('systemsettings/edit', { tolerance: 0.001 }),
    'invalid',
    /at most 2 decimals, as NOK/,
  )
  assertProblem(
    await patch('systemsettings/edit', { invoiceFee: -1 }),
    'invalid',
    /invoiceFee must be at least 0/,
  )
  await patch('systemsettings/edit', { currencyCode: '' })
  const last = await read('systemsettings/edit?')
  assert.deepEqual(
    [last.body['graceDays'], last.body['tolerance'], last.body['currencyCode'], last.headers.get('etag')],
    [8, 20, 'SEK', '"3"'],
  )
  const history = await api.sql<{ settings: object; replaced_by: string | null }[]>`
    select settings, replaced_by from system_setting_history order by version`
  assert.deepEqual(
    history.map(({ settings }) => settings),
    [{}, { graceDays: 8, tolerance: 20, currencyCode: 'NOK' }],
  )
  assert.ok(history.every((one) => one.replaced_by !== null))
  assertProblem(await read('systemsettings/edit?', await api.signIn(3)), 'forbidden', /system\.admin/)
})

test('the limit of contacts within a week is taken back by a flag', async () => {
  const path = 'systemsettings/edit?'
  const shown = async () => {
    const { body } = await read(path)
    return [body['contactsPerWeek'], body['contactsUnlimited']]
  }
  assert.deepEqual(await shown(), [undefined, true])
  assert.equal((await patch(path, { contactsPerWeek: 3 })).status, 200)
  assert.deepEqual(await shown(), [3, false])
  assert.equal((await patch(path, { contactsUnlimited: false, graceDays: 9 })).status, 200)
  assert.deepEqual(await shown(), [3, false])
  const both = await patch(path, { contactsPerWeek: 2, contactsUnlimited: true })
  assertProblem(both, 'invalid', /goes without contactsUnlimited/)
  assert.equal((await patch(path, { contactsUnlimited: true })).status, 200)
  assert.deepEqual(await shown(), [undefined, true])
})

test('new records start with the defaults of the settings', async () => {
  const first = (await read('debtor/create?')).body
  await patch('systemsettings/edit', { countryCode: 'fi', currencyCode: 'eur', languageCode: 'fi' })
  const debtor = (await read('debtor/create?')).body
  assert.deepEqual(
    [debtor['countryCode'], debtor['currencyCode'], debtor['languageCode']],
    ['FI', 'EUR', 'fi'],
  )
  const client = (await read('client/create?')).body
  assert.deepEqual([client['countryCode'], client['currencyCode']], ['FI', 'EUR'])
  assert.equal((await read('account/create?')).body['currencyCode'], 'EUR')
  const user = (await read('user/create?')).body
  assert.deepEqual([user['countryFormat'], user['languageCode']], ['FI', 'fi'])
  await patch('systemsettings/edit', { countryCode: '', currencyCode: '', languageCode: '' })
  assert.deepEqual((await read('debtor/create?')).body, first)
})

/** What must be the same by form and by API. */
const said = ({ status, body }: Response) => {
  const { traceId: _, instance: __, labels: ___, ...rest } = body
  return { status, body: rest }
}

test('a user is the same by form and by API, and so are the errors', async () => {
  const user = { fullName: 'Eva Lind', userRole: 3, password: 'a quite long passphrase', languageCode: 'sv' }
  const wrong = [
    {},
    { ...user, email: 'nobody' },
    { ...user, email: 'a@b.example', partyReferenceCode: 'NOSUCH', userRole: 99 },
    { ...user, email: 'a@b.example', partyReferenceCode: 'AGENCY', password: 'short', nosuch: 1 },
    { ...user, email: 'a@b.example', partyReferenceCode: 'AGENCY', password: 'short' },
  ]
  for (const body of wrong) {
    const direct = said(await api.call('POST', '/users', { body }))
    assert.equal(direct.status, 400)
    assert.deepEqual(said(await api.call('POST', form('user/create'), { body })), direct)
  }
  const records = []
  for (const [index, path] of ['/users', form('user/create')].entries()) {
    const body = { ...user, email: `eva${index}@agency.example`, partyReferenceCode: 'agency' }
    const guid = (await api.call<{ uniqueId: string }>('POST', path, { body })).body.uniqueId
    const { uniqueId, email, links, ...rest } = (await api.call('GET', `/users/${guid}`)).body as Record<
      string,
      unknown
    >
    assert.ok(uniqueId && email && links)
    records.push(rest)
  }
  assert.deepEqual(records[0], records[1])
  const [last] = await api.sql<{ id: string }[]>`select id from app_user where email = 'eva1@agency.example'`
  for (const body of [{ email: '' }, { userRole: 0 }, { phoneNumber: '1' }]) {
    const direct = said(await api.call('PUT', `/users/${last!.id}`, { body: { password: null, ...body } }))
    assert.deepEqual(said(await patch(`user/edit?id=${last!.id}`, body)), direct)
  }
})

test("a user's clients are entered as a list, and cannot exceed the caller's own", async () => {
  await post('client/create', { name: 'Top', partyReferenceCode: 'TOP' })
  await post('client/create', { name: 'Side', partyReferenceCode: 'SIDE' })
  const id = await api.addUser({ email: 'listed@agency.example', password: 'a long passphrase here' })
  const at = `user/edit?id=${id}`
  assert.equal((await patch(at, { clientRestriction: 'top/*, SIDE' })).status, 200)
  assert.equal((await read(`${at}&`)).body['clientRestriction'], 'SIDE,TOP/*')
  const { body } = await api.call<{ clientRestriction: object[] }>('GET', `/users/${id}`)
  assert.deepEqual(body.clientRestriction, [
    { partyReferenceCode: 'SIDE', includeSubParties: false },
    { partyReferenceCode: 'TOP', includeSubParties: true },
  ])
  assertProblem(
    await patch(at, { clientRestriction: 'NOSUCH' }),
    'invalid',
    /"clientRestriction":\["is not the reference/,
  )
  assert.equal((await patch(at, { clientRestriction: '' })).status, 200)
  assert.equal((await read(`${at}&`)).body['clientRestriction'], '')
})
