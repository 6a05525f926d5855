/** The recovery rate over HTTP: by age of the case and by client. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Recovery } from '../../../contract/insight/recovery.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { nowhere, openCases } from '../../testing/records/cases.ts'
import { firstMonth, makeRecovery, wholeBefore } from './recovery.rules.ts'

let api: TestApi
let at: Awaited<ReturnType<typeof openCases>>
/** The token of a user restricted to the first client. */
let creditor: string

/** Registered on the day, by a direct change: the clock only goes forward. */
async function register(day: string, principal: number, more: object = {}): Promise<string> {
  const { caseGuid } = await at.register({ principal, ...more })
  await api.sql`update debt_case set registration_date = ${day} where id = ${caseGuid}`
  return caseGuid
}
const pay = (caseGuid: string, amount: number, valueDate: string, more: object = {}) =>
  at.pay({ caseGuid, amount, valueDate, ...more })

/** On 15 June 2026 the cases of February are 90 days old, and those of April 30. */
before(async () => {
  api = await startApi()
  at = await openCases(api)
  creditor = await api.signIn(6, at.client)
  const first = await register('2026-02-02', 1000)
  await pay(first, 200, '2026-06-15')
  await register('2026-02-20', 1000)
  await register('2026-01-15', 500)
  await register('2026-04-10', 400, { clientGuid: at.other })
  await register('2026-06-01', 700)
  // Value dates as they were paid: the clock only goes forward.
  await api.sql`alter table movement disable trigger movement_append_only`
  const book = async (caseGuid: string, amount: number, day: string) => {
    await pay(caseGuid, amount, '2026-06-15')
    await api.sql`
      update movement set value_date = ${day}
      where id = (select id from movement where case_id = ${caseGuid} and kind = 'payment' order by number desc limit 1)`
  }
  await book(first, 100, '2026-03-04')
  await book(first, 150, '2026-03-05')
  const second = await register('2026-02-03', 300)
  await book(second, 900, '2026-02-10')
  await api.sql`alter table movement enable trigger movement_append_only`
})
after(() => api.close())

const read = async (query = '', token = api.token) => {
  const answer = await api.call<Recovery>('GET', `/dashboard/recovery${query}`, { token })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

test('getRecovery sums what was paid within some days, of each case at most its principal', async () => {
  const { months, asOf } = await read('?months=3')
  assert.equal(asOf, '2026-06-15T00:00:00Z')
  const february = months.find(({ month }) => month.startsWith('2026-02'))!
  assert.deepEqual([february.cases, february.principal, february.currencyCode], [3, 2300, 'SEK'])
  assert.deepEqual(
    february.within.map(({ days, collected, rate }) => [days, collected, rate]),
    [
      // 100 on the 30th day, and 300 of the 900.
      [30, 400, 0.1739],
      [90, 550, 0.2391],
      // The cases of the month are younger.
      [180, null, null],
      [365, null, null],
    ],
  )
  const june = months.find(({ month }) => month.startsWith('2026-06'))!
  assert.deepEqual([june.principal, june.within[0]!.collected], [700, null])
})

test('clients are compared with the period before, and link to the cases that are counted', async () => {
  const { clients } = await read('?months=1')
  const own = clients.find(({ clientGuid }) => clientGuid === at.client)!
  assert.deepEqual(
    [own.clientName, own.latest.rate, own.former.rate, own.trend],
    ['CLIENT', 0.2391, 0, [0.2391]],
  )
  assert.deepEqual([own.latest.from, own.latest.before], ['2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'])
  const filter = `clientGuid eq ${at.client} and registrationDate ge ${own.latest.from} and registrationDate lt ${own.latest.before}`
  const cases = await api.call<{ total: number }>('GET', `/cases?$filter=${encodeURIComponent(filter)}`)
  assert.equal(cases.body.total, own.latest.cases)
  assert.equal(clients.length, 1, 'the cases of the other client are too young')
})

test('creditors see theirs alone, and a client can be chosen', async () => {
  const seen = await read('', creditor)
  assert.ok(seen.months.every(({ month }) => !month.startsWith('2026-04')))
  const chosen = await read(`?clientGuid=${at.other}`)
  assert.deepEqual(
    chosen.months.map(({ month, principal }) => [month.slice(0, 7), principal]),
    [['2026-04', 400]],
  )
  const hidden = await api.call('GET', `/dashboard/recovery?clientGuid=${at.other}`, { token: creditor })
  assertProblem(hidden, 'not-found', /no such/)
  const missing = await api.call('GET', `/dashboard/recovery?clientGuid=${nowhere}`)
  assertProblem(missing, 'not-found', /no such/)
  const none = await api.call('GET', '/dashboard/recovery?months=0')
  assertProblem(none, 'invalid', /months/)
})

test('a month is whole when its last case is so old', () => {
  assert.equal(wholeBefore('2026-05-01', 30), '2026-04-01')
  assert.equal(wholeBefore('2026-04-30', 30), '2026-04-01')
  assert.equal(wholeBefore('2026-04-29', 30), '2026-03-01')
  assert.equal(firstMonth('2026-06-15', 12), '2024-03-01')
  assert.deepEqual(makeRecovery([], { today: '2026-06-15', months: 12 }).clients, [])
})
