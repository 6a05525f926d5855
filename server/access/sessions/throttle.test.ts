/** Guessing passwords: it is slowed down, and reveals nothing. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Tokens } from '../../../contract/access/sessions.ts'
import { networkPrefix } from '../../platform/http/limits/network-prefix.ts'
import { startApi, type Response, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { addressKey, countFailure, findBlocks, loginKey } from './throttle.ts'

const password = 'correct horse battery staple'
let api: TestApi
let userId: string
before(async () => {
  api = await startApi()
  userId = await api.addUser({ email: 'anna@agency.example', userCode: 'ID-anna', password })
  const disabled = await api.addUser({ email: 'disabled@agency.example', password })
  await api.sql`update app_user set disabled = true where id = ${disabled}`
  await api.addUser({ email: 'locked@agency.example', password })
})
beforeEach(() => api.sql`delete from login_failure`)
after(() => api.close())

const logIn = (login = 'anna@agency.example', given = password) =>
  api.call<Tokens>('POST', '/auth/login', { token: null, body: { login, password: given } })
const fail = async (login: string, times: number) => {
  for (let time = 0; time < times; time++) assert.equal((await logIn(login, 'wrong')).status, 401)
}
/** Moves the failures into the past. */
const pass = (interval: string) =>
  api.sql`
    update login_failure set counted_since = counted_since - ${interval}::interval,
      blocked_until = blocked_until - ${interval}::interval`

/** An answer without the members that differ per request. */
function shape(answer: Response<unknown>) {
  const { traceId, ...body } = JSON.parse(answer.text) as Record<string, unknown>
  assert.equal(typeof traceId, 'string')
  const headers = [...answer.headers.entries()].filter(
    ([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name),
  )
  return { status: answer.status, body, headers }
}

test('unknown, wrong, disabled and locked logins answer alike', async () => {
  await fail('locked@agency.example', 10)
  const answers = await Promise.all([
    logIn('nobody@agency.example'),
    logIn('anna@agency.example', 'wrong'),
    logIn('disabled@agency.example'),
    logIn('locked@agency.example'),
    logIn('locked@agency.example', 'wrong'),
  ])
  assertProblem(answers[0], 'login-failed', /wait some minutes/)
  for (const answer of answers) assert.deepEqual(shape(answer), shape(answers[0]))
})

test('ten failures lock a login for a minute, however it is written', async () => {
  await fail('anna@agency.example', 4)
  await fail('ANNA@agency.example', 3)
  await fail('id-ANNA', 2)
  assert.equal((await logIn()).status, 200, 'nine failures lock nothing')
  await fail('id-anna', 10)
  for (const login of ['anna@agency.example', 'ID-anna']) assert.equal((await logIn(login)).status, 401)
  await pass('30 seconds')
  assert.equal((await logIn()).status, 401)
  await pass('30 seconds')
  assert.equal((await logIn()).status, 200)
})

test('a successful sign-in, or 15 minutes, reset the count', async () => {
  await fail('anna@agency.example', 9)
  assert.equal((await logIn()).status, 200)
  await fail('anna@agency.example', 9)
  await pass('16 minutes')
  await fail('anna@agency.example', 9)
  assert.equal((await logIn()).status, 200)
})

test('every ten further failures lock it longer: 1, 2, 4, 8 and then 15 minutes', async () => {
  const [login, address] = [loginKey('x', userId), addressKey('192.0.2.1')]
  for (const minutes of [1, 2, 4, 8, 15, 15, 15]) {
    for (let time = 0; time < 10; time++) await countFailure(api.sql, { login, address, blocked: false })
    const [row] = await api.sql<{ minutes: number }[]>`
      select round(extract(epoch from blocked_until - now()) / 60)::int as minutes
      from login_failure where key = ${login}`
    assert.equal(row!.minutes, minutes)
    await pass(`${minutes} minutes`)
    assert.equal((await findBlocks(api.sql, login, address)).login, false)
  }
})

test('a lock does not end existing sessions', async () => {
  const { body } = await logIn()
  await fail('anna@agency.example', 10)
  assert.equal((await logIn()).status, 401)
  assert.equal((await api.call('GET', '/system/information', { token: body.accessToken })).status, 200)
  const renewed = await api.call('POST', '/auth/refresh', {
    token: null,
    body: { refreshToken: body.refreshToken },
  })
  assert.equal(renewed.status, 200)
})

test('concurrent attempts exceed ten by no more than are checked at once', async () => {
  // Of an unknown login the real hash is checked, which takes its time.
  const wrong = await Promise.all(Array.from({ length: 24 }, () => logIn('nobody@agency.example', 'wrong')))
  assert.deepEqual(
    wrong.map(({ status }) => status),
    wrong.map(() => 401),
  )
  const [login] = await api.sql<{ failures: number; blocks: number }[]>`
    select failures, blocks from login_failure where blocked_until is not null`
  assert.equal(login!.blocks, 1)
  assert.ok(login!.failures <= 1, `${10 + login!.failures} attempts were counted`)
})

test('after ten concurrent failures the right password is refused like a wrong one', async () => {
  await Promise.all(Array.from({ length: 24 }, () => logIn('anna@agency.example', 'wrong')))
  const right = await Promise.all(Array.from({ length: 4 }, () => logIn()))
  assert.deepEqual(
    right.map(({ status }) => status),
    [401, 401, 401, 401],
  )
})

test('a hundred failures lock an address for every login', async () => {
  const [login, address] = [loginKey('y', undefined), addressKey('127.0.0.1')]
  for (let time = 0; time < 98; time++) await countFailure(api.sql, { login, address, blocked: true })
  await fail('nobody@agency.example', 1)
  assert.equal((await logIn()).status, 200, 'ninety-nine do not')
  await fail('nobody@agency.example', 1)
  for (const tried of ['anna@agency.example', 'nobody@agency.example']) {
    const answer = await logIn(tried)
    assertProblem(answer, 'too-many-requests', /Too many failed sign-ins from this address\. Wait \d+ s/)
    assert.match(answer.headers.get('retry-after')!, /^([1-9]|[1-5]\d|60)$/)
  }
  await pass('1 minute')
  assert.equal((await logIn()).status, 200)
})

test('addresses of one IPv6 network are locked together, neighbouring networks are not', async () => {
  const [login, address] = [loginKey('z', undefined), addressKey('2001:db8:1:2:aaaa::1')]
  for (let time = 0; time < 100; time++) await countFailure(api.sql, { login, address, blocked: true })
  const behindProxy = await api.startNode({ FORDRA_TRUST_PROXY: '1' })
  const from = async (sender: string) => {
    const answer = await behindProxy.call('POST', '/auth/login', {
      token: null,
      headers: { 'x-forwarded-for': sender },
      body: { login: 'nobody@agency.example', password: 'a wrong passphrase' },
    })
    return answer.status
  }
  assert.deepEqual(
    [
      await from('2001:db8:1:2::77'),
      await from('2001:0db8:0001:0002:0:0:0:1'),
      await from('2001:db8:1:3::1'),
    ],
    [429, 429, 401],
  )
  await behindProxy.close()
  assert.deepEqual(['192.0.2.1', '::ffff:192.0.2.1', '::1', '2001:db8::9'].map(networkPrefix), [
    '192.0.2.1',
    '::ffff:192.0.2.1',
    '0:0:0:0::/64',
    '2001:db8:0:0::/64',
  ])
})

test('attempts for a locked login count for the address too', async () => {
  await fail('anna@agency.example', 15)
  const [row] = await api.sql<{ failures: number }[]>`
    select failures from login_failure where key = ${addressKey('127.0.0.1')}`
  assert.equal(row!.failures, 15)
})

test('logins and addresses are stored hashed', async () => {
  await fail('someone@agency.example', 1)
  const rows = await api.sql<{ text: string }[]>`select t::text as text from login_failure t`
  assert.equal(rows.length, 2)
  for (const { text } of rows) assert.doesNotMatch(text, /someone|127\.0\.0/)
})

test('150 sign-ins of strangers at once do not shut out a right one, and other requests continue', async () => {
  const logins = Array.from({ length: 150 }, (_, number) => logIn(`nobody${number}`))
  const [right, other] = await Promise.all([logIn(), api.call('GET', '/debtors')])
  assert.deepEqual([right.status, other.status], [200, 200])
  const answers = await Promise.all(logins)
  assert.ok(answers.every(({ status }) => status === 401 || status === 429))
})

const blockedUntil = async () =>
  (await api.sql`select blocked_until::text as until from login_failure where blocked_until is not null`)[0]

test('attempts on a locked login do not prolong the lock, so nobody can lock out a user for ever', async () => {
  await fail('anna@agency.example', 10)
  const first = await blockedUntil()
  await fail('anna@agency.example', 15)
  assert.equal((await logIn()).status, 401)
  assert.equal((await blockedUntil())!['until'], first!['until'])
  await pass('1 minute')
  assert.equal((await logIn()).status, 200)
})
