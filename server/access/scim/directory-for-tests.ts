/** A directory that calls /scim/v2 with the secret of an API user. */
import assert from 'node:assert/strict'
import type { CreatedUser } from '../../../contract/access/users.ts'
import type { TestApi } from '../../testing/api.ts'

export interface ScimResponse {
  status: number
  headers: Headers
  body: Record<string, unknown>
  text: string
}

export interface Directory {
  userGuid: string
  clientId: string
  secret: string
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ScimResponse>
}

let directories = 0

export async function openDirectory(api: TestApi, user: object): Promise<Directory> {
  const made = await api.call<CreatedUser>('POST', '/users', {
    body: {
      partyReferenceCode: 'AGENCY',
      email: `directory${++directories}@agency.example`,
      fullName: 'Directory',
      apiUser: true,
      ...user,
    },
  })
  assert.equal(made.status, 201, made.text)
  const { uniqueId, clientId, clientSecret } = made.body
  return {
    userGuid: uniqueId,
    clientId: clientId!,
    secret: clientSecret!,
    call: (method, path, body, headers) =>
      callScim(api.address + path, method, body, { authorization: `Bearer ${clientSecret}`, ...headers }),
  }
}

export async function callScim(
  address: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ScimResponse> {
  const url = new URL(address)
  const response = await fetch(`${url.origin}/scim/v2${url.pathname}${url.search}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/scim+json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    text,
  }
}
