import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Debtor } from '../../../contract/parties/debtors.ts'
import type { Favorite, ItemDescription } from '../../../contract/metadata/items.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
let token: string
before(async () => {
  api = await startApi()
})
beforeEach(async () => {
  token = await api.signIn(3)
})
after(() => api.close())

const makeDebtor = async (fullName: string, own = api.token) =>
  (await api.call<Debtor>('POST', '/debtors', { body: { fullName }, token: own })).body
const describe = (body: object, own = token) =>
  api.call<{ items: ItemDescription[] }>('POST', '/users/itemdescriptions', { body, token: own })
const add = (body: object, own = token) =>
  api.call<Favorite>('POST', '/users/current/favorites', { body, token: own })
const list = async (query = '') =>
  (await api.call<Page<Favorite>>('GET', `/users/current/favorites?${new URLSearchParams(query)}`, { token }))
    .body
const move = (guid: string, position: number | null) =>
  api.call('PATCH', `/users/current/favorites/${guid}`, { body: { position }, token })
const names = async () => (await list()).value.map(({ primaryDescription }) => primaryDescription)

test('U4 describes only items that the caller may see', async () => {
  const debtor = await makeDebtor('Skåne Bageri AB')
  const { body } = await describe({ guid: debtor.debtorGuid.toUpperCase(), type: 3 })
  assert.deepEqual(body.items, [
    {
      guid: debtor.debtorGuid,
      type: 3,
      primaryDescription: 'Skåne Bageri AB',
      secondaryDescription: debtor.debtorReference,
    },
  ])
  assert.deepEqual((await describe({ guid: debtor.debtorGuid, type: 2 })).body.items, [])
  assert.deepEqual((await describe({ guid: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70', type: 3 })).body.items, [])
  const stranger = await api.signIn(9, await api.addParty('FREMD'))
  assert.deepEqual((await describe({ guid: debtor.debtorGuid, type: 3 }, stranger)).body.items, [])
})

test('U4 describes visible clients', async () => {
  const party = await api.addParty('KLIENT')
  const other = await api.addParty('KLIENT-2')
  const own = await api.signIn(9, party)
  assert.equal((await describe({ guid: party, type: 2 }, own)).body.items[0]?.secondaryDescription, 'KLIENT')
  assert.deepEqual((await describe({ guid: other, type: 2 }, own)).body.items, [])
  assert.equal((await describe({ guid: other, type: 2 })).body.items.length, 1)
})

test('U4 describes nothing for no GUID', async () => {
  for (const guid of [null, '', undefined]) {
    const answer = await describe({ guid, type: 3 })
    assert.deepEqual([answer.status, answer.body.items], [200, []])
  }
})

test('U4 refuses a malformed GUID and an unknown type', async () => {
  assert.equal((await describe({ guid: 'x', type: 3 })).status, 400)
  assert.equal((await describe({ guid: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70', type: 10 })).status, 400)
  assert.equal((await describe({})).status, 400)
})

test("a description follows the item's name", async () => {
  const debtor = await makeDebtor('Gammalt Namn')
  await api.call('PATCH', `/debtors/${debtor.debtorGuid}`, { body: { fullName: 'Nytt Namn' } })
  const { body } = await describe({ guid: debtor.debtorGuid, type: 3 })
  assert.equal(body.items[0]?.primaryDescription, 'Nytt Namn')
})

test('U6 adds a target once; U5 lists in order', async () => {
  const [first, second] = [await makeDebtor('Ett'), await makeDebtor('Två')]
  const made = await add({ type: '3', guid: first.debtorGuid })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.primaryDescription, 'Ett')
  assert.equal(made.body.guid, first.debtorGuid)
  await add({ type: '3', guid: second.debtorGuid })
  const url = { type: '0', url: '/worklist?status=AMICABLE', subType: 'worklist', primaryDescription: 'Mina' }
  await add(url)
  assert.equal((await add({ type: '3', guid: first.debtorGuid })).body.itemGuid, made.body.itemGuid)
  assert.deepEqual(await names(), ['Ett', 'Två', 'Mina'])
  const { value } = await list("$filter=type eq '0'")
  assert.deepEqual([value.length, value[0]!.url, value[0]!.guid], [1, url.url, null])
  const sorted = await list('$orderby=primaryDescription desc&$top=1')
  assert.deepEqual([sorted.total, sorted.value[0]!.primaryDescription], [3, 'Två'])
})

const refused: [what: string, body: object, status: number][] = [
  ['no type', { url: '/x' }, 400],
  ['an unknown type', { type: '10' }, 400],
  ['a URL without url', { type: '0' }, 400],
  ['a script as url', { type: '0', url: 'javascript:alert(1)' }, 400],
  ['a url of another host without scheme', { type: '0', url: '//evil.example' }, 400],
  ['an item without guid', { type: '3' }, 400],
  ['an item with url', { type: '3', guid: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70', url: '/x' }, 400],
  ['an item that is none', { type: '3', guid: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70' }, 404],
]
for (const [what, body, status] of refused) {
  test(`U6 refuses ${what}`, async () => assert.equal((await add(body)).status, status))
}

test('U7 moves and renumbers; a position past an end means the end', async () => {
  const guids: string[] = []
  for (const name of ['A', 'B', 'C', 'D']) {
    guids.push((await add({ type: '0', url: `/${name}`, primaryDescription: name })).body.itemGuid)
  }
  assert.equal((await move(guids[3]!, 0)).status, 200)
  assert.deepEqual(await names(), ['D', 'A', 'B', 'C'])
  await move(guids[3]!, 2)
  assert.deepEqual(await names(), ['A', 'B', 'D', 'C'])
  await move(guids[0]!, 2147483647)
  await move(guids[2]!, -5)
  assert.deepEqual(await names(), ['C', 'B', 'D', 'A'])
  await move(guids[1]!, null)
  assert.deepEqual(await names(), ['C', 'B', 'D', 'A'])
  await Promise.all(guids.map((guid) => move(guid, 0)))
  const rows = await api.sql`select position from favorite where id = any(${guids}::uuid[]) order by position`
  assert.deepEqual(
    rows.map(({ position }) => position),
    [0, 1, 2, 3],
  )
})

test("deleteFavorite deletes and renumbers, and only the caller's own favorites", async () => {
  const mine = await add({ type: '0', url: '/mine', primaryDescription: 'Min' })
  const rest = await add({ type: '0', url: '/rest', primaryDescription: 'Rest' })
  const path = `/users/current/favorites/${mine.body.itemGuid}`
  assert.equal((await api.call('DELETE', path)).status, 404, 'another user')
  assert.equal((await api.call('PATCH', path, { body: { position: 0 } })).status, 404)
  assert.equal((await api.call('DELETE', path, { token })).status, 200)
  assert.equal((await api.call('DELETE', path, { token })).status, 404)
  assert.deepEqual(await names(), ['Rest'])
  const [row] = await api.sql`select position from favorite where id = ${rest.body.itemGuid}`
  assert.equal(row!['position'], 0)
})

test('a favorite whose item is no longer visible is hidden', async () => {
  const party = await api.addParty('SIKT')
  const maker = await api.signIn(3, party)
  const debtor = await makeDebtor('Min gäldenär', maker)
  const creditor = await api.signIn(9, party)
  assert.equal((await add({ type: '3', guid: debtor.debtorGuid }, creditor)).status, 201)
  const read = () => api.call<Page<Favorite>>('GET', '/users/current/favorites', { token: creditor })
  assert.equal((await read()).body.total, 1)
  await api.sql`update debtor set created_by_party_id = null where id = ${debtor.debtorGuid}`
  assert.deepEqual([(await read()).body.total, (await read()).body.value.length], [0, 0])
})
