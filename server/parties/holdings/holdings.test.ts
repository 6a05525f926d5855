import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'

let api: TestApi
let clientGuid: string
let otherClient: string
before(async () => {
  api = await startApi()
  clientGuid = await addClient('ONE')
  otherClient = await addClient('TWO')
})
after(() => api.close())

type Values = Record<string, string | number>
const create = (entity: string, body: object, token = api.token) =>
  api.call<Values>('POST', `/system/forms/${entity}/create`, { body, token })
const addClient = async (partyReferenceCode: string) =>
  (await create('client', { name: partyReferenceCode, partyReferenceCode })).body['clientGuid'] as string
const at = (entity: string, guid: unknown) => `/system/forms/${entity}/edit?id=${String(guid)}`
const read = (entity: string, guid: unknown, token = api.token) =>
  api.call<Values>('GET', `${at(entity, guid)}&initialValues=true`, { token })

const kinds = [
  ['thirdparty', 4, 'thirdPartyGuid', { name: 'Ombudet' }, 'Ombudet'],
  ['account', 6, 'accountGuid', { accountNumber: 'A-1', name: 'Klientmedel' }, 'A-1'],
  ['customer', 7, 'customerGuid', { customerNumber: 'K-1', name: 'Bo Ek' }, 'Bo Ek'],
  ['purchase', 8, 'purchaseGuid', { purchaseNumber: 'P-1', description: 'Two\nlines' }, 'P-1'],
  ['object', 9, 'objectGuid', { objectNumber: 'O-1', city: 'Lund' }, 'O-1'],
] as const

test('each is an item of its client: described, and seen by who sees the client', async () => {
  const own = await api.signIn(9, clientGuid)
  const stranger = await api.signIn(9, otherClient)
  for (const [entity, type, key, body, primary] of kinds) {
    const made = await create(entity, { clientGuid, ...body })
    assert.equal(made.status, 201, made.text)
    const guid = made.body[key]!
    const describe = async (token: string) =>
      (
        await api.call<{ items: Values[] }>('POST', '/users/itemdescriptions', {
          body: { guid, type },
          token,
        })
      ).body.items
    assert.equal((await describe(own))[0]!['primaryDescription'], primary)
    assert.deepEqual(await describe(stranger), [])
    assert.equal((await read(entity, guid, own)).status, 200)
    assertProblem(await read(entity, guid, stranger), 'not-found', /no such/)
    const events = await api.sql<{ type: string }[]>`select type from event where subject = ${guid}`
    assert.deepEqual(
      events.map((event) => event.type),
      [`${entity}.created`],
    )
    assert.equal((await api.call('DELETE', at(entity, guid))).status, 200)
    assert.deepEqual(await describe(own), [])
  }
})

test('a number is unique for its client', async () => {
  assert.equal((await create('object', { clientGuid, objectNumber: '7' })).status, 201)
  assertProblem(await create('object', { clientGuid, objectNumber: '7' }), 'conflict', /objectNumber already/)
  const elsewhere = await create('object', { clientGuid: otherClient, objectNumber: '7' })
  assert.equal(elsewhere.status, 201)
  const third = (await create('object', { clientGuid, objectNumber: '8' })).body['objectGuid']
  assertProblem(
    await api.call('PATCH', at('object', third), { body: { objectNumber: '7' } }),
    'conflict',
    /7|already/,
  )
})

test('an amount has no more decimals than its currency, and follows it', async () => {
  const body = { clientGuid, purchaseNumber: 'M-1', amount: 99.95, currencyCode: 'SEK' }
  const guid = (await create('purchase', body)).body['purchaseGuid']
  assert.equal((await read('purchase', guid)).body['amount'], 99.95)
  const [row] = await api.sql<
    { minor: number }[]
  >`select amount_minor as minor from purchase where id = ${String(guid)}`
  assert.equal(row!.minor, 9995)
  const change = (values: object) => api.call('PATCH', at('purchase', guid), { body: values })
  assertProblem(await change({ amount: 1.005 }), 'invalid', /amount must have at most 2 decimals, as SEK/)
  assertProblem(await change({ currencyCode: 'JPY' }), 'invalid', /at most 0 decimals, as JPY/)
  assert.equal((await change({ amount: 100, currencyCode: 'JPY' })).status, 200)
  assert.equal((await read('purchase', guid)).body['amount'], 100)
  const unnamed = await create('purchase', { clientGuid, purchaseNumber: 'M-2', amount: 5 })
  assert.equal(unnamed.body['currencyCode'], 'SEK')
})

test('a customer with purchases stays, and belongs to the same client as they', async () => {
  const customerGuid = (await create('customer', { clientGuid, customerNumber: 'K-9', name: 'Eva' })).body[
    'customerGuid'
  ]
  const bought = { purchaseNumber: 'P-9', customerGuid }
  assertProblem(
    await create('purchase', { ...bought, clientGuid: otherClient }),
    'invalid',
    /customer of the same client/,
  )
  const purchase = (await create('purchase', { ...bought, clientGuid })).body['purchaseGuid']
  assertProblem(await api.call('DELETE', at('customer', customerGuid)), 'conflict', /in use by 1 purchases/)
  await api.call('PATCH', at('purchase', purchase), { body: { customerGuid: '' } })
  assert.equal((await api.call('DELETE', at('customer', customerGuid))).status, 200)
})

test('what is pointed at must be the caller’s to see', async () => {
  const made = { clientGuid, customerNumber: 'K-5', name: 'Åsa' }
  const nobody = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'
  assertProblem(
    await create('customer', { ...made, debtorGuid: nobody }),
    'invalid',
    /debtor that you may see/,
  )
  assertProblem(
    await create('customer', { ...made, clientGuid: nobody }),
    'invalid',
    /client that you may see/,
  )
  const body = { idNumber: '19900101-2386', phone: '1', email: 'x', countryCode: 'ZZ', name: 'N', clientGuid }
  assertProblem(await create('thirdparty', body), 'invalid', /countryCode.*email.*phone.*idNumber/)
})

test('a restricted user points at the debtors of their own clients, and at those alone', async () => {
  const token = await api.signIn(3)
  const debtor = async () =>
    (await api.call<Values>('POST', '/debtors', { body: { lastname: 'Ek' } })).body['debtorGuid']!
  const [mine, theirs] = [await debtor(), await debtor()]
  const register = (client: string, debtorGuid: unknown) =>
    api.call('POST', '/system/forms/case/register', {
      body: { clientGuid: client, debtorGuid, principal: 100, currencyCode: 'SEK' },
    })
  await register(clientGuid, mine)
  await register(otherClient, theirs)
  await api.sql`
    insert into user_client_restriction (user_id, party_id, include_sub_parties)
    select id, ${clientGuid}, false from app_user order by id desc limit 1`
  const customer = { clientGuid, customerNumber: 'K-6', name: 'Ek' }
  const refused = await create('customer', { ...customer, debtorGuid: theirs }, token)
  assertProblem(refused, 'invalid', /debtor that you may see/)
  assert.equal((await create('customer', { ...customer, debtorGuid: mine }, token)).status, 201)
})

test('the agency itself is no client', async () => {
  const [agency] = await api.sql<{ id: string }[]>`select id from party where parent_id is null`
  const refused = await create('account', { clientGuid: agency!.id, accountNumber: 'A-9' })
  assertProblem(refused, 'invalid', /client that you may see/)
})
