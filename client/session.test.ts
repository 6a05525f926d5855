/** Authentication against the running service: tokens, client credentials and cookies. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startApi, type TestApi } from '../server/testing/api.ts'
import { generateCode, makeAppUser, password } from '../server/testing/records/enrolled-user.ts'
import { ApiProblem, createClient, type KeptTokens } from './client.ts'

const email = 'session@agency.example'
let api: TestApi

before(async () => {
  api = await startApi()
  await api.addUser({ email, password, userRole: 2 })
})
after(() => api.close())

const login = { body: { login: email, password } }

describe('tokens', () => {
  test('are stored from sign-in to sign-out', async () => {
    const told: (KeptTokens | undefined)[] = []
    const client = createClient({ baseUrl: api.address, onTokens: (tokens) => told.push(tokens) })
    await assert.rejects(client.listDebtors(), { kind: 'unauthenticated' })
    await client.login(login)
    assert.equal((await client.getCurrentUser()).email, email)
    assert.equal(told.at(-1), client.tokens)
    assert.ok(client.tokens!.expiresAt > Date.now())
    await client.logout()
    assert.equal(client.tokens, undefined)
    assert.equal(told.at(-1), undefined)
  })

  test('are issued after the second step, if there is one', async () => {
    const user = await makeAppUser(api)
    const client = createClient({ baseUrl: api.address })
    const answer = await client.login({ body: { login: user.email, password } })
    assert.ok('challenge' in answer)
    assert.equal(client.tokens, undefined)
    await client.signInWithCode({
      body: { challenge: answer.challenge, code: await generateCode(user.secret, 1) },
    })
    assert.equal((await client.getCurrentUser()).email, user.email)
  })

  test('are renewed before they expire, once for all calls', async () => {
    const first = createClient({ baseUrl: api.address })
    await first.login(login)
    const refreshes: string[] = []
    const client = createClient({
      baseUrl: api.address,
      tokens: { ...first.tokens!, expiresAt: Date.now() + 1000 },
      onTokens: (tokens) => refreshes.push(tokens!.refreshToken),
    })
    const users = await Promise.all([client.getCurrentUser(), client.getCurrentUser(), client.listSessions()])
    assert.equal(users.length, 3)
    assert.equal(refreshes.length, 1)
    assert.notEqual(client.tokens!.accessToken, first.tokens!.accessToken)
  })

  test('are renewed when the service refuses them, and the call is repeated', async () => {
    const client = createClient({ baseUrl: api.address })
    await client.login(login)
    const former = client.tokens!
    const again = createClient({ baseUrl: api.address, tokens: { ...former, accessToken: 'x'.repeat(43) } })
    assert.equal((await again.getCurrentUser()).email, email)
    assert.notEqual(again.tokens!.accessToken, former.accessToken)
  })

  test('that cannot be renewed are dropped, and this is reported', async () => {
    let ended = 0
    const tokens = {
      accessToken: 'x'.repeat(43),
      refreshToken: 'y'.repeat(43),
      expiresAt: Date.now() + 60_000,
    }
    const client = createClient({ baseUrl: api.address, tokens, onSignedOut: () => (ended += 1) })
    await assert.rejects(client.getCurrentUser(), { kind: 'unauthenticated' })
    assert.equal(client.tokens, undefined)
    assert.equal(ended, 1)
  })
})

test('client credentials sign in automatically', async () => {
  const admin = createClient({ baseUrl: api.address })
  await admin.login(login)
  const credentials = {
    clientId: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70',
    clientSecret: 'a secret of more than thirty-two characters',
  }
  await admin.createUser({
    body: {
      partyReferenceCode: 'AGENCY',
      email: 'robot@agency.example',
      fullName: 'Robot',
      userRole: 1,
      apiUser: true,
      ...credentials,
    },
  })
  const robot = createClient({ baseUrl: api.address, credentials: { ...credentials, scope: 'debtor.read' } })
  assert.equal((await robot.listDebtors()).total, 0)
  await assert.rejects(robot.createDebtor({ body: { fullName: 'Nej' } }), { kind: 'forbidden' })
})

/** Handles cookies like a browser. */
function browserFetch() {
  let cookie = ''
  const csrf: (string | null)[] = []
  const send: typeof fetch = async (input, init) => {
    const headers = new Headers(init!.headers)
    csrf.push(headers.get('x-csrf-token'))
    if (cookie) headers.set('cookie', cookie)
    const answer = await fetch(input, { ...init!, headers })
    for (const line of answer.headers.getSetCookie()) cookie = line.split(';')[0]!
    return answer
  }
  return { send, csrf, setCookie: (value: string) => (cookie = value), getCookie: () => cookie }
}

describe('a session by cookie', () => {
  test('sends its CSRF token with changes, also after a reload', async () => {
    const browser = browserFetch()
    const open = () => createClient({ baseUrl: api.address, session: 'cookie', fetch: browser.send })
    const client = open()
    await client.login(login)
    assert.equal(client.tokens, undefined)
    await client.updateUserSettings({ context: 'console', group: 'list', body: { dense: true } })
    const reloaded = open()
    await reloaded.updateUserSettings({ context: 'console', group: 'list', body: { dense: false } })
    assert.deepEqual(await reloaded.getUserSettings({ context: 'console', group: 'list' }), { dense: false })
    assert.equal(browser.csrf.at(-1), null)
    await reloaded.logout()
    await assert.rejects(reloaded.getCurrentUser(), { kind: 'unauthenticated' })
  })

  test('takes over the token of another page that has signed in again', async () => {
    const browser = browserFetch()
    const open = (more: object = {}) =>
      createClient({ baseUrl: api.address, session: 'cookie', fetch: browser.send, ...more })
    const [one, other] = [open(), open()]
    await one.login(login)
    await other.login(login)
    await one.updateUserSettings({ context: 'console', group: 'list', body: { wide: true } })
    assert.deepEqual(await other.getUserSettings({ context: 'console', group: 'list' }), {
      dense: false,
      wide: true,
    })
    assert.equal(browser.csrf.filter((token) => token !== null).length, 2)
  })

  test('that has ended is reported', async () => {
    const browser = browserFetch()
    let ended = 0
    const client = createClient({
      baseUrl: api.address,
      session: 'cookie',
      fetch: browser.send,
      onSignedOut: () => (ended += 1),
    })
    await client.login(login)
    browser.setCookie(`fordra=${'x'.repeat(43)}`)
    await assert.rejects(client.listDebtors(), (error) => error instanceof ApiProblem && error.status === 401)
    assert.equal(ended, 1)
  })
})
