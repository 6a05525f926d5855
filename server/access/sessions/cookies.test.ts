import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CurrentSession } from '../../../contract/access/own-sessions.ts'
import type { CookieSession, Tokens } from '../../../contract/access/sessions.ts'
import { startApi, type CallOptions, type TestApi } from '../../testing/api.ts'
import {
  challengeFor,
  generateCode,
  makeAppUser,
  makeUser as makeFactorUser,
} from '../../testing/records/enrolled-user.ts'
import { sendRaw } from '../../testing/raw-request.ts'

let api: TestApi
before(async () => {
  api = await startApi({ FORDRA_TRUST_PROXY: '1' })
})
after(() => api.close())

const password = 'en lång mening som är min'
let users = 0

async function makeUser(): Promise<string> {
  users += 1
  const email = `kaka${users}@agency.example`
  const body = { partyReferenceCode: 'AGENCY', email, password, fullName: 'Kaka', userRole: 3 }
  assert.equal((await api.call('POST', '/users', { body })).status, 201)
  return email
}

const login = <T = CookieSession>(email: string, headers: Record<string, string> = {}) =>
  api.call<T>('POST', '/auth/login', {
    body: { login: email, password },
    headers: { 'x-session': 'cookie', ...headers },
    token: null,
  })

interface Page {
  email: string
  cookie: string
  csrf: string
}

/** A web page that has signed in. */
async function openPage(email?: string): Promise<Page> {
  const own = email ?? (await makeUser())
  const answer = await login(own)
  assert.equal(answer.status, 200, answer.text)
  const [cookie] = answer.headers.getSetCookie()
  return { email: own, cookie: cookie!.split(';')[0]!, csrf: answer.body.csrfToken }
}

const call = <T = Record<string, never>>(
  { cookie }: { cookie: string },
  method: string,
  path: string,
  { headers, ...options }: CallOptions = {},
) => api.call<T>(method, path, { token: null, ...options, headers: { cookie, ...headers } })
const read = (page: { cookie: string }, headers: Record<string, string> = {}) =>
  call<{ email: string }>(page, 'GET', '/users/current', { headers })
const change = (page: { cookie: string }, headers: Record<string, string> = {}) =>
  call(page, 'PATCH', '/users/current', { body: { languageCode: 'sv' }, headers })

test('login by cookie works on localhost without HTTPS, and the answer has no token', async () => {
  const answer = await login(await makeUser())
  assert.deepEqual(Object.keys(answer.body), ['csrfToken', 'expiresIn'])
  assert.equal(answer.body.expiresIn, 3600)
  const cookies = answer.headers.getSetCookie()
  assert.equal(cookies.length, 1)
  assert.match(cookies[0]!, /^fordra=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
  assert.ok(!answer.text.includes(/=([\w-]{43})/.exec(cookies[0]!)![1]!))
})

test('login by cookie behind an HTTPS proxy sets a Secure cookie bound to the host', async () => {
  const https = { 'x-forwarded-proto': 'https' }
  const answer = await login(await makeUser(), https)
  const [cookie] = answer.headers.getSetCookie()
  assert.match(cookie!, /^__Host-fordra=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
  const pair = cookie!.split(';')[0]!
  assert.equal((await read({ cookie: pair }, https)).status, 200)
  // Neither cookie name replaces the other: a plain connection cannot set a valid cookie.
  assert.equal((await read({ cookie: pair.replace('__Host-', '') }, https)).status, 401)
  assert.equal((await read({ cookie: pair })).status, 401)
})

test('login by cookie needs HTTPS except on localhost, and a header that asks for a cookie', async () => {
  const body = JSON.stringify({ login: await makeUser(), password })
  const answer = await sendRaw(
    api.address,
    'POST /api/v1/auth/login HTTP/1.1\r\nHost: collect.example\r\nConnection: close\r\nX-Session: cookie\r\n' +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  assert.equal(answer.status, 400)
  assert.match(answer.body, /needs HTTPS/)
  assert.equal(answer.headers['set-cookie'], undefined)
  const other = await login<{ errors: object }>(await makeUser(), { 'x-session': 'kaka' })
  assert.deepEqual([other.status, Object.keys(other.body.errors)], [400, ['X-Session']])
  const plain = await api.call<Tokens>('POST', '/auth/login', {
    body: { login: await makeUser(), password },
    token: null,
  })
  assert.ok(plain.body.accessToken)
  assert.deepEqual(plain.headers.getSetCookie(), [])
})

test('a change by cookie needs the CSRF token of its session', async () => {
  const [page, other] = [await openPage(), await openPage()]
  assert.equal((await read(page)).body.email, page.email)
  const head = { method: 'HEAD', headers: { cookie: page.cookie } }
  assert.equal((await fetch(`${api.address}/api/v1/users/current`, head)).status, 200)
  const refused = await change(page)
  assert.equal(refused.status, 403)
  assert.match(refused.text, /X-CSRF-Token/)
  for (const csrf of ['', 'x', other.csrf, page.csrf.toLowerCase(), `${page.csrf}x`])
    assert.equal((await change(page, { 'x-csrf-token': csrf })).status, 403, csrf)
  assert.equal((await change(page, { 'x-csrf-token': page.csrf })).status, 200)
  const made = { body: { fullName: 'Bo' }, headers: { 'x-csrf-token': page.csrf } }
  assert.equal((await call(page, 'POST', '/debtors', made)).status, 201)
  assert.equal((await call(page, 'POST', '/debtors', { body: { fullName: 'Bo' } })).status, 403)
})

const sites: [headers: Record<string, string>, reads: number, changes: number][] = [
  [{ 'sec-fetch-site': 'same-origin' }, 200, 200],
  [{ 'sec-fetch-site': 'none' }, 200, 403],
  [{ 'sec-fetch-site': 'same-site' }, 403, 403],
  [{ 'sec-fetch-site': 'cross-site' }, 403, 403],
  [{ origin: 'https://evil.example' }, 403, 403],
  [{ origin: 'null' }, 403, 403],
  [{ origin: 'OWN' }, 200, 200],
  [{ origin: 'OWN.evil.example' }, 403, 403],
]
for (const [given, reads, changes] of sites) {
  test(`a request by cookie with ${JSON.stringify(given)}`, async () => {
    const page = await openPage()
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.replace('OWN', api.address)]),
    )
    assert.equal((await read(page, headers)).status, reads)
    assert.equal((await change(page, { 'x-csrf-token': page.csrf, ...headers })).status, changes)
  })
}

test('pages of FORDRA_PUBLIC_URL are same-origin and get Secure cookies', async (t) => {
  const node = await api.startNode({ FORDRA_PUBLIC_URL: 'https://collect.example' })
  t.after(() => node.close())
  const signedIn = await node.call<CookieSession>('POST', '/auth/login', {
    body: { login: await makeUser(), password },
    headers: { 'x-session': 'cookie' },
    token: null,
  })
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!
  assert.match(cookie, /^__Host-/)
  const readFrom = (origin: string) =>
    node.call('GET', '/users/current', { token: null, headers: { cookie, origin } })
  assert.equal((await readFrom('https://collect.example')).status, 200)
  assert.equal((await readFrom('http://collect.example')).status, 403)
})

const readSecret = (cookie: string) => cookie.split('=')[1]!

test('an Authorization header takes precedence, and no secret replaces another', async () => {
  const page = await openPage()
  const other = await makeUser()
  const tokens = (await login<Tokens>(other, { 'x-session': 'cookie' })).headers
  const bearer = await api.call<Tokens>('POST', '/auth/login', {
    body: { login: other, password },
    token: null,
  })
  const { accessToken, refreshToken } = bearer.body
  const both = await call<{ email: string }>(page, 'GET', '/users/current', { token: accessToken })
  assert.equal(both.body.email, other)
  // With the header, the change needs no CSRF token and is made as the header's user.
  const body = { languageCode: 'da' }
  assert.equal((await call(page, 'PATCH', '/users/current', { token: accessToken, body })).status, 200)
  assert.notEqual((await read(page)).body.email, other)
  for (const authorization of ['Bearer wrongwrongwrongwrongwrong', 'Bearer', 'Basic YTpi', ''])
    assert.equal((await read(page, { authorization })).status, 401, authorization)
  assert.equal((await api.call('GET', '/users/current', { token: readSecret(page.cookie) })).status, 401)
  for (const secret of [accessToken, refreshToken])
    assert.equal((await read({ cookie: `fordra=${secret}` })).status, 401)
  const refresh = { body: { refreshToken: readSecret(page.cookie) }, token: null }
  assert.equal((await api.call('POST', '/auth/refresh', refresh)).status, 401)
  const session = await call<CurrentSession>(page, 'GET', '/auth/session', { token: accessToken })
  assert.deepEqual([session.body.carriedBy, session.body.csrfToken], ['token', null])
  const second = tokens.getSetCookie()[0]!.split(';')[0]!
  assert.equal((await read({ cookie: `${page.cookie}; ${second}` })).status, 401)
  assert.equal((await read({ cookie: `a=b; ${page.cookie}; fordra2=x` })).status, 200)
})

test('signing in never adopts a cookie that was sent along', async () => {
  const email = await makeUser()
  const planted = `fordra=${'A'.repeat(43)}`
  const answer = await login(email, { cookie: planted })
  const own = answer.headers.getSetCookie()[0]!.split(';')[0]!
  assert.notEqual(own, planted)
  assert.equal((await read({ cookie: planted })).status, 401)
  const attacker = await openPage()
  const victim = await login(email, { cookie: attacker.cookie })
  const victims = victim.headers.getSetCookie()[0]!.split(';')[0]!
  assert.notEqual(victims, attacker.cookie)
  assert.equal((await read(attacker)).body.email, attacker.email)
  assert.equal((await read({ cookie: victims })).body.email, email)
})

test('getSession gives a page its CSRF token again; logout ends it and removes the cookie', async () => {
  const page = await openPage()
  const session = await call<CurrentSession>(page, 'GET', '/auth/session')
  assert.deepEqual([session.body.carriedBy, session.body.csrfToken], ['cookie', page.csrf])
  assert.equal((await call(page, 'POST', '/auth/logout')).status, 403)
  const out = await call(page, 'POST', '/auth/logout', { headers: { 'x-csrf-token': page.csrf } })
  assert.equal(out.status, 200)
  assert.deepEqual(out.headers.getSetCookie(), ['fordra=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0'])
  assert.equal((await read(page)).status, 401)
})

test('signInWithCode by cookie', async () => {
  const { email, secret } = await makeAppUser(api)
  const first = await login<{ mfaRequired: boolean }>(email)
  assert.deepEqual([first.body.mfaRequired, first.headers.getSetCookie()], [true, []])
  const challenge = await challengeFor(api, email)
  const answer = await api.call<CookieSession>('POST', '/auth/mfa', {
    body: { challenge, code: await generateCode(secret, 1) },
    headers: { 'x-session': 'cookie' },
    token: null,
  })
  assert.deepEqual(Object.keys(answer.body), ['csrfToken', 'expiresIn'])
  const cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!
  const sessions = await call<{ value: { how: string; current: boolean }[] }>(
    { cookie },
    'GET',
    '/users/current/sessions',
  )
  assert.equal(sessions.body.value.find(({ current }) => current)?.how, 'mfa')
})

test('a page whose user must enrol a second factor gets its CSRF token and nothing else', async () => {
  const { email } = await makeFactorUser(api, { mfaType: 1 })
  const page = await openPage(email)
  assert.equal((await call<CurrentSession>(page, 'GET', '/auth/session')).body.csrfToken, page.csrf)
  assert.equal((await read(page)).status, 403)
  assert.equal((await call(page, 'POST', '/users/current/mfa/totp', { body: {} })).status, 403)
})

test('using the cookie extends the idle limit; an unused cookie expires', async () => {
  const page = await openPage()
  const secret = page.cookie.split('=')[1]!
  const { hashToken } = await import('./sessions.ts')
  const secondsLeft = async () => {
    const [row] = await api.sql<{ seconds: number }[]>`
      select extract(epoch from expires_at - now())::int as seconds from session_token where hash = ${hashToken(secret)}`
    return row!.seconds
  }
  const setLeft = async (seconds: number) => {
    await api.sql`
      update session_token set expires_at = now() + ${seconds} * interval '1 second' where hash = ${hashToken(secret)}`
    const [row] = await api.sql<{ id: string }[]>`
      select session_id as id from session_token where hash = ${hashToken(secret)}`
    api.app.service.sessions.forget(row!.id)
  }
  await setLeft(600)
  assert.equal((await read(page)).status, 200)
  assert.ok((await secondsLeft()) > 3500)
  await setLeft(-1)
  assert.equal((await read(page)).status, 401)
  assert.ok((await secondsLeft()) < 0)
})
