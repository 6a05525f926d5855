/** Who may call /scim/v2, and what it says of itself. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../../testing/api.ts'
import { callScim, openDirectory, type Directory } from './directory-for-tests.ts'

let api: TestApi
let scim: Directory

before(async () => {
  api = await startApi()
  scim = await openDirectory(api, { userRole: 2 })
})
after(() => api.close())

const read = (headers: Record<string, string>) => callScim(`${api.address}/Users`, 'GET', undefined, headers)
const get = (path: string) => callScim(api.address + path, 'GET')
const basic = ({ clientId, secret }: Directory) =>
  `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`

test('the secret of an API user is a bearer token here, and nowhere else', async () => {
  assert.equal((await read({ authorization: `Bearer ${scim.secret}` })).status, 200)
  assert.equal((await read({ authorization: basic(scim) })).status, 200)
  const granted = await api.call<{ access_token: string }>('POST', '/oauth2/token', {
    raw: 'grant_type=client_credentials',
    token: null,
    headers: { authorization: basic(scim), 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.equal((await read({ authorization: `Bearer ${granted.body.access_token}` })).status, 200)
  assert.equal((await api.call('GET', '/users', { token: scim.secret })).status, 401)
})

test('without a token, with a wrong or ended one, or without the access code nothing is served', async () => {
  const refused = await read({})
  assert.equal(refused.status, 401)
  assert.equal(refused.headers.get('content-type'), 'application/scim+json; charset=utf-8')
  assert.match(refused.headers.get('www-authenticate')!, /^Bearer/)
  assert.deepEqual(refused.body['schemas'], ['urn:ietf:params:scim:api:messages:2.0:Error'])
  for (const token of ['x', `fsec_${'a'.repeat(43)}`, scim.secret.slice(0, -1)])
    assert.equal((await read({ authorization: `Bearer ${token}` })).status, 401, token)
  const reader = await openDirectory(api, { userRole: 3 })
  assert.equal((await read({ authorization: `Bearer ${reader.secret}` })).status, 403)

  const ended = await openDirectory(api, { userRole: 2 })
  const { body } = await api.call<{ value: { secretGuid: string }[] }>(
    'GET',
    `/users/${ended.userGuid}/secrets`,
  )
  const end = `/users/${ended.userGuid}/secrets/${body.value[0]!.secretGuid}`
  const answer = await api.call('DELETE', end)
  assert.ok(answer.status < 300, answer.text)
  assert.equal((await read({ authorization: `Bearer ${ended.secret}` })).status, 401)
  const disabled = await openDirectory(api, { userRole: 2 })
  await api.call('PUT', `/users/${disabled.userGuid}`, { body: { password: null, disabled: true } })
  assert.equal((await read({ authorization: `Bearer ${disabled.secret}` })).status, 401)
})

test('what is served is described, without sign-in', async () => {
  const config = await get('/ServiceProviderConfig')
  assert.deepEqual(
    [config.body['patch'], config.body['etag'], config.body['bulk']],
    [{ supported: true }, { supported: true }, { supported: false, maxOperations: 0, maxPayloadSize: 0 }],
  )
  const types = (await get('/ResourceTypes')).body['Resources'] as { name: string; schema: string }[]
  assert.deepEqual(
    types.map(({ name }) => name),
    ['User', 'Group'],
  )
  const schemas = (await get('/Schemas')).body['Resources'] as {
    id: string
    attributes: { name: string }[]
  }[]
  for (const { schema } of types) assert.ok(schemas.some(({ id }) => id === schema))
  for (const { id } of schemas) assert.equal((await get(`/Schemas/${id}`)).body['id'], id)
  assert.equal((await get('/ResourceTypes/User')).body['endpoint'], '/Users')
  assert.equal((await get('/Schemas/urn:none')).status, 404)
  assert.equal((await get('/Schemas?filter=id+pr')).status, 403)
})

test('every attribute of an answer is one that the schemas describe', async () => {
  const made = await scim.call('POST', '/Users', {
    userName: 'all@agency.example',
    externalId: 'all',
    name: { givenName: 'A', familyName: 'B' },
    phoneNumbers: [{ type: 'mobile', value: '+46701234567' }],
    preferredLanguage: 'sv',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Law', employeeNumber: '7' },
  })
  assert.equal(made.status, 201, made.text)
  type Described = { name: string; subAttributes?: Described[] }
  const { body } = await callScim(`${api.address}/Schemas`, 'GET')
  const schemas = body['Resources'] as { id: string; attributes: Described[] }[]
  const names = (attributes: Described[]) => attributes.map(({ name }) => name)
  const find = (id: string) => schemas.find((schema) => schema.id === id)!.attributes
  const core = find('urn:ietf:params:scim:schemas:core:2.0:User')
  for (const [name, value] of Object.entries(made.body)) {
    if (['schemas', 'id', 'externalId', 'meta'].includes(name)) continue
    if (name.startsWith('urn:')) {
      const unknown = Object.keys(value as object).filter((one) => !names(find(name)).includes(one))
      assert.deepEqual(unknown, [])
      continue
    }
    const described = core.find((attribute) => attribute.name === name)
    assert.ok(described, name)
    for (const element of [value].flat())
      if (typeof element === 'object')
        for (const part of Object.keys(element as object))
          assert.ok(names(described.subAttributes ?? []).includes(part), `${name}.${part}`)
  }
})

test('what is not served says so in the form of SCIM', async () => {
  const authorization = `Bearer ${scim.secret}`
  assert.equal((await callScim(`${api.address}/Me`, 'GET', undefined, { authorization })).status, 501)
  assert.equal((await callScim(`${api.address}/Bulk`, 'POST', {}, { authorization })).status, 501)
  assert.equal((await callScim(`${api.address}/Devices`, 'GET', undefined, { authorization })).status, 404)
  const response = await fetch(`${api.address}/scim/v2/Users`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/scim+json' },
    body: '{"userName":',
  })
  assert.equal(response.status, 400)
  assert.equal(((await response.json()) as { scimType: string }).scimType, 'invalidSyntax')
})
