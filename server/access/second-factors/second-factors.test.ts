/** Enrolling, changing and removing the second factor, and resetting that of others. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { operations } from '../../../contract/api.ts'
import { startApi, type Response, type TestApi } from '../../testing/api.ts'
import {
  challengeFor,
  generateCode,
  makeAppUser,
  makeUser,
  password,
  secretSentTo,
  sendCode,
  signIn,
} from '../../testing/records/enrolled-user.ts'
import { assertProblem } from '../../testing/problem.ts'

let api: TestApi
before(async () => {
  api = await startApi({
    FORDRA_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    FORDRA_COMPANY: 'Nordisk: Inkasso',
  })
})
beforeEach(() => api.sql`delete from login_failure`)
after(() => api.close())

interface Body {
  otpauthUrl: string
  secret: string
  qrCode: string
  recoveryCodes: string[]
  challenge: string
  code: string
  detail: string
  errors: Record<string, string[]>
}
const own = (method: string, path: string, token: string, body?: object): Promise<Response<Body>> =>
  api.call(method, `/users/current/mfa${path}`, { token, body })
const enrolTotp = (token: string, currentPassword = password) =>
  own('POST', '/totp', token, { currentPassword })
const confirmTotp = (token: string, code: string) => own('POST', '/totp/confirm', token, { code })
const reset = (userGuid: string, token = api.token) =>
  api.call<Body>('POST', `/users/${userGuid}/mfa/reset`, { token })
const getToken = async (login: string) => (await signIn(api, login)).body.accessToken
const getMfaType = async (userGuid: string) => {
  const [row] = await api.sql<{ mfaType: number }[]>`
    select mfa_type as "mfaType" from app_user where id = ${userGuid}`
  return row!.mfaType
}
const readAudit = (userGuid: string) =>
  api.sql<{ operation: string; actorId: string; changes: object }[]>`
    select operation, actor_id as "actorId", changes from audit_entry where entity = 'user' and subject = ${userGuid} order by position`

test('enrolTotp gives address, secret and QR code; confirmTotp activates it and gives recovery codes', async () => {
  const user = await makeUser(api)
  const [token, other] = [await getToken(user.email), await getToken(user.email)]
  const enrolled = await enrolTotp(token)
  const { otpauthUrl, secret, qrCode } = enrolled.body
  assert.match(secret, /^[A-Z2-7]{32}$/)
  const url = new URL(otpauthUrl)
  assert.equal(url.protocol, 'otpauth:')
  assert.equal(url.searchParams.get('secret'), secret)
  assert.equal(url.searchParams.get('issuer'), 'Nordisk  Inkasso')
  const [type, svg] = qrCode.split(',') as [string, string]
  assert.equal(type, 'data:image/svg+xml;base64')
  assert.match(Buffer.from(svg, 'base64').toString(), /^<svg[^]*<\/svg>\s*$/)
  // It is not active yet.
  assert.equal((await signIn(api, user.email)).body.mfaRequired, undefined)
  const answer = await confirmTotp(token, await generateCode(secret))
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.recoveryCodes.length, 10)
  assert.equal(await getMfaType(user.userGuid), 1)
  // The other sessions have ended, this one continues.
  assert.equal((await api.call('GET', '/users/current', { token: other })).status, 401)
  assert.equal((await api.call('GET', '/users/current', { token })).status, 200)
  await challengeFor(api, user.email)
  const audit = await readAudit(user.userGuid)
  assert.deepEqual(audit.at(-1), {
    operation: 'confirmTotp',
    actorId: user.userGuid,
    changes: { mfaType: [0, 1], secondFactor: [null, 'enrolled'] },
  })
})

test('the seed is encrypted at rest, also one stored before there was a key', async () => {
  const user = await makeAppUser(api)
  const stored = await api.sql<{ seed: Buffer; sealed: boolean }[]>`
    select seed, sealed from authenticator where user_id = ${user.userGuid}`
  assert.deepEqual([stored.length, stored[0]!.sealed], [1, true])
  assert.ok(!stored[0]!.seed.toString().includes(user.secret))
  await api.sql`
    update authenticator set seed = ${Buffer.from(user.secret)}, sealed = false where user_id = ${user.userGuid}`
  const answer = await sendCode(api, await challengeFor(api, user.email), await generateCode(user.secret))
  assert.equal(answer.status, 200, answer.text)
  const [again] = await api.sql<{ seed: Buffer; sealed: boolean }[]>`
    select seed, sealed from authenticator where user_id = ${user.userGuid}`
  assert.equal(again!.sealed, true)
  assert.ok(!again!.seed.toString().includes(user.secret))
})

test('a wrong password or code is a 422, changes nothing, and counts', async () => {
  const user = await makeUser(api)
  const token = await getToken(user.email)
  assertProblem(await confirmTotp(token, '123456'), 'unprocessable', /code is wrong/)
  const refused = await enrolTotp(token, 'fel lösenord')
  assertProblem(refused, 'unprocessable', /not your password/)
  assert.deepEqual(Object.keys(refused.body.errors), ['currentPassword'])
  const { secret } = (await enrolTotp(token)).body
  const right = await generateCode(secret)
  const wrong = right === '000000' ? '000001' : '000000'
  assert.deepEqual(Object.keys((await confirmTotp(token, wrong)).body.errors), ['code'])
  assert.equal(await getMfaType(user.userGuid), 0)
  const [counted] = await api.sql`select failures from login_failure order by failures desc limit 1`
  assert.equal(counted!['failures'], 3)
  for (let count = 0; count < 8; count++) await confirmTotp(token, wrong)
  // A locked user is refused even with the right code.
  assert.equal((await confirmTotp(token, right)).status, 422)
  assert.equal((await enrolTotp(token)).status, 422)
})

test('of two requested seeds the newer one counts', async () => {
  const user = await makeUser(api)
  const token = await getToken(user.email)
  const first = (await enrolTotp(token)).body.secret
  const second = (await enrolTotp(token)).body.secret
  assert.equal((await confirmTotp(token, await generateCode(first))).status, 422)
  assert.equal((await confirmTotp(token, await generateCode(second))).status, 200)
})

for (const [mfaType, name] of [
  [2, 'e-mail'],
  [3, 'SMS'],
] as const) {
  test(`chooseMfa and confirmMfa: codes by ${name}`, async () => {
    const cellularPhoneNumber = `+4670174062${mfaType}`
    const user = await makeUser(api, { cellularPhoneNumber })
    const recipient = mfaType === 2 ? user.email : cellularPhoneNumber
    const token = await getToken(user.email)
    const wrong = await own('POST', '/message', token, { mfaType, currentPassword: 'fel' })
    assert.equal(wrong.status, 422)
    const sent = await own('POST', '/message', token, { mfaType, currentPassword: password })
    assert.equal(sent.status, 200, sent.text)
    const { challenge } = sent.body
    const code = await secretSentTo(api, recipient)
    const other = await getToken((await makeUser(api)).email)
    assert.equal((await own('POST', '/message/confirm', other, { challenge, code })).status, 422)
    // It has the wrong purpose: it cannot sign in.
    assert.equal((await sendCode(api, challenge, code)).status, 401)
    const confirmed = await own('POST', '/message/confirm', token, { challenge, code })
    assert.equal(confirmed.status, 200, confirmed.text)
    assert.equal(confirmed.body.recoveryCodes.length, 10)
    assert.equal(await getMfaType(user.userGuid), mfaType)
    const next = await challengeFor(api, user.email)
    assert.equal((await sendCode(api, next, await secretSentTo(api, recipient))).status, 200)
  })
}

test('chooseMfa needs a phone number for SMS, and accepts two types', async () => {
  const token = await getToken((await makeUser(api)).email)
  const choose = (mfaType: number) => own('POST', '/message', token, { mfaType, currentPassword: password })
  assertProblem(await choose(3), 'unprocessable', /cellularPhoneNumber/)
  assertProblem(await choose(1), 'invalid', /mfaType/)
})

test('an active second factor cannot be replaced by enrolling', async () => {
  const user = await makeAppUser(api)
  assertProblem(await enrolTotp(user.token), 'conflict', /Remove it first/)
  assertProblem(await confirmTotp(user.token, await generateCode(user.secret)), 'conflict', /Remove it first/)
  const choose = await own('POST', '/message', user.token, { mfaType: 2, currentPassword: password })
  assertProblem(choose, 'conflict', /Remove it first/)
  const confirm = await own('POST', '/message/confirm', user.token, { challenge: 'x', code: '123456' })
  assertProblem(confirm, 'conflict', /Remove it first/)
})

test('renewRecoveryCodes and disableMfa need password and code, and a factor', async () => {
  const user = await makeAppUser(api)
  const change = (method: string, path: string, body: object) => own(method, path, user.token, body)
  const good = { currentPassword: password, code: await generateCode(user.secret, -1) }
  for (const [method, path] of [
    ['POST', '/recovery-codes'],
    ['DELETE', ''],
  ] as const) {
    assertProblem(await change(method, path, { code: good.code }), 'invalid', /currentPassword/)
    assertProblem(await change(method, path, { currentPassword: password }), 'invalid', /code/)
    assert.equal((await change(method, path, { ...good, currentPassword: 'fel' })).status, 422)
    assert.equal((await change(method, path, { ...good, code: 'abcdef' })).status, 422)
    const none = await own(method, path, await getToken((await makeUser(api)).email), good)
    assertProblem(none, 'conflict', /no second factor/)
  }
  const renewed = await change('POST', '/recovery-codes', good)
  assert.equal(renewed.status, 200, renewed.text)
  const { recoveryCodes } = renewed.body
  assert.equal((await sendCode(api, await challengeFor(api, user.email), user.recoveryCodes[0]!)).status, 401)
  assert.equal((await sendCode(api, await challengeFor(api, user.email), recoveryCodes[0]!)).status, 200)
  // A code works once here too; a recovery code works instead.
  assert.equal((await change('DELETE', '', good)).status, 422)
  // Without a second factor the password may not be the agency's name either.
  const [agency] = await api.sql<{ name: string }[]>`select name from party where parent_id is null`
  await api.sql`update party set name = ${password} where parent_id is null`
  const named = await change('DELETE', '', { ...good, code: recoveryCodes[2]! })
  assertProblem(named, 'unprocessable', /the agency/)
  await api.sql`update party set name = ${agency!.name} where parent_id is null`
  const left = await change('DELETE', '', { ...good, code: recoveryCodes[1]! })
  assert.equal(left.status, 200, left.text)
  assert.equal(await getMfaType(user.userGuid), 0)
  assert.equal((await signIn(api, user.email)).body.mfaRequired, undefined)
  const { count } = await api.sql`select from recovery_code where user_id = ${user.userGuid}`
  assert.equal(count, 0)
  const audit = await readAudit(user.userGuid)
  assert.deepEqual(
    audit.slice(-2).map(({ operation, changes }) => [operation, changes]),
    [
      ['renewRecoveryCodes', { recoveryCodes: [null, 'renewed'] }],
      ['disableMfa', { mfaType: [1, 0] }],
    ],
  )
})

test('sendMfaCode sends the code that removes e-mail as a second factor', async () => {
  const user = await makeUser(api, { mfaType: 2 })
  const challenge = await challengeFor(api, user.email)
  const { accessToken: token } = (await sendCode(api, challenge, await secretSentTo(api, user.email))).body
  const sent = await own('POST', '/code', token)
  assert.equal(sent.status, 200, sent.text)
  const proof = {
    currentPassword: password,
    code: await secretSentTo(api, user.email),
    challenge: sent.body.challenge,
  }
  assert.equal((await own('DELETE', '', token, { ...proof, challenge: undefined })).status, 422)
  assert.equal((await own('DELETE', '', token, proof)).status, 200)
  assertProblem(await own('POST', '/code', token), 'conflict', /no second factor/)
  const app = await makeAppUser(api)
  assertProblem(await own('POST', '/code', app.token), 'conflict', /authenticator app/)
})

test('removing the second factor needs a password that is long enough without one', async () => {
  const short = 'åtta-tkn'
  const user = await makeUser(api, { mfaType: 1, password: short })
  const token = (await signIn(api, user.email, short)).body.accessToken
  const { secret } = (await enrolTotp(token, short)).body
  assert.equal((await confirmTotp(token, await generateCode(secret))).status, 200)
  const body = { currentPassword: short, code: await generateCode(secret, 1) }
  assertProblem(await own('DELETE', '', token, body), 'unprocessable', /15 characters/)
  assert.equal(await getMfaType(user.userGuid), 1)
})

test('a user who must have a second factor but has none can only enrol or sign out', async () => {
  const user = await makeUser(api, { mfaType: 1, userRole: 2 })
  const token = await getToken(user.email)
  let refused = 0
  for (const operation of operations) {
    if (operation.access === 'public' || operation.mfaPending === true) continue
    const path = operation.path.replace(/:\w+/g, user.userGuid)
    const answer = await api.call(operation.method, path, { token })
    assertProblem(answer, 'mfa-required', /Enrol a second factor/)
    refused += 1
  }
  assert.ok(refused > 30, `${refused} operations`)
  const open = operations.filter(({ mfaPending }) => mfaPending).map(({ id }) => id)
  for (const id of ['enrolTotp', 'confirmTotp', 'chooseMfa', 'confirmMfa', 'logout'])
    assert.ok(open.includes(id), id)
  // Renewed tokens do not help.
  const { refreshToken } = (await signIn(api, user.email)).body
  const renewed = await api.call<{ accessToken: string }>('POST', '/auth/refresh', {
    body: { refreshToken },
    token: null,
  })
  assert.equal((await api.call('GET', '/users', { token: renewed.body.accessToken })).status, 403)
  const { secret } = (await enrolTotp(token)).body
  assert.equal((await confirmTotp(token, await generateCode(secret))).status, 200)
  assert.equal((await api.call('GET', '/users', { token })).status, 200)
  assert.equal((await api.call('GET', '/users', { token: renewed.body.accessToken })).status, 401)
  await challengeFor(api, user.email)
})

test('mfaType 3 without a phone number asks for a factor too; the user may choose another one', async () => {
  const user = await makeUser(api, { mfaType: 3 })
  const token = await getToken(user.email)
  assert.equal((await api.call('GET', '/users/current', { token })).status, 403)
  const { body } = await own('POST', '/message', token, { mfaType: 2, currentPassword: password })
  const code = await secretSentTo(api, user.email)
  assert.equal(
    (await own('POST', '/message/confirm', token, { challenge: body.challenge, code })).status,
    200,
  )
  assert.equal((await api.call('GET', '/users/current', { token })).status, 200)
  const out = await makeUser(api, { mfaType: 1 })
  assert.equal((await api.call('POST', '/auth/logout', { token: await getToken(out.email) })).status, 200)
})

test('resetMfa makes a user enrol again, ends their sessions and is audited', async () => {
  const user = await makeAppUser(api)
  const challenge = await challengeFor(api, user.email)
  assert.equal((await reset(user.userGuid)).status, 200)
  assert.equal((await api.call('GET', '/users/current', { token: user.token })).status, 401)
  for (const code of [await generateCode(user.secret), user.recoveryCodes[0]!])
    assert.equal((await sendCode(api, challenge, code)).status, 401)
  const token = await getToken(user.email)
  assertProblem(await api.call('GET', '/users/current', { token }), 'mfa-required', /Enrol/)
  const { secret } = (await enrolTotp(token)).body
  assert.equal((await confirmTotp(token, await generateCode(secret))).status, 200)
  const audit = await readAudit(user.userGuid)
  const entry = audit.find(({ operation }) => operation === 'resetMfa')
  assert.deepEqual(entry?.changes, { secondFactor: [null, 'reset'] })
  assert.notEqual(entry?.actorId, user.userGuid)
  const byMail = await makeUser(api, { mfaType: 2 })
  assert.equal((await reset(byMail.userGuid)).status, 200)
  assert.equal(await getMfaType(byMail.userGuid), 1)
})

test('resetMfa refuses unknown users, users without a factor, oneself, and users with more rights', async () => {
  assertProblem(await reset('0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'), 'not-found', /user/)
  assertProblem(await reset((await makeUser(api)).userGuid), 'conflict', /no second factor/)
  const admin = await makeAppUser(api, { userRole: 2 })
  assertProblem(await reset(admin.userGuid, admin.token), 'conflict', /your own/)
  for (const role of [3, 5, 14] as const)
    assertProblem(await reset(admin.userGuid, await api.signIn(role)), 'forbidden', /user\.write/)
  // A manager of a client's users sees only those, and may not change users with more rights.
  const client = await api.addParty('KLIENT')
  const manager = await api.signIn(6, client)
  assertProblem(await reset(admin.userGuid, manager), 'not-found', /user/)
  const above = await makeAppUser(api, { partyReferenceCode: 'KLIENT', userRole: 3 })
  assertProblem(await reset(above.userGuid, manager), 'forbidden', /Nobody may grant more/)
  const below = await makeAppUser(api, { partyReferenceCode: 'KLIENT', userRole: 9 })
  assert.equal((await reset(below.userGuid, manager)).status, 200)
})

test('a secret answer is not stored for a repeated request', async () => {
  const user = await makeUser(api)
  const token = await getToken(user.email)
  const headers = { 'idempotency-key': 'enrol-1' }
  const body = { currentPassword: password }
  const [first, second] = [
    await api.call<Body>('POST', '/users/current/mfa/totp', { token, body, headers }),
    await api.call<Body>('POST', '/users/current/mfa/totp', { token, body, headers }),
  ]
  assert.notEqual(first.body.secret, second.body.secret)
  assert.equal((await api.sql`select from idempotency_key where key = 'enrol-1'`).length, 0)
})
