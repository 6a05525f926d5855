/** Signs in with a second factor and resets a password while logging all there is; prints the secrets it used. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sendResetMessages } from '../../access/users/password-reset.routes.ts'
import { startApi } from '../api.ts'
import {
  challengeFor,
  generateCode,
  makeAppUser,
  makeUser,
  password,
  secretSentTo,
  sendCode,
} from '../records/enrolled-user.ts'

const api = await startApi({ FORDRA_LOG_LEVEL: '10' })
const user = await makeAppUser(api)
const challenge = await challengeFor(api, user.email)
const code = await generateCode(user.secret)
await sendCode(api, challenge, 'wrong-code')
const { body } = await sendCode(api, challenge, code)
const byMail = await makeUser(api, { mfaType: 2 })
const mailChallenge = await challengeFor(api, byMail.email)
const mailCode = await secretSentTo(api, byMail.email)
await sendCode(api, mailChallenge, user.recoveryCodes[0]!)
await api.call('POST', '/auth/password/forgot', { body: { login: user.email }, token: null })
await sendResetMessages(api.sql, api.app.service.settings)
const token = await secretSentTo(api, user.email, /[\w-]{43}/)
const newPassword = 'ett hemligt nytt lösenord'
await api.call('POST', '/auth/password/reset', { body: { token, password: newPassword }, token: null })
await sleep(700)
await api.close()
const tokens = [body.accessToken, body.refreshToken, challenge, mailChallenge, token]
console.log(
  JSON.stringify([...tokens, user.secret, code, mailCode, user.recoveryCodes[0], password, newPassword]),
)
