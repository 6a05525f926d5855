/** The days of a year in interest: by the governing country's law, by contract, and in cases of before. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { CaseExplanation } from '../../contract/cases/case-explanation.ts'
import { registerCase } from '../cases/register-case.ts'
import { registerPayment } from './payments.ts'
import { startApi, type TestApi } from '../testing/api.ts'
import { agencyCaller, assertProven, contextOn, makeDebtor, setTerms } from '../testing/records/cases.ts'

let api: TestApi
let clients = 0
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '' })
})
after(() => api.close())

const start = '2023-12-01'

/** A case of 36,600.00 at 10 % from 1 December 2023. */
async function open(country: string, terms: Record<string, unknown> = {}) {
  await api.setDate(start)
  const client = await api.addParty(`CLIENT${++clients}`)
  await setTerms(api, client, { country_code: country, ...terms })
  const debtorGuid = await makeDebtor(api)
  const input = {
    clientGuid: client,
    debtorGuid,
    principal: 36_600,
    currencyCode: 'NOK',
    interestRate: 10,
    interestFromDate: start,
  }
  const { caseGuid } = await registerCase(api.sql, agencyCaller, input, contextOn(start))
  return { client, debtorGuid, caseGuid }
}

async function readInterest(...cases: { caseGuid: string }[]): Promise<number[]> {
  const rows = await api.sql<{ id: string; interest: number }[]>`
    select id, added_interest + accrued_interest as interest from debt_case where id = any(${cases.map((one) => one.caseGuid)}::uuid[])`
  return cases.map(({ caseGuid }) => Number(rows.find(({ id }) => id === caseGuid)!.interest))
}

const explain = async ({ debtorGuid, caseGuid }: { debtorGuid: string; caseGuid: string }) =>
  (await api.call<CaseExplanation>('GET', `/debtors/${debtorGuid}/cases/${caseGuid}/explain`)).body

const interestLines = ({ figures }: CaseExplanation) =>
  figures
    .find(({ figure }) => figure === 'accruedInterest')!
    .lines.map(({ toDate, days, daysInYear, amount }) => [toDate?.slice(0, 10), days, daysInYear, amount])

const pay = (caseGuid: string, amount: number, date: string) =>
  registerPayment(api.sql, agencyCaller, { caseGuid, amount, valueDate: date }, contextOn(date))

test('a case of before keeps its booked interest, and its later interest follows the law', async () => {
  const [booked, unbooked] = [
    await open('NO', { interest_day_count: 'ACTUAL_365' }),
    await open('NO', { interest_day_count: 'ACTUAL_365' }),
  ]
  await api.setDate('2024-06-30')
  await pay(booked.caseGuid, 3000, '2024-06-30')
  const [owed] = await readInterest(booked)
  assert.equal(owed, 2125_81)
  // The database as it was: no day counts, and interest in 366 times coarser units.
  await api.sql`alter table party drop column interest_day_count`
  await api.sql`alter table debt_case drop column day_count`
  await api.sql`alter table business_clock drop column steps_due`
  await api.sql`
    update debt_case set accrual_exact = div(accrual_exact, 366), accrual_per_day = div(accrual_per_day, 366)`
  const migration = new URL('../platform/database/schema/migrations/020-day-count.sql', import.meta.url)
  await api.sql.unsafe(await readFile(migration, 'utf8'))
  await api.setDate('2024-06-30')
  assert.deepEqual(await readInterest(booked, unbooked), [2125_81, 2120_82])
  await assertProven(api)
  await api.setDate('2024-07-10')
  assert.deepEqual(await readInterest(unbooked), [2220_82])
  const [later] = await readInterest(booked)
  await pay(booked.caseGuid, 1, '2024-07-10')
  assert.deepEqual(await readInterest(booked), [later])
  const lines = interestLines(await explain(booked))
  assert.deepEqual(
    lines.map(([to, days, year]) => [to, days, year]),
    [
      ['2024-06-30', 212, 365],
      ['2024-07-10', 10, 366],
    ],
  )
  await assertProven(api)
})

test('nightly accrual follows the length of the year, by the law or by the contract', async () => {
  const [norway, sweden, agreed] = [
    await open('NO'),
    await open('SE'),
    await open('NO', { interest_day_count: 'ACTUAL_365' }),
  ]
  const both = await open('SE', { interest_day_count: 'ACTUAL_ACTUAL' })
  // 3,660.00 a year: 10.0274 a day of 365, 10.00 a day of 366.
  const expected: [string, number[]][] = [
    ['2023-12-31', [300_82, 300_82, 300_82, 300_82]],
    ['2024-01-01', [310_82, 310_85, 310_85, 310_82]],
    ['2024-12-31', [3960_82, 3970_85, 3970_85, 3960_82]],
    ['2025-01-01', [3970_85, 3980_88, 3980_88, 3970_85]],
  ]
  for (const [date, amounts] of expected) {
    await api.setDate(date)
    assert.deepEqual(await readInterest(norway, sweden, agreed, both), amounts, date)
    await assertProven(api)
  }
  await api.setDate('2024-01-31')
  assert.deepEqual(await readInterest(norway, sweden), [610_82, 611_67], 'the date may move back')
  const explained = await explain(norway)
  assert.equal(explained.dayCount, 'actual/actual')
  assert.match(explained.dayCountRule!, /^Days of the year for interest: .*26\.06\.2006/)
  assert.deepEqual(interestLines(explained), [
    ['2023-12-31', 30, 365, 300.82],
    ['2024-01-31', 31, 366, 310],
  ])
  const byContract = await explain(agreed)
  assert.deepEqual([byContract.dayCount, byContract.dayCountRule], ['actual/365', null])
})

test('a client’s terms name the day count of its later cases', async () => {
  const { client } = await open('NO')
  const patch = (body: object) => api.call('PATCH', `/system/forms/client/terms?id=${client}`, { body })
  assert.equal((await patch({ interestDayCount: 'actual' })).status, 400)
  assert.equal((await patch({ interestDayCount: 'actual_365' })).status, 200)
  const { body } = await api.call<{ interestDayCount: string }>('GET', `/clients/${client}`)
  assert.equal(body.interestDayCount, 'ACTUAL_365')
  const debtorGuid = await makeDebtor(api)
  const input = { clientGuid: client, debtorGuid, principal: 36_600, currencyCode: 'NOK', interestRate: 10 }
  const later = await registerCase(api.sql, agencyCaller, input, contextOn(start))
  await api.setDate('2024-12-31')
  assert.deepEqual(await readInterest(later), [3970_85])
})

test('another governing country counts from the next day on, and booked interest stays', async () => {
  const moved = await open('SE')
  await api.setDate('2024-03-01')
  await pay(moved.caseGuid, 100, '2024-03-01')
  const [owed] = await readInterest(moved)
  const patch = await api.call('PATCH', `/system/forms/case/law?id=${moved.caseGuid}`, {
    body: { governingCountry: 'NO', countryReason: 'The contract says so' },
  })
  assert.equal(patch.status, 200)
  assert.deepEqual(await readInterest(moved), [owed])
  await api.setDate('2024-03-11')
  assert.deepEqual(await readInterest(moved), [owed! + 100_00])
  await pay(moved.caseGuid, 100, '2024-03-11')
  assert.deepEqual(await readInterest(moved), [owed! + 100_00])
  const reversed = await api.sql`
    select from ledger_transaction where case_id = ${moved.caseGuid} and reverses_id is not null`
  assert.equal(reversed.length, 0)
  await assertProven(api)
})
