/** Attacks on the authorization code grant of assistants (RFC 9700). */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isRedirectUri, isRegistered } from '../../access/assistants/redirect-uris.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { makeUser, password } from '../../testing/records/enrolled-user.ts'
import { makeApiUser, post, requestToken } from './assistant-for-tests.ts'
import * as harness from '../../testing/records/connected-assistant.ts'

let api: TestApi
let person: harness.Person
before(async () => {
  api = await startApi()
  person = await harness.openPerson(api)
})
after(() => api.close())

const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
const opens = async (token: string) => (await post(api, bearer(token))).status

/** Asks for a decision as the person, and allows it. */
const decide = (request: Record<string, string>, headers: Record<string, string> = {}) =>
  harness.asPerson(api, person, 'POST', '/oauth2/authorization', {
    body: { ...request, allow: true, access: 'read' },
    headers,
  })

async function begin(): Promise<{ clientId: string; verifier: string; code: string }> {
  const clientId = await harness.register(api)
  const verifier = harness.newVerifier()
  const code = await harness.allow(api, person, harness.makeRequest(api, clientId, verifier))
  return { clientId, verifier, code }
}

test('a code works once: using it again ends what it gave', async () => {
  const { clientId, verifier, code } = await begin()
  const first = await harness.exchange(api, clientId, code, verifier)
  assert.equal(await opens(first.body.access_token), 200)
  const again = await harness.exchange(api, clientId, code, verifier)
  assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
  assert.equal(await opens(first.body.access_token), 401)
  assert.equal((await harness.refresh(api, clientId, first.body.refresh_token)).status, 400)
})

test('of two exchanges at the same time at most one gets tokens, and none keeps them', async () => {
  const { clientId, verifier, code } = await begin()
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => harness.exchange(api, clientId, code, verifier)),
  )
  const given = answers.filter(({ status }) => status === 200)
  assert.equal(given.length, 1)
  assert.equal(await opens(given[0]!.body.access_token), 401)
})

test('a refresh token works once: using it again ends the connection', async () => {
  const { clientId, tokens } = await harness.connect(api, person)
  const next = await harness.refresh(api, clientId, tokens.refresh_token)
  assert.equal(next.status, 200, next.text)
  assert.notEqual(next.body.refresh_token, tokens.refresh_token)
  assert.equal(await opens(next.body.access_token), 200)
  assert.equal((await harness.refresh(api, clientId, tokens.refresh_token)).body.error, 'invalid_grant')
  assert.equal(await opens(next.body.access_token), 401)
  assert.equal((await harness.refresh(api, clientId, next.body.refresh_token)).body.error, 'invalid_grant')
})

test('a code or refresh token of another program is refused, and ends', async () => {
  const other = await harness.register(api)
  const { clientId, verifier, code } = await begin()
  assert.equal((await harness.exchange(api, other, code, verifier)).body.error, 'invalid_grant')
  assert.equal((await harness.exchange(api, clientId, code, verifier)).body.error, 'invalid_grant')
  const { clientId: own, tokens } = await harness.connect(api, person)
  assert.equal((await harness.refresh(api, other, tokens.refresh_token)).body.error, 'invalid_grant')
  assert.equal((await harness.refresh(api, own, tokens.refresh_token)).body.error, 'invalid_grant')
  assert.equal(await opens(tokens.access_token), 401)
})

test('a verifier that is missing, wrong, short or the challenge itself is refused', async () => {
  for (const wrong of ['', 'x'.repeat(43), 'short', 'x'.repeat(129), undefined]) {
    const { clientId, verifier, code } = await begin()
    const given = wrong ?? harness.makeChallenge(verifier)
    const answer = await harness.exchange(api, clientId, code, given)
    assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_grant'], given)
    assert.equal((await harness.exchange(api, clientId, code, verifier)).status, 400, 'the code is used up')
  }
})

test('an exchange for another address or resource is refused', async () => {
  for (const redirect of [
    '',
    'https://evil.example/callback',
    `${harness.callback}/`,
    `${harness.callback}?x=1`,
  ]) {
    const { clientId, verifier, code } = await begin()
    const answer = await harness.exchange(api, clientId, code, verifier, { redirect_uri: redirect })
    assert.equal(answer.body.error, 'invalid_grant', redirect)
  }
  for (const resource of ['https://evil.example/mcp', `${api.address}/api/v1`]) {
    const { clientId, verifier, code } = await begin()
    const answer = await harness.exchange(api, clientId, code, verifier, { resource })
    assert.equal(answer.body.error, 'invalid_target', resource)
  }
})

test('a code is valid for a minute', async () => {
  const { clientId, verifier, code } = await begin()
  await api.sql`update session_token set expires_at = now() - interval '1 second' where kind = 'assistant-code'`
  assert.equal((await harness.exchange(api, clientId, code, verifier)).body.error, 'invalid_grant')
})

test('its tokens open nothing but /mcp, and those of others do not take their place', async () => {
  const { clientId, code, tokens } = await harness.connect(api, person)
  for (const token of [tokens.access_token, tokens.refresh_token, code]) {
    assert.equal((await api.call('GET', '/debtors', { token })).status, 401)
    assert.equal((await api.call('GET', '/users/current/assistants', { token })).status, 401)
    assert.equal(
      (await api.call('POST', '/auth/refresh', { body: { refreshToken: token }, token: null })).status,
      401,
    )
    for (const path of ['/odata/Debtors', '/scim/v2/Users', '/metrics'])
      assert.equal((await fetch(api.address + path, { headers: bearer(token) })).status, 401, path)
    const cookie = await fetch(`${api.address}/api/v1/users/current`, {
      headers: { cookie: `fordra=${token}` },
    })
    assert.equal(cookie.status, 401)
  }
  for (const token of [tokens.refresh_token, code]) assert.equal(await opens(token), 401)
  const signedIn = await api.call<{ refreshToken: string }>('POST', '/auth/login', {
    body: { login: person.email, password },
    token: null,
  })
  assert.equal((await harness.refresh(api, clientId, signedIn.body.refreshToken)).body.error, 'invalid_grant')
  assert.equal(
    (await harness.exchange(api, clientId, tokens.refresh_token, harness.newVerifier())).status,
    400,
  )
})

test('PKCE with S256 is demanded, and the grant is for assistants alone', async () => {
  const clientId = await harness.register(api)
  const right = harness.makeRequest(api, clientId, harness.newVerifier())
  for (const [member, value] of [
    ['code_challenge_method', 'plain'],
    ['code_challenge_method', ''],
    ['code_challenge', 'x'],
    ['code_challenge', ''],
    ['response_type', 'token'],
    ['response_type', 'code token'],
    ['resource', `${api.address}/api/v1`],
    ['resource', 'https://evil.example/mcp'],
    ['client_id', 'x'],
    ['client_id', '0198f2c4-7c1e-7a3b-9d52-3f60c1a2b4ff'],
  ] as const) {
    const answer = await decide({ ...right, [member]: value })
    const status = member === 'client_id' ? 422 : 400
    assert.equal(answer.status, status, `${member}=${value}`)
    assert.match(answer.text, new RegExp(`"${member}":`))
    const query = new URLSearchParams({ ...right, [member]: value })
    const shown = await harness.asPerson(api, person, 'GET', `/oauth2/authorization?${query}`)
    assert.equal(shown.status, status, `${member}=${value}`)
  }
})

test('only the registered address is returned to', async () => {
  const clientId = await harness.register(api)
  for (const redirect of [
    'https://evil.example/callback',
    'https://assistant.example/callback/',
    'https://assistant.example/callback?x=1',
    'https://assistant.example/callback#x',
    'https://assistant.example/Callback',
    'https://assistant.example/x/../callback',
    'https://assistant.example:444/callback',
    'http://assistant.example/callback',
    'https://assistant.example@evil.example/callback',
    'https://assistant.example.evil.example/callback',
    'https:/\\assistant.example/callback',
    '//assistant.example/callback',
    '/callback',
    'javascript:alert(1)',
    '',
  ]) {
    const request = harness.makeRequest(api, clientId, harness.newVerifier(), { redirect_uri: redirect })
    const answer = await decide(request)
    assert.equal(answer.status, 400, redirect)
    assert.match(answer.text, /redirect_uri/)
    assert.doesNotMatch(answer.text, /redirectTo/)
  }
})

test('on the own computer the port may differ, and nothing else', () => {
  const registered = ['http://127.0.0.1/cb', 'http://localhost:3000/cb?a=1', 'https://127.0.0.1/s']
  for (const right of ['http://127.0.0.1/cb', 'http://127.0.0.1:49152/cb', 'http://localhost:1/cb?a=1'])
    assert.ok(isRegistered(registered, right), right)
  for (const wrong of [
    'http://localhost/cb',
    'http://[::1]/cb',
    'http://127.0.0.1:49152/cb/',
    'http://127.0.0.1:49152/cb?a=1',
    'http://localhost:1/cb',
    'https://127.0.0.1:49152/cb',
    'https://127.0.0.1:1/s',
    'http://127.0.0.1.evil.example/cb',
    'http://user@127.0.0.1/cb',
    'http://127.0.0.1:1/cb#x',
  ])
    assert.ok(!isRegistered(registered, wrong), wrong)
})

test('addresses that are no addresses of programs are not registered', async () => {
  for (const wrong of [
    'http://assistant.example/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'cursor://callback',
    'https://user:secret@assistant.example/cb',
    'https://assistant.example/cb#x',
    'https://assistant.example\\@evil.example',
    'https://assistant.example/\u202e',
    'https://assistant.example/ cb',
    '/cb',
    'https://',
    'http://0.0.0.0/cb',
    'http://127.0.0.1.evil.example/cb',
  ]) {
    assert.ok(!isRedirectUri(wrong), wrong)
    const answer = await api.call<{ error: string }>('POST', '/oauth2/register', {
      body: { redirect_uris: [harness.callback, wrong] },
      token: null,
    })
    assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_redirect_uri'], wrong)
  }
  for (const body of [
    {},
    { redirect_uris: [] },
    { redirect_uris: Array.from({ length: 11 }, () => harness.callback) },
  ])
    assert.equal((await api.call('POST', '/oauth2/register', { body, token: null })).status, 400)
})

test('the authorization address leads to our own page whatever it is asked', async () => {
  const evil = 'https://evil.example/cb'
  const clientId = await harness.register(api, [evil])
  for (const query of [
    '',
    `?client_id=${clientId}&redirect_uri=${encodeURIComponent(evil)}&response_type=wrong`,
    `?client_id=${clientId}&redirect_uri=${encodeURIComponent(evil)}&response_type=code&prompt=none`,
    '?x=//evil.example',
    '?%0d%0aset-cookie:x=1',
  ]) {
    const answer = await fetch(`${api.address}/oauth2/authorize${query}`, { redirect: 'manual' })
    assert.equal(answer.status, 302)
    assert.equal(answer.headers.get('location'), `/connect${query}`)
    assert.equal(answer.headers.get('set-cookie'), null)
  }
})

test('answerAssistantRequest is for the person alone: no other site, no token, no program', async () => {
  const request = harness.makeRequest(api, await harness.register(api), harness.newVerifier())
  const foreign: Record<string, string>[] = [
    { 'x-csrf-token': '' },
    { 'x-csrf-token': 'x'.repeat(43) },
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of foreign)
    assert.equal((await decide(request, headers)).status, 403, JSON.stringify(headers))
  const body = { ...request, allow: true, access: 'read' }
  const apiUser = await makeApiUser(api)
  const program = (await requestToken(api, apiUser)).body.access_token
  for (const token of [api.token, program])
    assert.equal((await api.call('POST', '/oauth2/authorization', { body, token })).status, 403)
  const both = await api.call('POST', '/oauth2/authorization', { body, headers: { cookie: person.cookie } })
  assert.equal(both.status, 403)
  assert.equal((await api.call('POST', '/oauth2/authorization', { body, token: null })).status, 401)
  // A form of another site cannot send JSON, and ours takes nothing else.
  const form = await fetch(`${api.address}/api/v1/oauth2/authorization`, {
    method: 'POST',
    headers: { cookie: person.cookie, 'content-type': 'text/plain', 'x-csrf-token': person.csrf },
    body: JSON.stringify(body),
  })
  assert.equal(form.status, 415)
  assert.equal((await decide(request)).status, 200)
})

test('a user who must still set up a second factor allows nothing', async () => {
  const { email } = await makeUser(api, { mfaType: 1 })
  const answer = await api.call<{ csrfToken: string }>('POST', '/auth/login', {
    body: { login: email, password },
    headers: { 'x-session': 'cookie' },
    token: null,
  })
  const cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!
  const request = harness.makeRequest(api, await harness.register(api), harness.newVerifier())
  const decided = await api.call('POST', '/oauth2/authorization', {
    body: { ...request, allow: true, access: 'read' },
    token: null,
    headers: { cookie, 'x-csrf-token': answer.body.csrfToken },
  })
  assert.equal(decided.status, 403)
  assert.match(decided.text, /second factor/)
})

test('the pages cannot be framed', async () => {
  const redirect = await fetch(`${api.address}/oauth2/authorize`, { redirect: 'manual' })
  const page = await fetch(`${api.address}/connect`, { headers: { accept: 'text/html' } })
  for (const { headers } of [redirect, page]) {
    assert.match(headers.get('content-security-policy')!, /frame-ancestors 'none'/)
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
  }
})

test('switched off, nothing is registered, allowed or given', async (t) => {
  const { clientId, tokens } = await harness.connect(api, person)
  const node = await api.startNode({ FORDRA_ASSISTANTS: 'off' })
  t.after(() => node.close())
  const made = await node.call('POST', '/oauth2/register', {
    body: { redirect_uris: [harness.callback] },
    token: null,
  })
  assert.equal(made.status, 404)
  const request = harness.makeRequest(node, clientId, harness.newVerifier())
  const decided = await harness.asPerson(node, person, 'POST', '/oauth2/authorization', {
    body: { ...request, allow: true, access: 'read' },
  })
  assert.equal(decided.status, 404)
  const renewed = await harness.refresh(node, clientId, tokens.refresh_token)
  assert.equal(renewed.body.error, 'unsupported_grant_type')
  assert.equal((await fetch(`${node.address}/oauth2/authorize`, { redirect: 'manual' })).status, 400)
})

test('registrations count in the quota of the address', async (t) => {
  const node = await api.startNode({ FORDRA_RATE_LIMIT: '1' })
  t.after(() => node.close())
  const statuses: number[] = []
  for (let count = 0; count < 40 && !statuses.includes(429); count++)
    statuses.push(
      (
        await node.call('POST', '/oauth2/register', {
          body: { redirect_uris: [harness.callback] },
          token: null,
        })
      ).status,
    )
  assert.equal(statuses[0], 201)
  assert.ok(statuses.includes(429), statuses.join(' '))
})
