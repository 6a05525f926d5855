import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import type { Debtor } from '../../../contract/parties/debtors.ts'
import type { SearchHit } from '../../../contract/metadata/search.ts'
import { foldText } from '../../../core/text/fold-text.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'

let api: TestApi
let asa: Debtor
let bakery: Debtor
before(async () => {
  api = await startApi()
  asa = await make({
    firstname: 'Åsa',
    lastname: 'Lindqvist',
    idNumber: '19900101-2385',
    countryCode: 'SE',
    cellularPhone: '070-174 06 05',
    homePhone: '+47 22 12 34 56',
    email: 'Kaffe.tanten@example.com',
    street: 'Storgatan',
    houseNo: '10',
    zipCode: '211 42',
    city: 'Malmö',
  })
  bakery = await make({ fullName: 'Lindqvists Bageri & Café AB', juridicalType: 1, idNumber: '556016-0680' })
})
after(() => api.close())

const make = async (body: object, token = api.token) =>
  (await api.call<Debtor>('POST', '/debtors', { body: { countryCode: 'SE', ...body }, token })).body
const ask = (query: Record<string, string>, token = api.token) =>
  api.call<{ items: SearchHit[] }>('GET', `/search?${new URLSearchParams(query)}`, { token })
const hits = async (q: string, token = api.token) => (await ask({ q }, token)).body.items
const findTypes = async (q: string, types: string) =>
  (await ask({ q, types })).body.items.map(({ type }) => type)
const found = async (q: string) => (await hits(q)).map(({ guid, matchedOn }) => [guid, matchedOn])

test('searchItems describes the items it finds', async () => {
  assert.deepEqual((await hits('Åsa Lindqvist'))[0], {
    guid: asa.debtorGuid,
    type: 3,
    primaryDescription: 'Åsa Lindqvist',
    secondaryDescription: asa.debtorReference,
    matchedOn: 'name',
    dateOfBirth: '1990-01-01T00:00:00Z',
    organisationNumber: null,
    city: 'Malmö',
    debtorName: null,
    caseGuid: null,
  })
})

test('a company is told from others by its number and town, and a client has no details of debtors', async () => {
  const [hit] = await hits('Lindqvists Bageri')
  assert.equal(hit?.organisationNumber, '556016-0680')
  assert.deepEqual([hit.dateOfBirth, hit.city, hit.debtorName], [null, null, null])
  await api.addParty('UTAN-MER')
  const [client] = (await hits('UTAN-MER')).filter(({ type }) => type === 2)
  assert.ok(client)
  assert.deepEqual(
    [client.dateOfBirth, client.organisationNumber, client.city, client.debtorName],
    [null, null, null, null],
  )
})

const byName = ['asa lindqvist', 'LINDQVIST ÅSA', 'åsa', 'asa lindq', 'lind asa', 'Lindqvist, Åsa']
for (const q of byName) {
  test(`a name is found by "${q}"`, async () => {
    assert.ok((await hits(q)).some(({ guid, matchedOn }) => guid === asa.debtorGuid && matchedOn === 'name'))
  })
}

for (const q of [
  'lindqist',
  'lindqvsit',
  'lindkvist',
  'asa lndqvist',
  'aas lindqvist',
  'lindqvistt asa',
  'lundqvist åsa',
  'lindkvst',
]) {
  test(`a name is found by "${q}", which is mistyped`, async () => {
    assert.equal((await found(q))[0]?.[0], asa.debtorGuid)
  })
}

test('the exact name comes before names that begin with it, and those before similar names', async () => {
  const lindberg = [
    await make({ fullName: 'Lindberg' }),
    await make({ fullName: 'Lindberger' }),
    await make({ fullName: 'Linberg' }),
  ]
  assert.deepEqual(
    (await hits('lindberg')).slice(0, 3).map(({ guid }) => guid),
    lindberg.map(({ debtorGuid }) => debtorGuid),
  )
})

const identifiers: [what: string, q: () => string, matchedOn: SearchHit['matchedOn']][] = [
  ['its reference', () => asa.debtorReference, 'reference'],
  ['the beginning of its reference', () => asa.debtorReference.slice(0, -2), 'reference'],
  ['its identity number', () => '19900101-2385', 'idNumber'],
  ['its identity number without the century', () => '900101-2385', 'idNumber'],
  ['its identity number in digits alone', () => '9001012385', 'idNumber'],
  ['the beginning of its identity number', () => '19900101', 'idNumber'],
  ['a phone as it is written at home', () => '070-174 06 05', 'phone'],
  ['a phone with its country', () => '+46 70 174 06 05', 'phone'],
  ['a phone with 00', () => '0046701740605', 'phone'],
  ['the beginning of a phone', () => '070-174 06', 'phone'],
  ['a phone of another country', () => '22123456', 'phone'],
  ['its e-mail', () => 'kaffe.tanten@EXAMPLE.com', 'email'],
  ['the beginning of its e-mail', () => 'kaffe.tanten@exa', 'email'],
  ['its e-mail with a mistake in the domain', () => 'kaffe.tanten@exmaple.com', 'email'],
  ['its e-mail with a mistake before it', () => 'kafe.tanten@example.com', 'email'],
]
for (const [what, q, matchedOn] of identifiers) {
  test(`a debtor is found by ${what}, which the answer does not show`, async () => {
    const [first] = (await hits(q())).filter(({ guid }) => guid === asa.debtorGuid)
    assert.equal(first?.matchedOn, matchedOn)
    const text = JSON.stringify(first)
    for (const secret of ['19900101', '2385', '1740605', 'tanten']) assert.ok(!text.includes(secret))
  })
}

test('a match by identifier comes before a match by name', async () => {
  const odd = await make({ fullName: `Referens ${asa.debtorReference}` })
  assert.deepEqual(await found(asa.debtorReference), [
    [asa.debtorGuid, 'reference'],
    [odd.debtorGuid, 'name'],
  ])
})

test('a client is found by name and reference code, and comes before debtors with that name', async () => {
  const client = await api.addParty('BAGERI-9')
  assert.deepEqual(await found('bageri 9'), [[client, 'reference']])
  assert.equal((await hits('bageri'))[0]!.guid, client)
  assert.deepEqual(await findTypes('bageri', '3'), [3])
  assert.deepEqual(await findTypes('bageri', '2'), [2])
  assert.deepEqual(await findTypes('bageri', '2,3'), [2, 3])
  assert.deepEqual(await findTypes('bageri', '4,5,9'), [])
})

test('every other item type is found by its description', async () => {
  const guid = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'
  await api.sql`
    insert into item (guid, type, primary_description, secondary_description, debtor_id)
    values (${guid}, 1, 'Strömming mot Sill', 'Ä-2026/117', ${asa.debtorGuid})`
  assert.deepEqual(await found('A2026117'), [[guid, 'reference']])
  assert.deepEqual(await found('ä-2026/11'), [[guid, 'reference']])
  assert.deepEqual(await found('stromming'), [[guid, 'name']])
})

test('a changed item is found by its new values only', async () => {
  const debtor = await make({
    fullName: 'Gustavsbergh',
    email: 'gammal@example.com',
    cellularPhone: '070-174 06 10',
  })
  const change = { fullName: 'Utterstedt', email: 'ny.adress@example.com', cellularPhone: '' }
  await api.call('PATCH', `/debtors/${debtor.debtorGuid}`, { body: change })
  for (const q of ['gustavsbergh', 'gammal@example.com', '0701740610'])
    assert.deepEqual(await found(q), [], q)
  for (const q of ['utterstet', 'ny.adress@example.com'])
    assert.equal((await found(q))[0]?.[0], debtor.debtorGuid, q)
})

test('searchItems answers at most 20 items, all visible to the caller', async () => {
  const party = await api.addParty('SÖKER')
  const creditor = await api.signIn(9, party)
  const mine = await make({ fullName: 'Mångfald Egen' }, await api.signIn(3, party))
  for (let number = 0; number < 45; number++) await make({ fullName: `Mångfald ${number}` })
  assert.equal((await hits('mangfald')).length, 20)
  for (const q of ['mangfald', 'mangfallld', 'Mångfald Egen'])
    assert.deepEqual(
      (await hits(q, creditor)).map(({ guid }) => guid),
      [mine.debtorGuid],
      q,
    )
  for (const q of [
    '19900101-2385',
    '0701740605',
    'kaffe.tanten@example.com',
    asa.debtorReference,
    'lindqvist',
    'BAGERI-9',
  ])
    assert.deepEqual(await hits(q, creditor), [], q)
  assert.equal((await hits('soker', creditor))[0]!.guid, party)
})

test('better matches fill the answer only where the caller may see them', async () => {
  const party = await api.addParty('STEGVIS')
  const creditor = await api.signIn(9, party)
  const begun = await make({ fullName: 'Trappa Stegman' }, await api.signIn(3, party))
  for (let number = 0; number < 20; number++) await make({ fullName: 'Trappa Steg' })
  const names = async (token?: string) =>
    new Set((await hits('trappa steg', token)).map(({ primaryDescription }) => primaryDescription))
  assert.deepEqual(await names(), new Set(['Trappa Steg']))
  assert.deepEqual(
    (await hits('trappa steg', creditor)).map(({ guid }) => guid),
    [begun.debtorGuid],
  )
})

test('query operators in the text have no effect', async () => {
  const signs = [
    "'",
    "''",
    '\\',
    '%',
    '_',
    '&',
    '|',
    '!',
    '(',
    ')',
    ':*',
    '<->',
    '*',
    '"',
    ';--',
    '@',
    '\u2028',
    '+',
    '-',
  ]
  for (const sign of signs) {
    assert.equal((await ask({ q: sign })).status, 200, sign)
    const { body } = await ask({ q: `åsa ${sign} lindqvist` })
    assert.equal(body.items[0]?.guid, asa.debtorGuid, sign)
  }
  assert.deepEqual(await hits("x' | '3w:lindqvist"), [])
  assert.deepEqual(await hits('%qvist'), [])
  assert.deepEqual(await hits('li%qvist'), [])
  assert.equal((await hits('lindqvists bageri & café'))[0]!.guid, bakery.debtorGuid)
})

test('any line of text gets an answer', async () => {
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(text, async (q) => {
      const isLine = [...q].every((sign) => sign >= ' ' && sign !== '\u007f')
      assert.equal((await ask({ q })).status, isLine ? 200 : 400)
    }),
    { numRuns: 60 },
  )
})

const refused: [what: string, query: Record<string, string>, member: RegExp][] = [
  ['no text', {}, /q is required/],
  ['an empty text', { q: '' }, /q must not be empty/],
  ['a text that is too long', { q: 'x'.repeat(101) }, /q must have at most 100/],
  ['NUL', { q: 'a\0' }, /q must be one line/],
  ['a line end', { q: 'a\n' }, /q must be one line/],
  ['an unknown type', { q: 'a', types: '0' }, /types must be item types from 1 to 9/],
  ['types that are none', { q: 'a', types: '3;drop' }, /types/],
  ['an unknown parameter', { q: 'a', top: '5' }, /top/],
]
for (const [what, query, detail] of refused) {
  test(`searchItems refuses ${what}`, async () => assertProblem(await ask(query), 'invalid', detail))
}

test('the database folds texts like core does', async () => {
  const western = fc.string({
    unit: fc.integer({ min: 0x20, max: 0x24f }).map((code) => String.fromCodePoint(code)),
    maxLength: 12,
  })
  const texts = [...fc.sample(western, 300), 'WEIẞ', 'Œuvre ÞÓR', 'Łódź İzmir ı', 'Åsa']
  const rows = await api.sql<{ folded: string }[]>`
    select fold_text(text) as folded from unnest(${texts}::text[]) with ordinality t (text, position) order by position`
  assert.deepEqual(
    rows.map(({ folded }) => folded),
    texts.map(foldText),
  )
})

test('a case names its debtor, and a protected identity does not show its town', async () => {
  const hidden = await make({ fullName: 'Skyddad Person', city: 'Hemort', protectedIdentity: true })
  const clientGuid = await api.addParty('MED-FALL')
  const body = { clientGuid, debtorGuid: hidden.debtorGuid, principal: 100, currencyCode: 'SEK' }
  const made = await api.call<{ caseNumber: string }>('POST', '/system/forms/case/register', { body })
  assert.equal(made.status, 201, made.text)
  const [one] = (await hits(made.body.caseNumber)).filter(({ type }) => type === 1)
  assert.deepEqual([one!.debtorName, one!.city], ['Skyddad Person', null])
  const [person] = await hits('Skyddad Person')
  assert.deepEqual([person!.guid, person!.city], [hidden.debtorGuid, null])
})

test('an invoice is found by its number and its beginning, with its case, within the restriction', async () => {
  const { debtorGuid } = await make({ lastname: 'Fakturerad' })
  const register = async (clientGuid: string) => {
    const body = {
      clientGuid,
      debtorGuid,
      principal: 100,
      currencyCode: 'SEK',
      invoiceNumber: 'KB-2026/0451',
    }
    return (await api.call<{ caseGuid: string }>('POST', '/system/forms/case/register', { body })).body
      .caseGuid
  }
  const mine = await api.addParty('FAKTURA-MIN')
  const caseGuids = [await register(mine), await register(await api.addParty('FAKTURA-ANNAN'))]
  const invoices = async (q: string, token = api.token) =>
    (await ask({ q, types: '5' }, token)).body.items.map((hit) => [
      hit.primaryDescription,
      hit.debtorName,
      hit.caseGuid,
    ])
  const both = caseGuids.map((caseGuid) => ['KB-2026/0451', 'Fakturerad', caseGuid])
  for (const q of ['KB-2026/0451', 'kb20260451', 'KB-2026'])
    assert.deepEqual((await invoices(q)).toSorted(), both.toSorted(), q)
  const token = await api.signIn(6, mine)
  assert.deepEqual(await invoices('KB-2026/0451', token), [both[0]])
})
