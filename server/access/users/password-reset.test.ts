import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { readSettings, type Settings } from '../../platform/config.ts'
import { startApi, type Response, type TestApi } from '../../testing/api.ts'
import {
  challengeFor,
  makeAppUser,
  makeUser,
  password,
  secretSentTo,
  signIn,
} from '../../testing/records/enrolled-user.ts'
import { assertProblem } from '../../testing/problem.ts'
import { sendResetMessages } from './password-reset.routes.ts'
import { deleteOldResets } from './password-reset.store.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
beforeEach(() => api.sql`delete from login_failure`)
after(() => api.close())

const settings = readSettings({})
const newPassword = 'en ny och mycket lång mening'
const tokenPattern = /[\w-]{43}/

const forget = (login: string) =>
  api.call<{ detail: string }>('POST', '/auth/password/forgot', { body: { login }, token: null })
const reset = (token: string, secret = newPassword): Promise<Response<{ errors: object; detail: string }>> =>
  api.call('POST', '/auth/password/reset', { body: { token, password: secret }, token: null })
const answer = (own: Settings = settings) => sendResetMessages(api.sql, own)
const messagesTo = async (recipient: string) =>
  (await api.sql`select from message where recipient = ${recipient} and kind = 'password-reset'`).length

async function tokenFor(email: string): Promise<string> {
  assert.equal((await forget(email)).status, 200)
  await answer()
  return secretSentTo(api, email, tokenPattern)
}

test('requestPasswordReset sends a token, and resetPassword uses it once to change the password', async () => {
  const user = await makeUser(api, { languageCode: 'da' })
  const session = (await signIn(api, user.email)).body
  const token = await tokenFor(user.email)
  const [message] = await api.sql`select language, subject from message where recipient = ${user.email}`
  assert.deepEqual({ ...message }, { language: 'da', subject: 'Ny adgangskode' })
  const changed = await reset(token)
  assert.equal(changed.status, 200, changed.text)
  assertProblem(await reset(token), 'unauthenticated', /unknown, expired or used/)
  assert.equal((await signIn(api, user.email)).status, 401)
  assert.equal((await signIn(api, user.email, newPassword)).status, 200)
  // Every session has ended.
  assert.equal((await api.call('GET', '/users/current', { token: session.accessToken })).status, 401)
  const { refreshToken } = session
  assert.equal((await api.call('POST', '/auth/refresh', { body: { refreshToken }, token: null })).status, 401)
  const [entry] = await api.sql`
    select operation, actor_id as actor, changes from audit_entry where entity = 'user' and subject = ${user.userGuid}
    order by position desc limit 1`
  assert.deepEqual(
    { ...entry },
    { operation: 'resetPassword', actor: user.userGuid, changes: { password: [null, 'changed'] } },
  )
})

test('the answer is the same for everyone, and so is the work before it', async () => {
  const user = await makeUser(api)
  const disabled = await makeUser(api)
  await api.sql`update app_user set disabled = true where id = ${disabled.userGuid}`
  const logins = [user.email, disabled.email, 'nobody@agency.example', '𝕏'.repeat(60), "'; --"]
  const bodies = new Set<string>()
  for (const login of logins) {
    const { status, body } = await forget(login)
    bodies.add(JSON.stringify([status, body.detail]))
  }
  assert.equal(bodies.size, 1)
  // Only the request itself is written while its sender waits.
  const waiting = await api.sql<{ login: string }[]>`select login from password_reset_request`
  assert.deepEqual(waiting.map(({ login }) => login).toSorted(), logins.toSorted())
  assert.equal(await messagesTo(user.email), 0)
  await answer()
  assert.deepEqual([await messagesTo(user.email), await messagesTo(disabled.email)], [1, 0])
  assert.equal((await api.sql`select from password_reset_request`).length, 0)
})

test('at most three messages an hour are sent, with any number of requests and nodes', async () => {
  const userCode = `glömsk${process.pid}`
  const user = await makeUser(api, { userCode })
  for (let count = 0; count < 5; count++) {
    await forget(count % 2 === 0 ? user.email : userCode)
    await forget(user.email.toUpperCase())
    await Promise.all([answer(), answer(), answer()])
  }
  assert.equal(await messagesTo(user.email), 3)
  await api.sql`update password_reset set created_at = now() - interval '61 minutes' where user_id = ${user.userGuid}`
  await forget(user.email)
  await answer()
  assert.equal(await messagesTo(user.email), 4)
})

test('a user without a password gets no message', async () => {
  const email = 'program@agency.example'
  const clientId = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e99'
  await makeUser(api, { email, password: null, clientId, clientSecret: 'x'.repeat(40) })
  await forget(email)
  await answer()
  assert.equal(await messagesTo(email), 0)
})

test('with a public address the message has a link, with its token in the fragment', async () => {
  const user = await makeUser(api)
  await forget(user.email)
  await answer(readSettings({ FORDRA_PUBLIC_URL: 'https://inkasso.example' }))
  const link = await secretSentTo(api, user.email, /https:\S+/)
  const url = new URL(link)
  assert.deepEqual([url.origin, url.pathname, url.search], ['https://inkasso.example', '/reset-password', ''])
  assert.equal((await reset(url.hash.replace('#token=', ''))).status, 200)
})

test('an invalid password gives 400, and the token stays valid', async () => {
  const user = await makeUser(api)
  const token = await tokenFor(user.email)
  for (const bad of ['kort', user.email, 'fordrafordrafordra']) {
    const refused = await reset(token, bad)
    assert.equal(refused.status, 400, refused.text)
    assert.deepEqual(Object.keys(refused.body.errors), ['password'])
  }
  assert.equal((await reset(token, 'x'.repeat(129))).status, 400)
  assert.equal((await reset(token)).status, 200)
})

test('unknown, expired and used tokens and disabled users give the same 401', async () => {
  const [expired, disabled, used] = [await makeUser(api), await makeUser(api), await makeUser(api)]
  const tokens = [
    await tokenFor(expired.email),
    await tokenFor(disabled.email),
    await tokenFor(used.email),
    'x'.repeat(43),
  ]
  await api.sql`
    update password_reset set expires_at = now() - interval '1 second' where user_id = ${expired.userGuid}`
  await api.sql`update app_user set disabled = true where id = ${disabled.userGuid}`
  assert.equal((await reset(tokens[2]!)).status, 200)
  const details = new Set<string>()
  for (const token of tokens) {
    const refused = await reset(token)
    assertProblem(refused, 'unauthenticated', /forgot/)
    details.add(refused.body.detail)
  }
  assert.equal(details.size, 1)
})

test("of concurrent uses of one token exactly one succeeds; the user's other tokens end with it", async () => {
  const user = await makeUser(api)
  const first = await tokenFor(user.email)
  const second = await tokenFor(user.email)
  assert.notEqual(first, second)
  const answers = await Promise.all([1, 2, 3, 4].map((number) => reset(second, `${newPassword} ${number}`)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401, 401])
  assert.equal((await reset(first)).status, 401)
})

test('changing the password in another way ends the tokens too', async () => {
  const user = await makeUser(api)
  const token = await tokenFor(user.email)
  const { accessToken } = (await signIn(api, user.email)).body
  const body = { password: newPassword, currentPassword: password }
  assert.equal((await api.call('PATCH', '/users/current', { body, token: accessToken })).status, 200)
  assert.equal((await reset(token)).status, 401)
})

test('a new password bypasses neither the second factor nor the lock after failures', async () => {
  const user = await makeAppUser(api)
  const waiting = await challengeFor(api, user.email)
  const token = await tokenFor(user.email)
  // Eight characters are enough with a second factor.
  assert.equal((await reset(token, 'åtta-tkn')).status, 200)
  const answered = await signIn(api, user.email, 'åtta-tkn')
  assert.equal(answered.body.mfaRequired, true)
  const late = await api.call('POST', '/auth/mfa', {
    body: { challenge: waiting, code: user.recoveryCodes[0]! },
    token: null,
  })
  assert.equal(late.status, 401)
  const again = await tokenFor(user.email)
  for (let count = 0; count < 10; count++) await signIn(api, user.email, 'fel lösenord')
  assert.equal((await reset(again, 'nio-tecken')).status, 200)
  assert.equal((await signIn(api, user.email, 'nio-tecken')).status, 401)
})

test('tokens are stored hashed and deleted after a day', async () => {
  const user = await makeUser(api)
  const token = await tokenFor(user.email)
  const rows = await api.sql<{ text: string }[]>`select r::text as text from password_reset r`
  const text = rows.map((row) => row.text).join()
  for (const form of [
    token,
    Buffer.from(token).toString('hex'),
    Buffer.from(token, 'base64url').toString('hex'),
  ])
    assert.ok(!text.includes(form))
  await api.sql`update password_reset set created_at = now() - interval '25 hours'`
  await deleteOldResets(api.sql)
  assert.equal((await api.sql`select from password_reset`).length, 0)
})
