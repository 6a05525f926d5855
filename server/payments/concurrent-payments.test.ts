/**
 * 32 clients post to one case over HTTP for ten seconds. Every confirmed payment, reversal and fee must exist
 * once.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../testing/api.ts'
import { assertProven, openCases } from '../testing/records/cases.ts'

const clients = 32
const milliseconds = 10_000

let api: TestApi
let cases: Awaited<ReturnType<typeof openCases>>
before(async () => {
  api = await startApi()
  cases = await openCases(api)
})
after(() => api.close())

const send = async (method: 'POST' | 'PATCH', path: string, body: object) => {
  const answer = await api.call<Record<string, unknown>>(method, `/system/forms/${path}`, { body })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

test('concurrent payments, reversals and fees on one case all succeed, and none is lost', async () => {
  const principal = 10_000_000
  const { caseGuid } = await cases.register({ principal, interestRate: 10, interestFromDate: '2026-01-01' })
  const done = { payments: 0, reversals: 0, fees: 0 }
  const end = performance.now() + milliseconds
  const work = async (client: number) => {
    for (let turn = client; performance.now() < end; turn++) {
      if (turn % 4 === 3) {
        await send('POST', `fee/add?id=${caseGuid}`, { feeType: 'reminder', amount: 7 })
        done.fees++
        continue
      }
      const payerReference = `client ${client} turn ${turn}`
      const { paymentGuid } = await send('POST', 'payment/register', { caseGuid, amount: 11, payerReference })
      done.payments++
      if (turn % 4 !== 2) continue
      await send('PATCH', `payment/reverse?id=${paymentGuid}`, { reason: 'bounced' })
      done.reversals++
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => work(client)))
  const [row] = await api.sql`
    select (paid_principal + paid_interest + paid_fee)::int as paid, added_fee::int as fees, movement_count as movements,
      remaining_principal + remaining_fee + remaining_interest + accrued_interest as remaining,
      (select count(*)::int from payment p where p.case_id = c.id and p.reversed_date is null) as standing,
      (select count(*)::int from payment p where p.case_id = c.id and p.reversed_date is not null) as reversed
    from debt_case c where id = ${caseGuid}`
  const standing = done.payments - done.reversals
  const { remaining, ...counted } = row!
  assert.deepEqual(counted, {
    paid: standing * 1100,
    fees: done.fees * 700,
    movements: done.payments + done.reversals + done.fees,
    standing,
    reversed: done.reversals,
  })
  // 165 days at 10 %, all before the first payment, because the business date does not move.
  const interest = Math.round((principal * 100 * 0.1 * 165) / 365)
  assert.equal(remaining, principal * 100 + interest + done.fees * 700 - standing * 1100)
  assert.ok(standing > 0 && done.reversals > 0 && done.fees > 0)
  await assertProven(api)
})
