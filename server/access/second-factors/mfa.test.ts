/** Signing in with a second factor: signInWithCode after login. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { promisify } from 'node:util'
import { startApi, type TestApi } from '../../testing/api.ts'
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
  api = await startApi()
})
// These tests make many failures from one address.
beforeEach(() => api.sql`delete from login_failure`)
after(() => api.close())

const wrong = '000000'
/** A code that is not the right one. */
const otherThan = (code: string) => (code === wrong ? '000001' : wrong)
const failures = async () => {
  const [row] = await api.sql<
    { count: number }[]
  >`select coalesce(max(failures), 0)::int as count from login_failure`
  return row!.count
}

test('login answers a challenge in place of tokens, and signInWithCode completes it', async () => {
  const user = await makeAppUser(api)
  const first = await signIn(api, user.email)
  assert.deepEqual(Object.keys(first.body).toSorted(), ['challenge', 'mfaRequired', 'mfaType'])
  assert.deepEqual([first.body.mfaRequired, first.body.mfaType], [true, 1])
  const second = await sendCode(api, first.body.challenge, await generateCode(user.secret))
  assert.equal(second.status, 200, second.text)
  const me = await api.call<{ email: string }>('GET', '/users/current', { token: second.body.accessToken })
  assert.equal(me.body.email, user.email)
})

test('a wrong password reveals nothing about a second factor', async () => {
  const [withFactor, without] = [await makeAppUser(api), await makeUser(api)]
  const answers = await Promise.all(
    [withFactor.email, without.email, 'nobody@agency.example'].map((login) =>
      signIn(api, login, 'fel lösenord'),
    ),
  )
  const seen = answers.map(({ status, body }) => [status, body.detail])
  assert.deepEqual(seen, [seen[0], seen[0], seen[0]])
  assert.equal(seen[0]![0], 401)
  const { length } = await api.sql`select from mfa_challenge c where c.user_id = ${withFactor.userGuid}`
  assert.equal(length, 0)
})

for (const [what, steps, status] of [
  ['two steps old', -2, 401],
  ['one step old', -1, 200],
  ['now', 0, 200],
  ['one step ahead', 1, 200],
  ['two steps ahead', 2, 401],
] as const) {
  test(`a code ${what} gives ${status}`, async () => {
    const user = await makeAppUser(api)
    const challenge = await challengeFor(api, user.email)
    assert.equal((await sendCode(api, challenge, await generateCode(user.secret, steps))).status, status)
  })
}

test('a code works once, and none older than it afterwards', async () => {
  const user = await makeAppUser(api)
  const now = await generateCode(user.secret)
  assert.equal((await sendCode(api, await challengeFor(api, user.email), now)).status, 200)
  assert.equal((await sendCode(api, await challengeFor(api, user.email), now)).status, 401)
  const older = await generateCode(user.secret, -1)
  assert.equal((await sendCode(api, await challengeFor(api, user.email), older)).status, 401)
  const newer = await generateCode(user.secret, 1)
  assert.equal((await sendCode(api, await challengeFor(api, user.email), newer)).status, 200)
})

test('the code that confirmed the app cannot sign in', async () => {
  const user = await makeUser(api)
  const { accessToken: token } = (await signIn(api, user.email)).body
  const { secret } = (
    await api.call<{ secret: string }>('POST', '/users/current/mfa/totp', {
      body: { currentPassword: password },
      token,
    })
  ).body
  const code = await generateCode(secret)
  assert.equal(
    (await api.call('POST', '/users/current/mfa/totp/confirm', { body: { code }, token })).status,
    200,
  )
  assert.equal((await sendCode(api, await challengeFor(api, user.email), code)).status, 401)
})

test('of concurrent uses of one code exactly one succeeds, on two nodes', async () => {
  const user = await makeAppUser(api)
  const other = await api.startNode()
  const challenges = await Promise.all([1, 2, 3, 4, 5, 6].map(() => challengeFor(api, user.email)))
  const code = await generateCode(user.secret)
  const answers = await Promise.all(
    challenges.map((challenge, index) => sendCode(index % 2 === 0 ? api : other, challenge, code)),
  )
  await other.close()
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401, 401, 401, 401])
})

test('of concurrent uses of one challenge exactly one succeeds', async () => {
  const user = await makeAppUser(api)
  const challenge = await challengeFor(api, user.email)
  const codes = [
    await generateCode(user.secret, -1),
    await generateCode(user.secret),
    await generateCode(user.secret, 1),
  ]
  const answers = await Promise.all(codes.map((code) => sendCode(api, challenge, code)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401])
})

test('every failure is the same 401 and counts as a failed sign-in', async () => {
  const user = await makeAppUser(api)
  const code = await generateCode(user.secret)
  const used = await challengeFor(api, user.email)
  assert.equal((await sendCode(api, used, code)).status, 200)
  const expired = await challengeFor(api, user.email)
  await api.sql`
    update mfa_challenge set expires_at = now() - interval '1 second'
    where user_id = ${user.userGuid} and used_at is null`
  const next = await generateCode(user.secret, 1)
  const details = new Set<string>()
  for (const [index, [challenge, given]] of (
    [
      [await challengeFor(api, user.email), otherThan(code)],
      [await challengeFor(api, user.email), 'abcdef'],
      [used, next],
      [expired, next],
      ['no-such-challenge', next],
      [user.token, next],
    ] as const
  ).entries()) {
    const answer = await sendCode(api, challenge, given)
    assertProblem(answer, 'login-failed', /wrong, expired or used/)
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
    details.add(answer.body.detail)
    // All of them count for the address.
    assert.equal(await failures(), index + 1)
  }
  assert.equal(details.size, 1)
})

test('a challenge allows five attempts', async () => {
  const user = await makeAppUser(api)
  const challenge = await challengeFor(api, user.email)
  const code = await generateCode(user.secret)
  for (let count = 0; count < 5; count++)
    assert.equal((await sendCode(api, challenge, otherThan(code))).status, 401)
  assert.equal((await sendCode(api, challenge, code)).status, 401)
  assert.equal((await sendCode(api, await challengeFor(api, user.email), code)).status, 200)
})

test('guessing codes is locked, even with right passwords in between', async () => {
  const user = await makeAppUser(api)
  const code = await generateCode(user.secret)
  for (let count = 0; count < 10; count++) {
    const challenge = await challengeFor(api, user.email)
    assert.equal((await sendCode(api, challenge, otherThan(code))).status, 401)
  }
  assert.equal((await signIn(api, user.email)).status, 401)
  // A complete sign-in resets the count.
  await api.sql`update login_failure set blocked_until = now(), failures = 9`
  assert.equal((await sendCode(api, await challengeFor(api, user.email), code)).status, 200)
  assert.equal((await sendCode(api, await challengeFor(api, user.email), code)).status, 401)
  await challengeFor(api, user.email)
})

test('concurrent guesses get no more attempts than sequential ones', async () => {
  const user = await makeAppUser(api)
  const code = await generateCode(user.secret)
  const challenges = await Promise.all(Array.from({ length: 30 }, () => challengeFor(api, user.email)))
  const unused = challenges.pop()!
  await Promise.all(challenges.map((challenge) => sendCode(api, challenge, otherThan(code))))
  const [tried] = await api.sql<{ count: number }[]>`
    select sum(tries)::int as count from mfa_challenge where user_id = ${user.userGuid}`
  assert.equal(tried!.count, 10)
  // While locked, neither the right code nor the right password works.
  assert.equal((await sendCode(api, unused, code)).status, 401)
  assert.equal((await signIn(api, user.email)).status, 401)
  // Existing sessions continue, and the wait ends.
  assert.equal((await api.call('GET', '/users/current', { token: user.token })).status, 200)
  await api.sql`update login_failure set blocked_until = now()`
  assert.equal((await sendCode(api, unused, code)).status, 200)
})

test('an address with too many failures cannot send codes either', async () => {
  const user = await makeAppUser(api)
  const challenge = await challengeFor(api, user.email)
  for (let count = 0; count < 100; count++) await sendCode(api, `guess-${count}`, wrong)
  assertProblem(
    await sendCode(api, challenge, await generateCode(user.secret)),
    'too-many-requests',
    /Wait \d+ s/,
  )
  assert.equal((await sendCode(api, 'guess', wrong)).status, 429)
})

test("a challenge is bound to its user: another's code does not complete it", async () => {
  const [one, other] = [await makeAppUser(api), await makeAppUser(api)]
  const challenge = await challengeFor(api, one.email)
  assert.equal((await sendCode(api, challenge, await generateCode(other.secret))).status, 401)
  assert.equal((await sendCode(api, challenge, other.recoveryCodes[0]!)).status, 401)
  assert.equal((await sendCode(api, challenge, await generateCode(one.secret))).status, 200)
})

test('a challenge cannot be used as a token', async () => {
  const user = await makeAppUser(api)
  const challenge = await challengeFor(api, user.email)
  assert.equal((await api.call('GET', '/users/current', { token: challenge })).status, 401)
  const body = { refreshToken: challenge }
  assert.equal((await api.call('POST', '/auth/refresh', { body, token: null })).status, 401)
  const reset = { token: challenge, password: 'ännu en lång mening' }
  assert.equal((await api.call('POST', '/auth/password/reset', { body: reset, token: null })).status, 401)
})

test('a user who is disabled or given another password before the code cannot sign in', async () => {
  const user = await makeAppUser(api)
  const change = (body: object) => api.call('PUT', `/users/${user.userGuid}`, { body })
  const disabled = await challengeFor(api, user.email)
  await api.sql`update app_user set disabled = true where id = ${user.userGuid}`
  assert.equal((await sendCode(api, disabled, await generateCode(user.secret))).status, 401)
  await api.sql`update app_user set disabled = false where id = ${user.userGuid}`
  const former = await challengeFor(api, user.email)
  assert.equal((await change({ password: 'en helt annan mening här' })).status, 200)
  assert.equal((await sendCode(api, former, await generateCode(user.secret))).status, 401)
})

test('a recovery code works once, in any spelling', async () => {
  const user = await makeAppUser(api)
  assert.equal(new Set(user.recoveryCodes).size, 10)
  const [one, two] = user.recoveryCodes as [string, string]
  assert.match(one, /^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/)
  assert.equal((await sendCode(api, await challengeFor(api, user.email), one)).status, 200)
  assert.equal((await sendCode(api, await challengeFor(api, user.email), one)).status, 401)
  const spelt = ` ${two.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')}`
  assert.equal((await sendCode(api, await challengeFor(api, user.email), spelt)).status, 200)
})

test('a recovery code used concurrently works once', async () => {
  const user = await makeAppUser(api)
  const challenges = await Promise.all([1, 2, 3, 4].map(() => challengeFor(api, user.email)))
  const answers = await Promise.all(
    challenges.map((challenge) => sendCode(api, challenge, user.recoveryCodes[3]!)),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401, 401])
})

for (const [mfaType, channel] of [
  [2, 'email'],
  [3, 'sms'],
] as const) {
  test(`a code by ${channel} works once, for its challenge alone`, async () => {
    const cellularPhoneNumber = `+4670174061${mfaType}`
    const user = await makeUser(api, { mfaType, cellularPhoneNumber, languageCode: 'fi' })
    const recipient = mfaType === 2 ? user.email : cellularPhoneNumber
    const first = await signIn(api, user.email)
    assert.deepEqual([first.body.mfaRequired, first.body.mfaType], [true, mfaType])
    const code = await secretSentTo(api, recipient)
    const [message] =
      await api.sql`select channel, language, kind from message where recipient = ${recipient}`
    assert.deepEqual({ ...message }, { channel, language: 'fi', kind: 'mfa-code' })
    const otherChallenge = await challengeFor(api, user.email)
    const otherCode = await secretSentTo(api, recipient)
    if (code !== otherCode) assert.equal((await sendCode(api, otherChallenge, code)).status, 401)
    assert.equal(
      (await sendCode(api, first.body.challenge, `${code.slice(0, 3)} ${code.slice(3)}`)).status,
      200,
    )
    assert.equal((await sendCode(api, first.body.challenge, code)).status, 401)
  })
}

test('a code sent to a former address is void', async () => {
  const user = await makeUser(api, { mfaType: 2 })
  const challenge = await challengeFor(api, user.email)
  const code = await secretSentTo(api, user.email)
  const body = { password: null, email: `ny-${user.email}` }
  assert.equal((await api.call('PUT', `/users/${user.userGuid}`, { body })).status, 200)
  assert.equal((await sendCode(api, challenge, code)).status, 401)
})

test('a code to a former address or number does not leave the outbox', async () => {
  const waiting = async ({ userGuid }: { userGuid: string }) =>
    (
      await api.sql`
        select from message where user_id = ${userGuid} and sent_at is null and expires_at > now()`
    ).length
  const byMail = await makeUser(api, { mfaType: 2 })
  const bySms = await makeUser(api, { mfaType: 3, cellularPhoneNumber: '+46701740605' })
  for (const [user, change] of [
    [byMail, { email: `ny-${byMail.email}` }],
    [bySms, { cellularPhoneNumber: '+46701740606' }],
  ] as const) {
    await challengeFor(api, user.email)
    assert.equal(await waiting(user), 1)
    const body = { password: null, fullName: 'Annat Namn' }
    assert.equal((await api.call('PUT', `/users/${user.userGuid}`, { body })).status, 200)
    assert.equal(await waiting(user), 1, 'another change leaves it')
    const moved = { password: null, ...change }
    assert.equal((await api.call('PUT', `/users/${user.userGuid}`, { body: moved })).status, 200)
    assert.equal(await waiting(user), 0)
  }
})

test('at most five codes are sent in ten minutes, also with concurrent requests', async () => {
  const user = await makeUser(api, { mfaType: 2 })
  const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(api, user.email)))
  const statuses = answers.map(({ status }) => status).toSorted()
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429, 429])
  const { headers } = answers.find(({ status }) => status === 429)!
  const wait = Number(headers.get('retry-after'))
  assert.ok(wait > 0 && wait <= 600)
  await api.sql`update mfa_challenge set created_at = now() - interval '10 minutes' where user_id = ${user.userGuid}`
  assert.equal((await signIn(api, user.email)).status, 200)
})

test('no secret is stored in plain text, except in a message that waits to be sent', async () => {
  const user = await makeUser(api, { mfaType: 2 })
  const challenge = await challengeFor(api, user.email)
  const code = await secretSentTo(api, user.email)
  const app = await makeAppUser(api)
  const tables = [
    'mfa_challenge',
    'recovery_code',
    'session',
    'session_token',
    'event',
    'audit_entry',
    'login_failure',
  ]
  for (const table of tables) {
    const rows = await api.sql<{ text: string }[]>`select t::text as text from ${api.sql(table)} t`
    const text = rows.map((row) => row.text).join('\n')
    for (const secret of [challenge, code, app.secret, ...app.recoveryCodes]) {
      const hex = Buffer.from(secret).toString('hex')
      const found = text.includes(`"${secret}"`) || text.includes(`,${secret},`) || text.includes(hex)
      assert.ok(!found, `${table} holds a secret in plain`)
      if (secret.length > 6) assert.ok(!text.includes(secret), table)
    }
  }
})

test('no secret is logged at any log level', async () => {
  const program = join(import.meta.dirname, '../../testing/programs/second-factor-program.ts')
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], { maxBuffer: 2 ** 26 })
  const secrets = JSON.parse(stdout) as string[]
  assert.equal(secrets.length, 11)
  const lines = stderr.split('\n').filter((line) => line.startsWith('{'))
  assert.ok(lines.length > 10, `${lines.length} lines are logged`)
  assert.match(stderr, /auth\/mfa/)
  for (const secret of secrets) assert.ok(!new RegExp(`(^|[^\\w.])${secret}([^\\w]|$)`, 'm').test(stderr))
})
