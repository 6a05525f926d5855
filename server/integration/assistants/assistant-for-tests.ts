/** An assistant: the official client, signed in as an API user of its own by what the service says of itself. */
import assert from 'node:assert/strict'
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CreatedUser } from '../../../contract/access/users.ts'
import type { TestApi } from '../../testing/api.ts'

export interface ApiUser {
  clientId: string
  clientSecret: string
}

let users = 0

export async function makeApiUser(api: TestApi, user: object = {}): Promise<ApiUser> {
  const made = await api.call<CreatedUser>('POST', '/users', {
    body: {
      partyReferenceCode: 'AGENCY',
      email: `assistant${++users}@agency.example`,
      fullName: 'Assistant',
      userRole: 3,
      apiUser: true,
      ...user,
    },
  })
  assert.equal(made.status, 201, made.text)
  return { clientId: made.body.clientId!, clientSecret: made.body.clientSecret! }
}

export interface Told {
  isError: boolean
  text: string
  value: never
}

export interface Assistant {
  client: Client
  call(name: string, given?: Record<string, unknown>): Promise<Told>
}

/** Finds the token endpoint by the metadata, as any client does. Closed after the test. */
export async function connectAssistant(
  api: TestApi,
  { clientId, clientSecret }: ApiUser,
  scope?: string,
): Promise<Assistant> {
  const authProvider = new ClientCredentialsProvider({
    clientId,
    clientSecret,
    expectedIssuer: api.address,
    ...(scope !== undefined && { scope }),
  })
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(`${api.address}/mcp`), { authProvider })
  // The package's types are not written for exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client['connect']>[0])
  return {
    client,
    call: async (name, given = {}) => {
      const result = await client.callTool({ name, arguments: given })
      assert.equal(result.structuredContent === undefined, result.isError === true)
      const content = result.content as { type: string; text: string }[]
      assert.deepEqual(
        content.map(({ type }) => type),
        ['text'],
      )
      const isError = result.isError === true
      const { text } = content[0]!
      if (!isError) assert.deepEqual(result.structuredContent, JSON.parse(text))
      return { isError, text, value: result.structuredContent as never }
    },
  }
}

export async function requestToken(
  api: TestApi,
  { clientId, clientSecret }: ApiUser,
  more: Record<string, string> = {},
): Promise<{ status: number; body: { access_token: string; error?: string } }> {
  const form = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    ...more,
  }
  return api.call('POST', '/oauth2/token', {
    raw: new URLSearchParams(form).toString(),
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
}

/** One message to `/mcp`. */
export const post = (
  api: TestApi,
  headers: Record<string, string>,
  body: unknown = ping,
): Promise<Response> =>
  fetch(`${api.address}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
