import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CurrentSession, OwnSession } from '../../../contract/access/own-sessions.ts'
import type { Tokens } from '../../../contract/access/sessions.ts'
import type { User } from '../../../contract/access/users.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

const password = 'en lång mening som är min'
let users = 0

async function makeUser(): Promise<{ login: string; userGuid: string }> {
  users += 1
  const login = `mina${users}@agency.example`
  const body = { partyReferenceCode: 'AGENCY', email: login, password, fullName: 'Jag Själv', userRole: 3 }
  const made = await api.call<User>('POST', '/users', { body })
  assert.equal(made.status, 201, made.text)
  return { login, userGuid: made.body.uniqueId }
}

async function signIn(login: string, headers: Record<string, string> = {}): Promise<Tokens> {
  const answer = await api.call<Tokens>('POST', '/auth/login', {
    body: { login, password },
    headers,
    token: null,
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const list = async (token: string, query = '') => {
  const path = `/users/current/sessions?${new URLSearchParams(query)}`
  const answer = await api.call<Page<OwnSession>>('GET', path, { token })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const readStatus = async (token: string) => (await api.call('GET', '/users/current', { token })).status

test("listSessions shows one's own, newest first, and which is the current one", async () => {
  const { login } = await makeUser()
  const first = await signIn(login, { 'user-agent': `Webbläsare ${'x'.repeat(300)}`.replace('ä', 'a') })
  const second = await signIn(login, { 'user-agent': 'curl/8' })
  await signIn((await makeUser()).login)
  const page = await list(second.accessToken)
  assert.deepEqual([page.total, page.count], [2, 2])
  const [newest, oldest] = page.value
  assert.deepEqual([newest!.userAgent, newest!.current, newest!.how], ['curl/8', true, 'password'])
  assert.deepEqual([oldest!.userAgent?.length, oldest!.current, oldest!.carriedBy], [200, false, 'token'])
  assert.match(newest!.address!, /^(::ffff:)?127\.0\.0\.1$/)
  assert.ok(newest!.endsAt > newest!.createdAt)
  const found = await list(first.accessToken, "$filter=userAgent eq 'curl/8' and how eq 'password'&$top=1")
  assert.deepEqual([found.total, found.value[0]?.sessionGuid], [1, newest!.sessionGuid])
  const sorted = await list(first.accessToken, '$orderby=createdAt asc')
  assert.deepEqual(
    sorted.value.map(({ current }) => current),
    [true, false],
  )
  const { body } = await api.call<CurrentSession>('GET', '/auth/session', { token: first.accessToken })
  assert.deepEqual(body, { sessionGuid: oldest!.sessionGuid, carriedBy: 'token', csrfToken: null })
})

test('listSessions omits ended sessions', async () => {
  const { login, userGuid } = await makeUser()
  const tokens = await signIn(login)
  await signIn(login)
  await api.sql`
    update session_token set expires_at = now() - interval '1 second' where session_id in
      (select id from session where user_id = ${userGuid} order by created_at desc limit 1)`
  assert.equal((await list(tokens.accessToken)).total, 1)
  const other = await signIn(login)
  await api.call('POST', '/auth/logout', { token: other.accessToken })
  assert.equal((await list(tokens.accessToken)).total, 1)
})

test('revokeSession ends one session of the caller, and only their own', async () => {
  const { login, userGuid } = await makeUser()
  const [mine, other] = [await signIn(login), await signIn(login)]
  const stranger = await signIn((await makeUser()).login)
  const guid = (await list(mine.accessToken)).value.find(({ current }) => !current)!.sessionGuid
  const revoke = (sessionGuid: string, token: string) =>
    api.call('DELETE', `/users/current/sessions/${sessionGuid}`, { token })
  assert.equal((await revoke(guid, stranger.accessToken)).status, 404)
  assert.equal(await readStatus(other.accessToken), 200)
  assert.equal((await revoke('0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70', mine.accessToken)).status, 404)
  assert.equal((await revoke('x', mine.accessToken)).status, 400)
  assert.equal((await revoke(guid.toUpperCase(), mine.accessToken)).status, 200)
  assert.equal(await readStatus(other.accessToken), 401)
  assert.equal(await readStatus(mine.accessToken), 200)
  const renewed = await api.call('POST', '/auth/refresh', {
    body: { refreshToken: other.refreshToken },
    token: null,
  })
  assert.equal(renewed.status, 401)
  assert.equal((await revoke(guid, mine.accessToken)).status, 404)
  const entries = await api.sql`
    select actor_id, entity_id, operation from audit_entry
    where entity = 'session' and action = 'revoked' and subject = ${userGuid}`
  assert.deepEqual(
    entries.map((entry) => ({ ...entry })),
    [{ actor_id: userGuid, entity_id: guid, operation: 'revokeSession' }],
  )
  const own = (await list(mine.accessToken)).value[0]!.sessionGuid
  assert.equal((await revoke(own, mine.accessToken)).status, 200)
  assert.equal(await readStatus(mine.accessToken), 401)
})

test('revokeOtherSessions leaves the current session alone', async () => {
  const { login, userGuid } = await makeUser()
  const [mine, ...others] = [await signIn(login), await signIn(login), await signIn(login)]
  const stranger = await signIn((await makeUser()).login)
  const end = () =>
    api.call<{ detail: string }>('DELETE', '/users/current/sessions', { token: mine!.accessToken })
  const answer = await end()
  assert.deepEqual([answer.status, answer.body.detail], [200, 'Ended 2 other sessions.'])
  for (const { accessToken } of others) assert.equal(await readStatus(accessToken), 401)
  assert.equal(await readStatus(mine!.accessToken), 200)
  assert.equal(await readStatus(stranger.accessToken), 200)
  assert.equal((await end()).body.detail, 'Ended 0 other sessions.')
  const entries = await api.sql`
    select from audit_entry where entity = 'session' and action = 'revoked' and subject = ${userGuid}`
  assert.equal(entries.length, 2)
})

test('the limits of a session can be configured', async (t) => {
  const { login, userGuid } = await makeUser()
  const settings = { FORDRA_ACCESS_MINUTES: '2', FORDRA_IDLE_MINUTES: '5', FORDRA_SESSION_HOURS: '3' }
  const node = await api.startNode(settings)
  t.after(() => node.close())
  const signedIn = await node.call<Tokens>('POST', '/auth/login', { body: { login, password }, token: null })
  assert.equal(signedIn.body.expiresIn, 120)
  const { refreshToken } = signedIn.body
  const renewed = await node.call<Tokens>('POST', '/auth/refresh', { body: { refreshToken }, token: null })
  assert.equal(renewed.body.expiresIn, 120)
  const rows = await api.sql<{ kind: string; minutes: number; hours: number }[]>`
    select t.kind, round(extract(epoch from t.expires_at - s.created_at) / 60)::int as minutes,
      round(extract(epoch from s.ends_at - s.created_at) / 3600)::int as hours
    from session s join session_token t on t.session_id = s.id where s.user_id = ${userGuid} order by t.kind`
  assert.deepEqual(
    rows.map(({ kind, minutes, hours }) => [kind, minutes, hours]),
    [
      ['access', 2, 3],
      ['access', 2, 3],
      ['refresh', 5, 3],
      ['refresh', 5, 3],
    ],
  )
})
