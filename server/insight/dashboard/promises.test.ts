/** Promises to pay on the dashboard and as a list: the two agree, within the caller's restriction. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PromisePerformance } from '../../../contract/insight/promise-performance.ts'
import type { PromiseToPay } from '../../../contract/work/promises.ts'
import type { Page } from '../../platform/database/list.ts'
import { openPlanStage, type PlanStage } from '../../testing/records/plans.ts'

let stage: PlanStage
/** Users of the client and of another one. */
let creditor: string
let stranger: string

/** 3 March 2026: promises for February of which one was kept, one broken and one replaced; one for March is open. */
before(async () => {
  stage = await openPlanStage('2026-01-15')
  creditor = await stage.api.signIn(7, stage.client)
  stranger = await stage.api.signIn(7, await stage.api.addParty('OTHER'))
  const cases: string[] = []
  for (let count = 0; count < 4; count++)
    cases.push((await stage.debtorWith({ dueDate: '2026-01-01' })).caseGuids[0]!)
  const [kept, broken, replaced, open] = cases as [string, string, string, string]
  await promise(kept, 300, '2026-02-10', { shownToClient: true })
  await promise(broken, 200, '2026-02-20')
  await promise(replaced, 100, '2026-02-25')
  await promise(replaced, 150, '2026-02-27')
  await promise(open, 400, '2026-03-20')
  await stage.setDate('2026-02-09')
  await stage.pay({ caseGuid: kept, amount: 300, valueDate: '2026-02-09' })
  await stage.setDate('2026-03-03')
})
after(() => stage.api.close())

async function promise(caseGuid: string, promisedAmount: number, day: string, more: object = {}) {
  const promisedDate = `${day}T00:00:00Z`
  const made = await stage.api.call('POST', `/cases/${caseGuid}/calls`, {
    body: { outcome: 'REACHED', rightParty: true, promisedAmount, promisedDate, ...more },
  })
  assert.equal(made.status, 201, made.text)
}
const read = async (token = stage.api.token) =>
  (await stage.api.call<PromisePerformance>('GET', '/dashboard/promises?months=13', { token })).body
const list = async (filter: string, token = stage.api.token) =>
  (
    await stage.api.call<Page<PromiseToPay>>('GET', `/promises?$filter=${encodeURIComponent(filter)}`, {
      token,
    })
  ).body

test('getPromisePerformance counts promises by month and outcome, without replaced ones', async () => {
  const { asOf, from, value } = await read()
  assert.deepEqual([asOf, from], ['2026-03-03T00:00:00Z', '2025-03-01T00:00:00Z'])
  const sek = { currencyCode: 'SEK' }
  assert.deepEqual(value, [
    {
      ...sek,
      month: '2026-02-01T00:00:00Z',
      promises: 3,
      kept: 1,
      broken: 2,
      open: 0,
      amount: 650,
      keptAmount: 300,
    },
    {
      ...sek,
      month: '2026-03-01T00:00:00Z',
      promises: 1,
      kept: 0,
      broken: 0,
      open: 1,
      amount: 400,
      keptAmount: 0,
    },
  ])
})

test('listPromises has the rows behind each figure', async () => {
  const { value } = await read()
  const february = 'promisedDate ge 2026-02-01 and promisedDate lt 2026-03-01'
  for (const [status, count] of [
    ['KEPT', value[0]!.kept],
    ['BROKEN', value[0]!.broken],
    ['REPLACED', 1],
  ] as const)
    assert.equal((await list(`promiseStatus eq '${status}' and ${february}`)).total, count, status)
  const all = await list(`promiseStatus ne 'REPLACED' and ${february} and currencyCode eq 'SEK'`)
  assert.equal(all.total, value[0]!.promises)
  assert.equal(
    all.value.reduce((sum, { promisedAmount }) => sum + promisedAmount!, 0),
    value[0]!.amount,
  )
  const { body } = await stage.api.call<Page<PromiseToPay>>('GET', '/promises')
  assert.deepEqual(
    body.value.map(({ promisedDate }) => promisedDate!.slice(0, 10)),
    ['2026-03-20', '2026-02-27', '2026-02-25', '2026-02-20', '2026-02-10'],
  )
  assert.ok(body.value.every(({ debtorName, caseNumber }) => debtorName && caseNumber))
})

test('creditors see the promises that are shown to them, others’ creditors none', async () => {
  const { value } = await read(creditor)
  assert.deepEqual(
    value.map(({ month, promises, kept }) => [month.slice(0, 7), promises, kept]),
    [['2026-02', 1, 1]],
  )
  assert.equal((await list('promisedAmount gt 0', creditor)).total, 1)
  assert.deepEqual((await read(stranger)).value, [])
  assert.equal((await list('promisedAmount gt 0', stranger)).total, 0)
})

test('a promise of a business date that came again is open again', async () => {
  await stage.setDate('2026-02-19')
  assert.deepEqual(
    (await read()).value.map(({ kept, broken, open }) => [kept, broken, open]),
    [[1, 0, 2]],
  )
  await stage.setDate('2026-03-03')
})

for (const months of ['0', '37', 'x'])
  test(`getPromisePerformance refuses ${months} months`, async () => {
    assert.equal((await stage.api.call('GET', `/dashboard/promises?months=${months}`)).status, 400)
  })
