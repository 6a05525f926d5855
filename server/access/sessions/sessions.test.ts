/** Signing in, staying signed in and signing out (contract section 5). `throttle.test.ts` covers guessing. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Tokens } from '../../../contract/access/sessions.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'

const password = 'correct horse battery staple'
let api: TestApi
let second: TestApi
let userId: string
before(async () => {
  api = await startApi()
  second = await api.startNode()
  userId = await api.addUser({ email: 'Anna.Berg@agency.example', userCode: 'ABerg', password })
})
after(async () => {
  await second.close()
  await api.close()
})

const logIn = (login = 'ABerg', given = password, node = api) =>
  node.call<Tokens>('POST', '/auth/login', { token: null, body: { login, password: given } })
const refresh = (refreshToken: string, node = api) =>
  node.call<Tokens>('POST', '/auth/refresh', { token: null, body: { refreshToken } })
const isIn = async (token: string, node = api) => {
  const { status } = await node.call('GET', '/system/information', { token })
  assert.ok(status === 200 || status === 401)
  return status === 200
}
const hashToken = (token: string) => hash('sha256', token, 'buffer')
const age = (token: string, interval: string) =>
  api.sql`update session_token set expires_at = expires_at - ${interval}::interval where hash = ${hashToken(token)}`
/** Another node caches a session for less than a second. */
const untilOthersKnow = () => wait(1_000)

describe('signing in', () => {
  test('takes the e-mail or the userCode in any case', async () => {
    for (const login of ['anna.berg@agency.example', 'ANNA.BERG@AGENCY.EXAMPLE', 'aberg', 'ABERG']) {
      const { status, body } = await logIn(login)
      assert.equal(status, 200, login)
      assert.deepEqual([body.tokenType, body.expiresIn], ['Bearer', 900])
      assert.match(body.accessToken, /^[\w-]{43}$/)
      assert.match(body.refreshToken, /^[\w-]{43}$/)
      assert.notEqual(body.accessToken, body.refreshToken)
      assert.ok(await isIn(body.accessToken))
    }
  })

  test('refuses a login that only looks similar', async () => {
    for (const login of ['\u0410Berg', 'A\u200bBerg', ' ABerg', 'ABerg ', 'A\u0301Berg', 'ABer%', 'ABer_']) {
      assertProblem(await logIn(login), 'login-failed', /Login or password is wrong/, login)
    }
    // Letter width is a spelling of the same name (user-names.test.ts).
    assert.equal((await logIn('\uff21Berg')).status, 200)
    await api.sql`delete from login_failure`
  })

  test('accepts the password in either Unicode form of its accents, but not in another case', async () => {
    await api.addUser({ email: 'e@agency.example', password: 'Caf\u00e9 au lait, s\u2019il vous pla\u00eet' })
    assert.equal(
      (await logIn('e@agency.example', 'Cafe\u0301 au lait, s\u2019il vous plai\u0302t')).status,
      200,
    )
    assert.equal(
      (await logIn('e@agency.example', 'caf\u00e9 au lait, s\u2019il vous pla\u00eet')).status,
      401,
    )
  })

  test('accepts passwords of up to 128 characters', async () => {
    const long = '\u{1F600}'.repeat(128)
    await api.addUser({ email: 'long@agency.example', password: long })
    assert.equal((await logIn('long@agency.example', long)).status, 200)
    assertProblem(await logIn('long@agency.example', `${long}x`), 'invalid', /password must have at most 128/)
    assertProblem(await logIn('x', 'x'.repeat(10_000_000)), 'payload-too-large', /1 MiB/)
    assertProblem(await logIn('x'.repeat(255)), 'invalid', /login must have at most 254/)
    assertProblem(await logIn('', ''), 'invalid', /login must not be empty/)
  })

  test("by e-mail is not affected by another user's equal userCode", async () => {
    const email = 'victim@agency.example'
    await api.addUser({ email: 'thief@agency.example', userCode: email, password: 'the password of a thief' })
    await api.addUser({ email, password })
    assert.equal((await logIn(email)).status, 200)
    assert.equal((await logIn(email, 'the password of a thief')).status, 401)
  })
})

describe('an access token', () => {
  test('ends after 15 minutes', async () => {
    const { body } = await logIn()
    await age(body.accessToken, '14 minutes 50 seconds')
    assert.ok(await isIn(body.accessToken))
    await age(body.accessToken, '10 seconds')
    assert.ok(!(await isIn(body.accessToken, second)))
    await untilOthersKnow()
    assert.ok(!(await isIn(body.accessToken)))
  })

  test('is not a refresh token, nor the other way round', async () => {
    const { body } = await logIn()
    assert.ok(!(await isIn(body.refreshToken)))
    assertProblem(await refresh(body.accessToken), 'unauthenticated', /Sign in again/)
    assert.ok(await isIn(body.accessToken))
  })
})

/** Moves the use of a refresh token into the past. */
const useEarlier = (token: string, ago: string) =>
  api.sql`update session_token set used_at = used_at - ${ago}::interval where hash = ${hashToken(token)}`

describe('a refresh token', () => {
  test('gives new tokens, and the old access token stays valid until its end', async () => {
    const { body: first } = await logIn()
    const { status, body: next } = await refresh(first.refreshToken)
    assert.equal(status, 200)
    assert.equal(new Set([...Object.values(first), ...Object.values(next)]).size, 6)
    assert.ok(await isIn(next.accessToken))
    assert.ok(await isIn(first.accessToken))
    assert.equal((await refresh(next.refreshToken)).status, 200)
  })

  test('sent again by a client that lost the answer gives tokens again and signs nobody out', async () => {
    const { body: first } = await logIn()
    const { body: lost } = await refresh(first.refreshToken)
    const again = await refresh(first.refreshToken, second)
    assert.equal(again.status, 200, again.text)
    for (const token of [first.accessToken, lost.accessToken, again.body.accessToken])
      assert.ok(await isIn(token))
    assert.equal((await refresh(again.body.refreshToken)).status, 200)
    await useEarlier(first.refreshToken, '31 seconds')
    assertProblem(await refresh(first.refreshToken), 'unauthenticated', /used before/)
    assert.ok(!(await isIn(again.body.accessToken)))
  })

  test('used again later ends the session with all its tokens, on every node', async () => {
    const { body: first } = await logIn()
    const { body: next } = await refresh(first.refreshToken)
    await useEarlier(first.refreshToken, '31 seconds')
    assert.ok((await isIn(next.accessToken)) && (await isIn(next.accessToken, second)))
    assertProblem(await refresh(first.refreshToken), 'unauthenticated', /used before/)
    assert.ok(!(await isIn(next.accessToken)))
    assert.ok(!(await isIn(first.accessToken)))
    assertProblem(await refresh(next.refreshToken), 'unauthenticated', /revoked/)
    await untilOthersKnow()
    assert.ok(!(await isIn(next.accessToken, second)))
  })

  test('used twice concurrently is answered twice', async () => {
    const { body } = await logIn()
    const answers = await Promise.all([refresh(body.refreshToken), refresh(body.refreshToken, second)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200])
  })

  test('expires after an hour, the idle limit', async () => {
    const [{ body: early }, { body: late }] = [await logIn(), await logIn()]
    await age(early.refreshToken, '59 minutes 50 seconds')
    assert.equal((await refresh(early.refreshToken)).status, 200)
    await age(late.refreshToken, '1 hour')
    assertProblem(await refresh(late.refreshToken), 'unauthenticated', /expired/)
  })

  test('that was never issued is refused', async () => {
    for (const token of ['x', 'x'.repeat(43), '\u{1F600}', 'x'.repeat(200)]) {
      assertProblem(await refresh(token), 'unauthenticated', /unknown/)
    }
    assertProblem(await refresh('x'.repeat(201)), 'invalid', /at most 200/)
  })
})

test('a session ends after 24 hours, however often it was renewed', async () => {
  const { body } = await logIn()
  const { body: next } = await refresh(body.refreshToken)
  await api.sql`
    update session set ends_at = ends_at - interval '24 hours'
    where id = (select session_id from session_token where hash = ${hashToken(next.accessToken)})`
  assert.ok(!(await isIn(next.accessToken)))
  assertProblem(await refresh(next.refreshToken), 'unauthenticated', /Sign in again/)
})

describe('signing out', () => {
  test('ends the session at once here and within a second on another node, and no other session', async () => {
    const [{ body: one }, { body: other }] = [await logIn(), await logIn()]
    assert.ok((await isIn(one.accessToken)) && (await isIn(one.accessToken, second)))
    const out = await api.call('POST', '/auth/logout', { token: one.accessToken })
    assert.equal(out.status, 200)
    assert.ok(!(await isIn(one.accessToken)))
    assertProblem(await refresh(one.refreshToken), 'unauthenticated', /revoked/)
    await untilOthersKnow()
    assert.ok(!(await isIn(one.accessToken, second)))
    assert.ok((await isIn(other.accessToken)) && (await isIn(other.accessToken, second)))
  })
})

test('a disabled user is signed out within a second on every node, and can sign in when enabled again', async () => {
  const id = await api.addUser({ email: 'leaver@agency.example', password })
  const { body } = await logIn('leaver@agency.example')
  assert.ok((await isIn(body.accessToken)) && (await isIn(body.accessToken, second)))
  await api.sql`update app_user set disabled = true where id = ${id}`
  await untilOthersKnow()
  assert.ok(!(await isIn(body.accessToken)) && !(await isIn(body.accessToken, second)))
  assertProblem(await refresh(body.refreshToken), 'unauthenticated', /Sign in again/)
  assertProblem(await logIn('leaver@agency.example'), 'login-failed', /disabled/)
  await api.sql`update app_user set disabled = false where id = ${id}`
  assert.equal((await logIn('leaver@agency.example')).status, 200)
})

describe('the database', () => {
  test('holds neither tokens nor passwords', async () => {
    const { body } = await logIn()
    const { body: next } = await refresh(body.refreshToken)
    await logIn('ABerg', 'a wrong password of mine')
    const tables = await api.sql<{ name: string }[]>`
      select quote_ident(table_name) as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`
    assert.ok(tables.length > 10)
    const secrets = [
      body.accessToken,
      body.refreshToken,
      next.accessToken,
      next.refreshToken,
      password,
      'a wrong password',
    ]
    for (const { name } of tables) {
      const [row] = await api.sql.unsafe<{ text: string }[]>(
        `select coalesce(string_agg(t::text, ' '), '') as text from ${name} t`,
      )
      for (const secret of secrets) assert.ok(!row!.text.includes(secret), `${name} holds a secret`)
    }
    const [token] = await api.sql`select kind from session_token where hash = ${hashToken(next.accessToken)}`
    assert.deepEqual({ ...token }, { kind: 'access' })
  })

  test('records who signed in and out, by which request', async () => {
    await api.sql`select 1`
    const requestId = 'test-of-the-audit-trail'
    const { body } = await api.call<Tokens>('POST', '/auth/login', {
      token: null,
      body: { login: 'ABerg', password },
      headers: { 'x-request-id': requestId },
    })
    await api.call('POST', '/auth/logout', {
      token: body.accessToken,
      headers: { 'x-request-id': requestId },
    })
    const entries = await api.sql`
      select operation, action, entity, subject, actor_id as actor, changes from audit_entry
      where request_id = ${requestId} order by position`
    const entry = { entity: 'session', subject: userId, actor: userId, changes: {} }
    assert.deepEqual(
      entries.map((row) => ({ ...row })),
      [
        { operation: 'login', action: 'created', ...entry },
        { operation: 'logout', action: 'ended', ...entry },
      ],
    )
  })
})
