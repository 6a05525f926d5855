/** S5 of debtors and users: only where nothing depends on them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Debtor } from '../../../contract/parties/debtors.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

const form = (path: string) => `/system/forms/${path}`
const remove = (path: string, token = api.token, headers = {}) =>
  api.call<{ usedBy?: Record<string, number> }>('DELETE', form(path), { token, headers })
const makeDebtor = async (body: object = {}, token = api.token) =>
  (await api.call<Debtor>('POST', '/debtors', { body: { lastname: 'Borta', ...body }, token })).body
    .debtorGuid
const post = async (path: string, body: object) => {
  const answer = await api.call<Record<string, string>>('POST', path, { body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

test('S5 deletes a debtor with addresses and extra fields, event by event', async () => {
  const idNumber = '19900101-2385'
  const guid = await makeDebtor({ idNumber, street: 'Gata 1', city: 'Lund' })
  await post(`/debtors/${guid}/extrafields`, { name: 'employer', value: ['Ek AB'] })
  await post('/users/current/favorites', { type: '3', guid })
  assertProblem(
    await remove(`debtor/edit?id=${guid}`, api.token, { 'if-match': '"9"' }),
    'precondition-failed',
    /./,
  )
  assert.equal((await remove(`debtor/edit?id=${guid}`)).status, 200)
  assertProblem(await remove(`debtor/edit?id=${guid}`), 'not-found', /no such/)
  assert.equal((await api.call('GET', `/debtors/${guid}`)).status, 404)
  const favorites = await api.call<{ total: number }>('GET', '/users/current/favorites')
  assert.equal(favorites.body.total, 0)
  const events = await api.sql`select type from event where subject = ${guid} order by sequence`
  assert.deepEqual(
    events.map(({ type }) => type as string),
    [
      'debtor.created',
      'address.created',
      'extrafield.created',
      'address.deleted',
      'extrafield.deleted',
      'debtor.deleted',
    ],
  )
  const [entry] = await api.sql`
    select changes from audit_entry where entity_id = ${guid} and action = 'deleted'`
  assert.deepEqual((entry!['changes'] as Record<string, unknown>)['lastname'], ['Borta', null])
  assert.ok(await makeDebtor({ idNumber }), 'the identity number is free again')
})

test('S5 keeps a debtor on whom something depends, and says what', async () => {
  const client = await api.addParty('BEROENDE')
  const noted = await makeDebtor()
  await post(form(`note/create?id=${noted}`), { text: 'Called.' })
  const refused = await remove(`debtor/edit?id=${noted}`)
  assertProblem(refused, 'conflict', /in use by 1 notes/)
  assert.deepEqual(refused.body.usedBy, { notes: 1 })
  const owing = await makeDebtor()
  const other = await api.addParty('ANNAN')
  for (const clientGuid of [client, other])
    await post(form('case/register'), { clientGuid, debtorGuid: owing, principal: 100, currencyCode: 'SEK' })
  assert.deepEqual((await remove(`debtor/edit?id=${owing}`)).body.usedBy, { cases: 2 })
  await post('/system/forms/accessgroup/create', { code: 'W', name: 'W', accessCodes: 'debtor.write' })
  const restricted = await api.signIn(6, client)
  assertProblem(await remove(`debtor/edit?id=${owing}`, restricted), 'forbidden', /debtor\.write/)
  const [own] = await api.sql`select user_id from session order by created_at desc limit 1`
  await api.call('PATCH', form(`user/edit?id=${String(own!['user_id'])}`), { body: { accessGroups: 'W' } })
  const seen = await remove(`debtor/edit?id=${owing}`, restricted)
  assert.deepEqual(seen.body.usedBy, { cases: 1 }, 'the cases of other clients are not told')
  const elsewhere = await api.signIn(6, await api.addParty('TREDJE'))
  assert.equal((await remove(`debtor/edit?id=${owing}`, elsewhere)).status, 403)
})

test('S5 deletes a user who did nothing, and refuses one who did, oneself and one with more rights', async () => {
  const password = 'a long passphrase here'
  const user = await api.addUser({ email: 'new@agency.example', password, userRole: 3 })
  const signedIn = await api.call<{ accessToken: string }>('POST', '/auth/login', {
    body: { login: 'new@agency.example', password },
    token: null,
  })
  const token = signedIn.body.accessToken
  assert.equal((await api.call('GET', '/debtors', { token })).status, 200)
  assert.equal((await remove(`user/edit?id=${user}`)).status, 200)
  assert.equal((await api.call('GET', '/debtors', { token })).status, 401)
  assert.equal((await api.call('GET', `/users/${user}`)).status, 404)
  assert.ok(await api.addUser({ email: 'new@agency.example', password }), 'the e-mail is free again')
  const events = await api.sql`select type from event where subject = ${user} order by sequence`
  assert.deepEqual(
    events.map(({ type }) => type as string),
    ['user.created', 'user.deleted'],
  )

  const worker = await api.signIn(3)
  const [{ user_id: workerGuid } = {}] =
    await api.sql`select user_id from session order by created_at desc limit 1`
  await makeDebtor({}, worker)
  const refused = await remove(`user/edit?id=${String(workerGuid)}`)
  assertProblem(refused, 'conflict', /in use by 1 entries of the audit trail.*disabled instead/)
  const me = await api.call<{ uniqueId: string }>('GET', '/users/current')
  assertProblem(await remove(`user/edit?id=${me.body.uniqueId}`), 'conflict', /yourself/)
  const boss = await api.signIn(6, await api.addParty('LITEN'))
  assertProblem(await remove(`user/edit?id=${String(workerGuid)}`, boss), 'not-found', /no such/)
})
