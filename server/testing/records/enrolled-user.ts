/** Users with a second factor, as the tests of signing in need them. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateSync } from 'otplib'
import { sendResetMessages } from '../../access/users/password-reset.routes.ts'
import type { Response, TestApi } from '../api.ts'

export const password = 'en lång mening som är min'

export interface SignInBody {
  accessToken: string
  refreshToken: string
  mfaRequired: true
  mfaType: number
  challenge: string
  detail: string
}

export interface NewUser {
  userGuid: string
  email: string
}

let users = 0

/** Creates a user through the API, of role 3 unless said otherwise. */
export async function makeUser(api: TestApi, more: object = {}): Promise<NewUser> {
  users += 1
  const email = `faktor${process.pid}-${users}@agency.example`
  const body = { partyReferenceCode: 'AGENCY', email, password, fullName: 'Två Faktor', userRole: 3, ...more }
  const made = await api.call<{ uniqueId: string }>('POST', '/users', { body })
  assert.equal(made.status, 201, made.text)
  return { userGuid: made.body.uniqueId, email }
}

export const signIn = (api: TestApi, login: string, secret = password): Promise<Response<SignInBody>> =>
  api.call('POST', '/auth/login', { body: { login, password: secret }, token: null })

export const sendCode = (api: TestApi, challenge: string, code: string): Promise<Response<SignInBody>> =>
  api.call('POST', '/auth/mfa', { body: { challenge, code }, token: null })

/** The right password's challenge. */
export async function challengeFor(api: TestApi, login: string): Promise<string> {
  const answer = await signIn(api, login)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.mfaRequired, true, answer.text)
  return answer.body.challenge
}

const stepMs = 30_000

/** The app's code, `steps` of 30 seconds from now. Waits where the step is about to end, so that "now" stays what it was. */
export async function generateCode(secret: string, steps = 0): Promise<string> {
  const passed = Date.now() % stepMs
  if (passed > stepMs - 8_000) await sleep(stepMs - passed + 50)
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })
}

export interface AppUser extends NewUser {
  token: string
  secret: string
  recoveryCodes: string[]
}

/** A user with an authenticator app, whose codes of the step before now and later are unused. */
export async function makeAppUser(api: TestApi, more: object = {}): Promise<AppUser> {
  const user = await makeUser(api, more)
  const token = (await signIn(api, user.email)).body.accessToken
  const enrolled = await api.call<{ secret: string }>('POST', '/users/current/mfa/totp', {
    body: { currentPassword: password },
    token,
  })
  assert.equal(enrolled.status, 200, enrolled.text)
  const { secret } = enrolled.body
  const confirmed = await api.call<{ recoveryCodes: string[] }>('POST', '/users/current/mfa/totp/confirm', {
    body: { code: await generateCode(secret) },
    token,
  })
  assert.equal(confirmed.status, 200, confirmed.text)
  await api.sql`update authenticator set last_step = 0 where user_id = ${user.userGuid}`
  return { ...user, token, secret, recoveryCodes: confirmed.body.recoveryCodes }
}

/** The secret in the newest message that waits in the outbox for a recipient. */
export async function secretSentTo(api: TestApi, recipient: string, pattern = /\d{6}/): Promise<string> {
  const [message] = await api.sql<{ body: string }[]>`
    select body from message where recipient = ${recipient} order by created_at desc limit 1`
  assert.ok(message, `a message waits for ${recipient}`)
  return pattern.exec(message.body)![0]
}

/** Writes the messages of forgotten passwords, as the running product does every second. */
export const answerResets = (api: TestApi): Promise<void> =>
  sendResetMessages(api.sql, api.app.service.settings)
