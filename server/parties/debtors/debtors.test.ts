import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Debtor, DebtorListItem } from '../../../contract/parties/debtors.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type Response, type TestApi } from '../../testing/api.ts'

let api: TestApi
before(async () => {
  api = await startApi()
  await api.setDate('2026-06-15')
})
after(() => api.close())

const create = (body: object, headers: Record<string, string> = {}) =>
  api.call<Debtor & Record<string, unknown>>('POST', '/debtors', { body, headers })
const get = (guid: string) => api.call<Debtor>('GET', `/debtors/${guid}`)
const update = (guid: string, body: object, headers: Record<string, string> = {}) =>
  api.call<Record<string, unknown>>('PATCH', `/debtors/${guid}`, { body, headers })
const readErrors = (response: Response<object>) =>
  (response.body as { errors?: Record<string, string[]> }).errors ?? {}

const asa = {
  idNumber: '900101-2385',
  firstname: 'Åsa',
  lastname: 'Lindqvist',
  street: 'Storgatan',
  houseNo: '12',
  zipCode: '21142',
  city: 'Malmö',
  countryCode: 'se',
  cellularPhone: '070-174 06 05',
  email: 'asa@Example.COM',
  languageCode: 'SV',
  currencyCode: 'sek',
}

test('D2 normalises, derives, and D3 gives the same record', async () => {
  const made = await create(asa)
  assert.equal(made.status, 201)
  const debtor = made.body
  assert.equal(made.headers.get('location'), `/api/v1/debtors/${debtor.debtorGuid}`)
  assert.equal(made.headers.get('etag'), '"1"')
  assert.equal(debtor.idNumber, '19900101-2385')
  assert.equal(debtor.juridicalType, 0)
  assert.equal(debtor.gender, 2)
  assert.equal(debtor.dateOfBirth, '1990-01-01T00:00:00Z')
  assert.equal(debtor.underAged, false)
  assert.equal(debtor.fullName, 'Åsa Lindqvist')
  assert.equal(debtor.cellularPhone, '+46701740605')
  assert.equal(debtor.email, 'asa@example.com')
  assert.equal(debtor.languageCode, 'sv')
  assert.equal(debtor.currencyCode, 'SEK')
  assert.equal(debtor.regDate, '2026-06-15T00:00:00Z')
  assert.deepEqual((await get(debtor.debtorGuid)).body, debtor)
})

test('the debtor reference ends in its Luhn digit and is never given twice', async () => {
  const references = await Promise.all(
    Array.from({ length: 20 }, async () => (await create({ lastname: 'Referens' })).body.debtorReference),
  )
  assert.equal(new Set(references).size, 20)
  for (const reference of references) {
    const sum = [...reference]
      .toReversed()
      .map((digit, index) =>
        index % 2 === 1 ? [...String(Number(digit) * 2)].reduce((a, b) => a + Number(b), 0) : Number(digit),
      )
      .reduce((a, b) => a + b, 0)
    assert.equal(sum % 10, 0, reference)
  }
})

test("D3's links lead to the debtor's records, cases and overview", async () => {
  const { body } = await create({ lastname: 'Länk' })
  assert.deepEqual(
    body.links.map(({ name }) => name),
    ['self', 'addresses', 'cases', 'caseoverview', 'extrafields', 'paymentplans'],
  )
  for (const { type, href } of body.links)
    assert.equal((await api.call(type as 'GET', href.replace('/api/v1', ''))).status, 200, href)
})

test('the main address becomes the default LEGAL one', async () => {
  const { body: debtor } = await create({ ...asa, idNumber: null, lastname: 'Adresson' })
  const { body: page } = await api.call<Page<Record<string, unknown>>>(
    'GET',
    `/debtors/${debtor.debtorGuid}/addresses`,
  )
  assert.equal(page.total, 1)
  const [address] = page.value
  assert.equal(address!['addressType'], 'LEGAL')
  assert.equal(address!['defaultAddress'], true)
  assert.equal(address!['zipCode'], '211 42')
  assert.equal(address!['countryCode'], 'SE')
  assert.equal(address!['fullAddress'], 'Storgatan 12, 211 42 Malmö')
})

const listAddresses = async (debtorGuid: string) =>
  (await api.call<Page<Record<string, unknown>>>('GET', `/debtors/${debtorGuid}/addresses`)).body.value

test('a combined main address is split where its country allows it, and D1 finds it by place', async () => {
  const { body: debtor } = await create({ lastname: 'Kombi', fullAddress: 'Box 12,  10311 Kombinge' })
  const [address] = await listAddresses(debtor.debtorGuid)
  const { fullAddress, street, zipCode, city, countryCode } = address!
  assert.deepEqual(
    [fullAddress, street, zipCode, city, countryCode],
    ['Box 12, 103 11 Kombinge', 'Box 12', '103 11', 'Kombinge', null],
  )
  const query = new URLSearchParams({ $filter: "city eq 'Kombinge' and zipCode eq '103 11'" })
  const found = await api.call<Page<DebtorListItem>>('GET', `/debtors?${query}`)
  assert.deepEqual(
    found.body.value.map(({ debtorGuid }) => debtorGuid),
    [debtor.debtorGuid],
  )
})

test('D11 changes one part of a combined address and keeps the rest', async () => {
  const table: [combined: string, change: object, after: string][] = [
    ['Storgatan 12 B, 211 42 Malmö', { houseNo: '14' }, 'Storgatan 14 B, 211 42 Malmö'],
    ['Gården bortom kyrkan, Visby', { city: 'Visby' }, 'Gården bortom kyrkan, Visby'],
    ['Gården bortom kyrkan, Visby', { houseNo: '7' }, 'Gården bortom kyrkan, Visby'],
    ['Gården bortom kyrkan', { street: 'Gårdsvägen', houseNo: '7', city: 'Visby' }, 'Gårdsvägen 7, Visby'],
    ['Gården bortom kyrkan', { validTo: '2030-01-01' }, 'Gården bortom kyrkan'],
  ]
  for (const [fullAddress, change, shown] of table) {
    const { body: debtor } = await create({ lastname: 'Kombi', fullAddress })
    const [address] = await listAddresses(debtor.debtorGuid)
    const path = `/debtors/${debtor.debtorGuid}/addresses/${String(address!['addressGuid'])}`
    assert.equal((await api.call('PATCH', path, { body: change })).status, 200)
    assert.equal((await listAddresses(debtor.debtorGuid))[0]!['fullAddress'], shown)
  }
})

test('D2 refuses a full name or combined address that contradicts its parts, and names both', async () => {
  const name = { firstname: 'Åsa', lastname: 'Lindqvist' }
  const place = { street: 'Storgatan', houseNo: '1', zipCode: '21142', city: 'Malmö' }
  const refused: [body: object, members: string[]][] = [
    [{ ...name, fullName: 'Erik Berg' }, ['fullName', 'firstname', 'lastname']],
    [{ lastname: 'Lindqvist', fullName: 'Åsa Lindqvist' }, ['fullName', 'lastname']],
    [
      { ...name, ...place, fullAddress: 'Storgatan 12, 211 42 Malmö' },
      ['fullAddress', ...Object.keys(place)],
    ],
    [{ ...name, city: 'Lund', fullAddress: 'Storgatan 12, 211 42 Malmö' }, ['fullAddress', 'city']],
    [{ ...name, city: 'Lund', fullAddress: 'Gården bortom kyrkan, Visby' }, ['fullAddress', 'city']],
    [{ ...name, countryCode: 'SE', fullAddress: 'Gata 1, 0154 Oslo, Norge' }, ['fullAddress', 'countryCode']],
  ]
  for (const [body, members] of refused) {
    const answer = await create(body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.deepEqual(Object.keys(readErrors(answer)).toSorted(), members.toSorted())
  }
  const taken: [body: object, shown: string][] = [
    [{ ...name, fullName: 'LINDQVIST, Åsa' }, ''],
    [{ ...name, ...place, fullAddress: 'storgatan 1, 21142 malmö' }, 'Storgatan 1, 211 42 Malmö'],
    [{ ...name, city: 'Malmö', fullAddress: 'Storgatan 1, 211 42 Malmö' }, 'Storgatan 1, 211 42 Malmö'],
    [
      { ...name, street: 'Storgatan 1', fullAddress: 'Storgatan 1, 211 42 Malmö' },
      'Storgatan 1, 211 42 Malmö',
    ],
    [{ ...name, city: 'Visby', fullAddress: 'Gården bortom kyrkan, Visby' }, 'Gården bortom kyrkan, Visby'],
  ]
  for (const [body, shown] of taken) {
    const made = await create(body)
    assert.equal(made.status, 201, made.text)
    assert.equal(made.body.fullName, 'Åsa Lindqvist')
    assert.equal((await listAddresses(made.body.debtorGuid))[0]?.['fullAddress'] ?? '', shown)
  }
})

test('D4 refuses a full name that contradicts the parts beside it', async () => {
  const { body } = await create({ firstname: 'Bo', lastname: 'Ek' })
  const refusal = await update(body.debtorGuid, { firstname: 'Ulf', fullName: 'Ulf Berg' })
  assert.deepEqual(Object.keys(readErrors(refusal)), ['fullName', 'firstname'])
  assert.equal((await update(body.debtorGuid, { firstname: 'Ulf', fullName: 'Bo Ek' })).status, 200)
  assert.equal((await get(body.debtorGuid)).body.fullName, 'Ulf Ek')
})

test('a company keeps its name whole', async () => {
  const { body } = await create({
    idNumber: '5560360793',
    fullName: ' Skåne  Bageri AB ',
    vatNumber: 'SE556036079301',
    naceCode: '10.71',
  })
  assert.equal(body.juridicalType, 1)
  assert.equal(body.fullName, 'Skåne Bageri AB')
  assert.equal(body.idNumber, '556036-0793')
  assert.equal(body.lastname, null)
  assert.equal(body.vatNumber, 'SE556036079301')
})

const countries = [
  ['NO', '15508630007', 0, '1986-10-15T00:00:00Z'],
  ['NO', '15908630170', 0, '1986-11-15T00:00:00Z'],
  ['NO', '988 077 917', 1, null],
  ['DK', '2110625629', 0, '1962-10-21T00:00:00Z'],
  ['DK', '13585628', 1, null],
  ['FI', '131052-308T', 0, '1952-10-13T00:00:00Z'],
  ['FI', '20774740', 1, null],
  ['DE', '36574261809', 0, null],
  ['DE', 'DE129273398', 1, null],
  ['SE', '640883-3231', 0, '1964-08-23T00:00:00Z'],
] as const
for (const [countryCode, idNumber, juridicalType] of countries) {
  test(`identity number of ${countryCode}, juridical type ${juridicalType}: ${idNumber.length} characters`, async () => {
    const made = await create({ idNumber, countryCode, lastname: 'Test', fullName: 'Test' })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.body.juridicalType, juridicalType)
  })
}

const birthFaults = (answer: Response<object>) => Object.keys(readErrors(answer)).toSorted()
const allowDuplicate = { 'x-allow-duplicate': 'true' }
const bornNumber = '19900101-2385'

test('D2 and D4 refuse a date of birth that contradicts the identity number, and name both', async () => {
  const wrong = await create(
    { lastname: 'Ek', idNumber: bornNumber, dateOfBirth: '1985-05-05' },
    allowDuplicate,
  )
  assert.equal(wrong.status, 400, wrong.text)
  assert.deepEqual(birthFaults(wrong), ['dateOfBirth', 'idNumber'])
  const made = await create(
    { lastname: 'Ek', idNumber: bornNumber, dateOfBirth: '1990-01-01' },
    allowDuplicate,
  )
  assert.equal(made.status, 201, made.text)
  const { debtorGuid } = made.body
  for (const change of [
    { dateOfBirth: '1985-05-05' },
    { idNumber: '811228-9874', dateOfBirth: '1990-01-01' },
  ]) {
    const refusedChange = await update(debtorGuid, change, allowDuplicate)
    assert.equal(refusedChange.status, 400, refusedChange.text)
    assert.deepEqual(birthFaults(refusedChange), ['dateOfBirth', 'idNumber'])
  }
  assert.equal((await get(debtorGuid)).body.dateOfBirth, '1990-01-01T00:00:00Z')
  assert.equal((await update(debtorGuid, { dateOfBirth: '' })).status, 200)
})

test('a Swedish number may have another day of the month of birth, and a company none', async () => {
  const near = await create(
    { lastname: 'Ek', idNumber: bornNumber, dateOfBirth: '1990-01-05' },
    allowDuplicate,
  )
  assert.equal(near.status, 201, near.text)
  assert.equal((await get(near.body.debtorGuid)).body.dateOfBirth, '1990-01-05T00:00:00Z')
  const trader = { fullName: 'Ek Bygg', juridicalType: 1, idNumber: bornNumber, dateOfBirth: '1985-05-05' }
  assert.equal((await create(trader, allowDuplicate)).status, 201)
})

test('a date of birth that contradicted before stays when something else changes', async () => {
  const { body } = await create({ lastname: 'Ek', idNumber: bornNumber }, allowDuplicate)
  await api.sql`update debtor set date_of_birth = '1985-05-05' where id = ${body.debtorGuid}`
  const same = { idNumber: bornNumber, dateOfBirth: '1985-05-05', email: 'ek@example.com' }
  assert.equal((await update(body.debtorGuid, same, allowDuplicate)).status, 200)
  const person = await update(body.debtorGuid, { dateOfBirth: '1985-05-06' })
  assert.deepEqual(birthFaults(person), ['dateOfBirth', 'idNumber'])
})

const refused: [what: string, body: object, path: string][] = [
  ['no name', { email: 'a@example.com' }, 'lastname'],
  ['a first name alone', { firstname: 'Eva' }, 'lastname'],
  ['blank names', { fullName: '  ', lastname: ' ' }, 'lastname'],
  ['a wrong check digit', { ...asa, idNumber: '19900101-2384' }, 'idNumber'],
  ['a number of another kind', { ...asa, idNumber: '556036-0793', juridicalType: 0 }, 'idNumber'],
  ['an unknown country', { lastname: 'A', countryCode: 'XX' }, 'countryCode'],
  ['a zip code of another country', { lastname: 'A', countryCode: 'SE', zipCode: '1234' }, 'zipCode'],
  ['an impossible phone', { lastname: 'A', homePhone: '12' }, 'homePhone'],
  ['an e-mail without domain', { lastname: 'A', email: 'eva@' }, 'email'],
  [
    'a notification e-mail with blanks',
    { lastname: 'A', conversationNotificationEmail: 'e va@example.com' },
    'conversationNotificationEmail',
  ],
  ['a wrong VAT number', { fullName: 'A AB', vatNumber: 'SE556036079302' }, 'vatNumber'],
  ['an unknown language', { lastname: 'A', languageCode: 'xx' }, 'languageCode'],
  ['an unknown currency', { lastname: 'A', currencyCode: 'XQQ' }, 'currencyCode'],
  ['a malformed culture', { lastname: 'A', cultureCode: 'sv_SE!' }, 'cultureCode'],
  ['a birth in the future', { lastname: 'A', dateOfBirth: '2026-06-16' }, 'dateOfBirth'],
  ['an unknown gender', { lastname: 'A', gender: 3 }, 'gender'],
  ['a name too long', { lastname: 'x'.repeat(101) }, 'lastname'],
  [
    'names too long together',
    { firstname: 'x'.repeat(100), middlename: 'y'.repeat(100), lastname: 'z' },
    'fullName',
  ],
]
for (const [what, body, path] of refused) {
  test(`D2 refuses ${what}`, async () => {
    const answer = await create(body)
    assert.equal(answer.status, 400)
    assert.ok(readErrors(answer)[path]?.[0], answer.text)
    // The id of the request is of random digits, which may be these.
    const { traceId: _, ...said } = answer.body as Record<string, unknown>
    assert.ok(!JSON.stringify(said).includes('2384'), 'the number is not echoed')
  })
}

test('all wrong members are named at once', async () => {
  const answer = await create({ email: 'x', homePhone: '1', currencyCode: 'QQQ', countryCode: 'XX' })
  assert.deepEqual(Object.keys(readErrors(answer)).toSorted(), [
    'countryCode',
    'currencyCode',
    'email',
    'homePhone',
    'lastname',
  ])
})

test('a second debtor with the same identity number needs the caller to say so', async () => {
  const number = { idNumber: '121212+1212', lastname: 'Dubbel' }
  const first = await create(number)
  assert.equal(first.status, 201, first.text)
  const second = await create({ ...number, idNumber: '191212121212' })
  assert.equal(second.status, 409)
  assert.equal(second.body['existingDebtorGuid'], first.body.debtorGuid)
  const allowed = await create(number, { 'x-allow-duplicate': 'true' })
  assert.equal(allowed.status, 201)
  const many = await Promise.all(
    Array.from({ length: 6 }, () => create(number, { 'x-allow-duplicate': 'true' })),
  )
  assert.deepEqual(
    many.map(({ status }) => status),
    [201, 201, 201, 201, 201, 201],
  )
})

test('of two creations at once with one identity number exactly one goes in', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => create({ idNumber: '811228-9874', lastname: 'Samtidig' })),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409, 409, 409, 409, 409, 409])
})

test('D4: omitted and null stay, the empty string clears, parts recompose the name', async () => {
  const { body: debtor } = await create({
    lastname: 'Ek',
    firstname: 'Bo',
    email: 'bo@example.com',
    dateOfBirth: '1980-05-05',
    gender: 1,
  })
  const answer = await update(debtor.debtorGuid, {
    lastname: 'Ek Lund',
    email: '',
    firstname: null,
    dateOfBirth: '',
  })
  assert.equal(answer.status, 200)
  assert.equal(answer.body['title'], 'OK')
  const { body } = await get(debtor.debtorGuid)
  assert.equal(body.fullName, 'Bo Ek Lund')
  assert.equal(body.email, null)
  assert.equal(body.dateOfBirth, null)
  assert.equal(body.gender, 1)
})

test('D4 refuses a full name beside the parts of a person, and takes it in place of them', async () => {
  const { body: debtor } = await create({ firstname: 'Bo', lastname: 'Ek' })
  const refusal = await update(debtor.debtorGuid, { fullName: 'Bo Lund' })
  assert.equal(refusal.status, 400)
  assert.match(readErrors(refusal)['fullName']![0]!, /lastname/)
  const taken: [change: object, fullName: string][] = [
    [{ fullName: 'Bo Ek', email: 'bo@example.com' }, 'Bo Ek'],
    [{ fullName: 'Bo Ek', lastname: 'Lund' }, 'Bo Lund'],
    [{ fullName: 'Bo på Lunden', lastname: '' }, 'Bo på Lunden'],
    [{ fullName: 'Bo i Lunden' }, 'Bo i Lunden'],
  ]
  for (const [change, fullName] of taken) {
    assert.equal((await update(debtor.debtorGuid, change)).status, 200)
    assert.equal((await get(debtor.debtorGuid)).body.fullName, fullName)
  }
})

test('D4 refuses main address members, a cleared name and a wrong number', async () => {
  const { body: debtor } = await create({ lastname: 'Al' })
  assert.ok(readErrors(await update(debtor.debtorGuid, { street: 'Storgatan' }))['street'])
  assert.ok(readErrors(await update(debtor.debtorGuid, { lastname: '' }))['lastname'])
  assert.ok(readErrors(await update(debtor.debtorGuid, { idNumber: '19900101-2384' }))['idNumber'])
  assert.equal((await get(debtor.debtorGuid)).headers.get('etag'), '"1"')
})

test('D4 with an identity number of another debtor is a 409', async () => {
  await create({ idNumber: '850769-9802', lastname: 'Första' })
  const { body: debtor } = await create({ lastname: 'Andra' })
  assert.equal((await update(debtor.debtorGuid, { idNumber: '850769-9802' })).status, 409)
  assert.equal(
    (await update(debtor.debtorGuid, { idNumber: '850769-9802' }, { 'x-allow-duplicate': 'true' })).status,
    200,
  )
})

test('D4 that changes nothing leaves version and events alone', async () => {
  const { body: debtor } = await create({ lastname: 'Stilla' })
  await update(debtor.debtorGuid, { lastname: 'Stilla', email: '' })
  assert.equal((await get(debtor.debtorGuid)).headers.get('etag'), '"1"')
  const [events] = await api.sql`select count(*) from event where subject = ${debtor.debtorGuid}`
  assert.equal(events!['count'], 1)
})

test('D3 and D4 of an unknown debtor are 404, of a malformed identifier 400', async () => {
  const unknown = '01900000-0000-7000-8000-000000000000'
  assert.equal((await get(unknown)).status, 404)
  assert.equal((await update(unknown, { lastname: 'X' })).status, 404)
  assert.equal((await get('17')).status, 400)
})

test('every write leaves its event and its audit entry', async () => {
  const { body: debtor } = await create({ lastname: 'Spår', street: 'Gatan', city: 'Lund' })
  await update(debtor.debtorGuid, { email: 'spar@example.com' })
  const events =
    await api.sql`select type, sequence, data from event where subject = ${debtor.debtorGuid} order by sequence`
  assert.deepEqual(
    events.map(({ type, sequence }) => [type, sequence]),
    [
      ['debtor.created', 1],
      ['address.created', 2],
      ['debtor.updated', 3],
    ],
  )
  assert.deepEqual(events[2]!['data'], { debtorGuid: debtor.debtorGuid, changed: ['email'] })
  const entries = await api.sql`
    select operation, action, changes, business_date, actor_id from audit_entry where subject = ${debtor.debtorGuid} order by position`
  assert.deepEqual(
    entries.map(({ operation, action }) => [operation, action]),
    [
      ['D2', 'created'],
      ['D2', 'created'],
      ['D4', 'updated'],
    ],
  )
  assert.deepEqual(entries[2]!['changes'], { email: [null, 'spar@example.com'] })
  assert.equal(entries[2]!['business_date'], '2026-06-15')
  assert.ok(entries[2]!['actor_id'])
})
