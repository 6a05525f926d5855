import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Debtor } from '../../../contract/parties/debtors.ts'
import type { ExtraField } from '../../../contract/parties/extra-fields.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
let debtorGuid: string
before(async () => {
  api = await startApi()
})
beforeEach(async () => {
  const made = await api.call<Debtor>('POST', '/debtors', { body: { lastname: 'Fält' } })
  debtorGuid = made.body.debtorGuid
})
after(() => api.close())

const path = (name?: string) =>
  `/debtors/${debtorGuid}/extrafields${name === undefined ? '' : `/${encodeURIComponent(name)}`}`
const create = (body: object) => api.call<ExtraField>('POST', path(), { body })
const get = (name: string) => api.call<ExtraField>('GET', path(name))
const list = (query: string) => api.call<Page<ExtraField>>('GET', `${path()}?${new URLSearchParams(query)}`)
const update = (name: string, body: object) => api.call('PATCH', path(name), { body })

test('D21 creates, D22 reads in any case of letters, D20 lists', async () => {
  const made = await create({ name: 'Arbetsgivare', value: ['Skåne Bageri AB', 'ICA'] })
  assert.equal(made.status, 201)
  assert.equal(made.headers.get('location'), `/api/v1${path('Arbetsgivare')}`)
  assert.deepEqual(made.body, { name: 'Arbetsgivare', value: ['Skåne Bageri AB', 'ICA'] })
  assert.deepEqual((await get('ARBETSGIVARE')).body, made.body)
  const { body } = await api.call<Page<ExtraField>>('GET', path())
  assert.deepEqual([body.count, body.total, body.value], [1, 1, [made.body]])
})

test('a name with a slash, blanks and letters of all kinds can be addressed', async () => {
  for (const name of ['a/b', 'två ord', '日本語', '100% ?#&', '...']) {
    assert.equal((await create({ name, value: ['x'] })).status, 201, name)
    assert.deepEqual((await get(name)).body, { name, value: ['x'] }, name)
  }
})

test('D21 and D23 refuse the names . and .., which no path can hold', async () => {
  for (const name of ['.', '..', ' .. ']) assert.equal((await create({ name, value: [] })).status, 400, name)
  assert.equal((await create({ name: '...', value: ['dots'] })).status, 201)
  const renamed = await update('...', { name: '..' })
  assert.equal(renamed.status, 400)
  assert.match(renamed.text, /must be more than dots/)
  assert.deepEqual((await get('...')).body, { name: '...', value: ['dots'] })
})

test('D21 refuses a name taken in another case with 409', async () => {
  await create({ name: 'Bil', value: ['ABC123'] })
  assert.equal((await create({ name: 'bIL', value: [] })).status, 409)
  const both = await Promise.all(Array.from({ length: 6 }, () => create({ name: 'Båt', value: [] })))
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 409, 409, 409, 409, 409])
})

const refused: [what: string, body: object, member: string][] = [
  ['no name', { value: ['x'] }, 'name'],
  ['an empty name', { name: '', value: ['x'] }, 'name'],
  ['a blank name', { name: '  ', value: ['x'] }, 'name'],
  ['a name too long', { name: 'x'.repeat(101) }, 'name'],
  ['a value that is no array', { name: 'a', value: 'x' }, 'value'],
  ['a value that is no text', { name: 'a', value: ['x', 5] }, 'value[1]'],
  ['a null among the values', { name: 'a', value: [null] }, 'value[0]'],
  ['too many values', { name: 'a', value: Array.from({ length: 101 }, () => 'x') }, 'value'],
]
for (const [what, body, member] of refused) {
  test(`D21 refuses ${what}`, async () => {
    const answer = await api.call<{ errors: Record<string, string[]> }>('POST', path(), { body })
    assert.equal(answer.status, 400, answer.text)
    assert.ok(answer.body.errors[member], answer.text)
  })
}

test('D23 replaces the values, renames, and leaves what is not given', async () => {
  await create({ name: 'Telefon', value: ['1', '2'] })
  assert.equal((await update('telefon', { value: ['3'] })).status, 200)
  assert.deepEqual((await get('Telefon')).body, { name: 'Telefon', value: ['3'] })
  assert.equal((await update('telefon', { name: 'Mobil', value: null })).status, 200)
  assert.deepEqual((await get('Mobil')).body, { name: 'Mobil', value: ['3'] })
  assert.equal((await get('Telefon')).status, 404)
  assert.equal((await update('mobil', { name: 'MOBIL', value: [] })).status, 200)
  assert.deepEqual((await get('mobil')).body, { name: 'MOBIL', value: [] })
})

test('D23 refuses a name that another field has', async () => {
  await create({ name: 'Ett', value: [] })
  await create({ name: 'Två', value: [] })
  assert.equal((await update('Två', { name: 'ETT' })).status, 409)
})

test('D24 deletes once', async () => {
  await create({ name: 'Bort', value: ['x'] })
  assert.equal((await api.call('DELETE', path('bort'))).status, 200)
  assert.equal((await api.call('DELETE', path('bort'))).status, 404)
  assert.equal((await get('bort')).status, 404)
})

test('fields of an unknown debtor are 404', async () => {
  const unknown = '/debtors/01900000-0000-7000-8000-000000000000/extrafields'
  assert.equal((await api.call('GET', unknown)).status, 404)
  assert.equal((await api.call('POST', unknown, { body: { name: 'a' } })).status, 404)
  assert.equal((await api.call('DELETE', `${unknown}/a`)).status, 404)
})

test('D20 filters and sorts by name; values cannot be filtered', async () => {
  for (const name of ['b2', 'a1', 'b1']) await create({ name, value: [name] })
  const { body } = await list("$filter=startswith(name,'b')&$orderby=name")
  assert.deepEqual(
    body.value.map(({ name }) => name),
    ['b1', 'b2'],
  )
  assert.equal((await list("$filter=value eq 'b1'")).status, 400)
})

test('each change is told and audited', async () => {
  await create({ name: 'Spår', value: ['1'] })
  await update('Spår', { value: ['2'] })
  await api.call('DELETE', path('Spår'))
  const events =
    await api.sql`select type, sequence from event where subject = ${debtorGuid} order by sequence`
  assert.deepEqual(
    events.map(({ type, sequence }) => [type, sequence]),
    [
      ['debtor.created', 1],
      ['extrafield.created', 2],
      ['extrafield.updated', 3],
      ['extrafield.deleted', 4],
    ],
  )
  const entries = await api.sql`
    select changes from audit_entry where subject = ${debtorGuid} and action = 'updated'`
  assert.deepEqual(entries[0]!['changes'], { value: [['1'], ['2']] })
})
