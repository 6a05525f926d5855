import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PayoutBatchDetail } from '../../contract/treasury/payouts.ts'
import { bankAccountFault } from '../../core/identity/bank-account.ts'
import { prepareDebtor } from '../../server/parties/debtors/debtors.changes.ts'
import { insertDebtors } from '../../server/parties/debtors/insert-debtors.store.ts'
import { verifyLedger } from '../../server/ledger/verify-ledger.ts'
import { runDayEnd } from '../../server/testing/records/cases.ts'
import { startApi, type TestApi } from '../../server/testing/api.ts'
import { runJobs, waitForJob } from '../../server/testing/jobs.ts'
import { insertDemoAgency } from '../../server/access/users/demo-agency.ts'
import { findAgency } from '../../server/access/users/parties.store.ts'
import type { CountryCode } from './country.ts'
import { generateDebtors } from './debtors.ts'
import { insertDemoCases } from './insert-cases.ts'
import { insertDemoLaw } from './insert-law.ts'
import { insertDemoPlans } from './insert-plans.ts'
import { insertDemoWork } from './insert-work.ts'

let api: TestApi
const today = '2026-06-15'
const origin = { actorId: null, requestId: null, operation: 'demo', businessDate: today }
before(async () => {
  api = await startApi()
  await api.setDate(today)
  const agency = (await findAgency(api.sql))!
  await insertDemoAgency(api.sql, agency, origin)
  const inputs = [...generateDebtors({ seed: 1, count: 60, today })]
  const debtors = inputs.map((input) => ({
    ...prepareDebtor(input, { countryCode: 'SE', today }),
    sourceReference: null,
  }))
  const made = await insertDebtors(api.sql, debtors, { origin, partyId: agency })
  const owing = made.map((debtor, index) => ({
    debtorGuid: debtor!.debtorGuid,
    countryCode: inputs[index]!.countryCode as CountryCode,
  }))
  assert.equal(await insertDemoCases(api.sql, owing, { seed: 1, origin }), 180)
})
after(() => api.close())

const sums = async () => {
  const [row] = await api.sql`
    select sum(remaining_principal) as principal, sum(remaining_interest + accrued_interest) as interest, sum(remaining_fee) as fee,
      count(*) filter (where status = 'CLOSED') as closed from debt_case`
  return { ...row }
}

test('the demo has three cases per debtor with about four movements each, for every client and status, and its ledger is valid', async () => {
  const [row] = await api.sql`
    select count(*) as cases, count(distinct client_id) as clients, count(distinct status) as statuses,
      (select count(*) from movement) / count(*)::float8 as movements from debt_case`
  assert.deepEqual([row!['cases'], row!['clients']], [180, 6])
  assert.ok(row!['statuses'] >= 5)
  assert.ok(row!['movements'] > 3.5 && row!['movements'] < 4.5)
  assert.deepEqual((await verifyLedger(api.sql)).faults, [])
})

test('some of its debtors have plans, of every type, active and proposed', async () => {
  const debtors = await api.sql<{ debtorGuid: string; countryCode: string }[]>`
    select id as "debtorGuid", country_code as "countryCode" from debtor order by id`
  const made = await insertDemoPlans(api.sql, debtors, { origin, every: 3 })
  const [row] = await api.sql`
    select count(*)::int as plans, count(distinct plan_type)::int as types, count(distinct active)::int as states
    from payment_plan`
  assert.deepEqual([row!['plans'], row!['types'], row!['states']], [made, 5, 2])
  assert.ok(made > 5, `${made} plans`)
  assert.deepEqual((await verifyLedger(api.sql)).faults, [])
})

test('its administrator and its handler have work, for every reason that the demo can have', async () => {
  assert.equal(await insertDemoWork(api.sql, origin), 20)
  const { body } = await api.call<{ value: { reason: string; ownerName: string | null }[] }>(
    'GET',
    '/work?$top=100',
  )
  const owned = body.value.filter(({ ownerName }) => ownerName !== null)
  assert.equal(new Set(owned.map(({ ownerName }) => ownerName)).size, 2)
  const reasons = new Set(owned.map(({ reason }) => reason))
  for (const reason of ['FOLLOW_UP', 'PROMISE_DUE', 'OBJECTION']) assert.ok(reasons.has(reason), reason)
  assert.deepEqual((await verifyLedger(api.sql)).faults, [])
})

test('claims of some of its debtors are demanded together, and its review by the law finds something', async () => {
  assert.equal(await insertDemoLaw(api.sql, origin), 4)
  const groups = await api.sql<{ country: string; cases: number; letters: number }[]>`
    select c.governing_country as country, count(distinct k.case_id)::int as cases,
      count(distinct l.document_id)::int as letters
    from demand_group_case k join debt_case c on c.id = k.case_id join demand_letter_case l on l.case_id = k.case_id
    group by k.group_id, c.governing_country order by country`
  assert.deepEqual(
    groups.map(({ country, letters }) => [country, letters]),
    [
      ['NO', 1],
      ['NO', 1],
      ['SE', 1],
      ['SE', 1],
    ],
  )
  assert.ok(groups.every(({ cases }) => cases >= 2))
  const runner = await runJobs(api)
  const [job] = await api.sql<{ id: string }[]>`select id from job_run where name = 'law-review'`
  const { status } = await waitForJob(api, job!.id)
  await runner.stop()
  assert.equal(status, 'completed')
  const { body } = await api.call<{ total: number; value: { findingKind: string }[] }>(
    'GET',
    '/law-findings?$top=100',
  )
  assert.ok(body.value.some(({ findingKind }) => findingKind === 'FEE_ABOVE_CEILING'))
  assert.ok(body.total < 60, `${body.total} findings in 180 cases`)
  assert.deepEqual((await verifyLedger(api.sql)).faults, [])
})

test('a date has the same amounts, however it is reached', async () => {
  const first = await sums()
  const seen = new Map<string, object>()
  const dates = [
    '2026-07-01',
    '2025-12-31',
    '2026-01-01',
    '2024-02-29',
    '2031-05-05',
    '2025-12-31',
    '2026-07-01',
    today,
  ]
  for (const date of dates) {
    await api.setDate(date)
    assert.deepEqual((await verifyLedger(api.sql)).faults, [], date)
    const now = await sums()
    assert.deepEqual(now, seen.get(date) ?? now, date)
    seen.set(date, now)
  }
  assert.deepEqual(await sums(), first)
})

test('what is owed to its clients can be paid out in every currency', async () => {
  for (const currencyCode of ['SEK', 'NOK', 'DKK', 'EUR']) {
    const made = await api.call<PayoutBatchDetail>('POST', '/payouts', { body: { currencyCode } })
    assert.equal(made.status, 201, made.text)
    assert.ok(made.body.lines.length > 0, currencyCode)
    for (const { account } of made.body.lines) assert.equal(bankAccountFault(account), null, account)
  }
  const left = await api.call('GET', '/payouts/due')
  assert.ok(!left.text.includes('NO_ACCOUNT'), left.text)
  assert.deepEqual((await verifyLedger(api.sql)).faults, [])
})

test('the day-end closes time-barred cases, once', async () => {
  await api.setDate('2032-01-01')
  const first = await runDayEnd(api.sql, { ...origin, businessDate: '2032-01-01' })
  assert.ok(first.timeBarred > 50)
  // A case whose plan broke that night is closed the night after.
  assert.ok(first.plans.breached > 0)
  await runDayEnd(api.sql, { ...origin, businessDate: '2032-01-01' })
  const again = await runDayEnd(api.sql, { ...origin, businessDate: '2032-01-01' })
  const plans = { checked: 0, missed: 0, breached: 0, completed: 0 }
  assert.deepEqual(again, { timeBarred: 0, smallBalances: 0, plans })
  assert.deepEqual((await verifyLedger(api.sql)).faults, [])
})
