import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { allAccessCodes, userRoles, type UserRole } from '../../../contract/access/access.ts'
import { operations } from '../../../contract/api.ts'
import {
  genders,
  juridicalTypes,
  notificationChannels,
  type Debtor,
} from '../../../contract/parties/debtors.ts'
import { itemTypes } from '../../../contract/metadata/items.ts'
import { languages, type Language } from '../../../contract/platform/languages.ts'
import type { LookupValue } from '../../../contract/metadata/lookups.ts'
import { mfaTypes } from '../../../contract/access/users.ts'
import { lookupExamples, otherGuid } from '../../../contract/openapi/openapi-example-values.data.ts'
import { caseStatuses } from '../../../core/cases/case-lifecycle.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import * as codes from './code-lists.ts'
import type { ListedValue } from './lookup.ts'
import { lookupCodes } from './registry.ts'
import { staticLookups } from './static-lookups.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

interface Asked {
  searchStr?: string | null
  arguments?: (string | null)[] | null
}
const search = (code: string, body: object = {}, token = api.token) =>
  api.call<{ values: LookupValue[] }>('POST', `/system/lookups/${code}`, { body, token })
const values = async (code: string, body: Asked = {}, token = api.token) =>
  (await search(code, body, token)).body.values
const keys = async (code: string, body: Asked = {}, token = api.token) =>
  (await values(code, body, token)).map(({ lookupKey }) => lookupKey)
const find = (code: string, key: string, token = api.token) =>
  api.call<{ values: LookupValue[] }>(
    'GET',
    `/system/lookups/${encodeURIComponent(code)}/${encodeURIComponent(key)}`,
    { token },
  )
const described = async (code: string, key: string, token = api.token) =>
  (await find(code, key, token)).body.values[0]?.description

const numericKeys = (table: object) => Object.keys(table).map(Number)
const make = async (body: object) => (await api.call<Debtor>('POST', '/debtors', { body })).body
const foundDebtors = (searchStr: string) => keys('debtor', { searchStr })

/** A signed-in user with a language. */
async function speaker(languageCode: string, role: UserRole = 3): Promise<string> {
  const token = await api.signIn(role)
  await api.call('PATCH', '/users/current', { body: { languageCode }, token })
  return token
}

test('every lookup that a field of the contract names exists', () => {
  const named = new Set<string>()
  JSON.stringify(
    operations.flatMap(({ params, query, body, response }) => [params, query, body, response]),
    (_, node: unknown) => {
      const lookup = (node as { 'x-field'?: { lookup?: string } } | null)?.['x-field']?.lookup
      if (lookup !== undefined) named.add(lookup)
      return node
    },
  )
  assert.ok(named.size >= 10)
  assert.deepEqual(
    [...named].filter((code) => !lookupCodes.includes(code)),
    [],
  )
})

test('S7 every value of every fixed lookup has a description in every language', async () => {
  for (const language of languages) {
    const request = { db: api.sql, caller: { language } } as never
    for (const [code, lookup] of Object.entries(staticLookups)) {
      const all = await lookup.search(request, '', [])
      assert.ok(all.length > 0, code)
      for (const { key, description } of all) {
        assert.ok(
          description.trim() !== '' && !/\b(undefined|null)\b/.test(description),
          `${code} ${key} ${language}`,
        )
        assert.equal((await lookup.find(request, key))?.description, description)
      }
    }
  }
})

test('the code lists are complete in every language', () => {
  const lists: [list: (language: Language) => readonly ListedValue[], fewest: number][] = [
    [codes.listCountries, 249],
    [codes.listLanguages, 184],
    [codes.listCurrencies, 170],
    [codes.listCultures, 200],
    [codes.listTimeZones, 400],
  ]
  for (const [list, fewest] of lists) {
    const keysIn = new Set(
      languages.map((language) =>
        list(language)
          .map(({ key }) => key)
          .toSorted()
          .join(),
      ),
    )
    assert.equal(keysIn.size, 1, 'the same keys in each')
    for (const language of languages) {
      const all = list(language)
      assert.ok(all.length >= fewest, `${all.length}`)
      assert.ok(all.every(({ description }) => description.trim() !== ''))
      assert.equal(new Set(all.map(({ key }) => key)).size, all.length)
    }
  }
})

test('S7 keys are those of the contract', async () => {
  const numbers = async (code: string) => (await keys(code)).map(Number).toSorted((a, b) => a - b)
  assert.deepEqual(await numbers('juridicaltype'), numericKeys(juridicalTypes))
  assert.deepEqual(await numbers('gender'), numericKeys(genders))
  assert.deepEqual(await numbers('conversationnotificationchannel'), numericKeys(notificationChannels))
  assert.deepEqual(await numbers('userrole'), numericKeys(userRoles))
  assert.deepEqual(await numbers('mfatype'), numericKeys(mfaTypes))
  assert.deepEqual(await numbers('itemtype'), numericKeys(itemTypes))
  assert.deepEqual(await numbers('favoritetype'), [0, ...numericKeys(itemTypes)])
  assert.deepEqual(await numbers('loglevel'), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  assert.deepEqual(await keys('accesscode'), [...allAccessCodes])
  assert.deepEqual(await keys('command', { searchStr: 'RETRY' }), ['retry-jobs'])
})

test("S7 and S8 use the caller's language", async () => {
  const swedish = await speaker('sv')
  assert.equal(await described('country', 'SE', swedish), 'Sverige')
  assert.equal(await described('currency', 'SEK', swedish), 'svensk krona')
  assert.equal(await described('language', 'de', swedish), 'tyska')
  assert.equal(await described('gender', '2', swedish), 'Kvinna')
  assert.equal(await described('country', 'DE', await speaker('nb')), 'Tyskland')
  assert.equal(await described('country', 'DE', await speaker('fi')), 'Saksa')
  assert.equal(await described('country', 'DE', await speaker('fr')), 'Germany', 'English is for all others')
  assert.equal(await described('culture', 'sv-SE'), 'Swedish (Sweden)')
  assert.match((await described('timezone', 'Europe/Stockholm'))!, /Central European/)
})

test('S7 sorts the best match first', async () => {
  assert.equal((await keys('country', { searchStr: 'se' }))[0], 'SE', 'the exact key')
  assert.deepEqual((await keys('country', { searchStr: 'SWE' })).slice(0, 1), ['SE'], 'case does not count')
  const found = (await values('country', { searchStr: 'an' })).map(({ description }) => description)
  const inside = found.findIndex((description) => !/^an/i.test(description))
  assert.ok(inside > 0 && found.slice(inside).every((description) => !/^an/i.test(description)))
  assert.ok(found.includes('Finland'))
  const closed = await keys('casesubstatus', { searchStr: 'paid' })
  assert.equal(closed[0], 'PAID')
  assert.deepEqual((await keys('closurecode', { searchStr: 'PAID' })).slice(0, 2), [
    'PAID_IN_FULL',
    'PAID_TO_CLIENT',
  ])
  const swedish = await speaker('sv')
  assert.equal(
    (await keys('country', { searchStr: 'osterrike' }, swedish))[0],
    'AT',
    'accents need not be typed',
  )
  assert.equal((await keys('country', { searchStr: 'Österr' }, swedish))[0], 'AT')
})

test('S7 answers at most 50, and all in order without a search text', async () => {
  const first = await values('country')
  assert.equal(first.length, 50)
  assert.equal(first[0]!.description, 'Afghanistan')
  assert.deepEqual(await values('country', { searchStr: null, arguments: null }), first)
  assert.deepEqual(await values('country', { searchStr: '  ' }), first)
  assert.equal((await values('timezone', { searchStr: 'a' })).length, 50)
  assert.deepEqual(first[0], { lookupCode: 'country', lookupKey: 'AF', description: 'Afghanistan' })
  assert.deepEqual(await values('COUNTRY'), first)
})

test('S7 arguments narrow the result', async () => {
  assert.deepEqual(await keys('casesubstatus', { arguments: ['CLOSED'] }), [
    'PAID',
    'SETTLED',
    'RECALLED',
    'WRITTEN_OFF',
    'INVALID',
  ])
  for (const [status, { subStatuses }] of Object.entries(caseStatuses))
    assert.deepEqual(
      (await keys('casesubstatus', { arguments: [status] })).toSorted(),
      subStatuses.toSorted(),
      status,
    )
  assert.ok((await keys('casesubstatus', { arguments: ['surveillance'] })).includes('PAYMENT_PLAN'))
  assert.ok((await keys('casesubstatus', { arguments: [null] })).includes('HOLD_DISPUTE'))
  assert.deepEqual(await keys('casesubstatus', { arguments: ['NO SUCH STATUS'] }), [])
  assert.deepEqual(await keys('timezone', { arguments: ['SE'] }), ['Europe/Stockholm'])
  assert.ok((await keys('culture', { arguments: ['sv'] })).includes('sv-FI'))
})

test('S8 answers no values for an unknown key, and ignores the letter case of a known one', async () => {
  assert.deepEqual((await find('country', 'se')).body.values, [
    { lookupCode: 'country', lookupKey: 'SE', description: 'Sweden' },
  ])
  for (const [code, key] of [
    ['country', 'QQ'],
    ['debtor', 'x'],
    ['debtor', '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'],
    ['party', "' or true --"],
    ['user', '%'],
    ['gender', '__proto__'],
  ] as const) {
    const { status, body } = await find(code, key)
    assert.deepEqual([status, body.values], [200, []], `${code} ${key}`)
  }
})

test('an unknown lookup is a 404 that names some lookups', async () => {
  for (const code of ['nosuch', 'constructor', '__proto__', '..%2f']) {
    assertProblem(await search(code), 'not-found', /addresstype, .*country/)
  }
  assertProblem(await find('nosuch', 'x'), 'not-found', /country/)
})

const refused: [what: string, body: object, member: RegExp][] = [
  ['a text that is too long', { searchStr: 'x'.repeat(101) }, /searchStr/],
  ['a control character', { searchStr: 'a\nb' }, /searchStr/],
  ['NUL', { searchStr: 'a\0b' }, /searchStr/],
  ['a number to search for', { searchStr: 5 }, /searchStr/],
  ['arguments that are no array', { arguments: 'SE' }, /arguments/],
  ['an argument that is a number', { arguments: [1] }, /arguments\[0\]/],
  ['too many arguments', { arguments: Array.from({ length: 11 }, () => null) }, /arguments/],
  ['a member that is unknown', { search: 'x' }, /search/],
]
for (const [what, body, member] of refused) {
  test(`S7 refuses ${what}`, async () => assertProblem(await search('country', body), 'invalid', member))
}
test('S8 refuses NUL and keys that are too long', async () => {
  assertProblem(await find('country', 'a\0'), 'invalid', /key/)
  assertProblem(await find('country', 'x'.repeat(101)), 'invalid', /key/)
})

test('S7 finds debtors by reference, name, word beginnings and parts of words', async () => {
  const asa = await make({ firstname: 'Åsa', lastname: 'Wikblom-Ström' })
  const bakery = await make({ fullName: 'Wikbloms Bageri AB', juridicalType: 1 })
  const found = foundDebtors
  const both = await found('wikblom')
  assert.deepEqual(both, [bakery.debtorGuid, asa.debtorGuid], 'who begins so comes first')
  for (const text of ['asa wik', 'ström', 'strom', 'ikblom-s', 'åsa', asa.debtorReference, asa.debtorGuid]) {
    assert.ok((await found(text)).includes(asa.debtorGuid), text)
  }
  assert.ok((await found(asa.debtorReference.slice(2))).includes(asa.debtorGuid), 'a part of the reference')
  assert.equal((await found(bakery.debtorReference))[0], bakery.debtorGuid)
  for (const text of ['%', '_', '\\', "'", "wik' | '", 'a & b', ':*', '(((', '!'])
    assert.equal((await search('debtor', { searchStr: text })).status, 200, text)
  assert.deepEqual(await found('wik%blom'), [])
  assert.equal(
    await described('debtor', asa.debtorGuid.toUpperCase()),
    `Åsa Wikblom-Ström (${asa.debtorReference})`,
  )
})

test('S7 shows only records that the caller may see', async () => {
  const [own, other] = [await api.addParty('EGEN'), await api.addParty('ANNAN')]
  const creditor = await api.signIn(6, own)
  const ofAgency = (await api.call<Debtor>('POST', '/debtors', { body: { fullName: 'Synlig För Byrån' } }))
    .body
  for (const [code, key] of [
    ['client', own],
    ['party', 'EGEN'],
  ] as const) {
    assert.deepEqual(await keys(code, {}, creditor), [key])
    assert.ok((await keys(code)).length > 1)
    assert.equal((await find(code, key, creditor)).body.values.length, 1)
  }
  assert.deepEqual(await keys('client', { searchStr: 'annan' }, creditor), [])
  assert.deepEqual((await find('client', other, creditor)).body.values, [])
  assert.deepEqual((await find('party', 'ANNAN', creditor)).body.values, [])
  assert.deepEqual(await keys('debtor', { searchStr: 'Synlig' }, creditor), [])
  assert.deepEqual(await keys('debtor', {}, creditor), [])
  assert.deepEqual((await find('debtor', ofAgency.debtorGuid, creditor)).body.values, [])
  assert.equal((await keys('user', {}, creditor)).length, 1, 'only the user of the own party')
  assert.ok((await keys('user', { searchStr: 'user' })).length > 1)
})

test('S7 offers an access group to callers who may grant it', async () => {
  await api.sql`
    insert into access_group (id, code, name, access_codes) values
      (gen_random_uuid(), 'AUDITORS', 'Revisorer', '{audit.read}'), (gen_random_uuid(), 'READERS', 'Läsare', '{debtor.read}')`
  assert.deepEqual(await keys('accessgroup', { searchStr: 'lasare' }), ['READERS'])
  assert.deepEqual(await keys('accessgroup'), ['READERS', 'AUDITORS'], 'in the order of their names')
  assert.deepEqual(await keys('accessgroup', {}, await api.signIn(6, await api.addParty('GRUPP'))), [
    'READERS',
  ])
  assert.equal(await described('accessgroup', 'readers'), 'Läsare (READERS)')
})

test('record lookups need the access code of their area, every lookup needs lookup.read', async () => {
  assertProblem(await search('user', {}, await api.signIn(3)), 'forbidden', /user\.read/)
  assertProblem(await find('accessgroup', 'x', await api.signIn(9)), 'forbidden', /user\.read/)
  assert.equal((await api.call('POST', '/system/lookups/country', { body: {}, token: null })).status, 401)
})

test('S7 and S8 know custom values, alone and with built-in ones', async () => {
  await api.sql`
    insert into lookup_value (id, lookup_code, lookup_key, descriptions, position) values
      (gen_random_uuid(), 'addresstype', 'SUMMER', '{"en": "Summer house", "sv": "Sommarstuga"}', 1),
      (gen_random_uuid(), 'colour', 'R', '{"en": "Red"}', 2),
      (gen_random_uuid(), 'colour', 'B', '{"sv": "Blå"}', 1)`
  assert.deepEqual(await keys('addresstype'), ['LEGAL', 'SUMMER'])
  assert.deepEqual(await keys('addresstype', { searchStr: 'house' }), ['SUMMER'])
  const swedish = await speaker('sv')
  assert.equal(await described('addresstype', 'summer', swedish), 'Sommarstuga')
  assert.deepEqual(await keys('colour'), ['B', 'R'])
  assert.equal(await described('colour', 'r', swedish), 'Red', 'English where a language is missing')
  assert.equal(await described('Colour', 'B'), 'Blå')
})

test('S7 lists the lookups by their first values, and those to which values may be added', async () => {
  const list = async (lookup: string, searchStr: string) => {
    const { body } = await api.call<{ values: { lookupKey: string; description: string }[] }>(
      'POST',
      `/system/lookups/${lookup}`,
      { body: { searchStr } },
    )
    return Object.fromEntries(body.values.map(({ lookupKey, description }) => [lookupKey, description]))
  }
  await api.call('POST', '/system/forms/lookupvalue/create', {
    body: { lookupCode: 'hull', lookupKey: 'W', textEn: 'Wooden' },
  })
  const all = await list('lookup', 'gender')
  assert.match(all['gender']!, /Female/)
  assert.deepEqual(await list('lookup', 'debtor (debtor)'), { debtor: 'Debtor (debtor)' })
  const open = await list('extensiblelookup', '')
  assert.equal(open['hull'], 'Wooden (hull)')
  assert.ok('municipality' in open && !('gender' in open), Object.keys(open).join())
})

test('S7 servicedefinition lists the installed services', async () => {
  const installed = await startApi({ FORDRA_SERVICES: 'services' })
  try {
    const { body } = await installed.call<{ values: { lookupKey: string; description: string }[] }>(
      'POST',
      '/system/lookups/ServiceDefinition',
      { body: { searchStr: 'welcome' } },
    )
    assert.deepEqual(
      body.values.map(({ lookupKey }) => lookupKey),
      ['welcome-mail'],
    )
    const { body: ofDebtors } = await installed.call<typeof body>(
      'POST',
      '/system/lookups/servicedefinition',
      {
        body: { arguments: ['debtor'] },
      },
    )
    const forDebtors = ofDebtors.values.map(({ lookupKey }) => lookupKey)
    assert.ok(forDebtors.includes('address-check') && !forDebtors.includes('welcome-mail'), forDebtors.join())
  } finally {
    await installed.close()
  }
})

test('the examples of the API document are values of their lookups', async () => {
  // Records are none of the lookup: a GUID, or the code of an invented client.
  const codesOfLists = Object.entries(lookupExamples).filter(([, key]) => ![otherGuid, 'NORD'].includes(key))
  assert.ok(codesOfLists.length > 35)
  for (const [lookup, key] of codesOfLists)
    assert.equal((await find(lookup, key)).status, 200, `${lookup}: ${key}`)
})
