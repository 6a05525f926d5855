import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { CurrentSession, OwnSession } from '../../../contract/access/own-sessions.ts'
import type { SignInWays } from '../../../contract/access/oidc.ts'
import type { User } from '../../../contract/access/users.ts'
import type { Page } from '../../platform/database/list.ts'
import { openDirectory } from '../scim/directory-for-tests.ts'
import { startApi, type Response, type TestApi } from '../../testing/api.ts'
import {
  passProvider,
  startProvider,
  testClient,
  type Accounts,
  type TestProvider,
} from '../../testing/servers/oidc-provider.ts'

/** The provider redirects browsers to this URL; the test uses its path with the API's own port. */
const publicUrl = 'http://127.0.0.1:1'
const callback = '/auth/oidc/callback'

const accounts: Accounts = {}
let provider: TestProvider
let settings: Record<string, string>
let api: TestApi
before(async () => {
  provider = await startProvider(accounts, `${publicUrl}/api/v1${callback}`)
  settings = {
    FORDRA_PUBLIC_URL: publicUrl,
    FORDRA_OIDC_ISSUER: provider.issuer,
    FORDRA_OIDC_CLIENT_ID: testClient.id,
    FORDRA_OIDC_CLIENT_SECRET: testClient.secret,
    FORDRA_OIDC_NAME: 'Provleverantören',
  }
  api = await startApi(settings)
})
after(async () => {
  await api.close()
  await provider.close()
})

let users = 0

/** A user here, and a provider account with the same verified e-mail. */
async function makeUser(change: object = {}, account: Accounts[string] = {}) {
  users += 1
  const email = `Oidc${users}@agency.example`
  const name = `account-${users}`
  const password = 'en lång mening som är min'
  const body = { partyReferenceCode: 'AGENCY', email, password, fullName: 'Ute', userRole: 3, ...change }
  const made = await api.call<User>('POST', '/users', { body })
  assert.equal(made.status, 201, made.text)
  accounts[name] = { email: email.toLowerCase(), email_verified: true, ...account }
  return { email: made.body.email!, account: name, userGuid: made.body.uniqueId }
}

const visit = <T = Record<string, never>>(path: string, cookie = '', node = api) =>
  node.call<T>('GET', path, { token: null, headers: cookie ? { cookie } : {} })
const readCookie = (answer: Response<unknown>, name: string) =>
  answer.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(';')[0]
const readLocation = (answer: Response<unknown>) => answer.headers.get('location')

interface Started {
  url: string
  cookie: string
}
async function start(returnTo?: string, node = api): Promise<Started> {
  const query = returnTo === undefined ? '' : `?${new URLSearchParams({ returnTo })}`
  const answer = await visit(`/auth/oidc/start${query}`, '', node)
  assert.equal(answer.status, 302, answer.text)
  return { url: readLocation(answer)!, cookie: readCookie(answer, 'fordra-oidc')! }
}

/** Our path that the provider sends the browser to. */
async function passTo(url: string, account: string, options = {}): Promise<string> {
  const back = await passProvider(url, account, options)
  assert.equal(back.origin + back.pathname, `${publicUrl}/api/v1${callback}`)
  return callback + back.search
}

/** A complete sign-in; returns our last answer. */
async function signIn(account: string, node = api) {
  const { url, cookie } = await start(undefined, node)
  return visit(await passTo(url, account), cookie, node)
}

test('listSignInWays offers the provider', async () => {
  const { body } = await visit<SignInWays>('/auth/ways')
  assert.deepEqual(body, {
    password: true,
    oidc: { name: 'Provleverantören', url: '/api/v1/auth/oidc/start' },
  })
})

test('startOidc sends the browser to the provider with PKCE, state and nonce', async () => {
  const answer = await visit('/auth/oidc/start')
  const { searchParams: sent } = new URL(readLocation(answer)!)
  assert.equal(sent.get('code_challenge_method'), 'S256')
  for (const name of ['state', 'nonce', 'code_challenge']) assert.match(sent.get(name)!, /^[\w-]{43}$/)
  const [cookie] = answer.headers.getSetCookie()
  assert.match(cookie!, /^fordra-oidc=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  assert.ok(!readLocation(answer)!.includes(cookie!.slice(12, 55)))
  assert.notEqual(new URL((await start()).url).searchParams.get('state'), sent.get('state'))
})

test('finishOidc signs in by verified e-mail the first time, by the link afterwards', async () => {
  const { account, email, userGuid } = await makeUser()
  const { url, cookie } = await start('/debtors?view=1#top')
  const answer = await visit(await passTo(url, account), cookie)
  assert.deepEqual([answer.status, readLocation(answer), answer.text], [302, '/debtors?view=1#top', ''])
  assert.equal(readCookie(answer, 'fordra-oidc'), 'fordra-oidc=')
  assert.match(answer.headers.getSetCookie().join(), /fordra=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict/)
  const session = readCookie(answer, 'fordra')!
  assert.equal((await visit<{ email: string }>('/users/current', session)).body.email, email)
  const sessions = await visit<Page<OwnSession>>('/users/current/sessions', session)
  assert.deepEqual([sessions.body.value[0]?.how, sessions.body.value[0]?.carriedBy], ['oidc', 'cookie'])
  const { body } = await visit<CurrentSession>('/auth/session', session)
  const headers = { cookie: session, 'x-csrf-token': body.csrfToken! }
  const changed = await api.call('PATCH', '/users/current', {
    body: { languageCode: 'sv' },
    token: null,
    headers,
  })
  assert.equal(changed.status, 200)
  const events = await api.sql`select data from event where subject = ${userGuid} and type = 'user.linked'`
  assert.deepEqual(events[0]?.['data'], { userGuid, issuer: provider.issuer })
  // The link remains, whatever happens to the e-mail at the provider.
  accounts[account] = { email: 'nobody@agency.example', email_verified: false }
  const again = await signIn(account)
  assert.equal(readLocation(again), '/')
  const second = await visit<{ email: string }>('/users/current', readCookie(again, 'fordra'))
  assert.equal(second.body.email, email)
  assert.equal(events.length, 1)
})

test('finishOidc signs in whom a directory provisioned, until the directory deactivates them', async () => {
  const scim = await openDirectory(api, { userRole: 2 })
  const email = 'provisioned@agency.example'
  const made = await scim.call('POST', '/Users', {
    userName: 'upn-1',
    emails: [{ value: email }],
    displayName: 'Eva',
  })
  assert.equal(made.status, 201, made.text)
  accounts['provisioned'] = { email, email_verified: true }
  const session = readCookie(await signIn('provisioned'), 'fordra')!
  const profile = await visit<{ uniqueId: string }>('/users/current', session)
  assert.deepEqual([profile.status, profile.body.uniqueId], [200, made.body['id']])
  const operation = { op: 'Replace', path: 'active', value: 'False' }
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
  const off = await scim.call('PATCH', `/Users/${made.body['id'] as string}`, {
    schemas,
    Operations: [operation],
  })
  assert.equal(off.status, 200, off.text)
  assert.equal((await visit('/users/current', session)).status, 401)
  assert.equal(readCookie(await signIn('provisioned'), 'fordra'), undefined)
})

test('finishOidc refuses all strangers alike, and creates no user', async () => {
  const count = (await api.sql`select from app_user`).length
  const disabled = await makeUser({ disabled: true })
  const unverified = await makeUser({}, { email_verified: false })
  const silent = await makeUser()
  delete accounts[silent.account]!.email_verified
  const linked = await makeUser()
  assert.equal(readLocation(await signIn(linked.account)), '/')
  await api.sql`update app_user set disabled = true where id = ${linked.userGuid}`
  accounts['stranger'] = { email: 'stranger@elsewhere.example', email_verified: true }
  accounts['nameless'] = {}
  const { email } = await makeUser({ email: 'kelvin@agency.example' })
  accounts['look-alike'] = { email: email.replace('k', '\u212a'), email_verified: true }
  const { email: sharp } = await makeUser({ email: 'straße@agency.example' })
  accounts['spelling'] = { email: sharp.replace('ß', 'ss'), email_verified: true }
  const names = [disabled, unverified, silent, linked].map(({ account }) => account)
  for (const account of [...names, 'stranger', 'nameless', 'look-alike', 'spelling']) {
    const answer = await signIn(account)
    assert.equal(readLocation(answer), '/?error=oidc-refused', account)
    assert.equal(readCookie(answer, 'fordra'), undefined)
  }
  assert.equal((await api.sql`select from app_user`).length, count + 6)
  const links = await api.sql`select from external_identity where user_id = ${unverified.userGuid}`
  assert.equal(links.length, 0)
})

test('an e-mail that the provider gives to another account does not sign in', async () => {
  const { account } = await makeUser()
  assert.equal(readLocation(await signIn(account)), '/')
  accounts['successor'] = { ...accounts[account]! }
  assert.equal(readLocation(await signIn('successor')), '/?error=oidc-refused')
})

test('finishOidc refuses another browser, a wrong state, and a second use', async () => {
  const { account } = await makeUser()
  const { url, cookie } = await start()
  const back = await passTo(url, account)
  const other = await start()
  assert.equal(readLocation(await visit(back)), '/?error=oidc-expired')
  assert.equal(readLocation(await visit(back, other.cookie)), '/?error=oidc-expired')
  for (const state of ['', 'x', new URL(other.url).searchParams.get('state')!]) {
    const forged = back.replace(/state=[^&]*/, `state=${state}`)
    assert.equal(readLocation(await visit(forged, cookie)), '/?error=oidc-expired')
  }
  assert.equal(readLocation(await visit(callback, cookie)), '/?error=oidc-expired')
  // The wrong attempts did not affect this browser's sign-in; but it works only once.
  assert.equal(readLocation(await visit(back, cookie)), '/')
  const replayed = await visit(back, cookie)
  assert.equal(readLocation(replayed), '/?error=oidc-expired')
  assert.equal(readCookie(replayed, 'fordra'), undefined)
})

test('finishOidc refuses a sign-in that took too long', async () => {
  const { account } = await makeUser()
  const { url, cookie } = await start()
  const back = await passTo(url, account)
  await api.sql`update oidc_attempt set expires_at = now() - interval '1 second'`
  assert.equal(readLocation(await visit(back, cookie)), '/?error=oidc-expired')
})

const same = (text: string) => text

test('finishOidc refuses a code of another sign-in, a wrong nonce and a wrong issuer', async () => {
  const { account } = await makeUser()
  const failed = async (change: (url: string) => string, changeBack: (back: string) => string) => {
    const { url, cookie } = await start()
    const back = await passTo(change(url), account)
    const answer = await visit(changeBack(back), cookie)
    assert.equal(readLocation(answer), '/?error=oidc-failed')
    assert.equal(readCookie(answer, 'fordra'), undefined)
  }
  const first = await start()
  const stolen = new URLSearchParams((await passTo(first.url, account)).split('?')[1]).get('code')!
  await failed(same, (back) => back.replace(/code=[^&]*/, `code=${stolen}`))
  await failed(same, (back) => back.replace(/code=[^&]*/, 'code=made-up'))
  await failed(same, (back) => back.replace(/code=[^&]*&?/, ''))
  await failed(same, (back) => `${back}&code=twice`)
  await failed(same, (back) => back.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fevil.example'))
  await failed((url) => url.replace(/nonce=[^&]*/, 'nonce=anothernonceanothernonceanothernonce'), same)
  await failed((url) => url.replace(/code_challenge=[^&]*/, `code_challenge=${'A'.repeat(43)}`), same)
  // A real sign-in, to know that the others failed for their reason.
  const { url, cookie } = await start()
  assert.equal(readLocation(await visit(await passTo(url, account), cookie)), '/')
})

test('finishOidc tells the sign-in page when the provider or the user refused', async () => {
  const { account } = await makeUser()
  const { url, cookie } = await start()
  const back = await passTo(url, account, { refuse: true })
  assert.match(back, /error=access_denied/)
  assert.equal(readLocation(await visit(back, cookie)), '/?error=oidc-failed')
})

test("our second factor is required, unless the provider's is trusted", async (t) => {
  const plain = await makeUser()
  const strong = await makeUser({}, { amr: ['pwd', 'otp', 'mfa'] })
  for (const { userGuid } of [plain, strong])
    await api.sql`update app_user set mfa_type = 1 where id = ${userGuid}`
  const trusting = await api.startNode({ ...settings, FORDRA_OIDC_TRUST_MFA: '1' })
  t.after(() => trusting.close())
  assert.equal(readLocation(await signIn(strong.account)), '/?error=oidc-mfa')
  assert.equal(readLocation(await signIn(plain.account)), '/?error=oidc-mfa')
  assert.equal(readLocation(await signIn(plain.account, trusting)), '/?error=oidc-mfa')
  assert.equal(readLocation(await signIn(strong.account, trusting)), '/')
})

const elsewhere = [
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' //evil.example',
  'javascript:alert(1)',
  'debtors',
  '',
  '/\u0000',
  '/räksmörgås',
  `/${'x'.repeat(6000)}`,
]
for (const returnTo of elsewhere) {
  test(`startOidc refuses the return path ${JSON.stringify(returnTo.slice(0, 30))}`, async () => {
    const answer = await visit<{ errors: object }>(`/auth/oidc/start?${new URLSearchParams({ returnTo })}`)
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [400, ['returnTo']])
  })
}

test('finishOidc ignores a return address in the query', async () => {
  const { account } = await makeUser()
  const { url, cookie } = await start('/debtors')
  const back = await passTo(url, account)
  const answer = await visit(`${back}&returnTo=https%3A%2F%2Fevil.example`, cookie)
  assert.equal(readLocation(answer), '/debtors')
})

test('an unavailable or broken provider gives 503, and is asked again next time', async (t) => {
  let answerWith = 500
  const broken = createServer((_request, response) => response.writeHead(answerWith).end('{}'))
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`
  const node = await api.startNode({ ...settings, FORDRA_OIDC_ISSUER: issuer })
  t.after(() => node.close())
  const expectAway = async () => {
    const answer = await visit<{ code: string }>('/auth/oidc/start', '', node)
    assert.deepEqual([answer.status, answer.body.code], [503, 'unavailable'])
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
    assert.deepEqual(answer.headers.getSetCookie(), [])
  }
  await expectAway()
  answerWith = 200
  await expectAway()
  broken.closeAllConnections()
  await new Promise<void>((resolve) => broken.close(() => resolve()))
  await expectAway()
})

test('a provider that becomes unavailable during a sign-in gives 503 too', async (t) => {
  const own = await startProvider(accounts, `${publicUrl}/api/v1${callback}`)
  const node = await api.startNode({ ...settings, FORDRA_OIDC_ISSUER: own.issuer })
  t.after(() => node.close())
  const { account } = await makeUser()
  const { url, cookie } = await start(undefined, node)
  const back = await passTo(url, account)
  await own.close()
  const answer = await visit<{ code: string }>(back, cookie, node)
  assert.deepEqual([answer.status, answer.body.code], [503, 'unavailable'])
  assert.ok(answer.headers.get('retry-after'))
})

test('without a provider, single sign-on answers 404', async (t) => {
  const node = await api.startNode()
  t.after(() => node.close())
  assert.equal((await visit<SignInWays>('/auth/ways', '', node)).body.oidc, null)
  assert.equal((await visit('/auth/oidc/start', '', node)).status, 404)
  assert.equal((await visit(`${callback}?code=x&state=y`, 'fordra-oidc=x', node)).status, 404)
})
