/** The days of a year in interest: by the governing country's law, by contract, and in cases of before. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
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
  await migrateBy('day-count')
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

async function migrateBy(name: string) {
  const folder = new URL('../platform/database/schema/migrations/', import.meta.url)
  const file = (await readdir(folder)).find((one) => one.endsWith(`-${name}.sql`))!
  await api.sql.unsafe(await readFile(new URL(file, folder), 'utf8'))
}

test('an Icelandic case of before keeps its booked interest, and later interest counts months of 30 days', async () => {
  const [booked, unbooked, swedish] = [await open('IS'), await open('IS'), await open('SE')]
  for (const { caseGuid } of [booked, unbooked])
    await api.sql`update debt_case set day_count = '[{"from": null, "basis": "actual/365"}]' where id = ${caseGuid}`
  await api.setDate('2024-01-31')
  await pay(booked.caseGuid, 1000, '2024-01-31')
  const earlier = await readInterest(booked, swedish)
  assert.deepEqual(earlier, [611_67, 611_67])
  // The database as it was: no months of 30 days.
  await api.sql`update debt_case set day_count = null where governing_country = 'IS'`
  await migrateBy('thirty-day-months-and-answers')
  await api.setDate('2024-01-31')
  // 3,660.00 a year: 10.17 for each of 59 days.
  assert.deepEqual(await readInterest(booked, swedish, unbooked), [...earlier, 599_83])
  await assertProven(api)
  await api.setDate('2024-03-01')
  // Two months of 30 days more on 36,211.67, and three on 36,600.00.
  assert.deepEqual(await readInterest(unbooked), [915_00])
  await pay(booked.caseGuid, 1, '2024-03-01')
  const lines = interestLines(await explain(booked))
  assert.deepEqual(
    lines.map(([to, days, year]) => [to, days, year]),
    [
      ['2024-01-31', 61, 365],
      ['2024-03-01', 31, 360],
    ],
  )
  await assertProven(api)
})

test('nights count 30 days in every Icelandic month, and none on a 31st', async () => {
  const iceland = await open('IS')
  // 3,660.00 a year: 305.00 a month.
  for (const [date, amount] of [
    ['2023-12-02', 10_17],
    ['2023-12-30', 294_83],
    ['2023-12-31', 294_83],
    ['2024-01-01', 305_00],
    ['2024-02-28', 884_50],
    ['2024-02-29', 894_67],
    ['2024-03-01', 915_00],
    ['2024-12-01', 3660_00],
    ['2025-02-28', 4544_50],
    ['2025-03-01', 4575_00],
  ] as const) {
    await api.setDate(date)
    assert.deepEqual(await readInterest(iceland), [amount], date)
    await assertProven(api)
  }
  await api.setDate('2024-01-31')
  assert.deepEqual(await readInterest(iceland), [599_83], 'the date may move back')
  const explained = await explain(iceland)
  assert.equal(explained.dayCount, '30/360')
  assert.match(explained.dayCountRule!, /^Days of the year for interest: .*38\/2001.*12\. gr\./)
  assert.deepEqual(interestLines(explained), [['2024-01-31', 59, 360, 599.83]])
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
