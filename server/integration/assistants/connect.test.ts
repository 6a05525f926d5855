/** A person connects an assistant, sees it in the list and disconnects it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { ConnectedAssistant } from '../../../contract/access/assistants.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { post } from './assistant-for-tests.ts'
import * as harness from '../../testing/records/connected-assistant.ts'
import { readingTools, writingTools } from './tools.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
const opens = async (node: TestApi, token: string) => (await post(node, bearer(token))).status
const listTools = async (node: TestApi, token: string) => {
  const answer = await post(node, bearer(token), { jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const { result } = (await answer.json()) as { result: { tools: { name: string }[] } }
  return result.tools.map(({ name }) => name)
}
const listOwn = async (person: harness.Person) =>
  (await harness.asPerson<{ value: ConnectedAssistant[] }>(api, person, 'GET', '/users/current/assistants'))
    .body.value

/** What the official client keeps, and the address that it wants to open. */
function makeProvider(redirectUrl: string) {
  const kept: { client?: object; tokens?: object; verifier?: string; opened?: URL } = {}
  const provider = {
    redirectUrl,
    clientMetadata: { client_name: 'Official client', redirect_uris: [redirectUrl] },
    state: () => 'state of the program',
    clientInformation: () => kept.client,
    saveClientInformation: (client: object) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens: object) => void (kept.tokens = tokens),
    redirectToAuthorization: (url: URL) => void (kept.opened = url),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
  } as unknown as OAuthClientProvider
  return { provider, kept }
}

test('getAssistantRequest: the official client registers, sends the user to the console, and works with the user’s rights', async () => {
  const person = await harness.openPerson(api)
  const { provider, kept } = makeProvider('http://127.0.0.1:49152/callback')
  const open = () =>
    new StreamableHTTPClientTransport(new URL(`${api.address}/mcp`), { authProvider: provider })
  const transport = open()
  const client = new Client({ name: 'test', version: '1' })
  await assert.rejects(client.connect(transport as Parameters<Client['connect']>[0]), UnauthorizedError)
  // The browser: it comes to the console's page with the request.
  const page = await fetch(kept.opened!, { redirect: 'manual' })
  assert.equal(page.status, 302)
  const shown = new URL(page.headers.get('location')!, api.address)
  assert.deepEqual([shown.origin, shown.pathname], [api.address, '/connect'])
  const asked = await harness.asPerson(api, person, 'GET', `/oauth2/authorization${shown.search}`)
  assert.deepEqual(asked.body, {
    name: 'Official client',
    publishedAt: null,
    returnsTo: '127.0.0.1:49152',
    isLocal: true,
    mayWrite: false,
  })
  const decided = await harness.asPerson<{ redirectTo: string }>(
    api,
    person,
    'POST',
    '/oauth2/authorization',
    {
      body: { ...Object.fromEntries(shown.searchParams), allow: true, access: 'read' },
    },
  )
  const returned = new URL(decided.body.redirectTo)
  assert.equal(returned.origin + returned.pathname, 'http://127.0.0.1:49152/callback')
  assert.equal(returned.searchParams.get('state'), 'state of the program')
  assert.equal(returned.searchParams.get('iss'), api.address)
  await transport.finishAuth(returned.searchParams.get('code')!)
  await client.connect(open() as Parameters<Client['connect']>[0])
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    [...readingTools],
  )
  const user = await client.callTool({ name: 'getCurrentUser', arguments: {} })
  assert.equal((user.structuredContent as { email: string }).email, person.email)
  await client.close()
  const [own] = await listOwn(person)
  assert.deepEqual([own!.name, own!.access], ['Official client', 'read'])
})

test('disconnectAssistant ends what listConnectedAssistants shows, at once and for nobody else', async () => {
  const [person, other] = [await harness.openPerson(api), await harness.openPerson(api)]
  const { clientId, tokens } = await harness.connect(api, person)
  assert.equal(await opens(api, tokens.access_token), 200)
  const [own] = await listOwn(person)
  assert.deepEqual(await listOwn(other), [])
  const path = `/users/current/assistants/${own!.sessionGuid}`
  assert.equal((await harness.asPerson(api, other, 'DELETE', path)).status, 404)
  assert.equal(await opens(api, tokens.access_token), 200)
  // A session of the console is no assistant.
  const session = await harness.asPerson<{ sessionGuid: string }>(api, person, 'GET', '/auth/session')
  const wrong = `/users/current/assistants/${session.body.sessionGuid}`
  assert.equal((await harness.asPerson(api, person, 'DELETE', wrong)).status, 404)
  assert.equal((await harness.asPerson(api, person, 'DELETE', path)).status, 200)
  assert.equal(await opens(api, tokens.access_token), 401)
  assert.equal((await harness.refresh(api, clientId, tokens.refresh_token)).body.error, 'invalid_grant')
  assert.deepEqual(await listOwn(person), [])
})

test('it ends with all other sessions, and with a user who is disabled', async () => {
  const person = await harness.openPerson(api)
  const first = await harness.connect(api, person)
  const pending = await harness.register(api)
  const verifier = harness.newVerifier()
  const code = await harness.allow(api, person, harness.makeRequest(api, pending, verifier))
  assert.equal((await harness.asPerson(api, person, 'DELETE', '/users/current/sessions')).status, 200)
  assert.equal(await opens(api, first.tokens.access_token), 401)
  assert.equal((await harness.exchange(api, pending, code, verifier)).body.error, 'invalid_grant')
  const second = await harness.connect(api, person)
  const changed = await api.call('PUT', `/users/${person.userGuid}`, {
    body: { password: null, disabled: true },
  })
  assert.equal(changed.status, 200, changed.text)
  assert.equal(await opens(api, second.tokens.access_token), 401)
  const answer = await harness.refresh(api, second.clientId, second.tokens.refresh_token)
  assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_grant'])
})

test('a new password ends it, on another node too', async (t) => {
  const person = await harness.openPerson(api)
  const { clientId, tokens } = await harness.connect(api, person)
  const node = await api.startNode()
  t.after(() => node.close())
  assert.equal(await opens(node, tokens.access_token), 200)
  const changed = await api.call('PUT', `/users/${person.userGuid}`, {
    body: { password: 'another passphrase of their own' },
  })
  assert.equal(changed.status, 200, changed.text)
  assert.equal(await opens(api, tokens.access_token), 401)
  assert.equal((await harness.refresh(api, clientId, tokens.refresh_token)).body.error, 'invalid_grant')
  // The other node hears of it; the runner ends a test that waits for ever.
  while ((await opens(node, tokens.access_token)) !== 401) await sleep(50)
})

test('a connection has no more rights than its user has now, and no more than the user allowed', async (t) => {
  const node = await api.startNode({ FORDRA_ASSISTANTS: 'write' })
  t.after(() => node.close())
  const person = await harness.openPerson(node)
  const reading = await harness.connect(node, person)
  const writing = await harness.connect(node, person, { access: 'write' })
  const narrow = await harness.connect(node, person, { scope: 'debtor.read openid', access: 'write' })
  assert.deepEqual(await listTools(node, reading.tokens.access_token), [...readingTools])
  assert.deepEqual(await listTools(node, writing.tokens.access_token), [...readingTools, ...writingTools])
  assert.equal(narrow.tokens.scope, 'debtor.read')
  assert.ok(!(await listTools(node, narrow.tokens.access_token)).includes('listAllCases'))
  assert.doesNotMatch(reading.tokens.scope, /write|admin/)
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'createDebtor', arguments: { body: { lastname: 'X' } } },
  }
  assert.match(
    await (await post(node, bearer(reading.tokens.access_token), body)).text(),
    /no tool createDebtor/,
  )
  const made = await post(node, { ...bearer(writing.tokens.access_token), 'x-request-id': 'r-1' }, body)
  assert.match(await made.text(), /debtorGuid/)
  const [entry] = await api.sql<{ requestId: string }[]>`
    select request_id as "requestId" from audit_entry where actor_id = ${person.userGuid} and operation = 'D2'`
  assert.equal(entry!.requestId, 'assistant:Desk:r-1', 'the trail names the program')
  // The role changes: the connection follows.
  await api.sql`update app_user set user_role = 5 where id = ${person.userGuid}`
  const fresh = await harness.refresh(node, writing.clientId, writing.tokens.refresh_token)
  assert.doesNotMatch(fresh.body.scope, /write/)
  assert.ok(!(await listTools(node, fresh.body.access_token)).includes('createDebtor'))
})

test('write access is not given where assistants may only read', async () => {
  const { tokens } = await harness.connect(api, await harness.openPerson(api), { access: 'write' })
  assert.doesNotMatch(tokens.scope, /write|admin/)
})

test('refusing returns an error to the program, and gives nothing', async () => {
  const person = await harness.openPerson(api)
  const request = harness.makeRequest(api, await harness.register(api), harness.newVerifier(), {
    state: 'x&y',
  })
  const { body } = await harness.asPerson<{ redirectTo: string }>(
    api,
    person,
    'POST',
    '/oauth2/authorization',
    {
      body: { ...request, allow: false, access: 'read' },
    },
  )
  const returned = new URL(body.redirectTo)
  assert.deepEqual([...returned.searchParams.keys()].toSorted(), ['error', 'iss', 'state'])
  assert.equal(returned.searchParams.get('error'), 'access_denied')
  assert.equal(returned.searchParams.get('state'), 'x&y')
  assert.deepEqual(await listOwn(person), [])
})

test('the metadata names the grants, S256 and the addresses', async () => {
  const answer = await fetch(`${api.address}/.well-known/oauth-authorization-server`)
  const metadata = (await answer.json()) as Record<string, unknown>
  assert.equal(metadata['authorization_endpoint'], `${api.address}/oauth2/authorize`)
  assert.equal(metadata['registration_endpoint'], `${api.address}/api/v1/oauth2/register`)
  assert.deepEqual(metadata['code_challenge_methods_supported'], ['S256'])
  assert.deepEqual(metadata['response_types_supported'], ['code'])
  assert.deepEqual(metadata['grant_types_supported'], [
    'client_credentials',
    'authorization_code',
    'refresh_token',
  ])
})

test('registerAssistant takes and keeps little', async () => {
  const made = await api.call<Record<string, unknown>>('POST', '/oauth2/register', {
    body: {
      client_name: `  Safe\u202e name\n${'x'.repeat(150)}`,
      redirect_uris: [harness.callback, harness.callback],
      token_endpoint_auth_method: 'client_secret_basic',
      logo_uri: 'https://evil.example/logo.png',
    },
    token: null,
  })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(made.body['redirect_uris'], [harness.callback])
  assert.equal(made.body['token_endpoint_auth_method'], 'none')
  assert.equal(made.body['client_name'], `Safe name ${'x'.repeat(70)}`)
  assert.equal(made.body['client_secret'], undefined)
  const [stored] = await api.sql<object[]>`
    select * from assistant_client where id = ${made.body['client_id'] as string}`
  assert.deepEqual(Object.keys(stored!).toSorted(), [
    'created_at',
    'document_url',
    'fresh_until',
    'id',
    'name',
    'redirect_uris',
    'used_at',
  ])
  assert.doesNotMatch(JSON.stringify(stored), /evil|secret/)
  const nameless = await api.call<Record<string, unknown>>('POST', '/oauth2/register', {
    body: { redirect_uris: [harness.callback] },
    token: null,
  })
  assert.equal(nameless.body['client_name'], 'assistant.example')
})

test('registrations that nobody used are forgotten, and strangers cannot fill the table', async () => {
  const { deleteUnusedClients, unusedClientsMax } =
    await import('../../access/assistants/assistant-clients.store.ts')
  const used = await harness.connect(api, await harness.openPerson(api))
  await api.sql`
    insert into assistant_client (id, name, redirect_uris, created_at)
    select gen_random_uuid(), 'many', '{}', now() - n * interval '1 minute' from generate_series(1, ${unusedClientsMax + 50}) n`
  const newest = await harness.register(api)
  const [count] = await api.sql<{ count: number }[]>`
    select count(*)::int as count from assistant_client where used_at is null`
  assert.equal(count!.count, unusedClientsMax)
  await api.sql`update assistant_client set created_at = now() - interval '2 days' where id <> ${newest}`
  await deleteUnusedClients(api.sql)
  const left = await api.sql<{ id: string }[]>`select id from assistant_client where used_at is null`
  assert.deepEqual(
    left.map(({ id }) => id),
    [newest],
  )
  assert.equal((await harness.refresh(api, used.clientId, used.tokens.refresh_token)).status, 200)
})

test('a user has at most 50 connections', async () => {
  const person = await harness.openPerson(api)
  const { clientId } = await harness.connect(api, person)
  await api.sql`
    insert into session (id, user_id, ends_at, how, carried_by, assistant_client_id)
    select gen_random_uuid(), ${person.userGuid}, now() + interval '1 day', 'oauth2', 'token', ${clientId}
    from generate_series(1, 49)`
  const request = harness.makeRequest(api, clientId, harness.newVerifier())
  const answer = await harness.asPerson(api, person, 'POST', '/oauth2/authorization', {
    body: { ...request, allow: true, access: 'read' },
  })
  assert.equal(answer.status, 409, answer.text)
})
