import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { InterestRateListItem } from '../../../contract/ledger/interest-rates.ts'
import { shippedRates } from '../../../core/interest/reference-rates.ts'
import type { Page } from '../../platform/database/list.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

const list = async (query: string) =>
  (await api.call<Page<InterestRateListItem>>('GET', `/system/interestrates?${query}`)).body
const swedish = `$filter=${encodeURIComponent("interestSeries eq 'SE'")}`

test('listInterestRates lists the shipped rates with their sources, the newest of each series first', async () => {
  assert.equal((await list('$top=0')).total, shippedRates.length)
  const { value } = await list(swedish)
  const expected = shippedRates.filter(({ series }) => series === 'SE').toReversed()
  assert.deepEqual(
    value
      .slice(0, 5)
      .map((row) => [row.validFrom?.slice(0, 10), row.rate, row.source, row.unverified, row.edited]),
    expected.slice(0, 5).map((row) => [row.from, Number(row.rate), row.source, row.unverified, false]),
  )
})

test('an agency’s own rate is listed', async () => {
  const body = { interestSeries: 'SE', validFrom: '2099-01-01', rate: 3.25, source: 'Riksbanken' }
  assert.equal((await api.call('POST', '/system/forms/interestrate/create', { body })).status, 201)
  const [newest] = (await list(`${swedish}&$top=1`)).value
  const { interestRateGuid, ...rate } = newest!
  assert.match(interestRateGuid, /^[0-9a-f-]{36}$/)
  assert.deepEqual(rate, {
    interestSeries: 'SE',
    validFrom: '2099-01-01T00:00:00Z',
    rate: 3.25,
    source: 'Riksbanken',
    unverified: false,
    edited: true,
  })
  assert.equal((await list('$filter=edited%20eq%20true')).total, 1)
  const later = await list(
    `$filter=${encodeURIComponent('validFrom gt 2098-01-01T00:00:00Z and rate eq 3.25')}`,
  )
  assert.equal(later.total, 1)
})
