/** Passkeys over HTTP, with an authenticator in software. The browser's own is in console/testing/passkeys. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startApi, type Response, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import {
  generateCode,
  makeAppUser,
  makeUser,
  password,
  sendCode,
  signIn,
  type SignInBody,
} from '../../testing/records/enrolled-user.ts'
import {
  createPasskey,
  usePasskey,
  type CreationOptions,
  type RequestOptions,
  type SoftwarePasskey,
} from '../../testing/records/software-passkey.ts'

const origin = 'https://collections.example'
let api: TestApi
before(async () => {
  api = await startApi({ FORDRA_PUBLIC_URL: origin })
})
beforeEach(() => api.sql`delete from login_failure`)
after(() => api.close())

interface Enrolling {
  challenge: string
  publicKey: CreationOptions & { excludeCredentials: { id: string }[] }
}
interface Offered extends SignInBody {
  passkey?: RequestOptions
}

const own = <T>(method: string, path: string, token: string, body?: object): Promise<Response<T>> =>
  api.call(method, `/users/current/mfa/passkeys${path}`, { token, body })
const enrolPasskey = (token: string, more: object = {}) =>
  own<Enrolling>('POST', '/options', token, { currentPassword: password, ...more })
const confirmPasskey = (token: string, body: object) =>
  own<{ recoveryCodes: string[] }>('POST', '', token, { name: 'Laptop', ...body })
const listPasskeys = async (token: string) =>
  (
    await own<{ passkeys: { passkeyGuid: string; name: string; lastUsedAt: string | null }[] }>(
      'GET',
      '',
      token,
    )
  ).body.passkeys
const listFirst = async (token: string) => (await listPasskeys(token))[0]!
const deletePasskey = (token: string, passkeyGuid: string) =>
  own('DELETE', `/${passkeyGuid}`, token, { currentPassword: password })

async function enrol(token: string, more: object = {}) {
  const begun = await enrolPasskey(token, more)
  assert.equal(begun.status, 200, begun.text)
  const { passkey, credential } = createPasskey(begun.body.publicKey, origin)
  const answer = await confirmPasskey(token, { challenge: begun.body.challenge, credential })
  assert.equal(answer.status, 200, answer.text)
  return { passkey, recoveryCodes: answer.body.recoveryCodes, options: begun.body.publicKey }
}

const getToken = async (login: string) => (await signIn(api, login)).body.accessToken

async function makePasskeyUser() {
  const user = await makeUser(api)
  const token = await getToken(user.email)
  return { ...user, token, ...(await enrol(token)) }
}

async function challenge(login: string): Promise<{ challenge: string; passkey: RequestOptions }> {
  const { body } = (await signIn(api, login)) as Response<Offered>
  assert.ok(body.passkey, 'a passkey is offered')
  return { challenge: body.challenge, passkey: body.passkey }
}

const signInWithPasskey = (given: string, credential: object) =>
  api.call<SignInBody>('POST', '/auth/mfa/passkey', { body: { challenge: given, credential }, token: null })

/** Signs in, by whatever differs from what is right. */
async function attempt(
  login: string,
  passkey: SoftwarePasskey,
  change: Partial<RequestOptions> = {},
  from = origin,
) {
  const offered = await challenge(login)
  return signInWithPasskey(offered.challenge, usePasskey(passkey, { ...offered.passkey, ...change }, from))
}

test('enrolPasskey and confirmPasskey make it the second factor, and signInWithPasskey signs in', async () => {
  const user = await makeUser(api)
  const [token, other] = [await getToken(user.email), await getToken(user.email)]
  const { passkey, recoveryCodes, options } = await enrol(token)
  assert.equal(options.rp.id, 'collections.example')
  assert.equal(recoveryCodes.length, 10)
  assert.equal((await api.call('GET', '/users/current', { token: other })).status, 401)
  const offered = await challenge(user.email)
  assert.deepEqual(
    offered.passkey.allowCredentials.map(({ id }) => id),
    [passkey.id.toString('base64url')],
  )
  const answer = await signInWithPasskey(offered.challenge, usePasskey(passkey, offered.passkey, origin))
  assert.equal(answer.status, 200, answer.text)
  const me = await api.call<{ email: string }>('GET', '/users/current', { token: answer.body.accessToken })
  assert.equal(me.body.email, user.email)
  const [listed] = await listPasskeys(answer.body.accessToken)
  assert.equal(listed!.name, 'Laptop')
  assert.ok(listed!.lastUsedAt)
  const byCode = await challenge(user.email)
  assert.equal((await sendCode(api, byCode.challenge, recoveryCodes[0]!)).status, 200)
})

test('a user who must have a second factor enrols a passkey before anything else', async () => {
  const user = await makeUser(api, { mfaType: 1 })
  const token = await getToken(user.email)
  assert.equal((await api.call('GET', '/debtors', { token })).status, 403)
  const { passkey } = await enrol(token)
  assert.equal((await api.call('GET', '/debtors', { token })).status, 200)
  assert.equal((await attempt(user.email, passkey)).status, 200)
})

test('what is not the passkey of this sign-in is refused, all alike', async () => {
  const [user, other] = [await makePasskeyUser(), await makePasskeyUser()]
  const used = await challenge(user.email)
  const credential = usePasskey(user.passkey, used.passkey, origin)
  assert.equal((await signInWithPasskey(used.challenge, credential)).status, 200)
  const forged = usePasskey(user.passkey, (await challenge(user.email)).passkey, origin)
  const copied = { ...user.passkey, counter: 0 }
  const answers = [
    await signInWithPasskey(used.challenge, credential),
    await signInWithPasskey((await challenge(user.email)).challenge, credential),
    await signInWithPasskey((await challenge(user.email)).challenge, {
      ...forged,
      response: { ...forged.response, signature: forged.response.authenticatorData },
    }),
    await attempt(user.email, other.passkey),
    await attempt(user.email, copied),
    await attempt(user.email, user.passkey, {}, 'https://collections.example.evil.example'),
    await attempt(user.email, user.passkey, { rpId: 'evil.example' }),
    await signInWithPasskey('nobody', credential),
  ]
  for (const answer of answers) assertProblem(answer, 'login-failed', /challenge or the code is wrong/)
  await api.sql`delete from login_failure`
  user.passkey.counter += 10
  assert.equal((await attempt(user.email, user.passkey)).status, 200)
})

test('a challenge allows five attempts, and failures lock the user', async () => {
  const user = await makePasskeyUser()
  const offered = await challenge(user.email)
  const wrong = usePasskey(user.passkey, { ...offered.passkey, rpId: 'evil.example' }, origin)
  for (let count = 0; count < 5; count++)
    assert.equal((await signInWithPasskey(offered.challenge, wrong)).status, 401)
  await api.sql`delete from login_failure`
  const right = usePasskey(user.passkey, offered.passkey, origin)
  assert.equal((await signInWithPasskey(offered.challenge, right)).status, 401)
  const kept = await challenge(user.email)
  const others = [await challenge(user.email), await challenge(user.email)]
  for (const { challenge: given, passkey } of others)
    for (let count = 0; count < 5; count++) {
      const bad = usePasskey(user.passkey, { ...passkey, rpId: 'evil.example' }, origin)
      assert.equal((await signInWithPasskey(given, bad)).status, 401)
    }
  const late = usePasskey(user.passkey, kept.passkey, origin)
  assert.equal((await signInWithPasskey(kept.challenge, late)).status, 401)
  await api.sql`delete from login_failure`
  assert.equal((await signInWithPasskey(kept.challenge, late)).status, 200)
})

test('beside an app a passkey needs a code, gives no new recovery codes, and both sign in', async () => {
  const user = await makeAppUser(api)
  assertProblem(await enrolPasskey(user.token), 'unprocessable', /code is wrong/)
  assertProblem(await enrolPasskey(user.token, { code: '000000' }), 'unprocessable', /code is wrong/)
  const { passkey, recoveryCodes } = await enrol(user.token, { code: await generateCode(user.secret) })
  assert.deepEqual(recoveryCodes, [])
  assert.equal((await attempt(user.email, passkey)).status, 200)
  const { challenge: given } = await challenge(user.email)
  assert.equal((await sendCode(api, given, await generateCode(user.secret, 1))).status, 200)
  const { passkeyGuid } = await listFirst(user.token)
  assert.equal((await deletePasskey(user.token, passkeyGuid)).status, 200)
  assert.equal(((await signIn(api, user.email)).body as Offered).passkey, undefined)
})

test('a pending app is not activated by a passkey', async () => {
  const user = await makeUser(api)
  const token = await getToken(user.email)
  const { body } = await api.call<{ secret: string }>('POST', '/users/current/mfa/totp', {
    body: { currentPassword: password },
    token,
  })
  await enrol(token)
  const { challenge: given } = await challenge(user.email)
  assert.equal((await sendCode(api, given, await generateCode(body.secret))).status, 401)
})

test('confirmPasskey refuses a credential for another challenge, origin or user, and one that exists', async () => {
  const user = await makeUser(api)
  const token = await getToken(user.email)
  const begin = async () => (await enrolPasskey(token)).body
  const [first, second] = [await begin(), await begin()]
  const { credential } = createPasskey(first.publicKey, origin)
  const foreign = createPasskey(second.publicKey, 'https://evil.example').credential
  const stranger = await getToken((await makeUser(api)).email)
  for (const [by, body] of [
    [token, { challenge: second.challenge, credential }],
    [token, { challenge: second.challenge, credential: foreign }],
    [stranger, { challenge: first.challenge, credential }],
  ] as const)
    assertProblem(await confirmPasskey(by, body), 'unprocessable', /credential is not a new passkey/)
  assert.equal((await signIn(api, user.email)).body.mfaRequired, undefined)
  const owner = await makePasskeyUser()
  assert.equal((await listPasskeys(owner.token)).length, 1)
  const again = await enrolPasskey(owner.token, { code: owner.recoveryCodes[0]! })
  assert.equal(again.body.publicKey.excludeCredentials.length, 1)
})

test('the only second factor is removed as such, by its owner or an administrator', async () => {
  const user = await makePasskeyUser()
  const { passkeyGuid } = await listFirst(user.token)
  assertProblem(await deletePasskey(user.token, passkeyGuid), 'conflict', /only second factor/)
  const stranger = await makePasskeyUser()
  assertProblem(await deletePasskey(stranger.token, passkeyGuid), 'not-found', /no such passkey/)
  const removed = await api.call('DELETE', '/users/current/mfa', {
    token: user.token,
    body: { currentPassword: password, code: user.recoveryCodes[0] },
  })
  assert.equal(removed.status, 200, removed.text)
  assert.equal((await signIn(api, user.email)).body.mfaRequired, undefined)
  const reset = await api.call('POST', `/users/${stranger.userGuid}/mfa/reset`)
  assert.equal(reset.status, 200, reset.text)
  assert.equal((await signIn(api, stranger.email)).body.mfaRequired, undefined)
  assert.equal(
    (await api.sql`select from passkey where user_id in (${user.userGuid}, ${stranger.userGuid})`).length,
    0,
  )
})

test('who has codes by e-mail, a wrong password, ten passkeys or no domain enrols none', async (t) => {
  const mailed = await makeUser(api)
  const token = await getToken(mailed.email)
  assertProblem(await enrolPasskey(token, { currentPassword: 'fel' }), 'unprocessable', /currentPassword/)
  await api.sql`update app_user set mfa_type = 2 where id = ${mailed.userGuid}`
  assertProblem(await enrolPasskey(token), 'conflict', /codes by e-mail or SMS/)
  await api.sql`update app_user set mfa_type = 0 where id = ${mailed.userGuid}`
  await api.sql`
    insert into passkey (id, user_id, credential_id, public_key, counter, transports, name)
    select gen_random_uuid(), ${mailed.userGuid}, decode(md5(n::text), 'hex'), '', 0, '{}', 'x' from generate_series(1, 10) n`
  assertProblem(await enrolPasskey(token), 'conflict', /10 passkeys/)
  const user = await makePasskeyUser()
  const plain: Record<string, string>[] = [{}, { FORDRA_PUBLIC_URL: 'http://collections.example' }]
  for (const settings of plain) {
    const node = await api.startNode(settings)
    t.after(() => node.close())
    const { body } = (await signIn(node, user.email)) as Response<Offered>
    assert.equal(body.passkey, undefined)
    const answer = await node.call('POST', '/users/current/mfa/passkeys/options', {
      token: user.token,
      body: { currentPassword: password },
    })
    assertProblem(answer, 'unprocessable', /FORDRA_PUBLIC_URL/)
  }
})
