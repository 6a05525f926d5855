/** The services that are shipped, as an installation without settings has them (U13, D25). */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Job } from '../../contract/jobs.ts'
import type { Problem } from '../../contract/problem.ts'
import { startApi, type TestApi } from '../testing/api.ts'
import { serviceDefinitionsOf } from './load-services.ts'

let api: TestApi
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '' })
  await api.setDate('2026-06-15')
})
after(() => api.close())

const person = {
  firstname: 'Åsa',
  lastname: 'Lindqvist',
  idNumber: '19121212-1212',
  email: 'asa@example.org',
  cellularPhone: '+46701740605',
  languageCode: 'sv',
  street: 'Kungsgatan',
  houseNo: '4',
  zipCode: '111 43',
  city: 'Stockholm',
  countryCode: 'SE',
}
const makeDebtor = async (more: object = {}) =>
  (
    await api.call<{ debtorGuid: string }>('POST', '/debtors', {
      body: { ...person, ...more },
      headers: { 'x-allow-duplicate': 'true' },
    })
  ).body.debtorGuid
const invoke = (path: string, body: object = {}) => api.call<Problem>('POST', path, { body })
const resultOf = async (answer: { status: number; headers: Headers; text: string }) => {
  assert.equal(answer.status, 200, answer.text)
  const job = await api.call<Job>('GET', answer.headers.get('location')!.replace('/api/v1', ''))
  return job.body.result!
}

test('the shipped services are found', () => {
  assert.deepEqual(
    serviceDefinitionsOf(api.app.services).map(({ code, scope }) => `${scope} ${code}`),
    [
      'debtor address-check',
      'debtor personal-data-erasure',
      'debtor personal-data-export',
      'user welcome-mail',
    ],
  )
})

test('personal-data-export collects all that there is, over many pages', async () => {
  const debtorGuid = await makeDebtor()
  for (let n = 0; n < 103; n++) {
    await api.call('POST', `/debtors/${debtorGuid}/extrafields`, {
      body: { name: `field ${n}`, value: [`${n}`] },
    })
  }
  const result = (await resultOf(await invoke(`/debtors/${debtorGuid}/services/personal-data-export`))) as {
    date: string
    debtor: Record<string, unknown>
    addresses: { city: string }[]
    extraFields: { name: string }[]
    changes: { action: string }[]
  }
  assert.equal(result.date, '2026-06-15')
  assert.equal(result.debtor['fullName'], 'Åsa Lindqvist')
  assert.equal(result.debtor['email'], 'asa@example.org')
  assert.deepEqual(
    result.addresses.map(({ city }) => city),
    ['Stockholm'],
  )
  assert.equal(new Set(result.extraFields.map(({ name }) => name)).size, 103)
  assert.ok(result.changes.length > 100)
})

test('personal-data-erasure empties what is personal, and leaves the rest', async () => {
  const debtorGuid = await makeDebtor()
  await resultOf(await invoke(`/debtors/${debtorGuid}/services/personal-data-erasure`))
  const { body } = await api.call<Record<string, unknown>>('GET', `/debtors/${debtorGuid}`)
  const personal = ['idNumber', 'dateOfBirth', 'firstname', 'lastname', 'email', 'cellularPhone']
  assert.deepEqual(
    personal.map((name) => body[name]),
    personal.map(() => null),
  )
  assert.equal(body['fullName'], 'Erased')
  assert.equal(body['gender'], 0)
  assert.equal(body['languageCode'], 'sv')
  assert.ok(body['debtorReference'])
  const addresses = await api.call<{ total: number }>('GET', `/debtors/${debtorGuid}/addresses`)
  assert.equal(addresses.body.total, 0)
})

test('personal-data-erasure erases the kinds that are named', async () => {
  const debtorGuid = await makeDebtor()
  await resultOf(
    await invoke(`/debtors/${debtorGuid}/services/personal-data-erasure`, { personalDataTypeIds: [3] }),
  )
  const { body } = await api.call<Record<string, unknown>>('GET', `/debtors/${debtorGuid}`)
  assert.deepEqual([body['email'], body['cellularPhone'], body['fullName']], [null, null, 'Åsa Lindqvist'])
  const wrong = await invoke(`/debtors/${debtorGuid}/services/personal-data-erasure`, {
    personalDataTypeIds: [9],
  })
  assert.equal(wrong.status, 400)
})

test('personal-data-erasure leaves a debtor under a legal hold alone', async () => {
  const debtorGuid = await makeDebtor()
  await api.call('POST', `/debtors/${debtorGuid}/extrafields`, {
    body: { name: 'legalHold', value: ['claim'] },
  })
  const answer = await invoke(`/debtors/${debtorGuid}/services/personal-data-erasure`)
  assert.equal(answer.status, 502)
  assert.match(answer.body.detail, /legal hold/)
  const { body } = await api.call<Record<string, unknown>>('GET', `/debtors/${debtorGuid}`)
  assert.equal(body['email'], 'asa@example.org')
})

interface AddressPage {
  value: { addressGuid: string; addressNotValidDate: string | null; street: string | null }[]
}

test('address-check marks what mail came back from and what lacks a street', async () => {
  const debtorGuid = await makeDebtor()
  const path = `/debtors/${debtorGuid}/addresses`
  await api.call('POST', path, { body: { addressType: 'LEGAL', city: 'Lund', countryCode: 'SE' } })
  const first = await resultOf(await invoke(`/debtors/${debtorGuid}/services/address-check`))
  assert.equal(first['checked'], 2)
  const marked = async () => {
    const { body } = await api.call<AddressPage>('GET', path)
    return body.value.filter(({ addressNotValidDate }) => addressNotValidDate === '2026-06-15T00:00:00Z')
  }
  assert.deepEqual(
    (await marked()).map(({ street }) => street),
    [null],
  )
  const { body } = await api.call<AddressPage>('GET', path)
  const returnedFrom = body.value.find(({ street }) => street === 'Kungsgatan')!.addressGuid
  await resultOf(await invoke(`/debtors/${debtorGuid}/services/address-check`, { returnedFrom }))
  assert.equal((await marked()).length, 2)
  const unknown = await invoke(`/debtors/${debtorGuid}/services/address-check`, {
    returnedFrom: '01900000-0000-7000-8000-000000000000',
  })
  assert.equal(unknown.status, 502)
})

test('welcome-mail writes to the user in the language of the user', async () => {
  const userGuid = await api.addUser({ email: 'ny@agency.example', password: 'a long enough password' })
  await api.sql`update app_user set language_code = 'sv' where id = ${userGuid}`
  await resultOf(await invoke(`/users/${userGuid}/services/welcome-mail`, { text: 'Hälsningar, Bo' }))
  const [message] = await api.sql`select recipient, subject, body, kind from message`
  assert.equal(message!['recipient'], 'ny@agency.example')
  assert.equal(message!['subject'], 'Välkommen')
  assert.match(message!['body'] as string, /ny@agency\.example, nu kan du logga in[\s\S]*Hälsningar, Bo$/)
  const outbox = await api.call<{ total: number }>('GET', '/system/outbox')
  assert.equal(outbox.body.total, 1)
})
