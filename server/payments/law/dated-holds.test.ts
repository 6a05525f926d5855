/** Holds and interest pauses that are dated back and have an end, over HTTP and through the day-end. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CaseExplanation } from '../../../contract/cases/case-explanation.ts'
import type { PaymentPlan } from '../../../contract/plans/payment-plans.ts'
import { liftDueHolds } from '../../cases/holds/lift-due-holds.ts'
import { registerCase } from '../../cases/register-case.ts'
import { runChunks } from '../../platform/jobs/chunked-work.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { agencyCaller, assertProven, contextOn, makeDebtor, setTerms } from '../../testing/records/cases.ts'
import { registerPayment } from '../payments.ts'

let api: TestApi
let client: string
before(async () => {
  api = await startApi()
  client = await api.addParty('CLIENT')
  await setTerms(api, client, { country_code: 'SE' })
})
after(() => api.close())

const start = '2026-01-01'
/** A case of 36,500.00 at 10 %: 10.00 a day, from 2 January on. */
async function open() {
  await api.setDate(start)
  const debtorGuid = await makeDebtor(api)
  const input = {
    clientGuid: client,
    debtorGuid,
    principal: 36_500,
    currencyCode: 'SEK',
    dueDate: start,
    interestRate: 10,
  }
  return { debtorGuid, ...(await registerCase(api.sql, agencyCaller, input, contextOn(start))) }
}
type Made = Awaited<ReturnType<typeof open>>
const hold = ({ caseGuid }: Made, body: object) =>
  api.call('PATCH', `/system/forms/case/hold?id=${caseGuid}`, { body: { reason: 'HOLD_HARDSHIP', ...body } })
async function holdWell(made: Made, body: object) {
  const { status, text } = await hold(made, body)
  assert.equal(status, 200, text)
}
const resume = ({ caseGuid }: Made) =>
  api.call('PATCH', `/system/forms/case/resume?id=${caseGuid}`, { body: {} })
const pay = ({ caseGuid }: Made, amount: number, valueDate: string) =>
  registerPayment(api.sql, agencyCaller, { caseGuid, amount, valueDate }, contextOn(valueDate))
const readState = async ({ caseGuid }: Made) => {
  const [row] = await api.sql`
    select hold, (added_interest + accrued_interest) / 100.0::float8 as interest from debt_case where id = ${caseGuid}`
  return [row!['hold'], Number(row!['interest'])]
}
const liftHolds = (date: string) => runChunks(api.sql, liftDueHolds(), contextOn(date).origin)
const explain = async ({ debtorGuid, caseGuid }: Made) =>
  (await api.call<CaseExplanation>('GET', `/debtors/${debtorGuid}/cases/${caseGuid}/explain`)).body

test('an interest pause dated back reverses the interest that was booked in its days', async () => {
  const made = await open()
  await api.setDate('2026-01-31')
  await pay(made, 100, '2026-01-31')
  assert.deepEqual(await readState(made), [null, 300])
  await holdWell(made, { holdFrom: '2026-01-12', interestPaused: true })
  // Owed for 2 to 11 January.
  assert.deepEqual(await readState(made), ['HOLD_HARDSHIP', 100])
  await assertProven(api)
  const reversed = await api.sql`
    select from ledger_transaction where case_id = ${made.caseGuid} and kind = 'interest' and reverses_id is not null`
  assert.equal(reversed.length, 1, 'the posting is reversed, not edited')
  await api.setDate('2026-02-10')
  assert.deepEqual(await readState(made), ['HOLD_HARDSHIP', 100])
  assert.equal((await resume(made)).status, 200)
  // The principal is the same: the payment went to interest. The last day of the pause was 9 February.
  await api.setDate('2026-02-20')
  assert.deepEqual(await readState(made), [null, 210])
  await assertProven(api)
})

test('a hold with a last day is lifted by the day-end after it, and interest goes on by itself', async () => {
  const made = await open()
  await api.setDate('2026-01-11')
  await holdWell(made, { holdUntil: '2026-01-21', interestPaused: true })
  assert.deepEqual(await readState(made), ['HOLD_HARDSHIP', 90])
  for (const [date, held, interest] of [
    ['2026-01-21', 'HOLD_HARDSHIP', 90],
    ['2026-01-22', null, 100],
    ['2026-01-31', null, 190],
  ] as const) {
    await api.setDate(date)
    await liftHolds(date)
    assert.deepEqual(await readState(made), [held, interest], date)
    await assertProven(api)
  }
  assert.deepEqual(await liftHolds('2026-01-31'), { lifted: 0 })
  const events = await api.sql<{ type: string }[]>`
    select type from event where subject = ${made.caseGuid} and type like 'case.%' order by sequence`
  assert.deepEqual(
    events.map(({ type }) => type),
    ['case.registered', 'case.held', 'case.resumed'],
  )
})

test('a hold without a pause lets interest run, and keeps its days when only the reason changes', async () => {
  const made = await open()
  await api.setDate('2026-01-11')
  await holdWell(made, { holdFrom: '2026-01-05', holdUntil: '2026-01-31' })
  await holdWell(made, { reason: 'HOLD_CLIENT' })
  const form = await api.call<{
    holdFrom: string
    holdUntil: string
    interestPaused: boolean
    reason: string
  }>('GET', `/system/forms/case/hold?initialValues=true&id=${made.caseGuid}`)
  assert.equal(form.status, 200, form.text)
  const [row] = await api.sql`
    select hold_from, hold_until, hold from debt_case where id = ${made.caseGuid}`
  assert.deepEqual(
    [row!['hold_from'], row!['hold_until'], row!['hold']],
    ['2026-01-05', '2026-01-31', 'HOLD_CLIENT'],
  )
  await api.setDate('2026-01-31')
  assert.deepEqual(await readState(made), ['HOLD_CLIENT', 300])
})

test('a changed pause replaces the one before; an open end is set or moved later', async () => {
  const made = await open()
  await api.setDate('2026-01-31')
  await holdWell(made, { holdFrom: '2026-01-12', interestPaused: true })
  await holdWell(made, { holdFrom: '2026-01-22' })
  assert.deepEqual(await readState(made), ['HOLD_HARDSHIP', 200])
  await holdWell(made, { holdUntil: '2026-02-05' })
  await api.setDate('2026-02-10')
  assert.deepEqual((await readState(made))[1], 250)
  await api.setDate('2026-01-31')
  await holdWell(made, { interestPaused: false })
  assert.deepEqual(await readState(made), ['HOLD_HARDSHIP', 300])
  await assertProven(api)
})

test('a pause that is over only takes the interest of its days off', async () => {
  const made = await open()
  await api.setDate('2026-01-31')
  await holdWell(made, { holdFrom: '2026-01-12', holdUntil: '2026-01-21', interestPaused: true })
  assert.deepEqual(await readState(made), [null, 200])
  // A second one that overlaps it takes no day off twice.
  await holdWell(made, { holdFrom: '2026-01-17', holdUntil: '2026-01-26', interestPaused: true })
  assert.deepEqual(await readState(made), [null, 150])
  await assertProven(api)
  const { standstills } = await explain(made)
  assert.deepEqual(
    standstills.map(({ kind, fromDate, toDate, stopsInterest }) => [
      kind,
      fromDate.slice(0, 10),
      toDate?.slice(0, 10),
      stopsInterest,
    ]),
    [
      ['INTEREST_PAUSE', '2026-01-12', '2026-01-21', true],
      ['INTEREST_PAUSE', '2026-01-17', '2026-01-26', true],
    ],
  )
})

test('impossible days are refused by their field', async () => {
  const made = await open()
  await api.setDate('2026-01-31')
  assertProblem(await hold(made, { holdFrom: '2026-02-01' }), 'invalid', /holdFrom.*business date/)
  assertProblem(await hold(made, { holdFrom: '2025-12-31' }), 'invalid', /holdFrom.*registered/)
  assertProblem(await hold(made, { holdFrom: start, interestPaused: true }), 'invalid', /holdFrom.*after/)
  assertProblem(
    await hold(made, { holdFrom: '2026-01-20', holdUntil: '2026-01-10' }),
    'invalid',
    /holdUntil.*first day/,
  )
  assertProblem(
    await hold(made, { holdFrom: '2026-01-05', holdUntil: '2026-01-10' }),
    'invalid',
    /holdUntil.*unless interest is paused/,
  )
  assert.deepEqual(await readState(made), [null, 300])
})

test('a payment plan reckons the interest of the days to come without those of a pause that is agreed', async () => {
  const made = await open()
  await api.setDate('2026-01-11')
  const calculate = async () => {
    const body = { paymentPlanType: 2, numberOfPayments: 2, amount: 500, firstDueDate: '2026-01-21' }
    const answer = await api.call<PaymentPlan>('POST', `/debtors/${made.debtorGuid}/paymentplans/calculate`, {
      body: { ...body, registrationFee: 0, invoiceFee: 0, intervalType: 1, interval: 10 },
    })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.payments.map(({ interest }) => interest)
  }
  // 10.00 a day: ten days until today, ten until the first payment.
  assert.deepEqual(await calculate(), [200, 99.18])
  // Nine days until the pause, five after it.
  await holdWell(made, { holdFrom: '2026-01-11', holdUntil: '2026-01-16', interestPaused: true })
  assert.deepEqual(await calculate(), [140, 99.01])
  const { standstills } = await explain(made)
  const pause = standstills.find(({ kind }) => kind === 'INTEREST_PAUSE')!
  assert.deepEqual([pause.fromDate, pause.toDate], ['2026-01-11T00:00:00Z', '2026-01-16T00:00:00Z'])
})
