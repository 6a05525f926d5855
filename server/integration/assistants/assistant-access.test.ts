/** Who may call `/mcp`, and what the service says of itself. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as oauth from 'openid-client'
import { startApi, type TestApi } from '../../testing/api.ts'
import { makeApiUser, post, requestToken, type ApiUser } from './assistant-for-tests.ts'

let api: TestApi
let user: ApiUser
let token = ''

before(async () => {
  api = await startApi()
  user = await makeApiUser(api)
  token = (await requestToken(api, user, { resource: `${api.address}/mcp` })).body.access_token
})
after(() => api.close())

const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
const getJson = async (node: TestApi, path: string) => {
  const answer = await fetch(node.address + path)
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

test('without a token the answer says where to get one', async () => {
  const answer = await post(api, {})
  assert.equal(answer.status, 401)
  const challenge = answer.headers.get('www-authenticate')!
  const [, address] = /^Bearer resource_metadata="([^"]+)"$/.exec(challenge) ?? assert.fail(challenge)
  assert.equal(address, `${api.address}/.well-known/oauth-protected-resource/mcp`)
  const metadata = await getJson(api, new URL(address!).pathname)
  assert.deepEqual(metadata.body['resource'], `${api.address}/mcp`)
  assert.deepEqual(metadata.body['authorization_servers'], [api.address])
  assert.deepEqual(
    (await getJson(api, '/.well-known/oauth-protected-resource')).body['resource'],
    metadata.body['resource'],
  )
})

test('only a token for this address opens it, and it opens nothing else', async () => {
  assert.equal((await post(api, bearer(token))).status, 200)
  const other = await requestToken(api, user)
  const forApi = await requestToken(api, user, { resource: `${api.address}/api/v1` })
  const cookie = await fetch(`${api.address}/mcp`, { method: 'POST', headers: { cookie: `fordra=${token}` } })
  assert.equal(cookie.status, 401)
  for (const wrong of [
    other.body.access_token,
    forApi.body.access_token,
    api.token,
    user.clientSecret,
    'x'.repeat(43),
    'x',
  ]) {
    const answer = await post(api, bearer(wrong))
    assert.equal(answer.status, 401)
    assert.match(
      answer.headers.get('www-authenticate')!,
      /^Bearer error="invalid_token", resource_metadata="/,
    )
  }
  const basic = Buffer.from(`${user.clientId}:${user.clientSecret}`).toString('base64')
  assert.equal((await post(api, { authorization: `Basic ${basic}` })).status, 401)
  assert.equal((await api.call('GET', '/debtors', { token: forApi.body.access_token })).status, 200)
  assert.equal((await api.call('GET', '/debtors', { token })).status, 401)
  for (const path of ['/odata/Debtors', '/scim/v2/Users', '/metrics'])
    assert.equal((await fetch(api.address + path, { headers: bearer(token) })).status, 401, path)
})

test('requestToken refuses a resource that is not ours', async () => {
  for (const resource of [
    'https://evil.example/mcp',
    `${api.address}/mcp/other`,
    `${api.address}/odata`,
    'mcp',
    `${api.address}/mcp#x`,
  ]) {
    const { status, body } = await requestToken(api, user, { resource })
    assert.deepEqual([status, body.error], [400, 'invalid_target'], resource)
  }
  assert.equal((await requestToken(api, user, { resource: `${api.address}/mcp/` })).status, 200)
})

test('an independent client library reads the metadata and gets a token by it', async () => {
  const configuration = await oauth.discovery(
    new URL(api.address),
    user.clientId,
    undefined,
    oauth.ClientSecretBasic(user.clientSecret),
    { algorithm: 'oauth2', execute: [oauth.allowInsecureRequests] },
  )
  assert.equal(configuration.serverMetadata().token_endpoint, `${api.address}/api/v1/oauth2/token`)
  assert.deepEqual(configuration.serverMetadata()['protected_resources'], [`${api.address}/mcp`])
  const tokens = await oauth.clientCredentialsGrant(configuration, { resource: `${api.address}/mcp` })
  assert.equal((await post(api, bearer(tokens.access_token))).status, 200)
})

test('a web page is refused unless the settings name its origin', async (t) => {
  const { port } = new URL(api.address)
  for (const origin of [`http://rebound.example:${port}`, api.address, 'null', 'https://evil.example']) {
    // As after DNS rebinding: the page's own name stands in Host.
    const answer = await post(api, { origin, ...bearer(token) })
    assert.equal(answer.status, 403, origin)
  }
  const node = await api.startNode({
    FORDRA_PUBLIC_URL: 'https://collections.example',
    FORDRA_CORS_ORIGINS: 'https://portal.example,http://localhost:5173',
  })
  t.after(() => node.close())
  const own = (await requestToken(node, user, { resource: 'https://collections.example/mcp' })).body
  for (const origin of ['https://collections.example', 'https://portal.example', 'http://localhost:5173'])
    assert.equal((await post(node, { origin, ...bearer(own.access_token) })).status, 200, origin)
  for (const origin of [node.address, 'https://portal.example.evil.example'])
    assert.equal((await post(node, { origin, ...bearer(own.access_token) })).status, 403, origin)
  const { body } = await getJson(node, '/.well-known/oauth-protected-resource/mcp')
  assert.equal(body['resource'], 'https://collections.example/mcp')
})

test('only single messages of a limited size are taken, and no streams are offered', async () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'ping' }
  assert.equal((await post(api, bearer(token), [call, call])).status, 400)
  assert.equal((await post(api, bearer(token), '{')).status, 400)
  assert.equal((await post(api, bearer(token), { jsonrpc: '2.0' })).status, 400)
  assert.equal((await post(api, bearer(token), { ...call, params: { x: 'x'.repeat(300_000) } })).status, 413)
  const unknown = await post(api, bearer(token), { ...call, method: 'resources/list' })
  assert.equal(((await unknown.json()) as { error: { code: number } }).error.code, -32601)
  const notified = await post(api, bearer(token), { jsonrpc: '2.0', method: 'notifications/initialized' })
  assert.deepEqual([notified.status, await notified.text()], [202, ''])
  for (const method of ['GET', 'DELETE'])
    assert.equal((await fetch(`${api.address}/mcp`, { method, headers: bearer(token) })).status, 405, method)
  assert.equal((await post(api, { ...bearer(token), accept: 'text/html' })).status, 406)
  assert.equal((await post(api, { ...bearer(token), 'mcp-protocol-version': '1999-01-01' })).status, 400)
})

test('its requests count in the quota of the caller', async (t) => {
  const node = await api.startNode({ FORDRA_RATE_LIMIT: '1' })
  t.after(() => node.close())
  const statuses: number[] = []
  for (let count = 0; count < 40 && !statuses.includes(429); count++)
    statuses.push((await post(node, bearer(token))).status)
  assert.equal(statuses[0], 200)
  assert.ok(statuses.includes(429), statuses.join(' '))
})

test('the setting switches it off', async (t) => {
  const node = await api.startNode({ FORDRA_ASSISTANTS: 'off' })
  t.after(() => node.close())
  assert.equal((await post(node, bearer(token))).status, 404)
  assert.equal((await getJson(node, '/.well-known/oauth-protected-resource/mcp')).status, 404)
  const { body } = await getJson(node, '/.well-known/oauth-authorization-server')
  assert.equal(body['protected_resources'], undefined)
  assert.deepEqual(body['grant_types_supported'], ['client_credentials'])
  const authorize = await getJson(node, '/oauth2/authorize?response_type=code')
  assert.deepEqual([authorize.status, authorize.body['error']], [400, 'unsupported_response_type'])
  assert.equal(
    (await requestToken(node, user, { resource: `${node.address}/mcp` })).body.error,
    'invalid_target',
  )
})
