import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TrialItem, TrialResults } from '../../contract/collection/trials.ts'
import { insertDemoAgency } from '../../server/access/users/demo-agency.ts'
import { findAgency } from '../../server/access/users/parties.store.ts'
import { verifyLedger } from '../../server/ledger/verify-ledger.ts'
import { startApi, type TestApi } from '../../server/testing/api.ts'
import { loadDemo } from './load-demo.ts'

let api: TestApi
const today = '2026-06-15'
before(async () => {
  api = await startApi()
  await api.setDate(today)
  const origin = { actorId: null, requestId: null, operation: 'demo', businessDate: today }
  await insertDemoAgency(api.sql, (await findAgency(api.sql))!, origin)
  await loadDemo({ sql: api.sql }, api.app, { debtors: 40 })
})
after(() => api.close())

const get = async <T>(path: string): Promise<T> => {
  const { status, body, text } = await api.call<T>('GET', path)
  assert.equal(status, 200, text)
  return body
}

test('the demo has a running trial of twelve weeks with results of two thirds of its cases, and its ledger is valid', async () => {
  const { value } = await get<{ value: TrialItem[] }>('/trials')
  assert.deepEqual(
    value.map(({ status, startedDate, cases }) => [status, startedDate?.slice(0, 10), cases]),
    [['RUNNING', '2026-03-23', 360]],
  )
  const { arms, matureCases, daysLeft } = await get<TrialResults>(`/trials/${value[0]!.trialGuid}/results`)
  assert.equal(matureCases, 240)
  assert.ok(daysLeft! > 0)
  const { collectedShare, paidInFull } = arms[1]!.effects!
  // Of 100 cases 35 more are planted to be paid in full: far more than chance makes of 240.
  assert.ok(paidInFull.estimate > 0.1 && paidInFull.to - paidInFull.from < 1)
  assert.ok(collectedShare.estimate > 0)
  assert.ok(arms.every(({ means }) => means!.paidInFull > 0 && means!.paidInFull < 1))
  assert.deepEqual((await verifyLedger(api.sql)).faults, [])
})

test('the business date is that of before', async () => {
  const [clock] = await api.sql<{ business: string; set: string }[]>`
    select business_date as business, system_date as set from business_clock`
  assert.deepEqual(clock, { business: today, set: today })
})

test('the demo has letters that have left, promises kept and broken, a decided objection and files', async () => {
  const [found] = await api.sql<Record<string, number>[]>`
    select (select count(*)::int from message where sent_at is not null and channel = 'letter') as letters,
      (select count(*)::int from objection where status = 'REJECTED') as decided,
      (select count(*)::int from attachment where not is_draft) as files,
      (select count(*)::int from attachment where note_id is not null or call_id is not null) as owned`
  assert.ok(found!['letters']! >= 2, `${found!['letters']} letters`)
  assert.deepEqual([found!['decided'], found!['files'], found!['owned']], [1, 4, 2])
  const { value } = await get<{ value: { promiseStatus: string }[] }>('/promises')
  const statuses = new Set(value.map(({ promiseStatus }) => promiseStatus))
  assert.ok(statuses.has('KEPT') && statuses.has('BROKEN'), [...statuses].join())
  assert.deepEqual((await verifyLedger(api.sql)).faults, [])
})
