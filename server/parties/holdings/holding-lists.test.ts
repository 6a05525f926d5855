import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'

type Row = Record<string, string | number | null>

let api: TestApi
let own = ''
let other = ''
let debtorGuid = ''
before(async () => {
  api = await startApi()
  own = await addClient('OWN', 'Nord AB')
  other = await addClient('OTHER', 'Syd AB')
  const debtor = await api.call<Row>('POST', '/debtors', { body: { firstname: 'Bo', lastname: 'Ek' } })
  debtorGuid = String(debtor.body['debtorGuid'])
  for (const [clientGuid, letter] of [
    [own, 'A'],
    [other, 'B'],
    [own, 'C'],
  ] as const) {
    await create('thirdparty', { clientGuid, name: `Rätt ${letter}`, city: 'Lund' })
    await create('account', { clientGuid, accountNumber: `K-${letter}`, currencyCode: 'SEK' })
    const bought = await create('customer', {
      clientGuid,
      customerNumber: `N-${letter}`,
      name: `Kund ${letter}`,
      ...(letter === 'A' && { debtorGuid }),
    })
    await create('purchase', {
      clientGuid,
      purchaseNumber: `P-${letter}`,
      customerGuid: bought['customerGuid']!,
      amount: letter === 'A' ? 1500 : 99.5,
      currencyCode: letter === 'A' ? 'ISK' : 'SEK',
      purchaseDate: '2026-02-01',
    })
    await create('object', { clientGuid, objectNumber: `O-${letter}`, name: 'Lägenhet' })
  }
})
after(() => api.close())

async function create(entity: string, body: object): Promise<Row> {
  const made = await api.call<Row>('POST', `/system/forms/${entity}/create`, { body })
  assert.equal(made.status, 201, made.text)
  return made.body
}
const addClient = async (partyReferenceCode: string, name: string) =>
  String((await create('client', { partyReferenceCode, name }))['clientGuid'])
const list = async (path: string, query = '', token = api.token) => {
  const answer = await api.call<Page<Row>>('GET', `${path}?${query}`, { token })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const filter = (text: string) => `$filter=${encodeURIComponent(text)}`

const lists = [
  ['listThirdParties', '/thirdparties', 'name', 'Rätt'],
  ['listAccounts', '/accounts', 'accountNumber', 'K-'],
  ['listCustomers', '/customers', 'customerNumber', 'N-'],
  ['listPurchases', '/purchases', 'purchaseNumber', 'P-'],
  ['listObjects', '/objects', 'objectNumber', 'O-'],
] as const

for (const [id, path, member, start] of lists) {
  test(`${id} gives pages, filtered and in order, to those who see the client`, async () => {
    const pickValues = ({ value }: Page<Row>) => value.map((row) => String(row[member]).slice(-1))
    const all = await list(path, `$orderby=${member}%20desc`)
    assert.deepEqual([all.total, pickValues(all)], [3, ['C', 'B', 'A']])
    const second = await list(path, `$orderby=${member}&$skip=1&$top=1`)
    assert.deepEqual([second.count, second.total, pickValues(second)], [1, 3, ['B']])
    const found = await list(path, filter(`startswith(${member},'${start}') and clientName eq 'Syd AB'`))
    assert.deepEqual([pickValues(found), found.value[0]!['clientGuid']], [['B'], other])
    assert.equal((await list(path, filter(`clientGuid eq ${own}`))).total, 2)
    const creditor = await api.signIn(9, other)
    assert.deepEqual(pickValues(await list(path, '', creditor)), ['B'])
    assert.deepEqual(pickValues(await list(path, filter(`${member} ne 'x'`), creditor)), ['B'])
    assertProblem(await api.call('GET', `${path}?$orderby=client_id`), 'invalid', /client_id/)
  })
}

test('listCustomers and listPurchases are asked by what they point at, purchases by amount and date', async () => {
  const [customer] = (await list('/customers', filter(`debtorGuid eq ${debtorGuid}`))).value
  assert.equal(customer!['name'], 'Kund A')
  assert.equal((await list('/customers', filter('debtorGuid eq null'))).total, 2)
  const inKronor = await list('/purchases', filter('amount eq 99.5'))
  assert.deepEqual([inKronor.total, inKronor.value[0]!['amount']], [2, 99.5])
  const [purchase] = (await list('/purchases', filter('amount gt 1000'))).value
  assert.deepEqual(
    [purchase!['amount'], purchase!['currencyCode'], purchase!['customerName'], purchase!['purchaseDate']],
    [1500, 'ISK', 'Kund A', '2026-02-01T00:00:00Z'],
  )
})

test('custom fields filter and sort these lists, and that of clients', async () => {
  const field = { type: 'integer', textEn: 'Floor' }
  await create('field', { entity: 'object', code: 'floor', ...field })
  await create('field', { entity: 'client', code: 'rank', ...field })
  await create('object', { clientGuid: own, objectNumber: 'O-7', floor: 7 })
  await api.call('PATCH', `/system/forms/client/edit?id=${other}`, { body: { rank: 2 } })
  assert.equal((await list('/objects', filter('floor ge 7'))).value[0]!['objectNumber'], 'O-7')
  assert.equal((await list('/objects', '$orderby=floor%20desc&$top=1')).value[0]!['objectNumber'], 'O-7')
  assert.equal((await list('/clients', filter('rank eq 2'))).value[0]!['clientGuid'], other)
  const definition = await api.call<{ groups: { fields: { code: string; searchEngineField: string }[] }[] }>(
    'GET',
    '/system/formdefinitions/object/edit',
  )
  const fields = definition.body.groups.flatMap((group) => group.fields)
  assert.equal(fields.find(({ code }) => code === 'floor')!.searchEngineField, 'floor')
  assert.equal(fields.find(({ code }) => code === 'objectNumber')!.searchEngineField, 'objectNumber')
})
