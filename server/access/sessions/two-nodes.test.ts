/** Ending a session on one node ends it on every other node within about a second (contract section 5). */
import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import type { OwnSession } from '../../../contract/access/own-sessions.ts'
import type { CookieSession, Tokens } from '../../../contract/access/sessions.ts'
import type { User } from '../../../contract/access/users.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
let other: TestApi
before(async () => {
  api = await startApi()
  other = await api.startNode()
})
after(async () => {
  await other.close()
  await api.close()
})

const password = 'en lång mening som är min'
let users = 0

interface SignedInUser {
  login: string
  userGuid: string
  token: string
}

async function signInUser(): Promise<SignedInUser> {
  users += 1
  const login = `nod${users}@agency.example`
  const body = { partyReferenceCode: 'AGENCY', email: login, password, fullName: 'Nod', userRole: 3 }
  const made = await api.call<User>('POST', '/users', { body })
  assert.equal(made.status, 201, made.text)
  return { login, userGuid: made.body.uniqueId, token: await signIn(login) }
}

async function signIn(login: string): Promise<string> {
  const answer = await api.call<Tokens>('POST', '/auth/login', { body: { login, password }, token: null })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.accessToken
}

/** Much longer than the promised second: a busy machine must not fail the test, a forgotten case must. */
const patienceMs = 10_000

/** Calls the other node, which has cached the token, until it refuses. Fails when it never does. */
async function untilCutOff(t: TestContext, ask: () => Promise<number>, expected: number): Promise<void> {
  const began = performance.now()
  for (;;) {
    const status = await ask()
    if (status === expected) break
    assert.equal(status, 200)
    assert.ok(performance.now() - began < patienceMs, `still answered ${status} after ${patienceMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  t.diagnostic(`cut off after ${Math.round(performance.now() - began)} ms`)
}

const askOther = (token: string, path: string) => async () =>
  (await other.call('GET', path, { token })).status
const cutOffs: [what: string, end: (user: SignedInUser) => Promise<{ status: number }>, expected: number][] =
  [
    [
      'a disabled user',
      ({ userGuid }) => api.call('PUT', `/users/${userGuid}`, { body: { disabled: true, password: null } }),
      401,
    ],
    [
      'a password changed by an administrator',
      ({ userGuid }) => api.call('PUT', `/users/${userGuid}`, { body: { password: `${password} nu` } }),
      401,
    ],
    [
      'a password changed in another session',
      async ({ login }) =>
        api.call('PATCH', '/users/current', {
          body: { password: `${password} nu`, currentPassword: password },
          token: await signIn(login),
        }),
      401,
    ],
    ['a logout', ({ token }) => api.call('POST', '/auth/logout', { token }), 401],
    [
      'a changed role',
      ({ userGuid }) => api.call('PUT', `/users/${userGuid}`, { body: { userRole: 5, password: null } }),
      403,
    ],
    [
      'a session revoked from another one',
      async ({ login }) => {
        const token = await signIn(login)
        const { body } = await api.call<Page<OwnSession>>('GET', '/users/current/sessions', { token })
        const guid = body.value.find(({ current }) => !current)!.sessionGuid
        return api.call('DELETE', `/users/current/sessions/${guid}`, { token })
      },
      401,
    ],
    [
      'all other sessions revoked',
      async ({ login }) => api.call('DELETE', '/users/current/sessions', { token: await signIn(login) }),
      401,
    ],
  ]
for (const [what, end, expected] of cutOffs) {
  test(`${what} is cut off on the other node`, async (t) => {
    const user = await signInUser()
    // Only an access code that role 3 has and role 5 lacks reveals a changed role.
    const ask = expected === 403 ? askService(user.token) : askOther(user.token, '/users/current')
    assert.equal(await ask(), 200)
    const { status } = await end(user)
    assert.equal(status, 200)
    await untilCutOff(t, ask, expected)
  })
}

/** 200 while the other node lets the user write debtors: an empty body is refused only after the access check. */
const askService = (token: string) => async () => {
  const { status } = await other.call('POST', '/debtors', { body: {}, token })
  return status === 400 ? 200 : status
}

test('a cookie session is cut off on the other node too', async (t) => {
  const { login } = await signInUser()
  const page = await api.call<CookieSession>('POST', '/auth/login', {
    body: { login, password },
    headers: { 'x-session': 'cookie' },
    token: null,
  })
  const headers = {
    cookie: page.headers.getSetCookie()[0]!.split(';')[0]!,
    'x-csrf-token': page.body.csrfToken,
  }
  const ask = async () => (await other.call('GET', '/users/current', { token: null, headers })).status
  assert.equal(await ask(), 200)
  assert.equal((await api.call('POST', '/auth/logout', { token: null, headers })).status, 200)
  await untilCutOff(t, ask, 401)
})
