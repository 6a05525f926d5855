/** Hosted assistants: the program's `client_id` is the address of its metadata document. Skipped without OpenSSL. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { AssistantRequest, ConnectedAssistant } from '../../../contract/access/assistants.ts'
import { startApi, type Response, type TestApi } from '../../testing/api.ts'
import * as harness from '../../testing/records/connected-assistant.ts'
import {
  publishedCallback,
  startDocumentHost,
  type DocumentHost,
} from '../../testing/servers/document-host.ts'
import { hasOpenssl } from '../../testing/time-stamp-authority.ts'
import { post } from './assistant-for-tests.ts'
import { readingTools } from './tools.ts'

const refusal = ({ status, text }: Response<unknown>) => {
  assert.equal(status, 422, text)
  return (JSON.parse(text) as { errors: { client_id: string[] } }).errors.client_id.join()
}

const opens = async (node: TestApi, token: string) =>
  (await post(node, { authorization: `Bearer ${token}` })).status

describe('programs that publish a document', { skip: !hasOpenssl() }, () => {
  let documents: DocumentHost
  let api: TestApi
  let person: harness.Person
  before(async () => {
    documents = await startDocumentHost()
    api = await startApi({ FORDRA_ASSISTANT_HOSTS: documents.host, FORDRA_PRIVATE_TARGETS: '1' })
    person = await harness.openPerson(api)
  })
  after(async () => {
    await api.close()
    await documents.close()
  })

  const ask = (node: TestApi, clientId: string, more: Record<string, string> = {}) => {
    const query = new URLSearchParams(harness.makeRequest(node, clientId, harness.newVerifier(), more))
    return harness.asPerson<AssistantRequest>(node, person, 'GET', `/oauth2/authorization?${query}`)
  }

  async function connect(node: TestApi, clientId: string) {
    const verifier = harness.newVerifier()
    const code = await harness.allow(node, person, harness.makeRequest(node, clientId, verifier))
    const answer = await harness.exchange(node, clientId, code, verifier)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }

  test('the official client connects by its document, and works with the user’s rights', async () => {
    const clientMetadataUrl = documents.publish('/official.json', { client_name: 'Official client' })
    const kept: { client?: object; tokens?: object; verifier?: string; opened?: URL } = {}
    const authProvider = {
      redirectUrl: publishedCallback,
      clientMetadataUrl,
      clientMetadata: { redirect_uris: [publishedCallback] },
      clientInformation: () => kept.client,
      saveClientInformation: (client: object) => void (kept.client = client),
      tokens: () => kept.tokens,
      saveTokens: (tokens: object) => void (kept.tokens = tokens),
      redirectToAuthorization: (url: URL) => void (kept.opened = url),
      saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
      codeVerifier: () => kept.verifier,
    } as unknown as OAuthClientProvider
    const open = () => new StreamableHTTPClientTransport(new URL(`${api.address}/mcp`), { authProvider })
    const client = new Client({ name: 'test', version: '1' })
    const transport = open()
    await assert.rejects(client.connect(transport as Parameters<Client['connect']>[0]), UnauthorizedError)
    const members = Object.fromEntries(kept.opened!.searchParams)
    assert.equal(members['client_id'], clientMetadataUrl, 'it did not register')
    const decided = await harness.asPerson<{ redirectTo: string }>(
      api,
      person,
      'POST',
      '/oauth2/authorization',
      {
        body: { ...members, allow: true, access: 'read' },
      },
    )
    const returned = new URL(decided.body.redirectTo)
    assert.equal(returned.origin + returned.pathname, publishedCallback)
    await transport.finishAuth(returned.searchParams.get('code')!)
    await client.connect(open() as Parameters<Client['connect']>[0])
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      [...readingTools],
    )
    await client.close()
    const listed = await harness.asPerson<{ value: ConnectedAssistant[] }>(
      api,
      person,
      'GET',
      '/users/current/assistants',
    )
    const [{ name, publishedAt } = { name: '', publishedAt: '' }] = listed.body.value
    assert.deepEqual([name, publishedAt], ['Official client', documents.host])
  })

  test('getAssistantRequest names the host of the document and where the browser goes', async () => {
    const clientId = documents.publish('/shown.json')
    const { body } = await ask(api, clientId)
    const shown = { name: 'Desk', publishedAt: documents.host, returnsTo: 'assistant.example' }
    assert.deepEqual(body, { ...shown, isLocal: false, mayWrite: false })
    const registered = await ask(api, await harness.register(api))
    assert.equal(registered.body.publishedAt, null)
  })

  test('the audit trail names the document and where the code went', async () => {
    const clientId = documents.publish('/audited.json')
    await connect(api, clientId)
    const [entry] = await api.sql<{ changes: object }[]>`
      select changes from audit_entry where entity = 'session' and changes -> 'clientId' ->> 1 = ${clientId}`
    assert.deepEqual(entry!.changes, {
      assistant: [null, 'Desk'],
      clientId: [null, clientId],
      returnsTo: [null, 'assistant.example'],
    })
  })

  test('a document of a host that is not listed is not read', async () => {
    for (const listed of ['', 'claude.ai', 'localhost', 'localhost:1']) {
      const node = await api.startNode({ FORDRA_ASSISTANT_HOSTS: listed, FORDRA_PRIVATE_TARGETS: '1' })
      const clientId = documents.publish('/unlisted.json')
      assert.match(refusal(await ask(node, clientId)), /whose programs may not connect here/)
      await node.close()
    }
    assert.equal(documents.reads('/unlisted.json'), 0)
  })

  test('a listed host inside the network is not called, unless the setting permits it', async (t) => {
    const node = await api.startNode({ FORDRA_ASSISTANT_HOSTS: documents.host })
    t.after(() => node.close())
    const clientId = documents.publish('/private.json')
    assert.match(refusal(await ask(node, clientId)), /private network\. FORDRA_PRIVATE_TARGETS=1 allows it/)
    assert.equal(documents.reads('/private.json'), 0)
  })

  test('addresses that are no client identifiers are refused', async () => {
    documents.publish('/plain.json')
    const { host } = documents
    for (const [wrong, says] of [
      [`https://${host}/`, /must have a path/],
      [`https://${host}`, /must have a path/],
      [`https://user@${host}/plain.json`, /no user name/],
      [`https://${host}/plain.json#x`, /fragment/],
      [`https://${host}/plain.json#`, /fragment/],
      [`https://${host}/x/../plain.json`, /must be written as/],
      [`https://${host}/x/%2e%2e/plain.json`, /must be written as/],
      [`HTTPS://${host}/plain.json`, /must be written as/],
      [`https://LOCALHOST:1/plain.json`, /must be written as/],
      ['https://:/x', /is no address/],
      [`http://${host}/plain.json`, /is not registered/],
    ] as const)
      assert.match(refusal(await ask(api, wrong)), says, wrong)
    assert.equal(documents.reads('/plain.json'), 0)
  })

  test('documents that are none, or say other than they must, are refused', async () => {
    const body = (more: object) =>
      JSON.stringify({
        client_id: documents.address('/wrong'),
        redirect_uris: [publishedCallback],
        ...more,
      })
    const elsewhere = { location: documents.publish('/target.json') }
    for (const [published, says] of [
      [{ status: 404, body: body({}) }, /status 404/],
      [{ status: 302, headers: elsewhere, body: '' }, /status 302/],
      [{ status: 201, body: body({}) }, /status 201/],
      [{ headers: { 'content-type': 'text/html' }, body: body({}) }, /media type/],
      [{ body: body({ padding: 'x'.repeat(6000) }) }, /longer than 5120 bytes/],
      [{ body: '{' }, /no JSON object/],
      [{ body: '[]' }, /no JSON object/],
      [{ body: body({ client_id: documents.address('/Wrong') }) }, /as its client_id/],
      [{ body: body({ client_id: undefined }) }, /as its client_id/],
      [{ body: body({ redirect_uris: [] }) }, /without redirect_uris/],
      [{ body: body({ redirect_uris: ['cursor://cb', 'http://assistant.example/cb'] }) }, /without redirect/],
      [{ body: body({ redirect_uris: publishedCallback }) }, /without redirect_uris/],
      [{ body: body({ token_endpoint_auth_method: 'client_secret_basic' }) }, /token_endpoint_auth_method/],
      [{ body: body({ token_endpoint_auth_method: 'private_key_jwt' }) }, /token_endpoint_auth_method/],
      [{ body: body({ client_secret: 'x' }) }, /holds a secret/],
      [{ body: body({ grant_types: ['client_credentials'] }) }, /authorization_code/],
      [{ body: body({ response_types: ['token'] }) }, /response_types/],
    ] as const) {
      const clientId = documents.answer('/wrong', published)
      assert.match(refusal(await ask(api, clientId)), says)
    }
    assert.equal(documents.reads('/target.json'), 0, 'no redirect was followed')
    assert.equal((await ask(api, documents.answer('/wrong', { body: body({}) }))).status, 200, 'none is kept')
  })

  test('a host that does not answer is named as such', async (t) => {
    const node = await api.startNode({
      FORDRA_ASSISTANT_HOSTS: 'localhost:1',
      FORDRA_PRIVATE_TARGETS: '1',
    })
    t.after(() => node.close())
    assert.match(
      refusal(await ask(node, 'https://localhost:1/client.json')),
      /could not be read. No connection/,
    )
  })

  test('only the addresses of the document are returned to', async () => {
    const clientId = documents.publish('/returns.json', {
      redirect_uris: [publishedCallback, 'http://127.0.0.1/callback'],
    })
    for (const wrong of [`${publishedCallback}/`, `${publishedCallback}?x`, 'https://evil.example/callback'])
      assert.equal((await ask(api, clientId, { redirect_uri: wrong })).status, 400, wrong)
    // RFC 8252 section 7.3: a program on the computer of the user gets its port from the system.
    const local = await ask(api, clientId, { redirect_uri: 'http://127.0.0.1:49152/callback' })
    assert.deepEqual([local.body.publishedAt, local.body.isLocal], [documents.host, true])
    const plain = await ask(api, clientId, { code_challenge_method: 'plain' })
    assert.equal(plain.status, 400)
    const resource = await ask(api, clientId, { resource: 'https://evil.example/mcp' })
    assert.equal(resource.status, 400)
  })

  test('a document is read again when its headers say so', async () => {
    const read = async (path: string, headers: Record<string, string>) => {
      const clientId = documents.publish(path, {}, headers)
      for (const _ of [1, 2]) assert.equal((await ask(api, clientId)).status, 200)
      return documents.reads(path)
    }
    assert.equal(await read('/silent.json', {}), 1)
    assert.equal(await read('/hour.json', { 'cache-control': 'public, max-age=3600' }), 1)
    assert.equal(await read('/aged.json', { 'cache-control': 'max-age=60', age: '60' }), 2)
    assert.equal(await read('/never.json', { 'cache-control': 'no-store' }), 2)
    assert.equal(await read('/check.json', { 'cache-control': 'no-cache' }), 2)
    assert.equal(await read('/past.json', { expires: '0' }), 2)
    const clientId = documents.publish('/day.json', {}, { 'cache-control': 'max-age=31536000' })
    await ask(api, clientId)
    const [row] = await api.sql<{ within: boolean }[]>`
      select fresh_until <= now() + interval '1 day' as within from assistant_client where document_url = ${clientId}`
    assert.ok(row!.within, 'never for more than a day')
  })

  test('an address that the document no longer has is refused once it is read again', async () => {
    const clientId = documents.publish('/moved.json', {}, { 'cache-control': 'no-cache' })
    assert.equal((await ask(api, clientId)).status, 200)
    documents.publish('/moved.json', { redirect_uris: ['https://assistant.example/new'] })
    assert.equal((await ask(api, clientId)).status, 400)
    documents.answer('/moved.json', { status: 410, body: '' })
    await api.sql`update assistant_client set fresh_until = now() where document_url = ${clientId}`
    assert.match(refusal(await ask(api, clientId)), /status 410/)
  })

  test('a code is exchanged by the same address alone', async () => {
    const clientId = documents.publish('/exchange.json')
    for (const other of [documents.publish('/other.json'), clientId.toUpperCase(), '']) {
      const verifier = harness.newVerifier()
      const code = await harness.allow(api, person, harness.makeRequest(api, clientId, verifier))
      assert.equal((await harness.exchange(api, other, code, verifier)).body.error, 'invalid_grant', other)
      assert.equal(
        (await harness.exchange(api, clientId, code, verifier)).body.error,
        'invalid_grant',
        'used up',
      )
    }
  })

  test('removing a host from the settings ends what its programs have', async (t) => {
    const clientId = documents.publish('/removed.json')
    const { access_token, refresh_token } = await connect(api, clientId)
    assert.equal(await opens(api, access_token), 200)
    const node = await api.startNode({ FORDRA_ASSISTANT_HOSTS: 'claude.ai' })
    t.after(() => node.close())
    assert.equal(await opens(node, access_token), 401)
    assert.equal((await harness.refresh(node, clientId, refresh_token)).body.error, 'invalid_grant')
    const again = await harness.refresh(api, clientId, refresh_token)
    assert.equal(again.body.error, 'invalid_grant', 'its end is final')
  })

  test('metadata tells clients which ways there are', async (t) => {
    interface Metadata {
      client_id_metadata_document_supported?: boolean
      registration_endpoint?: string
    }
    const readMetadata = async (node: TestApi) => {
      const answer = await fetch(`${node.address}/.well-known/oauth-authorization-server`)
      const metadata = (await answer.json()) as Metadata
      return [
        metadata.client_id_metadata_document_supported,
        metadata.registration_endpoint !== undefined,
      ] as const
    }
    assert.deepEqual(await readMetadata(api), [true, true])
    const plain = await api.startNode()
    const closed = await api.startNode({ FORDRA_ASSISTANT_REGISTRATION: '0' })
    t.after(async () => {
      await plain.close()
      await closed.close()
    })
    assert.deepEqual(await readMetadata(plain), [false, true])
    assert.deepEqual(await readMetadata(closed), [false, false])
    const refused = await closed.call('POST', '/oauth2/register', {
      body: { redirect_uris: [harness.callback] },
      token: null,
    })
    assert.equal(refused.status, 404)
    assert.match(refused.text, /FORDRA_ASSISTANT_REGISTRATION/)
  })
})
