import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Debtor } from '../../../contract/parties/debtors.ts'
import type { LookupValue } from '../../../contract/metadata/lookups.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

type Found = [key: string, description: string][]
const pairs = (values: LookupValue[]): Found =>
  values.map(({ lookupKey, description }) => [lookupKey, description])

async function search(searchStr: string | null, country?: string, token = api.token): Promise<Found> {
  const body = { searchStr, ...(country && { arguments: [country] }) }
  const answer = await api.call<{ values: LookupValue[] }>('POST', '/system/lookups/municipality', {
    body,
    token,
  })
  return pairs(answer.body.values)
}

async function find(key: string, token = api.token): Promise<Found> {
  const { body } = await api.call<{ values: LookupValue[] }>('GET', `/system/lookups/municipality/${key}`, {
    token,
  })
  return pairs(body.values)
}

async function speaker(languageCode: string): Promise<string> {
  const token = await api.signIn(3)
  await api.call('PATCH', '/users/current', { body: { languageCode }, token })
  return token
}

/** Adds a custom value and returns the status. */
async function make(lookupKey: string, textEn: string): Promise<number> {
  const body = { lookupCode: 'municipality', lookupKey, textEn }
  return (await api.call('POST', '/system/forms/lookupvalue/create', { body })).status
}

test('S7 finds a municipality by the beginning of its name', async () => {
  assert.deepEqual(await search('malm'), [['1280', 'Malmö, SE']])
  assert.deepEqual((await search('lund')).slice(0, 2), [
    ['1112', 'Lund, NO'],
    ['1281', 'Lund, SE'],
  ])
  for (const text of ['ærø', 'AERO'])
    assert.deepEqual((await search(text))[0], ['0492', 'Ærø, DK'], 'accents need not be typed')
  assert.deepEqual((await search('oslove'))[0], ['0301', 'Oslo - Oslove, NO'])
})

test('S7 finds a municipality by its code or the beginning of the code', async () => {
  assert.deepEqual((await search('0301'))[0], ['0301', 'Oslo - Oslove, NO'])
  assert.deepEqual((await search('091'))[0], ['091', 'Helsinki - Helsingfors, FI'])
  const inJutland = await search('08', 'DK')
  assert.ok(inJutland.length > 5 && inJutland.slice(0, 5).every(([key]) => key.startsWith('08')))
})

test('S7 narrows by country, in any letter case', async () => {
  for (const country of ['SE', 'no', 'DK', 'FI']) {
    const found = await search(null, country)
    assert.equal(found.length, 50)
    assert.ok(
      found.every(([, description]) => description.endsWith(`, ${country.toUpperCase()}`)),
      country,
    )
  }
  assert.deepEqual(await search('lund', 'SE'), [['1281', 'Lund, SE']])
  assert.deepEqual(await search(null, 'DE'), [], 'Germany has none but the installation’s own')
  const sorted = (await search(null, 'DK')).map(([, description]) => description)
  assert.deepEqual(sorted.slice(0, 2), ['Aabenraa, DK', 'Aalborg, DK'])
})

test("S7 and S8 name a Finnish municipality in both languages, the caller's first", async () => {
  const swedish = await speaker('sv')
  assert.deepEqual(await find('091', swedish), [['091', 'Helsingfors - Helsinki, FI']])
  assert.deepEqual((await search('helsinki', undefined, swedish))[0]?.[0], '091')
  assert.deepEqual(await find('091', await speaker('fi')), [['091', 'Helsinki - Helsingfors, FI']])
  assert.deepEqual(await find('005'), [['005', 'Alajärvi, FI']])
})

test('a code used by two countries is one value that names both, and a single one when the country is given', async () => {
  assert.deepEqual(await find('0183'), [['0183', 'Ishøj, DK / Sundbyberg, SE']])
  assert.deepEqual(await search('sundbyberg'), [['0183', 'Ishøj, DK / Sundbyberg, SE']])
  assert.deepEqual(await search('0183', 'SE'), [['0183', 'Sundbyberg, SE']])
  assert.deepEqual(await search('0183', 'DK'), [['0183', 'Ishøj, DK']])
  assert.deepEqual(await search('sundbyberg', 'DK'), [])
})

test("a debtor keeps the code in its country's format, and any other code is accepted too", async () => {
  for (const municipalCode of ['0183', '091', '09162000']) {
    const { status, body } = await api.call<Debtor>('POST', '/debtors', {
      body: { lastname: 'Ek', municipalCode },
    })
    assert.equal(status, 201)
    const read = await api.call<Debtor>('GET', `/debtors/${body.debtorGuid}`)
    assert.equal(read.body.municipalCode, municipalCode)
    assert.equal((await find(municipalCode)).length, municipalCode === '09162000' ? 0 : 1)
  }
})

test('custom values are listed with built-in ones, or replace one', async () => {
  assert.equal(await make('09162000', 'München, DE'), 201)
  assert.deepEqual(await search('munch'), [['09162000', 'München, DE']])
  assert.deepEqual(await find('09162000'), [['09162000', 'München, DE']])
  assert.deepEqual((await search('karlst'))[0], ['1780', 'Karlstad, SE'])
  assert.equal(await make('1780', 'Karlstad of today'), 201)
  assert.deepEqual(await search('karlst'), [['1780', 'Karlstad of today']])
  assert.deepEqual(await find('1780'), [['1780', 'Karlstad of today']])
  assert.equal(await make('1780', 'Karlstad once more'), 409)
})
