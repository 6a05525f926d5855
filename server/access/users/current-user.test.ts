import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CurrentUser } from '../../../contract/access/current-user.ts'
import { userKey } from '../sessions/throttle.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
before(async () => {
  api = await startApi({ FORDRA_CURRENCY: 'NOK' })
})
after(() => api.close())

const password = 'en lång mening som är min'
let users = 0

async function makeUser(): Promise<{ email: string; token: string }> {
  users += 1
  const email = `jag${users}@agency.example`
  const body = { partyReferenceCode: 'AGENCY', email, password, fullName: 'Jag Själv', userRole: 3 }
  assert.equal((await api.call('POST', '/users', { body })).status, 201)
  return { email, token: await signIn(email, password) }
}

async function signIn(login: string, secret: string): Promise<string> {
  const answer = await api.call<{ accessToken: string }>('POST', '/auth/login', {
    body: { login, password: secret },
    token: null,
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.accessToken
}

test('U1 gives the profile, the union of access codes and the system currency', async () => {
  const { token, email } = await makeUser()
  const { body } = await api.call<CurrentUser>('GET', '/users/current', { token })
  assert.equal(body.email, email)
  assert.equal(body.userRole, 3)
  assert.deepEqual([body.systemCurrencyCode, body.systemCountryCode], ['NOK', null])
  assert.ok(body.accessCodes.includes('debtor.write'))
  assert.ok(!body.accessCodes.includes('user.write'))
})

test('U1 gives the country of the agency, or else of the system settings', async () => {
  const { token } = await makeUser()
  const read = async () =>
    (await api.call<CurrentUser>('GET', '/users/current', { token })).body.systemCountryCode
  await api.sql`update system_setting set settings = settings || '{"countryCode": "FI"}'`
  const ofSettings = await read()
  await api.sql`update party set country_code = 'SE' where parent_id is null`
  const ofAgency = await read()
  await api.sql`update party set country_code = null where parent_id is null`
  await api.sql`update system_setting set settings = settings - 'countryCode'`
  assert.deepEqual([ofSettings, ofAgency], ['FI', 'SE'])
})

test('U2 stores preferences; a new password needs the current one', async () => {
  const { token, email } = await makeUser()
  const patch = (body: object) => api.call<{ errors: object }>('PATCH', '/users/current', { body, token })
  assert.equal((await patch({ languageCode: 'no', countryFormat: 'NO', cultureCode: 'nb-NO' })).status, 200)
  const { body } = await api.call<CurrentUser>('GET', '/users/current', { token })
  assert.deepEqual([body.languageCode, body.countryFormat, body.cultureCode], ['no', 'NO', 'nb-NO'])
  assert.deepEqual(Object.keys((await patch({ password: 'en ny och mycket lång mening' })).body.errors), [
    'currentPassword',
  ])
  assert.equal(
    (await patch({ password: 'en ny och mycket lång mening', currentPassword: 'fel' })).status,
    422,
  )
  assert.equal((await patch({ password: 'kort', currentPassword: password })).status, 400)
  assert.equal((await patch({ cultureCode: 'x_y' })).status, 400)
  assert.equal((await patch({ userRole: 2 })).status, 400)
  const other = await signIn(email, password)
  assert.equal(
    (await patch({ password: 'en ny och mycket lång mening', currentPassword: password })).status,
    200,
  )
  assert.equal((await api.call('GET', '/users/current', { token })).status, 200, 'this session goes on')
  assert.equal((await api.call('GET', '/users/current', { token: other })).status, 401, 'the others end')
  await signIn(email, 'en ny och mycket lång mening')
})

test('U2: wrong current passwords count as failed sign-ins', async () => {
  const { token, email } = await makeUser()
  const body = { password: 'en ny och mycket lång mening', currentPassword: 'fel' }
  for (let tries = 0; tries < 10; tries++) {
    assert.equal((await api.call('PATCH', '/users/current', { body, token })).status, 422)
  }
  const locked = await api.call('POST', '/auth/login', { body: { login: email, password }, token: null })
  assert.equal(locked.status, 401)
  const right = { ...body, currentPassword: password }
  assert.equal((await api.call('PATCH', '/users/current', { body: right, token })).status, 422)
})

test('U2: of concurrent password changes of one user one is tried, and none holds what others need', async () => {
  const { token } = await makeUser()
  const [row] = await api.sql<{ id: string }[]>`select id from app_user order by created_at desc limit 1`
  const change = (currentPassword: string, number: number) =>
    api.call('PATCH', '/users/current', {
      body: { password: `en ny och mycket lång mening ${number}`, currentPassword },
      token,
    })
  const wrong = Array.from({ length: 39 }, (_, number) => change('fel', number))
  const [other, ...answers] = await Promise.all([api.call('GET', '/debtors'), ...wrong])
  assert.equal(other.status, 200)
  assert.ok(answers.every(({ status }) => status === 422 || status === 429))
  const busy = answers.filter(({ status }) => status === 429)
  assert.ok(busy.length > 0)
  for (const answer of busy) assert.equal(answer.headers.get('retry-after'), '1')
  const [count] = await api.sql<{ tries: number }[]>`
    select failures + 10 * blocks as tries from login_failure where key = ${userKey(row!.id)}`
  assert.ok(count!.tries <= 10)
  await api.sql`delete from login_failure`
  const right = await Promise.all(Array.from({ length: 20 }, (_, number) => change(password, number)))
  assert.equal(right.filter(({ status }) => status === 200).length, 1, 'the first changes what is right')
  assert.ok(right.every(({ status }) => [200, 422, 429].includes(status)))
})

test('U3 merges settings, null removes one, and getUserSettings returns them', async () => {
  const { token } = await makeUser()
  const path = '/users/current/settings/debtors/list'
  const patch = (body: object, at = path) => api.call('PATCH', at, { body, token })
  const read = async (at = path) => (await api.call<object>('GET', at, { token })).body
  assert.deepEqual(await read(), {})
  assert.equal((await patch({ columns: ['fullName', 'city'], dense: true })).status, 200)
  assert.equal((await patch({ dense: null, sort: { by: 'city' } })).status, 200)
  assert.deepEqual(await read(), { columns: ['fullName', 'city'], sort: { by: 'city' } })
  assert.deepEqual(await read('/users/current/settings/debtors/other'), {})
  assert.equal((await patch({})).status, 400)
  assert.equal((await patch({ text: 'x'.repeat(70_000) })).status, 422)
  assert.deepEqual(await read(), { columns: ['fullName', 'city'], sort: { by: 'city' } })
  assert.equal((await patch({ a: 1 }, '/users/current/settings/a%20b/list')).status, 400)
  await Promise.all(Array.from({ length: 10 }, (_, n) => patch({ [`member${n}`]: n })))
  assert.equal(Object.keys(await read()).length, 12)
})
