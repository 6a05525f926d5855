import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LookupValueListItem } from '../../../contract/metadata/lookup-values.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

const list = async (query = '') =>
  (await api.call<Page<LookupValueListItem>>('GET', `/system/lookupvalues?${query}`)).body

test('listLookupValues lists the custom values by lookup and in their order', async () => {
  const make = (lookupCode: string, lookupKey: string, position: number, textEn: string) =>
    api.call('POST', '/system/forms/lookupvalue/create', {
      body: { lookupCode, lookupKey, position, textEn, textSv: `${textEn} på svenska` },
    })
  await make('municipality', '1281', 2, 'Lund')
  await make('municipality', '1280', 1, 'Malmö')
  await make('addresstype', 'SUMMER', 1, 'Summer house')
  const { total, value } = await list()
  assert.deepEqual([total, value.map(({ lookupKey }) => lookupKey)], [3, ['SUMMER', '1280', '1281']])
  const { lookupValueGuid, ...first } = value[0]!
  assert.deepEqual(first, {
    lookupCode: 'addresstype',
    lookupKey: 'SUMMER',
    position: 1,
    textEn: 'Summer house',
    textSv: 'Summer house på svenska',
    textNo: null,
    textDa: null,
    textFi: null,
    textDe: null,
  })
  const found = await list(
    `$filter=${encodeURIComponent("lookupCode eq 'municipality' and contains(textSv,'Lund')")}`,
  )
  assert.equal(found.value[0]!.lookupKey, '1281')
  // The form opens what the list names.
  const opened = await api.call(
    'GET',
    `/system/forms/lookupvalue/edit?initialValues=true&id=${lookupValueGuid}`,
  )
  assert.equal(opened.body['lookupKey'], 'SUMMER')
})

test('listLookupValues needs the access code of its form', async () => {
  assertProblem(
    await api.call('GET', '/system/lookupvalues', { token: await api.signIn(3) }),
    'forbidden',
    /lookup\.write/,
  )
})
