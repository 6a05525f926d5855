import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import * as fc from 'fast-check'
import type { Address } from '../../../contract/parties/addresses.ts'
import type { Debtor, DebtorListItem } from '../../../contract/parties/debtors.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'

let api: TestApi
let debtorGuid: string
before(async () => {
  api = await startApi()
  await api.setDate('2026-06-15')
})
beforeEach(async () => {
  const made = await api.call<Debtor>('POST', '/debtors', { body: { lastname: 'Flyttare' } })
  debtorGuid = made.body.debtorGuid
})
after(() => api.close())

const path = (addressGuid = '') => `/debtors/${debtorGuid}/addresses${addressGuid && `/${addressGuid}`}`
const create = async (body: object) => (await api.call<Address>('POST', path(), { body })).body
const get = async (guid: string) => (await api.call<Address>('GET', path(guid))).body
const update = (guid: string, body: object) => api.call('PATCH', path(guid), { body })
const remove = (guid: string) => api.call('DELETE', path(guid))
const list = async (query = '') =>
  (await api.call<Page<Address>>('GET', `${path()}?${new URLSearchParams(query)}`)).body
const shownCity = async () => {
  const query = new URLSearchParams({ $filter: `debtorGuid eq ${debtorGuid}` })
  const { body } = await api.call<Page<DebtorListItem>>('GET', `/debtors?${query}`)
  return body.value[0]!.city
}

const lund = { street: 'Kyrkogatan', houseNo: '1', zipCode: '22222', city: 'Lund', countryCode: 'SE' }

test('D9 creates, D10 and D8 give the same record', async () => {
  const made = await api.call<Address>('POST', path(), {
    body: { ...lund, validFrom: '2026-01-01T00:00:00+01:00' },
  })
  assert.equal(made.status, 201)
  assert.equal(made.headers.get('location'), `/api/v1${path(made.body.addressGuid)}`)
  const { body } = made
  assert.equal(body.addressType, 'LEGAL')
  assert.equal(body.defaultAddress, false)
  assert.equal(body.validFrom, '2026-01-01T00:00:00Z', 'a business date is the day as it was written')
  assert.equal(body.fullAddress, 'Kyrkogatan 1, 222 22 Lund')
  assert.equal(body.validOverride, false)
  assert.ok(body.lastUpdatedAt)
  assert.deepEqual(await get(body.addressGuid), body)
  assert.deepEqual((await list()).value, [body])
})

test('of all addresses one is the default', async () => {
  const first = await create({ ...lund, defaultAddress: true })
  const second = await create({ ...lund, city: 'Malmö', defaultAddress: true })
  assert.equal((await get(first.addressGuid)).defaultAddress, false)
  assert.equal(await shownCity(), 'Malmö')
  await update(first.addressGuid, { defaultAddress: true })
  assert.equal((await get(second.addressGuid)).defaultAddress, false)
  assert.equal(await shownCity(), 'Lund')
})

test('many defaults at once leave one', async () => {
  await Promise.all(
    Array.from({ length: 12 }, (_, n) => create({ ...lund, city: `Stad ${n}`, defaultAddress: true })),
  )
  const { value } = await list('$filter=defaultAddress eq true')
  assert.equal(value.length, 1)
  assert.equal(await shownCity(), value[0]!.city)
})

test('D12 gives the flag to the newest valid LEGAL address', async () => {
  const old = await create({ ...lund, city: 'Gammal', validFrom: '2020-01-01' })
  const newest = await create({ ...lund, city: 'Ny', validFrom: '2025-01-01' })
  await create({ ...lund, city: 'Framtida', validFrom: '2026-12-01' })
  await create({ ...lund, city: 'Utgången', validFrom: '2025-05-01', validTo: '2026-06-14' })
  const visit = { ...lund, city: 'Annan', validFrom: '2025-06-01', addressType: 'visit' }
  assertProblem(
    await api.call('POST', path(), { body: visit }),
    'invalid',
    /addressType must be LEGAL or a value/,
  )
  const value = { lookupCode: 'addresstype', lookupKey: 'VISIT', textEn: 'Visiting address' }
  await api.call('POST', '/system/forms/lookupvalue/create', { body: value })
  await create(visit)
  await create({ ...lund, city: 'Struken', validFrom: '2025-06-01', addressNotValidDate: '2026-06-01' })
  const current = await create({ ...lund, city: 'Nuvarande', defaultAddress: true })
  assert.equal((await remove(current.addressGuid)).status, 200)
  assert.equal((await get(newest.addressGuid)).defaultAddress, true)
  assert.equal(await shownCity(), 'Ny')
  await remove(newest.addressGuid)
  assert.equal((await get(old.addressGuid)).defaultAddress, true)
  assert.equal((await remove(newest.addressGuid)).status, 404)
})

test('D11: omitted and null stay, the empty string clears, the combined address follows', async () => {
  const made = await create({
    ...lund,
    houseNoExtension: 'B',
    validFrom: '2026-01-01',
    validTo: '2026-12-31',
    fullName: 'c/o Ek',
  })
  const answer = await update(made.addressGuid, {
    houseNo: '7',
    houseNoExtension: '',
    validTo: '',
    street: null,
  })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('etag'), '"2"')
  const changed = await get(made.addressGuid)
  assert.equal(changed.street, 'Kyrkogatan')
  assert.equal(changed.houseNoExtension, null)
  assert.equal(changed.validTo, null)
  assert.equal(changed.validFrom, '2026-01-01T00:00:00Z')
  assert.match(changed.fullAddress!, /Kyrkogatan 7, 222 22 Lund/)
})

const refused: [what: string, body: object, member: string][] = [
  ['validTo before validFrom', { validFrom: '2026-02-01', validTo: '2026-01-31' }, 'validTo'],
  ['a wrong zip code', { ...lund, zipCode: '2222' }, 'zipCode'],
  ['an unknown country', { ...lund, countryCode: 'XX' }, 'countryCode'],
  ['a member that is set by us', { fullAddress: 'x' }, 'fullAddress'],
  ['a flag as text', { defaultAddress: 'true' }, 'defaultAddress'],
]
for (const [what, body, member] of refused) {
  test(`D9 refuses ${what}`, async () => {
    const answer = await api.call<{ errors: Record<string, string[]> }>('POST', path(), { body })
    assert.equal(answer.status, 400)
    assert.ok(answer.body.errors[member], answer.text)
    assert.equal((await list()).total, 0)
  })
}

test('D11 checks the dates as they come out', async () => {
  const made = await create({ ...lund, validFrom: '2026-02-01' })
  const answer = await update(made.addressGuid, { validTo: '2026-01-01' })
  assert.equal(answer.status, 400)
})

test('an address belongs to its debtor', async () => {
  const made = await create(lund)
  const other = await api.call<Debtor>('POST', '/debtors', { body: { lastname: 'Annan' } })
  const wrong = `/debtors/${other.body.debtorGuid}/addresses/${made.addressGuid}`
  assert.equal((await api.call('GET', wrong)).status, 404)
  assert.equal((await api.call('PATCH', wrong, { body: { city: 'X' } })).status, 404)
  assert.equal((await api.call('DELETE', wrong)).status, 404)
  const unknown = '/debtors/01900000-0000-7000-8000-000000000000/addresses'
  assert.equal((await api.call('GET', unknown)).status, 404)
  assert.equal((await api.call('POST', unknown, { body: lund })).status, 404)
})

test('D8 filters, sorts and pages', async () => {
  for (const [city, validFrom] of [
    ['Ystad', '2021-01-01'],
    ['Arboga', '2023-01-01'],
    ['Åhus', '2022-01-01'],
  ]) {
    await create({ ...lund, city, validFrom })
  }
  const byDate = await list('$orderby=validFrom desc')
  assert.deepEqual(
    byDate.value.map(({ city }) => city),
    ['Arboga', 'Åhus', 'Ystad'],
  )
  const found = await list('$filter=year(validFrom) ge 2022 and endswith(city,us)'.replace('us)', "'us')"))
  assert.deepEqual(
    found.value.map(({ city }) => city),
    ['Åhus'],
  )
  const second = await list('$orderby=city&$skip=1&$top=1')
  assert.deepEqual([second.count, second.skip, second.total, second.value[0]!.city], [1, 1, 3, 'Ystad'])
})

test('the address shown follows the system date, there and back', async () => {
  await create({ ...lund, city: 'Nu', defaultAddress: true, validTo: '2026-06-30' })
  assert.equal(await shownCity(), 'Nu')
  await api.setDate('2026-07-01')
  assert.equal(await shownCity(), null)
  await api.setDate('2026-06-30')
  assert.equal(await shownCity(), 'Nu')
  await api.setDate('2026-06-15')
})

test('each change is told in order, one after the other, and audited', async () => {
  const first = await create({ ...lund, defaultAddress: true })
  const second = await create({ ...lund, city: 'Malmö', defaultAddress: true })
  await remove(second.addressGuid)
  const events =
    await api.sql`select type, sequence, data from event where subject = ${debtorGuid} order by sequence`
  assert.deepEqual(
    events.map(({ type, data }) => [type, (data as { addressGuid?: string }).addressGuid]),
    [
      ['debtor.created', undefined],
      ['address.created', first.addressGuid],
      ['address.updated', first.addressGuid],
      ['address.created', second.addressGuid],
      ['address.deleted', second.addressGuid],
      ['address.updated', first.addressGuid],
    ],
  )
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    [1, 2, 3, 4, 5, 6],
  )
  const entries = await api.sql`
    select changes from audit_entry where entity_id = ${second.addressGuid} and action = 'deleted'`
  assert.deepEqual((entries[0]!['changes'] as Record<string, unknown>)['city'], ['Malmö', null])
})

const drawnChange = fc.oneof(
  fc.record({ city: fc.constantFrom('Lund', 'Ystad', 'Kivik') }),
  fc.record({ street: fc.constantFrom('Storgatan', 'Byvägen'), houseNo: fc.constantFrom('2', '7b') }),
  fc.record({ validTo: fc.constantFrom('', '2026-06-01', '2026-06-15', '2027-01-01') }),
  fc.record({ validFrom: fc.constantFrom('', '2026-05-01', '2026-06-16') }),
  fc.record({ addressNotValidDate: fc.constantFrom('', '2026-06-15', '2026-06-16') }),
  fc.record({ defaultAddress: fc.boolean() }),
  fc.constant('confirm' as const),
)

test('of drawn changes at once none is lost, and each debtor shows its default address', async () => {
  const steps = fc.array(fc.record({ debtor: fc.nat(3), address: fc.nat(1), change: drawnChange }), {
    minLength: 6,
    maxLength: 24,
  })
  await fc.assert(
    fc.asyncProperty(steps, async (drawn) => {
      const owners = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const { body } = await api.call<Debtor>('POST', '/debtors', {
            body: { lastname: 'Många', ...lund },
          })
          const at = `/debtors/${body.debtorGuid}/addresses`
          await api.call('POST', at, { body: { ...lund, city: 'Malmö' } })
          const { value } = (await api.call<Page<Address>>('GET', at)).body
          return { guid: body.debtorGuid, paths: value.map(({ addressGuid }) => `${at}/${addressGuid}`) }
        }),
      )
      const answers = await Promise.all(
        drawn.map(({ debtor, address, change }) => {
          const at = owners[debtor]!.paths[address]!
          return change === 'confirm'
            ? api.call('POST', `${at}/confirm`)
            : api.call('PATCH', at, { body: change })
        }),
      )
      const failed = answers.filter(({ status }) => status !== 200)
      assert.ok(
        failed.every(({ status }) => status === 400),
        failed.map(({ text }) => text).join(),
      )
      const guids = owners.map(({ guid }) => guid)
      const wrong = await api.sql`
        select d.id from debtor d
        left join address a on a.debtor_id = d.id and a.default_address
          and (a.valid_from is null or a.valid_from <= '2026-06-15') and (a.valid_to is null or a.valid_to >= '2026-06-15')
          and (a.address_not_valid_date is null or a.address_not_valid_date > '2026-06-15')
        where d.id = any(${guids}::uuid[])
          and ((d.street, d.house_no, d.city, d.zip_code, d.country_code)
              is distinct from (a.street, a.house_no, a.city, a.zip_code, a.country_code)
            or array(select sequence::int from audit_entry e where e.subject = d.id order by sequence)
              <> array(select generate_series(1, d.event_sequence::int))
            or exists (select from address o where o.debtor_id = d.id and o.version - 1 <>
              (select count(*) from audit_entry e where e.entity_id = o.id and e.action = 'updated')))`
      assert.deepEqual([...wrong], [])
    }),
    { numRuns: 12 },
  )
})
