/** Events and audit entries: one for every change, none without a change, in order and without gaps per debtor. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startApi, type TestApi } from '../../testing/api.ts'
import { changesBetween, initialChanges } from './record.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

interface Entry {
  entity: string
  action: string
  operation: string
  actor: string | null
  request: string | null
  date: string
  changes: Record<string, [unknown, unknown]>
}
interface Event {
  type: string
  sequence: number
  data: Record<string, unknown>
}

const readEvents = (subject: string) => api.sql<Event[]>`
  select type, sequence, data from event where subject = ${subject} order by position`
const readEntries = (subject: string) => api.sql<Entry[]>`
  select entity, action, operation, actor_id as actor, request_id as request, business_date as date, changes
  from audit_entry where subject = ${subject} order by position`
const countAll = async () => {
  const [row] = await api.sql<{ events: number; entries: number }[]>`
    select (select count(*)::int from event) as events, (select count(*)::int from audit_entry) as entries`
  return { ...row! }
}

async function makeDebtor(body: object = { lastname: 'Berg' }): Promise<string> {
  const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body })
  assert.equal(made.status, 201)
  return made.body.debtorGuid
}
const ok = async (method: string, path: string, body?: object) => {
  const answer = await api.call<Record<string, string>>(method, path, body && { body })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

const person = {
  idNumber: '19900101-2385',
  firstname: 'Åsa',
  lastname: 'Lindqvist',
  street: 'Storgatan',
  houseNo: '12',
  zipCode: '211 42',
  city: 'Malmö',
  countryCode: 'SE',
  cellularPhone: '070-174 06 05',
  email: 'asa.lindqvist@example.com',
}

test('every change of a debtor writes an event in order, and an audit entry with the value before', async () => {
  const guid = await makeDebtor(person)
  await ok('PATCH', `/debtors/${guid}`, { lastname: 'Berg', email: '' })
  const address = await ok('POST', `/debtors/${guid}/addresses`, {
    street: 'Lillgatan',
    defaultAddress: true,
  })
  await ok('PATCH', `/debtors/${guid}/addresses/${address['addressGuid']}`, { houseNo: '3' })
  await ok('DELETE', `/debtors/${guid}/addresses/${address['addressGuid']}`)
  await ok('POST', `/debtors/${guid}/extrafields`, { name: 'employer', value: ['Secret AB'] })
  await ok('PATCH', `/debtors/${guid}/extrafields/employer`, { value: ['Hidden AB'] })
  await ok('DELETE', `/debtors/${guid}/extrafields/employer`)
  const types = [
    ['debtor.created', 'D2'],
    ['address.created', 'D2'],
    ['debtor.updated', 'D4'],
    ['address.updated', 'D9'],
    ['address.created', 'D9'],
    ['address.updated', 'D11'],
    ['address.deleted', 'D12'],
    ['address.updated', 'D12'],
    ['extrafield.created', 'D21'],
    ['extrafield.updated', 'D23'],
    ['extrafield.deleted', 'D24'],
  ]
  const [events, entries] = await Promise.all([readEvents(guid), readEntries(guid)])
  assert.deepEqual(
    events.map(({ type, sequence }) => [type, sequence]),
    types.map(([type], index) => [type, index + 1]),
  )
  assert.deepEqual(
    entries.map(({ entity, action, operation }) => [`${entity}.${action}`, operation]),
    types,
  )
  assert.deepEqual(entries[2]!.changes, {
    lastname: ['Lindqvist', 'Berg'],
    fullName: ['Åsa Lindqvist', 'Åsa Berg'],
    email: ['asa.lindqvist@example.com', null],
  })
  assert.deepEqual(
    (events[2]!.data['changed'] as string[]).toSorted(),
    Object.keys(entries[2]!.changes).toSorted(),
  )
})

test('an event has identifiers and member names, never personal data', async () => {
  const rows = await api.sql<{ type: string; data: object }[]>`select type, data from event`
  assert.ok(rows.length >= 12)
  const secrets = [...Object.values(person), '199001012385', '+46701740605', 'Åsa', 'Berg', 'Lillgatan', 'AB']
  for (const { type, data } of rows) {
    const text = JSON.stringify(data)
    for (const secret of secrets) {
      if (secret !== '12' && secret !== 'SE') assert.ok(!text.includes(secret), `${type}: ${text}`)
    }
    const members = Object.keys(data).filter(
      (name) => !['debtorGuid', 'addressGuid', 'userGuid', 'name', 'changed'].includes(name),
    )
    assert.deepEqual(members, [], type)
  }
})

test('an entry has the user, the request and the business date', async () => {
  await api.setDate('2031-05-17')
  const [token, requestId] = [await api.signIn(3), 'request-of-a-test']
  const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', {
    body: { lastname: 'Dated' },
    token,
    headers: { 'x-request-id': requestId },
  })
  await api.setDate(null)
  const [user] = await api.sql<{ id: string }[]>`select id from app_user order by created_at desc limit 1`
  const [entry] = await readEntries(made.body.debtorGuid)
  assert.deepEqual(
    { actor: entry!.actor, request: entry!.request, date: entry!.date },
    { actor: user!.id, request: requestId, date: '2031-05-17' },
  )
})

describe('32 writers on one debtor', () => {
  test('leave a sequence without gaps, with every change', async () => {
    const guid = await makeDebtor()
    const write = async (number: number) => {
      const at = `/debtors/${guid}`
      if (number % 4 === 0)
        return ok('PATCH', at, { [`${number % 8 === 0 ? 'first' : 'middle'}name`]: `N${number}` })
      if (number % 4 === 1) return ok('POST', `${at}/extrafields`, { name: `field ${number}`, value: ['x'] })
      const { addressGuid } = await ok('POST', `${at}/addresses`, {
        street: `Street ${number}`,
        defaultAddress: number % 4 === 2,
      })
      return ok('PATCH', `${at}/addresses/${addressGuid}`, { houseNo: String(number) })
    }
    await Promise.all(Array.from({ length: 32 }, (_, number) => write(number)))
    const events = await readEvents(guid)
    assert.deepEqual(
      events.map(({ sequence }) => sequence),
      events.map((_, index) => index + 1),
      'positions and sequences rise together',
    )
    const count = (type: string) => events.filter((event) => event.type === type).length
    assert.deepEqual(
      [
        count('debtor.created'),
        count('debtor.updated'),
        count('extrafield.created'),
        count('address.created'),
      ],
      [1, 8, 8, 16],
    )
    // 16 house numbers, and the flag removed from 7 of the 8 addresses that had it for a while.
    assert.equal(count('address.updated'), 16 + 7)
    assert.equal((await readEntries(guid)).length, events.length)
    const [row] = await api.sql<{ sequence: number; defaults: number }[]>`
      select event_sequence as sequence, (select count(*)::int from address where debtor_id = d.id and default_address) as defaults
      from debtor d where id = ${guid}`
    assert.deepEqual({ ...row }, { sequence: events.length, defaults: 1 })
  })
})

describe('no event or entry is written', () => {
  test('for a failed request', async () => {
    const guid = await makeDebtor({ ...person, idNumber: '19900118-9811' })
    await ok('POST', `/debtors/${guid}/extrafields`, { name: 'taken', value: [] })
    const counts = await countAll()
    const failing: [method: string, path: string, body?: object, headers?: Record<string, string>][] = [
      ['POST', '/debtors', { ...person, idNumber: '19900118-9811' }],
      ['POST', '/debtors', { firstname: 'Nameless' }],
      ['POST', '/debtors', { ...person, zipCode: 'x' }],
      ['PATCH', `/debtors/${guid}`, { email: 'nonsense' }],
      ['PATCH', `/debtors/${guid}`, { firstname: 'X' }, { 'if-match': '"99"' }],
      ['POST', `/debtors/${guid}/addresses`, { validFrom: '2026-02-01', validTo: '2026-01-01' }],
      ['POST', `/debtors/${guid}/extrafields`, { name: 'TAKEN', value: [] }],
      ['DELETE', `/debtors/${guid}/extrafields/taken`, undefined, { 'if-match': '"99"' }],
    ]
    let failed = 0
    for (const [method, path, body, headers = {}] of failing) {
      const key: Record<string, string> = { 'idempotency-key': `failing-${++failed}` }
      for (const keyed of [{}, key]) {
        const answer = await api.call(method, path, {
          ...(body && { body }),
          headers: { ...headers, ...keyed },
        })
        assert.ok(answer.status >= 400 && answer.status < 500, `${method} ${path}: ${answer.text}`)
      }
    }
    assert.deepEqual(await countAll(), counts)
  })

  test('for an update that changes nothing, and for reading', async () => {
    const guid = await makeDebtor()
    const counts = await countAll()
    await ok('PATCH', `/debtors/${guid}`, { lastname: 'Berg' })
    await ok('PATCH', `/debtors/${guid}`, {})
    await ok('GET', `/debtors/${guid}`)
    await ok('GET', '/debtors')
    assert.deepEqual(await countAll(), counts)
  })
})

test('changes name the members that differ, and compare arrays by their contents', () => {
  assert.deepEqual(initialChanges({ a: 1, b: null, c: undefined, d: false, e: [] }), {
    a: [null, 1],
    d: [null, false],
    e: [null, []],
  })
  assert.deepEqual(
    changesBetween({ a: 1, b: [1], c: null, d: 'x' }, { a: 1, b: [1], c: undefined, d: null }),
    {
      d: ['x', null],
    },
  )
})
