/** Reference rates and statutory fees: lists with sources, and fee versions that leave charged fees alone. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { listInterestRates } from '../../../contract/ledger/interest-rates.ts'
import { listStatutoryFees, type StatutoryFee } from '../../../contract/ledger/statutory-fees.ts'
import { shippedRates } from '../../../core/interest/reference-rates.ts'
import { shippedFees } from '../../../core/ledger/statutory-fees.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProven, openCases, setTerms } from '../../testing/records/cases.ts'
import { loadShippedFees } from './statutory-fees.changes.ts'

let api: TestApi
let cases: Awaited<ReturnType<typeof openCases>>
before(async () => {
  api = await startApi()
  cases = await openCases(api)
  await setTerms(api, cases.client, { country_code: 'SE' })
})
after(() => api.close())

type Made = StatutoryFee & { errors?: Record<string, string[]>; code?: string }
const listed = async (filter: string) => {
  const query = new URLSearchParams({ $filter: filter, $orderby: 'validFrom desc', $top: '100' })
  const { body } = await api.call<{ value: StatutoryFee[]; total: number }>(
    listStatutoryFees.method,
    `${listStatutoryFees.path}?${query}`,
  )
  return body.value
}
const set = (body: object) => api.call<Made>('POST', '/system/forms/statutoryfee/create', { body })
const correct = (id: string, body: object, headers = {}) =>
  api.call<Made>('PATCH', `/system/forms/statutoryfee/edit?id=${id}`, { body, headers })
const remove = (id: string) => api.call<Made>('DELETE', `/system/forms/statutoryfee/edit?id=${id}`)

/** A version of the Swedish reminder fee. */
const reminder = { countryCode: 'SE', feeType: 'reminder', currencyCode: 'SEK', debtorKind: 'ALL' }
const swedish = () => listed("countryCode eq 'SE' and feeType eq 'reminder'")
const shown = (fees: StatutoryFee[]) =>
  fees.map(({ validFrom, validTo, amount }) => [validFrom?.slice(0, 10), validTo?.slice(0, 10), amount])

/** The amount of a reminder fee on the business date, on a case of its own: Sweden allows one. */
async function charged(): Promise<unknown> {
  const { caseGuid } = await cases.register({ dueDate: '2026-05-01', reminderFeeAgreed: true })
  const made = await api.call('POST', `/system/forms/fee/add?id=${caseGuid}`, {
    body: { feeType: 'reminder' },
  })
  if (made.status !== 201) return made.status
  const [row] = await api.sql`
    select amount from movement where case_id = ${caseGuid} and kind = 'fee' order by number desc limit 1`
  return row!['amount']
}

describe('the shipped fees', () => {
  test('are listed completely, with sources and unverified rows', async () => {
    const rates = await api.call<{ total: number; value: { unverified: boolean; rate: number }[] }>(
      'GET',
      `${listInterestRates.path}?$filter=interestSeries eq 'DE'&$orderby=validFrom desc`,
    )
    assert.equal(rates.body.total, shippedRates.filter(({ series }) => series === 'DE').length)
    assert.ok(rates.body.value.some(({ rate }) => rate < 0) || rates.body.total > 25)
    const fees = await listed("countryCode eq 'FI'")
    assert.equal(fees.length, shippedFees.filter(({ country }) => country === 'FI').length)
    assert.ok(fees.every(({ source, edited }) => source !== null && edited === false))
    assert.ok((await listed('unverified eq true')).length > 0)
  })

  test('stay the same after a restart', async () => {
    const loaded = await api.sql`select * from statutory_fee order by id`
    await loadShippedFees(api.sql)
    assert.deepEqual(await api.sql`select * from statutory_fee order by id`, loaded)
    assert.equal(loaded.length, shippedFees.length)
  })

  test('that an earlier version shipped are removed, unless somebody edited them', async () => {
    const add = (edited: boolean) => api.sql`
      insert into statutory_fee (id, country_code, fee_type, debtor_kind, currency_code, amount, unverified, shipped, edited)
      values (gen_random_uuid(), 'FI', 'paymentPlan', 'CONSUMER', 'EUR', 7, true, true, ${edited})`
    await add(false)
    await add(true)
    await loadShippedFees(api.sql)
    const left = await api.sql<{ edited: boolean }[]>`
      delete from statutory_fee where country_code = 'FI' and amount = 7 returning edited`
    assert.deepEqual([...left], [{ edited: true }])
  })

  test('can be read by all case workers and changed only by administrators', async () => {
    const clerk = await api.signIn(3)
    const read = await api.call('GET', listStatutoryFees.path, { token: clerk })
    assert.equal(read.status, 200)
    const body = { ...reminder, validFrom: '2030-01-01', amount: 1 }
    const refused = await api.call('POST', '/system/forms/statutoryfee/create', { body, token: clerk })
    assert.equal(refused.status, 403)
  })
})

describe('a statutory fee', () => {
  test('has versions by first day, and charged fees keep their amounts', async () => {
    assert.equal(await charged(), 60_00)
    assert.deepEqual(shown(await swedish()), [
      ['2013-03-16', undefined, 60],
      ['2003-07-01', '2013-03-15', 50],
    ])
    const made = await set({ ...reminder, validFrom: '2026-06-16', amount: 65, source: 'SFS 2026:1' })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(shown(await swedish()), [
      ['2026-06-16', undefined, 65],
      ['2013-03-16', '2026-06-15', 60],
      ['2003-07-01', '2013-03-15', 50],
    ])
    assert.equal(await charged(), 60_00)
    await api.setDate('2026-06-16')
    assert.equal(await charged(), 65_00)
    // A second version for the same day replaces the first.
    const again = await set({ ...reminder, validFrom: '2026-06-16', amount: 70 })
    assert.equal(again.body.statutoryFeeGuid, made.body.statutoryFeeGuid)
    assert.equal(await charged(), 70_00)
    const [sums] = await api.sql`
      select array_agg(added_fee order by running_number) as fees from debt_case where added_fee > 0`
    assert.deepEqual(sums!['fees'].map(Number), [60_00, 60_00, 65_00, 70_00])
    await assertProven(api)
    const removed = await remove(made.body.statutoryFeeGuid)
    assert.equal(removed.status, 200, removed.text)
    assert.equal(await charged(), 60_00)
    await api.setDate('2026-06-15')
  })

  test('is no longer charged after its last day, and neither is its previous version', async () => {
    const made = await set({ ...reminder, validFrom: '2026-06-01', validTo: '2026-06-15', amount: 66 })
    assert.equal(await charged(), 66_00)
    await api.setDate('2026-06-16')
    assert.equal(await charged(), 400)
    assert.equal((await correct(made.body.statutoryFeeGuid, { validTo: '' })).status, 200)
    assert.equal(await charged(), 66_00)
    await api.setDate('2026-06-15')
    await remove(made.body.statutoryFeeGuid)
  })

  test('becomes verified when it is corrected with a source', async () => {
    const [fee] = await listed("countryCode eq 'SE' and feeType eq 'paymentOrder'")
    const id = fee!.statutoryFeeGuid
    assert.equal(fee!.unverified, true)
    const changed = await correct(id, { amount: 310, source: 'Förordning 1987:452' })
    assert.equal(changed.status, 200, changed.text)
    await loadShippedFees(api.sql)
    const [now] = await listed("countryCode eq 'SE' and feeType eq 'paymentOrder'")
    assert.deepEqual(
      [now!.amount, now!.source, now!.unverified, now!.edited],
      [310, 'Förordning 1987:452', false, true],
    )
    assert.equal((await correct(id, { amount: 1 }, { 'if-match': '"1"' })).status, 412)
    const events = await api.sql`select type, sequence, data from event where subject = ${id}`
    assert.deepEqual(
      events.map(({ type, data }) => [type, data.changed]),
      [['statutoryfee.changed', ['amount', 'source']]],
    )
    assert.equal((await remove(id)).status, 409)
  })

  test('stays a shipped one when it is replaced on the same day', async () => {
    const oldest = (await swedish()).at(-1)!
    const made = await set({ ...reminder, validFrom: '2003-07-01', amount: 55 })
    assert.equal(made.body.statutoryFeeGuid, oldest.statutoryFeeGuid)
    assert.equal((await remove(oldest.statutoryFeeGuid)).status, 409)
    const events = await api.sql`select data from event where subject = ${oldest.statutoryFeeGuid}`
    assert.deepEqual(
      events.map(({ data }) => data.changed),
      [['validTo', 'amount', 'condition', 'source']],
    )
    assert.equal((await swedish()).at(-1)!.amount, 55)
  })

  test('is refused with every wrong field named', async () => {
    const right = { ...reminder, validFrom: '2031-01-01', amount: 1 }
    const wrong: [object, string][] = [
      [{ amount: -1 }, 'amount'],
      [{ amount: 1.234 }, 'amount'],
      [{ secondAmount: -1 }, 'secondAmount'],
      [{ countryCode: 'QQ' }, 'countryCode'],
      [{ currencyCode: 'QQQ' }, 'currencyCode'],
      [{ debtorKind: 'NOBODY' }, 'debtorKind'],
      [{ feeType: ' ' }, 'feeType'],
      [{ validTo: '2030-12-31' }, 'validTo'],
      [{ principalAbove: 10, principalUpTo: 10 }, 'principalUpTo'],
      [{ validFrom: '1800-01-01' }, 'validFrom'],
    ]
    for (const [given, field] of wrong) {
      const { status, body, text } = await set({ ...right, ...given })
      assert.deepEqual([status, Object.keys(body.errors ?? {})], [400, [field]], text)
    }
    const nothing = await set({})
    assert.deepEqual(Object.keys(nothing.body.errors!).toSorted(), [
      'amount',
      'countryCode',
      'currencyCode',
      'feeType',
      'validFrom',
    ])
    const nowhere = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'
    assert.equal((await correct(nowhere, { amount: 1 })).status, 404)
    assert.equal((await remove(nowhere)).status, 404)
  })
})

test('an edited reference rate is listed in place of the shipped one', async () => {
  const path = `${listInterestRates.path}?$filter=interestSeries eq 'DK' and validFrom eq 2026-07-01`
  const body = { interestSeries: 'DK', validFrom: '2026-07-01', rate: 2.1, source: 'Nationalbanken' }
  const first = await api.call<{ interestRateGuid: string }>('POST', '/system/forms/interestrate/create', {
    body,
  })
  const second = await api.call<{ interestRateGuid: string }>('POST', '/system/forms/interestrate/create', {
    body,
  })
  const { body: found } = await api.call<{ value: Record<string, unknown>[] }>('GET', path)
  assert.deepEqual(
    found.value.map(({ interestRateGuid, rate, edited }) => [interestRateGuid, rate, edited]),
    [[first.body.interestRateGuid, 2.1, true]],
  )
  assert.equal(second.body.interestRateGuid, first.body.interestRateGuid)
  const events =
    await api.sql`select sequence from event where subject = ${first.body.interestRateGuid} order by 1`
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    [1, 2],
  )
})

test('a reference rate is corrected and removed, and interest follows', async () => {
  const send = (method: 'PATCH' | 'DELETE', id: string, body?: object) =>
    api.call<Made>(method, `/system/forms/interestrate/edit?id=${id}`, { ...(body && { body }) })
  const add = async (validFrom: string, rate: number) => {
    const body = { interestSeries: 'XZ', validFrom, rate }
    const made = await api.call<{ interestRateGuid: string }>('POST', '/system/forms/interestrate/create', {
      body,
    })
    return made.body.interestRateGuid
  }
  const first = await add('2026-01-01', 10)
  const later = await add('2026-06-06', 20)
  await setTerms(api, cases.other, { country_code: 'SE', interest_series: 'XZ', interest_points: 0 })
  const { caseGuid } = await cases.register({
    clientGuid: cases.other,
    principal: 36_500,
    interestFromDate: '2026-05-27',
  })
  const owed = async () => Number((await cases.readState(caseGuid))['remaining']) + (await accrued())
  const accrued = async () => {
    const [row] = await api.sql`select accrued_interest as accrued from debt_case where id = ${caseGuid}`
    return Number(row!['accrued'])
  }
  // 27 May to 15 June: nine days of 10.00, and ten of 20.00 from 6 June on.
  assert.equal(await owed(), 36_500_00 + 290_00)
  assert.equal((await send('PATCH', later, { rate: 30 })).status, 200)
  assert.equal(await owed(), 36_500_00 + 390_00)
  assert.equal((await send('PATCH', later, { rate: 1000 })).status, 400)
  assert.equal((await send('DELETE', later)).status, 200)
  assert.equal(await owed(), 36_500_00 + 190_00)
  assert.equal((await send('DELETE', later)).status, 404)
  const needed = await send('DELETE', first)
  assert.equal(needed.status, 409, needed.text)
  assert.equal(await owed(), 36_500_00 + 190_00)
  const [shipped] =
    await api.sql`select id from reference_rate where series = 'SE' order by valid_from limit 1`
  assert.equal((await send('DELETE', String(shipped!['id']))).status, 409)
  await assertProven(api)
})
