/** The shipped services, as an installation without settings has them (U13, D25). */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Address } from '../../../contract/parties/addresses.ts'
import type { Job } from '../../../contract/platform/jobs.ts'
import type { Problem } from '../../../contract/platform/problem.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { listServiceDefinitions } from './load-services.ts'

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
const readResult = async (answer: { status: number; headers: Headers; text: string }) => {
  assert.equal(answer.status, 200, answer.text)
  const job = await api.call<Job>('GET', answer.headers.get('location')!.replace('/api/v1', ''))
  return job.body.result!
}

test('the shipped services are found', () => {
  assert.deepEqual(
    listServiceDefinitions(api.app.services).map(({ code, scope }) => `${scope} ${code}`),
    [
      'debtor address-check',
      'global contact-gaps',
      'debtor personal-data-erasure',
      'debtor personal-data-export',
      'debtor statement-of-account',
      'user welcome-mail',
    ],
  )
})

test('each is an operation of the OpenAPI document of the installation, which strangers do not see', async () => {
  const address = `${api.address}/api/v1/openapi.json`
  assert.doesNotMatch(await (await fetch(address)).text(), /services\/address-check/)
  const headers = { authorization: `Bearer ${api.token}` }
  const document = (await (await fetch(address, { headers })).json()) as {
    paths: Record<string, { post: { requestBody: { content: Record<string, { schema: object }> } } }>
  }
  const { post } = document.paths['/debtors/{debtorGuid}/services/address-check']!
  assert.deepEqual(post.requestBody.content['application/json']!.schema, {
    type: 'object',
    properties: { returnedFrom: { type: 'string', format: 'uuid' } },
    additionalProperties: false,
  })
})

test('personal-data-export exports everything, over many pages', async () => {
  const debtorGuid = await makeDebtor()
  for (let n = 0; n < 103; n++) {
    await api.call('POST', `/debtors/${debtorGuid}/extrafields`, {
      body: { name: `field ${n}`, value: [`${n}`] },
    })
  }
  const result = (await readResult(await invoke(`/debtors/${debtorGuid}/services/personal-data-export`))) as {
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

test('personal-data-erasure erases personal data and keeps the rest', async () => {
  const debtorGuid = await makeDebtor()
  await readResult(await invoke(`/debtors/${debtorGuid}/services/personal-data-erasure`))
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

test('personal-data-erasure can erase selected kinds', async () => {
  const debtorGuid = await makeDebtor()
  await readResult(
    await invoke(`/debtors/${debtorGuid}/services/personal-data-erasure`, { personalDataTypeIds: [3] }),
  )
  const { body } = await api.call<Record<string, unknown>>('GET', `/debtors/${debtorGuid}`)
  assert.deepEqual([body['email'], body['cellularPhone'], body['fullName']], [null, null, 'Åsa Lindqvist'])
  const wrong = await invoke(`/debtors/${debtorGuid}/services/personal-data-erasure`, {
    personalDataTypeIds: [9],
  })
  assert.equal(wrong.status, 400)
})

test('personal-data-erasure refuses a debtor under a legal hold', async () => {
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

async function makeCase(debtorGuid: string): Promise<string> {
  const clientGuid = await api.addParty(`CLIENT${++clients}`)
  await api.sql`update party set country_code = 'SE' where id = ${clientGuid}`
  const made = await api.call<{ caseGuid: string }>('POST', '/system/forms/case/register', {
    body: {
      clientGuid,
      debtorGuid,
      debtorRole: 'MAIN_DEBTOR',
      service: 'COLLECTION',
      currencyCode: 'SEK',
      principal: 1000,
    },
  })
  assert.equal(made.status, 201, made.text)
  return made.body.caseGuid
}
let clients = 0
const closeCase = (caseGuid: string) =>
  api.call('PATCH', `/system/forms/case/close?id=${caseGuid}`, { body: { closureCode: 'UNECONOMICAL' } })

test('personal-data-erasure refuses open cases and the bookkeeping retention period (getLegalHold, deleteDocument)', async () => {
  const debtorGuid = await makeDebtor()
  const caseGuid = await makeCase(debtorGuid)
  const path = `/debtors/${debtorGuid}/services/personal-data-erasure`
  const open = await invoke(path)
  assert.equal(open.status, 502)
  assert.match(open.body.detail, /1 open cases: close them first/)
  const closed = await closeCase(caseGuid)
  assert.equal(closed.status, 200, closed.text)
  const kept = await invoke(path)
  assert.match(kept.body.detail, /1 closed cases, whose records are kept until 2033-12-31/)
  const { body: hold } = await api.call<object>('GET', `/debtors/${debtorGuid}/legalhold`)
  const counts = { openCases: 0, keptCases: 1, unpaidCredits: 0 }
  assert.deepEqual(hold, { held: true, ...counts, keptUntil: '2033-12-31T00:00:00Z' })
  const letters = `/debtors/${debtorGuid}/documents`
  const { body: letter } = await api.call<{ documentGuid: string }>('POST', letters, { body: {} })
  const early = await api.call<Problem>('DELETE', `/documents/${letter.documentGuid}`)
  assert.equal(early.status, 409)
  assert.match(early.body.detail, /kept until 31 Dec 2033/)
  await api.setDate('2034-01-01')
  try {
    await readResult(await invoke(path))
    const { body } = await api.call<Record<string, unknown>>('GET', `/debtors/${debtorGuid}`)
    assert.equal(body['fullName'], 'Erased')
    assert.equal((await api.call<{ total: number }>('GET', letters)).body.total, 0)
    const ledger = await api.call<{ transactions: object[] }>('GET', `/cases/${caseGuid}/movements`)
    assert.equal(ledger.body.transactions.length, 1)
  } finally {
    await api.setDate('2026-06-15')
  }
})

test('a legal hold also counts cases of clients that the caller may not see', async () => {
  const debtorGuid = await makeDebtor()
  const closed = await makeCase(debtorGuid)
  await makeCase(debtorGuid)
  await closeCase(closed)
  const [found] = await api.sql<{ id: string }[]>`select client_id as id from debt_case where id = ${closed}`
  const token = await api.signIn(6, found!.id)
  await api.sql`
    insert into access_group (id, code, name, access_codes)
    values (${debtorGuid}, 'WRITERS', 'Writers', ${['debtor.write', 'debtor.read']})`
  await api.sql`
    insert into user_access_group select id, ${debtorGuid} from app_user where party_id = ${found!.id}`
  api.app.service.sessions.forgetUser(
    (await api.sql<{ id: string }[]>`select id from app_user where party_id = ${found!.id}`)[0]!.id,
  )
  const { body } = await api.call<{ openCases: number; keptCases: number }>(
    'GET',
    `/debtors/${debtorGuid}/legalhold`,
    { token },
  )
  assert.deepEqual([body.openCases, body.keptCases], [1, 1])
})

test('personal-data-export has the cases with their movements and notes (listDebtorNotes)', async () => {
  const debtorGuid = await makeDebtor()
  const caseGuid = await makeCase(debtorGuid)
  for (const [id, text] of [
    [debtorGuid, 'Rang about the debt'],
    [caseGuid, 'Sent the contract'],
  ])
    await api.call('POST', `/system/forms/note/create?id=${id}`, { body: { text } })
  const listed = await api.call<{ value: { text: string }[] }>('GET', `/debtors/${debtorGuid}/notes`)
  assert.deepEqual(
    listed.body.value.map(({ text }) => text),
    ['Rang about the debt'],
  )
  const result = (await readResult(
    await invoke(`/debtors/${debtorGuid}/services/personal-data-export`),
  )) as unknown as ExportedDebtor
  assert.deepEqual(
    result.notes.map(({ text }) => text),
    ['Rang about the debt'],
  )
  const [found] = result.cases
  assert.equal(result.cases.length, 1)
  assert.equal(found!.caseGuid, caseGuid)
  assert.equal(found!.remainingSum, 1000)
  assert.deepEqual(
    found!.transactions.map(({ kind }) => kind),
    ['registration'],
  )
  assert.deepEqual(
    found!.notes.map(({ text }) => text),
    ['Sent the contract'],
  )
  assert.ok(found!.changes.some(({ action }) => action === 'registered'))
})

interface ExportedDebtor {
  notes: { text: string }[]
  cases: {
    caseGuid: string
    remainingSum: number
    transactions: { kind: string }[]
    notes: { text: string }[]
    changes: { action: string }[]
  }[]
}

test('statement-of-account stores a letter', async () => {
  const debtorGuid = await makeDebtor()
  await makeCase(debtorGuid)
  const result = await readResult(await invoke(`/debtors/${debtorGuid}/services/statement-of-account`))
  assert.deepEqual([result['title'], result['languageCode']], ['Kontoutdrag', 'sv'])
  const listed = await api.call<{ value: { documentGuid: string }[] }>(
    'GET',
    `/debtors/${debtorGuid}/documents`,
  )
  assert.deepEqual(
    listed.body.value.map(({ documentGuid }) => documentGuid),
    [result['documentGuid']],
  )
})

test('address-check marks addresses with returned mail and those without a street', async () => {
  const debtorGuid = await makeDebtor()
  const path = `/debtors/${debtorGuid}/addresses`
  await api.call('POST', path, { body: { addressType: 'LEGAL', city: 'Lund', countryCode: 'SE' } })
  const first = await readResult(await invoke(`/debtors/${debtorGuid}/services/address-check`))
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
  await readResult(await invoke(`/debtors/${debtorGuid}/services/address-check`, { returnedFrom }))
  assert.equal((await marked()).length, 2)
  const unknown = await invoke(`/debtors/${debtorGuid}/services/address-check`, {
    returnedFrom: '01900000-0000-7000-8000-000000000000',
  })
  assert.equal(unknown.status, 502)
})

test('address-check accepts an address that was given in one line', async () => {
  for (const fullAddress of ['Storgatan 12, 211 42 Malmö', 'Gården bortom kyrkan, Visby']) {
    const body = { lastname: 'Radsson', fullAddress }
    const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body })
    const path = `/debtors/${made.body.debtorGuid}/services/address-check`
    assert.deepEqual(await readResult(await invoke(path)), { checked: 1, notValid: [] })
  }
})

test('a person overrules the address-check, until mail comes back (confirmAddress)', async () => {
  const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', {
    body: { lastname: 'Ort', city: 'Lund' },
  })
  const { debtorGuid } = made.body
  const run = (body: object = {}) =>
    invoke(`/debtors/${debtorGuid}/services/address-check`, body).then(readResult)
  const path = `/debtors/${debtorGuid}/addresses`
  const read = async () => (await api.call<{ value: Address[] }>('GET', path)).body.value[0]!
  const { addressGuid } = await read()
  assert.deepEqual((await run())['notValid'], [addressGuid])
  assert.deepEqual([(await read()).validatedAt, (await read()).validOverride], [null, false])
  assert.equal(
    (await api.call('PATCH', `${path}/${addressGuid}`, { body: { addressNotValidDate: '' } })).status,
    200,
  )
  const overruled = await read()
  assert.ok(overruled.validatedAt !== null && overruled.validOverride === true)
  assert.deepEqual((await run())['notValid'], [], 'the service leaves it')
  assert.deepEqual((await run({ returnedFrom: addressGuid }))['notValid'], [addressGuid])
  assert.deepEqual([(await read()).validatedAt, (await read()).validOverride], [null, false], 'marked again')
  assert.equal((await api.call('POST', `${path}/${addressGuid}/confirm`)).status, 200)
  assert.deepEqual([(await read()).addressNotValidDate, (await read()).validOverride], [null, true])
  await api.call('PATCH', `${path}/${addressGuid}`, { body: { street: 'Gata 1' } })
  assert.deepEqual(
    [(await read()).validatedAt, (await read()).validOverride],
    [null, false],
    'another address',
  )
  await run()
  const confirmed = await read()
  assert.ok(confirmed.validatedAt !== null && confirmed.validOverride === false)
  await run({ returnedFrom: addressGuid })
  await api.call('POST', `${path}/${addressGuid}/confirm`)
  await run()
  assert.equal((await read()).validOverride, true, 'a service that agrees later changes nothing of it')
})

test('welcome-mail writes to the user in the language of the user', async () => {
  const userGuid = await api.addUser({ email: 'ny@agency.example', password: 'a long enough password' })
  await api.sql`update app_user set language_code = 'sv' where id = ${userGuid}`
  await readResult(await invoke(`/users/${userGuid}/services/welcome-mail`, { text: 'Hälsningar, Bo' }))
  const [message] = await api.sql`select recipient, subject, body, kind from message`
  assert.equal(message!['recipient'], 'ny@agency.example')
  assert.equal(message!['subject'], 'Välkommen')
  assert.match(message!['body'] as string, /ny@agency\.example, nu kan du logga in[\s\S]*Hälsningar, Bo$/)
  const outbox = await api.call<{ total: number }>('GET', '/system/outbox')
  assert.equal(outbox.body.total, 1)
})

test('an e-mail of a service goes to the present address of its user, and to nobody who is disabled', async () => {
  const userGuid = await api.addUser({ email: 'flyttar@agency.example', password: 'a long enough password' })
  await readResult(await invoke(`/users/${userGuid}/services/welcome-mail`, { text: 'Hej' }))
  const change = async (body: object) => {
    const changed = await api.call('PUT', `/users/${userGuid}`, { body: { password: null, ...body } })
    assert.equal(changed.status, 200, changed.text)
  }
  const waiting = async () => {
    const rows = await api.sql<{ recipient: string }[]>`
      select recipient from message where user_id = ${userGuid} and sent_at is null and expires_at > now()`
    return rows.map(({ recipient }) => recipient)
  }
  assert.deepEqual(await waiting(), ['flyttar@agency.example'])
  await change({ email: 'flyttad@agency.example' })
  assert.deepEqual(await waiting(), ['flyttad@agency.example'])
  await change({ disabled: true })
  assert.deepEqual(await waiting(), [])
})

test('contact-gaps counts debtors with missing contact data and names as many as requested', async () => {
  const debtorGuid = await makeDebtor({ idNumber: null, email: null, cellularPhone: null, lastname: 'Lucka' })
  const result = await readResult(await invoke('/debtors/services/contact-gaps', { most: 100 }))
  const gaps = result as Record<string, { count: number; debtorGuids: string[] }>
  for (const [gap, where] of [
    [
      'noEmailOrPhone',
      api.sql`email is null and cellular_phone is null and home_phone is null and work_phone is null`,
    ],
    ['noIdentityNumber', api.sql`id_number is null`],
  ] as const) {
    const rows = await api.sql<{ id: string }[]>`select id from debtor where ${where}`
    assert.deepEqual(gaps[gap]!.debtorGuids.toSorted(), rows.map(({ id }) => id).toSorted(), gap)
    assert.equal(gaps[gap]!.count, rows.length)
    assert.ok(gaps[gap]!.debtorGuids.includes(debtorGuid))
  }
  const few = await readResult(await invoke('/users/services/contact-gaps', { most: 0 }))
  assert.deepEqual((few as typeof gaps)['noIdentityNumber']!.debtorGuids, [])
  assert.equal((await invoke('/debtors/services/contact-gaps', { most: 101 })).status, 400)
})
