import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as client from 'openid-client'
import { allAccessCodes } from '../../../contract/access/access.ts'
import type { ClientToken } from '../../../contract/access/oauth2.ts'
import type { CurrentUser } from '../../../contract/access/current-user.ts'
import type { User } from '../../../contract/access/users.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

const clientSecret = 'en hemlighet: med kolon, å och + tecken %'
let clients = 0

async function makeClient(change: object = {}): Promise<{ clientId: string; userGuid: string }> {
  clients += 1
  const clientId = `0190a6f2-7c1e-7d3a-8b4e-${String(clients).padStart(12, '0')}`
  const body = {
    partyReferenceCode: 'AGENCY',
    email: `klient${clients}@agency.example`,
    fullName: 'Ett program',
    userRole: 3,
    clientId,
    clientSecret,
    ...change,
  }
  const made = await api.call<User>('POST', '/users', { body })
  assert.equal(made.status, 201, made.text)
  return { clientId, userGuid: made.body.uniqueId }
}

const encodeForm = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString()
const encode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1)
const basicHeader = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`
interface Refused {
  error: string
  error_description: string
  code: string
  errors?: Record<string, string[]>
}
const ask = (form: string, headers: Record<string, string> = {}) =>
  api.call<ClientToken & Refused>('POST', '/oauth2/token', {
    raw: form,
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
const grant = { grant_type: 'client_credentials' }

test('requestToken: by form and by HTTP Basic, with the id in any letter case', async () => {
  const { clientId, userGuid } = await makeClient()
  const byForm = await ask(encodeForm({ ...grant, client_id: clientId, client_secret: clientSecret }))
  assert.equal(byForm.status, 200, byForm.text)
  assert.equal(byForm.headers.get('cache-control'), 'no-store')
  assert.equal(byForm.headers.get('pragma'), 'no-cache')
  assert.deepEqual(Object.keys(byForm.body), ['access_token', 'token_type', 'expires_in', 'scope'])
  assert.deepEqual([byForm.body.token_type, byForm.body.expires_in], ['Bearer', 3600])
  const byHeader = await ask(encodeForm(grant), {
    authorization: basicHeader(clientId.toUpperCase(), clientSecret),
  })
  assert.equal(byHeader.status, 200, byHeader.text)
  const { body } = await api.call<CurrentUser>('GET', '/users/current', { token: byHeader.body.access_token })
  assert.equal(body.uniqueId, userGuid)
  assert.equal(byHeader.body.scope, body.accessCodes.join(' '))
  assert.notEqual(byForm.body.access_token, byHeader.body.access_token)
})

test('requestToken refuses an assertion of the client, which nobody would check', async () => {
  const { clientId } = await makeClient()
  const assertion = {
    client_id: clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl',
  }
  const withSecret = { ...grant, ...assertion, client_secret: clientSecret }
  const ofAssistant = { ...assertion, grant_type: 'authorization_code', code: 'a-code' }
  for (const form of [{ ...grant, ...assertion }, withSecret, ofAssistant]) {
    const answer = await ask(encodeForm(form))
    assert.equal(answer.status, 400, answer.text)
    assert.equal(answer.body.error, 'invalid_client')
    assert.match(answer.body.error_description, /client_assertion is not supported/)
  }
})

test('requestToken works with an independent client library', async () => {
  const { clientId } = await makeClient()
  for (const prove of [client.ClientSecretBasic(clientSecret), client.ClientSecretPost(clientSecret)]) {
    const metadata = { issuer: api.address, token_endpoint: `${api.address}/api/v1/oauth2/token` }
    const configuration = new client.Configuration(metadata, clientId, undefined, prove)
    client.allowInsecureRequests(configuration)
    const tokens = await client.clientCredentialsGrant(configuration, { scope: 'debtor.read case.read' })
    assert.deepEqual([tokens.expires_in, tokens.scope], [3600, 'case.read debtor.read'])
    // It requires the media type that RFC 6749 specifies for errors.
    await assert.rejects(client.clientCredentialsGrant(configuration, { scope: 'system.admin' }), {
      name: 'ResponseBodyError',
      error: 'invalid_scope',
      status: 400,
    })
  }
})

test('requestToken: a scope narrows the token, also where an operation admits roles', async () => {
  const { clientId } = await makeClient({ userRole: 14 })
  const authorization = basicHeader(clientId, clientSecret)
  const { body: debtor } = await api.call<{ debtorGuid: string }>('POST', '/debtors', {
    body: { fullName: 'Skåne Bageri AB' },
  })
  const addAddress = (token: string) =>
    api.call('POST', `/debtors/${debtor.debtorGuid}/addresses`, {
      body: { street: 'Storgatan', city: 'Lund', zipCode: '22222', countryCode: 'SE' },
      token,
    })
  const narrow = await ask(encodeForm({ ...grant, scope: 'debtor.read debtor.read' }), { authorization })
  assert.equal(narrow.body.scope, 'debtor.read')
  const token = narrow.body.access_token
  assert.equal((await api.call('GET', '/debtors', { token })).status, 200)
  assert.equal((await addAddress(token)).status, 403)
  const own = await api.call<CurrentUser>('GET', '/users/current', { token })
  assert.deepEqual(own.body.accessCodes, ['debtor.read'])
  const wide = await ask(encodeForm(grant), { authorization })
  assert.equal((await addAddress(wide.body.access_token)).status, 201)
})

test('requestToken: a token without debtor.read reads no name of a debtor from favorites or descriptions', async () => {
  const { clientId } = await makeClient()
  const authorization = basicHeader(clientId, clientSecret)
  const tokenFor = async (scope: object) =>
    (await ask(encodeForm({ ...grant, ...scope }), { authorization })).body.access_token
  const { body: debtor } = await api.call<{ debtorGuid: string }>('POST', '/debtors', {
    body: { fullName: 'Hemliga Bageriet AB' },
  })
  const item = { guid: debtor.debtorGuid, type: 3 }
  const answers = async (token: string) => {
    const described = await api.call('POST', '/users/itemdescriptions', { body: item, token })
    const favorites = await api.call('GET', '/users/current/favorites', { token })
    return `${described.text} ${favorites.text}`
  }
  const add = (token: string, body: object) =>
    api.call('POST', '/users/current/favorites', { body: { ...item, type: '3', ...body }, token })
  const wide = await tokenFor({})
  assert.equal((await add(wide, {})).status, 201)
  assert.equal((await add(wide, { type: '0', guid: null, url: '/work' })).status, 201)
  assert.match(await answers(wide), /Bageriet.*Bageriet/s)
  const narrow = await tokenFor({ scope: 'payment.read' })
  assert.doesNotMatch(await answers(narrow), /Bageriet/)
  assert.match(await answers(narrow), /\/work/, 'an address is of no debtor')
  assert.equal((await add(narrow, {})).status, 404)
  assert.match(await answers(await tokenFor({ scope: 'debtor.read' })), /Bageriet.*Bageriet/s)
})

test('requestToken: a token lives as long as is configured and cannot be renewed', async (t) => {
  const { clientId, userGuid } = await makeClient()
  const node = await api.startNode({ FORDRA_API_TOKEN_MINUTES: '2' })
  t.after(() => node.close())
  const answer = await node.call<ClientToken>('POST', '/oauth2/token', {
    raw: encodeForm({ ...grant, client_id: clientId, client_secret: clientSecret }),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    token: null,
  })
  assert.equal(answer.body.expires_in, 120)
  const stored = await api.sql<{ kind: string; seconds: number; how: string }[]>`
    select t.kind, s.how, round(extract(epoch from t.expires_at - s.created_at))::int as seconds
    from session s join session_token t on t.session_id = s.id where s.user_id = ${userGuid}`
  assert.deepEqual(
    stored.map((row) => ({ ...row })),
    [{ kind: 'access', seconds: 120, how: 'oauth2' }],
  )
})

test('requestToken answers all wrong clients alike, and slows down guessing', async () => {
  const { clientId } = await makeClient()
  const disabled = await makeClient({ disabled: true })
  const proofs: Record<string, string>[] = [
    { client_id: clientId, client_secret: 'fel' },
    { client_id: '0190a6f2-0000-7d3a-8b4e-2f6a1c9d5e70', client_secret: clientSecret },
    { client_id: 'nobody', client_secret: clientSecret },
    { client_id: disabled.clientId, client_secret: clientSecret },
    { client_id: clientId },
    {},
  ]
  const answers = await Promise.all(proofs.map((proof) => ask(encodeForm({ ...grant, ...proof }))))
  for (const { status, headers, body } of answers) {
    assert.equal(status, 401)
    assert.match(headers.get('www-authenticate')!, /^Basic realm=/)
    assert.deepEqual([body.error, body.code], ['invalid_client', 'login-failed'])
    assert.equal(body.error_description, answers[0]!.body.error_description)
  }
  for (const header of [
    'Basic !',
    `Basic ${Buffer.from('kolonlos').toString('base64')}`,
    'Bearer abc',
    'Basic /w==',
  ])
    assert.equal(
      (await ask(encodeForm(grant), { authorization: header })).body.error,
      'invalid_client',
      header,
    )
  for (let count = 0; count < 10; count++)
    await ask(encodeForm({ ...grant, client_id: clientId.toUpperCase(), client_secret: 'fel' }))
  const right = encodeForm({ ...grant, client_id: clientId, client_secret: clientSecret })
  assert.equal((await ask(right)).body.error, 'invalid_client')
  await api.sql`delete from login_failure`
  assert.equal((await ask(right)).status, 200)
})

test('requestToken: a client without a secret, or with only a password, gets no token', async () => {
  const { clientId, userGuid } = await makeClient()
  await api.sql`delete from client_secret where user_id = ${userGuid}`
  assert.equal(
    (await ask(encodeForm({ ...grant, client_id: clientId, client_secret: clientSecret }))).status,
    401,
  )
})

const wrong: [what: string, form: string, error: string, member: string][] = [
  ['no grant type', 'scope=debtor.read', 'invalid_request', 'grant_type'],
  ['an empty grant type', 'grant_type=', 'invalid_request', 'grant_type'],
  ['another grant', 'grant_type=password&username=a&password=b', 'unsupported_grant_type', 'grant_type'],
  [
    'a member twice',
    'grant_type=client_credentials&grant_type=client_credentials',
    'invalid_request',
    'grant_type',
  ],
  ['a lone percent sign', 'grant_type=%', 'invalid_request', ''],
  ['bytes that are no UTF-8', 'grant_type=%ff', 'invalid_request', ''],
  ['a NUL', 'grant_type=client_credentials&scope=%00', 'invalid_request', ''],
  [
    'a long secret',
    `grant_type=client_credentials&client_secret=${'x'.repeat(201)}`,
    'invalid_request',
    'client_secret',
  ],
]
for (const [what, form, error, member] of wrong) {
  test(`requestToken refuses ${what}`, async () => {
    const { status, body } = await ask(form)
    assert.deepEqual([status, body.error, body.code], [400, error, 'invalid'])
    assert.deepEqual(Object.keys(body.errors!), [member])
    assert.match(body.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  })
}

test('requestToken refuses scopes beyond the user, two sets of credentials, and other bodies', async () => {
  const { clientId } = await makeClient({ userRole: 5 })
  const authorization = basicHeader(clientId, clientSecret)
  for (const scope of ['debtor.write', 'debtor.read  case.read', 'everything', allAccessCodes.join(' ')]) {
    const { status, body } = await ask(encodeForm({ ...grant, scope }), { authorization })
    assert.deepEqual([status, body.error], [400, 'invalid_scope'], scope)
  }
  const both = encodeForm({ ...grant, client_id: clientId, client_secret: clientSecret })
  assert.equal((await ask(both, { authorization })).body.error, 'invalid_request')
  const other = encodeForm({ ...grant, client_id: 'another' })
  assert.equal((await ask(other, { authorization })).body.error, 'invalid_request')
  const same = encodeForm({ ...grant, client_id: clientId, unknown: 'is ignored' })
  assert.equal((await ask(same, { authorization })).status, 200)
  const json = await ask(JSON.stringify(grant), { 'content-type': 'application/json', authorization })
  assert.deepEqual([json.status, json.body.error], [415, 'invalid_request'])
  assert.match(json.body.error_description, /x-www-form-urlencoded/)
  const long = await ask(`${encodeForm(grant)}&x=${'x'.repeat(20_000)}`, { authorization })
  assert.deepEqual([long.status, long.body.error], [413, 'invalid_request'])
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal((await api.call('POST', '/debtors', { raw: 'fullName=x', headers: form })).status, 415)
})

test('requestToken gives errors in the requested media type', async () => {
  const url = `${api.address}/api/v1/oauth2/token`
  const typeFor = async (accept: string) => {
    const headers = { accept, 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await fetch(url, { method: 'POST', headers, body: 'grant_type=x' })
    const body = (await answer.json()) as Refused
    assert.deepEqual([answer.status, body.error, body.code], [400, 'unsupported_grant_type', 'invalid'])
    return answer.headers.get('content-type')!.split(';')[0]
  }
  assert.equal(await typeFor('*/*'), 'application/problem+json')
  assert.equal(await typeFor('application/json'), 'application/json')
  assert.equal(await typeFor('application/json, application/problem+json'), 'application/problem+json')
})
