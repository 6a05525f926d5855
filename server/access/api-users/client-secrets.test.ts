import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ClientSecret, NewClientSecret } from '../../../contract/access/client-secrets.ts'
import type { ClientToken } from '../../../contract/access/oauth2.ts'
import type { CreatedUser } from '../../../contract/access/users.ts'
import { startApi, type CallOptions, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { isMade, makeClientSecret, matchesMade } from './new-secret.ts'

let api: TestApi
before(async () => {
  api = await startApi({ FORDRA_TIME_ZONE: 'Europe/Stockholm' })
})
after(() => api.close())

let programs = 0
const input = (change: object = {}) => ({
  partyReferenceCode: 'AGENCY',
  email: `program${++programs}@agency.example`,
  fullName: 'Booking program',
  userRole: 3,
  apiUser: true,
  ...change,
})
async function addProgram(change: object = {}): Promise<Required<CreatedUser>> {
  const made = await api.call<CreatedUser>('POST', '/users', { body: input(change) })
  assert.equal(made.status, 201, made.text)
  return made.body as Required<CreatedUser>
}
const requestToken = (clientId: string, clientSecret: string) =>
  api.call<ClientToken>('POST', '/oauth2/token', {
    raw: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }).toString(),
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
async function takeToken(clientId: string, clientSecret: string): Promise<ClientToken> {
  const answer = await requestToken(clientId, clientSecret)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const rotate = (userGuid: string, body: object = {}, options: CallOptions = {}) =>
  api.call<NewClientSecret>('POST', `/users/${userGuid}/secrets`, { body, ...options })
const list = async (userGuid: string, token = api.token) => {
  const answer = await api.call<{ value: ClientSecret[] }>('GET', `/users/${userGuid}/secrets`, { token })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.value
}
const end = (userGuid: string, secretGuid: string, token = api.token) =>
  api.call('DELETE', `/users/${userGuid}/secrets/${secretGuid}`, { token })
const mayRead = async (token: string) => (await api.call('GET', '/debtors', { token })).status

test('createUser makes id and secret of an API user, which sign in, and stores only a hash', async () => {
  const { uniqueId, clientId, clientSecret } = await addProgram()
  assert.match(clientSecret, /^fsec_[\w-]{43}$/)
  const { access_token } = await takeToken(clientId, clientSecret)
  assert.equal(await mayRead(access_token), 200)
  const shown = await api.call('GET', `/users/${uniqueId}`)
  assert.ok(!shown.text.includes(clientId) && !shown.text.includes('fsec_'))
  const [row] = await api.sql<{ text: string }[]>`
    select (select string_agg(s::text, ' ') from client_secret s) || (select string_agg(a::text, ' ') from audit_entry a)
      || (select string_agg(e::text, ' ') from event e) || (select string_agg(u::text, ' ') from app_user u) as text`
  assert.ok(!row!.text.includes(clientSecret), 'the secret is stored somewhere')
})

test('createUser still demands a password of a person', async () => {
  const answer = await api.call('POST', '/users', { body: input({ apiUser: false }) })
  assertProblem(answer, 'invalid', /unless the user is invited or is an API user/)
})

test('the form user/create makes id and secret as well', async () => {
  const made = await api.call<CreatedUser>('POST', '/system/forms/user/create', { body: input() })
  assert.equal(made.status, 201, made.text)
  const { clientId, clientSecret } = made.body as Required<CreatedUser>
  await takeToken(clientId, clientSecret)
})

test('a repeated request gets the same answer without the secret', async () => {
  const headers = { 'idempotency-key': 'rotate-once' }
  const program = await addProgram()
  const first = await rotate(program.uniqueId, {}, { headers })
  const again = await rotate(program.uniqueId, {}, { headers })
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.deepEqual(again.body, { ...first.body, clientSecret: '' })
  assert.equal((await list(program.uniqueId)).length, 2)
  const body = input()
  const key = { headers: { 'idempotency-key': 'create-once' } }
  const made = await api.call<CreatedUser>('POST', '/users', { body, ...key })
  const replayed = await api.call<CreatedUser>('POST', '/users', { body, ...key })
  assert.deepEqual(replayed.body, { ...made.body, clientSecret: '' })
})

test('createClientSecret and listClientSecrets: the old secret works until the end of the given day, and both are listed', async () => {
  const { uniqueId, clientId, clientSecret: old } = await addProgram()
  const made = await rotate(uniqueId, { endOthersOn: '2099-06-30' })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.clientId, clientId)
  await takeToken(clientId, old)
  await takeToken(clientId, made.body.clientSecret)
  const [newer, older] = await list(uniqueId)
  assert.deepEqual([newer!.endsAt, older!.endsAt], [null, '2099-06-30T22:00:00Z'])
  assert.deepEqual([newer!.prefix, older!.prefix], [made.body.prefix, old.slice(0, 12)])
  assert.ok(newer!.lastUsedAt !== null && older!.lastUsedAt !== null)
  assert.equal(JSON.stringify([newer, older]).includes(old), false)
  await api.sql`update client_secret set ends_at = now() - interval '1 second' where id = ${older!.secretGuid}`
  assertProblem(await requestToken(clientId, old), 'login-failed', /has ended/)
  await takeToken(clientId, made.body.clientSecret)
})

test('a token does not outlive the secret that got it', async () => {
  const { uniqueId, clientId, clientSecret } = await addProgram()
  await api.sql`update client_secret set ends_at = now() + interval '100 seconds' where user_id = ${uniqueId}`
  const { expires_in } = await takeToken(clientId, clientSecret)
  assert.ok(expires_in <= 100, String(expires_in))
})

test('createClientSecret refuses a day that has passed, a wrong day and a sixth secret', async () => {
  const { uniqueId } = await addProgram()
  for (const endOthersOn of ['2020-01-31', '31.1.2099']) {
    const answer = await rotate(uniqueId, { endOthersOn })
    assertProblem(answer, 'invalid', /endOthersOn/)
  }
  for (const number of [2, 3, 4, 5]) assert.equal((await rotate(uniqueId)).status, 201, String(number))
  assertProblem(await rotate(uniqueId), 'conflict', /End one/)
  const [one] = await list(uniqueId)
  await end(uniqueId, one!.secretGuid)
  assert.equal((await rotate(uniqueId)).status, 201)
})

test('endClientSecret ends the secret and its tokens at once, and nothing else', async () => {
  const { uniqueId, clientId, clientSecret: leaked } = await addProgram()
  const { body: fresh } = await rotate(uniqueId)
  const [oldToken, newToken] = [
    await takeToken(clientId, leaked),
    await takeToken(clientId, fresh.clientSecret),
  ].map(({ access_token }) => access_token) as [string, string]
  assert.deepEqual([await mayRead(oldToken), await mayRead(newToken)], [200, 200])
  const old = (await list(uniqueId)).find(({ prefix }) => leaked.startsWith(prefix!))!
  assert.equal((await end(uniqueId, old.secretGuid)).status, 200)
  assert.deepEqual([await mayRead(oldToken), await mayRead(newToken)], [401, 200])
  assertProblem(await requestToken(clientId, leaked), 'login-failed', /has ended/)
  assertProblem(await end(uniqueId, old.secretGuid), 'not-found', /secret that works/)
  const events = await api.sql<{ changed: string }[]>`
    select data->>'changed' as changed from event where subject = ${uniqueId} and type = 'user.updated'`
  assert.deepEqual(
    events.map(({ changed }) => JSON.parse(changed)),
    [['clientSecret'], ['clientSecret']],
  )
  const entries = await api.sql<{ changes: unknown }[]>`
    select changes from audit_entry where subject = ${uniqueId} and action = 'updated' order by "position"`
  assert.deepEqual(
    entries.map(({ changes }) => changes),
    [{ clientSecret: [null, fresh.prefix] }, { clientSecret: [old.prefix, null] }],
  )
})

test('a chosen secret is listed without a prefix, overlaps with a made one, and ends', async () => {
  const [clientId, chosen] = [
    '0190a6f2-7c1e-7d3a-8b4e-00000000abcd',
    'a secret that somebody has chosen alone',
  ]
  const { uniqueId } = await addProgram({ clientId, clientSecret: chosen })
  const { body } = await rotate(uniqueId)
  assert.equal(body.clientId, clientId)
  await takeToken(clientId, chosen)
  await takeToken(clientId, body.clientSecret)
  const old = (await list(uniqueId)).find(({ prefix }) => prefix === null)!
  await end(uniqueId, old.secretGuid)
  assertProblem(await requestToken(clientId, chosen), 'login-failed', /has ended/)
  await takeToken(clientId, body.clientSecret)
  const [row] = await api.sql`select client_secret_hash as hash from app_user where id = ${uniqueId}`
  assert.equal(row!['hash'], null)
})

test('a person gets a client id with the first secret', async () => {
  const made = await api.call<CreatedUser>('POST', '/users', {
    body: input({ apiUser: false, password: 'en lång mening som är hennes' }),
  })
  const { body } = await rotate(made.body.uniqueId)
  await takeToken(body.clientId, body.clientSecret)
})

test('nobody lists, makes or ends secrets of a user who may do more, or belongs to another client', async () => {
  const theirs = await api.addParty('THEIRS')
  const ours = await api.addParty('OURS')
  const limited = await api.signIn(6, ours)
  const admin = await addProgram({ userRole: 2 })
  const foreign = await addProgram({ partyReferenceCode: 'THEIRS', userRole: 9 })
  const own = await addProgram({ partyReferenceCode: 'OURS', userRole: 9 })
  assert.ok(theirs)
  const tries = async (userGuid: string, token: string) => {
    const [secret] = await api.sql<{ id: string }[]>`select id from client_secret where user_id = ${userGuid}`
    return [
      (await api.call('GET', `/users/${userGuid}/secrets`, { token })).status,
      (await rotate(userGuid, {}, { token })).status,
      (await end(userGuid, secret!.id, token)).status,
    ]
  }
  assert.deepEqual(await tries(admin.uniqueId, limited), [404, 404, 404])
  assert.deepEqual(await tries(foreign.uniqueId, limited), [404, 404, 404])
  assert.deepEqual(await tries(own.uniqueId, limited), [200, 201, 200])
  // Without a client restriction, but with fewer access codes.
  await api.sql`
    insert into access_group (id, code, name, access_codes) values (gen_random_uuid(), 'HELPDESK', 'Help desk', '{user.read,user.write}')`
  const helper = await addProgram({ userRole: 5, accessGroups: ['HELPDESK'] })
  const { access_token } = await takeToken(helper.clientId, helper.clientSecret)
  assert.deepEqual(await tries(admin.uniqueId, access_token), [403, 403, 403])
  await takeToken(admin.clientId, admin.clientSecret)
  // Without user.write.
  const reader = await api.signIn(5)
  assert.deepEqual(await tries(helper.uniqueId, reader), [403, 403, 403])
})

test('a deleted user leaves no secret behind', async () => {
  const { uniqueId } = await addProgram()
  const answer = await api.call('DELETE', `/system/forms/user/edit?id=${uniqueId}`)
  assert.equal(answer.status, 200, answer.text)
  const rows = await api.sql`select from client_secret where user_id = ${uniqueId}`
  assert.equal(rows.length, 0)
})

test('the hash of a made secret matches that secret alone', () => {
  const { clientSecret, hash } = makeClientSecret()
  assert.ok(isMade(hash))
  assert.ok(matchesMade(hash, clientSecret))
  assert.equal(matchesMade(hash, `${clientSecret}x`), false)
  assert.equal(matchesMade('$argon2id$v=19', clientSecret), false)
})
