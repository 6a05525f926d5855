import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ClientDetail, ClientListItem } from '../../../contract/parties/clients.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

type Values = Record<string, string>
const create = (body: object, token = api.token) =>
  api.call<Values>('POST', '/system/forms/client/create', { body, token })
const edit = (guid: string) => `/system/forms/client/edit?id=${guid}`
const change = (guid: string, body: object, token = api.token) =>
  api.call('PATCH', edit(guid), { body, token })
const read = (guid: string, token = api.token) =>
  api.call<Values>('GET', `${edit(guid)}&initialValues=true`, { token })
const remove = (guid: string) => api.call<{ usedBy?: object }>('DELETE', edit(guid))
const add = async (code: string, parent = '') => {
  const body = { name: `${code} AB`, partyReferenceCode: code, parentPartyReferenceCode: parent }
  return (await create(body)).body['clientGuid']!
}

test('who is held to some clients makes none beside them, and moves none out of sight', async () => {
  const own = await add('HELD')
  const below = await add('HELD-BELOW', 'HELD')
  const restricted = await api.signIn(3)
  await api.sql`
    insert into user_client_restriction (user_id, party_id, include_sub_parties)
    select user_id, ${own}, true from session order by created_at desc limit 1`
  for (const body of [{}, { parentPartyReferenceCode: '' }, { parentPartyReferenceCode: 'AGENCY' }]) {
    const refused = await create({ name: 'Out', partyReferenceCode: 'OUT', ...body }, restricted)
    assertProblem(refused, 'invalid', /parentPartyReferenceCode/)
  }
  const inside = { name: 'In', partyReferenceCode: 'HELD-IN', parentPartyReferenceCode: 'HELD' }
  assert.equal((await create(inside, restricted)).status, 201)
  const moved = await change(below, { parentPartyReferenceCode: '' }, restricted)
  assertProblem(moved, 'invalid', /parentPartyReferenceCode/)
  assert.equal((await read(below)).body['parentPartyReferenceCode'], 'HELD')
})

test('a client is made below the agency, described as an item, and told', async () => {
  const made = await create({
    name: ' Skåne  Bageri AB ',
    partyReferenceCode: 'BAGERI',
    countryCode: 'se',
    currencyCode: 'sek',
  })
  assert.equal(made.status, 201)
  const guid = made.body['clientGuid']!
  assert.deepEqual(made.body, {
    clientGuid: guid,
    name: 'Skåne Bageri AB',
    partyReferenceCode: 'BAGERI',
    parentPartyReferenceCode: 'AGENCY',
    countryCode: 'SE',
    currencyCode: 'SEK',
  })
  const item = await api.call<{ items: Values[] }>('POST', '/users/itemdescriptions', {
    body: { guid, type: 2 },
  })
  assert.equal(item.body.items[0]!['primaryDescription'], 'Skåne Bageri AB')
  assert.equal((await change(guid, { name: 'Lunds Bageri' })).headers.get('etag'), '"2"')
  const renamed = await api.call<{ items: Values[] }>('POST', '/users/itemdescriptions', {
    body: { guid, type: 2 },
  })
  assert.equal(renamed.body.items[0]!['primaryDescription'], 'Lunds Bageri')
  const events = await api.sql<
    { type: string }[]
  >`select type from event where subject = ${guid} order by sequence`
  assert.deepEqual(
    events.map(({ type }) => type),
    ['client.created', 'client.updated'],
  )
})

test('what a client needs and what is taken', async () => {
  assertProblem(await create({}), 'invalid', /name is required.*partyReferenceCode/)
  const body = { name: 'X', partyReferenceCode: 'bageri' }
  assertProblem(await create(body), 'conflict', /partyReferenceCode already/)
  assertProblem(await create({ ...body, partyReferenceCode: 'A,B' }), 'invalid', /without commas/)
  const placed = { ...body, partyReferenceCode: 'P' }
  assertProblem(await create({ ...placed, parentPartyReferenceCode: 'NOSUCH' }), 'invalid', /code of a party/)
  assertProblem(
    await create({ ...placed, countryCode: 'ZZ', currencyCode: 'ZZZ' }),
    'invalid',
    /ISO 3166.*ISO 4217/,
  )
})

test('the tree stays a tree', async () => {
  const top = await add('TOP')
  await add('MIDDLE', 'TOP')
  const low = await add('LOW', 'middle')
  assert.equal((await read(low)).body['parentPartyReferenceCode'], 'MIDDLE')
  assertProblem(await change(top, { parentPartyReferenceCode: 'LOW' }), 'unprocessable', /one below it/)
  assertProblem(await change(top, { parentPartyReferenceCode: 'TOP' }), 'unprocessable', /itself/)
  assert.equal((await change(low, { parentPartyReferenceCode: 'TOP' })).status, 200)
  const [agency] = await api.sql<{ id: string }[]>`select id from party where parent_id is null`
  assertProblem(
    await change(agency!.id, { parentPartyReferenceCode: 'TOP' }),
    'unprocessable',
    /agency itself/,
  )
  assertProblem(await remove(agency!.id), 'conflict', /agency itself/)
})

test('a client in use is not deleted, and the answer says by what', async () => {
  const guid = await add('USED')
  await add('BELOW', 'USED')
  await api.call('POST', '/system/forms/account/create', { body: { clientGuid: guid, accountNumber: '1' } })
  await api.signIn(6, guid)
  const refused = await remove(guid)
  assertProblem(refused, 'conflict', /in use by 1 clients, 1 users, 1 accounts/)
  assert.deepEqual(refused.body.usedBy, { clients: 1, users: 1, accounts: 1 })
  const free = await add('FREE')
  assert.equal((await remove(free)).status, 200)
  assertProblem(await read(free), 'not-found', /no such client/)
})

test('a caller sees and writes their own clients', async () => {
  const own = await add('OWN')
  const other = await add('OTHER')
  const creditor = await api.signIn(9, own)
  assert.equal((await read(own, creditor)).status, 200)
  assertProblem(await read(other, creditor), 'not-found', /no such client/)
  assertProblem(await change(own, { name: 'Mine' }, creditor), 'forbidden', /client\.write/)
})

test('listClients lists the clients that the caller may see, without the agency', async () => {
  const party = await api.addParty('LISTED')
  const token = await api.signIn(6, party)
  const list = async (query: string, as = api.token) =>
    (await api.call<Page<ClientListItem>>('GET', `/clients?${query.replaceAll(' ', '%20')}`, { token: as }))
      .body
  const found = await list("$filter=partyReferenceCode eq 'LISTED'&$orderby=name")
  assert.deepEqual([found.total, found.value.map(({ clientGuid }) => clientGuid)], [1, [party]])
  assert.equal(found.value[0]!.parentPartyReferenceCode, 'AGENCY')
  assert.equal((await list("$filter=partyReferenceCode eq 'AGENCY'")).total, 0)
  assert.deepEqual(
    (await list('', token)).value.map(({ clientGuid }) => clientGuid),
    [party],
  )
  assert.equal((await api.call('GET', '/clients?$filter=planGraceDays eq 1')).status, 400)
})

test('getClient has a client with its own terms, and none that the caller may not see', async () => {
  const [party, other] = [await api.addParty('TERMS'), await api.addParty('NOT-MINE')]
  await api.call('PATCH', `/system/forms/client/edit?id=${party}`, { body: { currencyCode: 'SEK' } })
  const changed = await api.call('PATCH', `/system/forms/client/terms?id=${party}`, {
    body: { interestSeries: 'SE', interestPoints: 8, tolerance: 2.5, bankAccountNo: '991-2346' },
  })
  assert.equal(changed.status, 200, changed.text)
  const { body, headers } = await api.call<ClientDetail>('GET', `/clients/${party}`)
  assert.deepEqual(
    [body.interestRate, body.interestSeries, body.interestPoints, body.tolerance, body.bankAccountNo],
    [null, 'SE', 8, 2.5, '991-2346'],
  )
  assert.equal(headers.get('etag'), changed.headers.get('etag'))
  for (const bankAccountNo of ['SE4550000000058398257467', '991-2345', '<account>']) {
    const refused = await api.call('PATCH', `/system/forms/client/terms?id=${party}`, {
      body: { bankAccountNo },
    })
    assertProblem(refused, 'invalid', /bankAccountNo (is no (IBAN|bankgiro number)|must be an IBAN)/)
  }
  const token = await api.signIn(6, other)
  assert.equal((await api.call('GET', `/clients/${party}`, { token })).status, 404)
  assert.equal((await api.call('GET', `/clients/${other}`, { token })).status, 200)
})

test('getClient names the party above and the strategy in force, its own or that of the nearest party above', async () => {
  const above = await api.addParty('OVER')
  const below = await api.addParty('UNDER')
  await api.call('PATCH', `/system/forms/client/edit?id=${below}`, {
    body: { parentPartyReferenceCode: 'OVER' },
  })
  const readBelow = async (token = api.token) => {
    const { body } = await api.call<ClientDetail>('GET', `/clients/${below}`, { token })
    return [body.parentPartyName, body.strategy, body.strategyName]
  }
  const assign = (clientGuid: string, strategy: string) =>
    api.call('PUT', `/clients/${clientGuid}/strategy`, { body: { strategy } })
  assert.deepEqual(await readBelow(), ['OVER', null, null])
  await assign(above, 'NORDIC')
  assert.deepEqual(await readBelow(), ['OVER', null, 'Nordic standard'])
  await assign(below, 'NORDIC')
  assert.deepEqual(await readBelow(), ['OVER', 'NORDIC', 'Nordic standard'])
  const token = await api.signIn(6, below)
  assert.deepEqual(
    (await readBelow(token))[0],
    null,
    'a party that the caller may not see has no name for it',
  )
})
