/** A person at the console, and a program that the person connects. */
import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import type { CookieSession } from '../../../contract/access/sessions.ts'
import type { Response, TestApi } from '../api.ts'
import { makeUser, password } from './enrolled-user.ts'

export interface Person {
  email: string
  userGuid: string
  cookie: string
  csrf: string
}

/** Signed in by cookie, as the console signs in. */
export async function openPerson(api: TestApi, more: object = {}): Promise<Person> {
  const { email } = await makeUser(api, { userRole: 3, ...more })
  const answer = await api.call<CookieSession>('POST', '/auth/login', {
    body: { login: email, password },
    headers: { 'x-session': 'cookie' },
    token: null,
  })
  assert.equal(answer.status, 200, answer.text)
  const [row] = await api.sql<{ id: string }[]>`select id from app_user where email = ${email}`
  const cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!
  return { email, userGuid: row!.id, cookie, csrf: answer.body.csrfToken }
}

export const asPerson = <T = Record<string, never>>(
  api: TestApi,
  { cookie, csrf }: Person,
  method: string,
  path: string,
  { body, headers }: { body?: object; headers?: Record<string, string> } = {},
): Promise<Response<T>> =>
  api.call<T>(method, path, {
    token: null,
    ...(body && { body }),
    headers: { cookie, 'x-csrf-token': csrf, ...headers },
  })

export const callback = 'https://assistant.example/callback'

export async function register(api: TestApi, redirectUris = [callback], name = 'Desk'): Promise<string> {
  const made = await api.call<{ client_id: string }>('POST', '/oauth2/register', {
    body: { client_name: name, redirect_uris: redirectUris },
    token: null,
  })
  assert.equal(made.status, 201, made.text)
  return made.body.client_id
}

export const newVerifier = (): string => randomBytes(32).toString('base64url')
export const makeChallenge = (verifier: string): string => hash('sha256', verifier, 'base64url')

export const makeRequest = (
  api: TestApi,
  clientId: string,
  verifier: string,
  more: Record<string, string> = {},
): Record<string, string> => ({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: callback,
  code_challenge: makeChallenge(verifier),
  code_challenge_method: 'S256',
  resource: `${api.address}/mcp`,
  ...more,
})

/** The person allows the program. Returns the code. */
export async function allow(
  api: TestApi,
  person: Person,
  request: Record<string, string>,
  access: 'read' | 'write' = 'read',
): Promise<string> {
  const answer = await asPerson<{ redirectTo: string }>(api, person, 'POST', '/oauth2/authorization', {
    body: { ...request, allow: true, access },
  })
  assert.equal(answer.status, 200, answer.text)
  return new URL(answer.body.redirectTo).searchParams.get('code')!
}

export interface GrantAnswer {
  access_token: string
  refresh_token: string
  expires_in: number
  scope: string
  error?: string
}

export const askTokens = (api: TestApi, form: Record<string, string>): Promise<Response<GrantAnswer>> =>
  api.call('POST', '/oauth2/token', {
    raw: new URLSearchParams(form).toString(),
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

export const exchange = (
  api: TestApi,
  clientId: string,
  code: string,
  verifier: string,
  more: Record<string, string> = {},
): Promise<Response<GrantAnswer>> =>
  askTokens(api, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: callback,
    ...more,
  })

export const refresh = (api: TestApi, clientId: string, token: string): Promise<Response<GrantAnswer>> =>
  askTokens(api, { grant_type: 'refresh_token', client_id: clientId, refresh_token: token })

export interface Connection {
  clientId: string
  verifier: string
  code: string
  tokens: GrantAnswer
}

/** From registration to tokens. */
export async function connect(
  api: TestApi,
  person: Person,
  { access = 'read', scope }: { access?: 'read' | 'write'; scope?: string } = {},
): Promise<Connection> {
  const clientId = await register(api)
  const verifier = newVerifier()
  const request = makeRequest(api, clientId, verifier, scope === undefined ? {} : { scope })
  const code = await allow(api, person, request, access)
  const answer = await exchange(api, clientId, code, verifier)
  assert.equal(answer.status, 200, answer.text)
  return { clientId, verifier, code, tokens: answer.body }
}
