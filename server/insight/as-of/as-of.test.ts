/** Questions about the past: both days, what is refused, who may ask. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AllCasesItem } from '../../../contract/cases/all-cases.ts'
import type { CaseDetail } from '../../../contract/cases/cases.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { agencyCaller, contextOn, makeDebtor } from '../../testing/records/cases.ts'
import { registerPayment } from '../../payments/payments.ts'
import { reversePayment } from '../../payments/reverse-payment.ts'
import { registerCase } from '../../cases/register-case.ts'

let api: TestApi
let client: string
let debtorGuid: string
let caseGuid: string
before(async () => {
  api = await startApi()
  client = await api.addParty('CLIENT')
  await api.setDate('2026-03-01')
  debtorGuid = await makeDebtor(api)
  const input = { clientGuid: client, debtorGuid, principal: 1000, currencyCode: 'SEK', fee: 60 }
  caseGuid = (await registerCase(api.sql, agencyCaller, input, contextOn('2026-03-01'))).caseGuid
  await api.setDate('2026-03-20')
  const payment = { caseGuid, amount: 1060, valueDate: '2026-03-05' }
  const paid = await registerPayment(api.sql, agencyCaller, payment, contextOn('2026-03-20'))
  await api.setDate('2026-03-30')
  const reversal = { paymentGuid: paid.paymentGuid, input: { reason: 'bounced' } }
  await reversePayment(api.sql, agencyCaller, reversal, contextOn('2026-03-30'))
  await api.setDate('2026-04-10')
})
after(() => api.close())

const detail = (days: string) =>
  api.call<CaseDetail>('GET', `/debtors/${debtorGuid}/cases/${caseGuid}?${days}`)

test('value date and booking date are two questions', async () => {
  const asked: [days: string, remaining: number, status: string][] = [
    ['asOf=2026-03-10', 1060, 'NEW'],
    ['asOf=2026-03-10&knownAt=2026-03-10', 1060, 'NEW'],
    ['asOf=2026-03-10&knownAt=2026-03-25', 0, 'NEW'],
    ['asOf=2026-03-04&knownAt=2026-03-25', 1060, 'NEW'],
    ['knownAt=2026-03-25', 0, 'CLOSED'],
    ['asOf=2026-03-25T00:00:00Z', 1060, 'CLOSED'],
    ['asOf=2026-04-10', 1060, 'NEW'],
  ]
  for (const [days, remaining, status] of asked) {
    const { body, headers } = await detail(days)
    assert.deepEqual([body.remainingSum, body.status], [remaining, status], days)
    assert.equal(headers.get('etag'), null, 'the past cannot be changed')
  }
  const { body } = await detail('knownAt=2026-03-25')
  assert.deepEqual(
    [body.asOf, body.knownAt, body.closureCode, body.closureDate],
    ['2026-03-25T00:00:00Z', '2026-03-25T00:00:00Z', 'PAID_IN_FULL', '2026-03-20T00:00:00Z'],
  )
})

test('a day that has no answer is refused with the day that has', async () => {
  const refused: [days: string, member: string, right: RegExp][] = [
    ['asOf=2026-04-11', 'asOf', /business date, 10 Apr 2026/],
    ['knownAt=2027-01-01', 'knownAt', /business date, 10 Apr 2026/],
    ['asOf=2026-02-28', 'asOf', /registered, 1 Mar 2026/],
    ['asOf=2026-03-05&knownAt=2026-02-28', 'knownAt', /recorded, 1 Mar 2026/],
    ['asOf=yesterday', 'asOf', /2026/],
    ['asOf=2026-02-30', 'asOf', /2026/],
    ['asOf=', 'asOf', /2026-06-30/],
    ['asOf=1899-12-31', 'asOf', /1900/],
    ['asof=2026-03-10', 'asof', /asOf/],
  ]
  const paths = [
    `/debtors/${debtorGuid}/cases/${caseGuid}`,
    `/debtors/${debtorGuid}/cases/${caseGuid}/explain`,
    `/cases/${caseGuid}`,
    `/cases/${caseGuid}/movements`,
  ]
  for (const path of paths)
    for (const [days, member, right] of refused) {
      const { status, body } = await api.call<{ errors: Record<string, string[]> }>('GET', `${path}?${days}`)
      assert.equal(status, 400, `${path} ${days}`)
      assert.match(body.errors[member]!.join(' '), right, `${path} ${days}`)
    }
})

test('lists leave out later cases, and take members that do not change with the day', async () => {
  const input = { clientGuid: client, debtorGuid, principal: 500, currencyCode: 'SEK' }
  const later = await registerCase(api.sql, agencyCaller, input, contextOn('2026-04-10'))
  for (const path of ['/cases', `/debtors/${debtorGuid}/cases`]) {
    const list = (query: string) => api.call<{ value: AllCasesItem[] }>('GET', `${path}?${query}`)
    const past = await list('asOf=2026-03-25&knownAt=2026-03-25&$orderby=registrationDate')
    assert.deepEqual(
      past.body.value.map((one) => [one.caseGuid, one.status, one.paidSum]),
      [[caseGuid, 'CLOSED', 1060]],
    )
    const now = await list('asOf=2026-04-10&$orderby=caseNumber desc')
    assert.deepEqual(
      now.body.value.map((one) => one.caseGuid),
      [later.caseGuid, caseGuid],
    )
    const refused = await list("asOf=2026-03-25&$filter=clientName eq 'x' and Status eq 'CLOSED'")
    assert.equal(refused.status, 400)
    assert.match(JSON.stringify(refused.body), /Status, which changes with the day/)
    assert.equal((await list("asOf=2026-03-25&$filter=clientName eq 'status'")).status, 200)
    assert.equal((await list('asOf=2026-03-25&$orderby=remainingSum')).status, 400)
  }
})

const report = (name: string, days: string) =>
  api.call<{ rows: Record<string, unknown>[] }>('GET', `/reports/${name}?${days}`)

test('reports know both days, and plans have no past', async () => {
  const { body } = await report('portfolio', 'knownAt=2026-03-25')
  assert.deepEqual(
    body.rows.map(({ status, cases, paid, sum }) => [status, cases, paid, sum]),
    [['CLOSED', 1, 1060, 0]],
  )
  const collected = await report('collected', 'asOf=2026-03-25&knownAt=2026-03-19')
  assert.deepEqual(collected.body.rows, [])
  const balance = await report('trust-balance', 'knownAt=2026-03-25')
  assert.deepEqual(
    balance.body.rows.map(({ bank, difference }) => [bank, difference]),
    [[1060, 0]],
  )
  assert.equal((await report('plans', 'asOf=2026-03-25')).status, 400)
  assert.equal((await report('collected', 'asOf=2026-03-25&to=2026-03-26')).status, 400)
})

test('a user restricted to another client does not see the past of a case', async () => {
  const other = await api.addParty('OTHER')
  const token = await api.signIn(6, other)
  for (const path of [`/cases/${caseGuid}`, `/cases/${caseGuid}/movements`])
    assert.equal((await api.call('GET', `${path}?asOf=2026-03-10`, { token })).status, 404)
  const list = await api.call<{ total: number }>('GET', '/cases?asOf=2026-03-10', { token })
  assert.equal(list.body.total, 0)
})
