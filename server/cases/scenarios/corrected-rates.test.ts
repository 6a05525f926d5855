/**
 * A reference rate that is entered late, and corrected again, over HTTP: what it changes on open, closed and settled cases, on
 * a plan and on the money of the client.
 *
 * Räntelagen (1975:635) 6 §: the reference rate and eight points a year, on 36,500.00 SEK. One percent is 1.00 a day. The rate
 * is 2.0 in the second half of 2026: 10.00 a day. The first half of 2027 is not known: 10.00 a day, provisionally. Every case
 * bears interest from 22 December 2026, that day excluded: 9 × 10.00 = 90.00 until 31 December.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CaseStatement } from '../../../contract/cases/case-statement.ts'
import type { CaseDetail } from '../../../contract/cases/cases.ts'
import type { CaseExplanation } from '../../../contract/cases/case-explanation.ts'
import type { InterestRateListItem } from '../../../contract/ledger/interest-rates.ts'
import type { PaymentPlan } from '../../../contract/plans/payment-plans.ts'
import type { PayoutBatch, PayoutDue } from '../../../contract/treasury/payouts.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { agencyCaller, assertProven, contextOn, makeDebtor, setTerms } from '../../testing/records/cases.ts'
import { registerCase } from '../register-case.ts'

let api: TestApi
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '' })
  await api.sql`update party set bank_account_no = 'SE45 5000 0000 0583 9825 7466' where parent_id is null`
})
after(() => api.close())

interface Made {
  clientGuid: string
  debtorGuid: string
  caseGuid: string
}

const registeredOn = '2026-12-22'
async function register(clientGuid: string): Promise<Made> {
  await api.setDate(registeredOn)
  const debtorGuid = await makeDebtor(api)
  const input = {
    clientGuid,
    debtorGuid,
    principal: 36_500,
    currencyCode: 'SEK',
    interestFromDate: registeredOn,
  }
  const { caseGuid } = await registerCase(api.sql, agencyCaller, input, contextOn(registeredOn))
  return { clientGuid, debtorGuid, caseGuid }
}

async function addClient(reference: string): Promise<string> {
  const client = await api.addParty(reference)
  await setTerms(api, client, { bank_account_no: '5805-6201', interest_series: 'SE', interest_points: 8 })
  return client
}

async function send<T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<T> {
  const answer = await api.call<T>(method, path, body && { body })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}
const pay = ({ caseGuid }: Made, amount: number) =>
  send<{ paymentGuid: string }>('POST', '/system/forms/payment/register', {
    caseGuid,
    amount,
    currencyCode: 'SEK',
  })
const closeByHand = ({ caseGuid }: Made, closureCode: string) =>
  send('PATCH', `/system/forms/case/close?id=${caseGuid}`, { closureCode })
const enterRate = (rate: number) =>
  send<{ interestRateGuid: string }>('POST', '/system/forms/interestrate/create', {
    interestSeries: 'SE',
    validFrom: '2027-01-01',
    rate,
  })
async function correctRate(rate: number): Promise<void> {
  const filter = encodeURIComponent("interestSeries eq 'SE' and validFrom eq 2027-01-01T00:00:00Z")
  const { body } = await api.call<{ value: InterestRateListItem[] }>(
    'GET',
    `/system/interestrates?$filter=${filter}`,
  )
  const [row] = body.value
  await send('PATCH', `/system/forms/interestrate/edit?id=${row!.interestRateGuid}`, { rate })
}
/** Afterwards the half-year is missing again. */
async function removeRate(): Promise<void> {
  const [row] = await api.sql<{ id: string }[]>`
    select id from reference_rate where series = 'SE' and valid_from = '2027-01-01'`
  await send('DELETE', `/system/forms/interestrate/edit?id=${row!.id}`)
}

async function read({ debtorGuid, caseGuid }: Made) {
  const { body } = await api.call<CaseDetail>('GET', `/debtors/${debtorGuid}/cases/${caseGuid}`)
  return body
}
/** What remains of principal and interest, and how the case stands. */
async function stand(one: Made) {
  const { remainingPrincipal, remainingInterest, closureCode, status } = await read(one)
  return [remainingPrincipal, remainingInterest, closureCode ?? status]
}
const explain = async ({ debtorGuid, caseGuid }: Made) =>
  (await api.call<CaseExplanation>('GET', `/debtors/${debtorGuid}/cases/${caseGuid}/explain`)).body
type ReportRows = Record<string, number | string>[]
const addSums = (rows: ReportRows) => rows.reduce((all, row) => all + Number(row['sum']), 0)

/** What reports say of the client of a case, and of the bank account of all. */
async function readReports({ clientGuid }: Made) {
  const report = async (name: string) =>
    (await send<{ rows: ReportRows }>('GET', `/reports/${name}?clientGuid=${clientGuid}`)).rows
  const portfolio = await report('portfolio')
  const balance = await send<{ rows: { difference: number }[] }>('GET', '/reports/trust-balance')
  return {
    closed: addSums(portfolio.filter(({ status }) => status === 'CLOSED')),
    aging: addSums(await report('aging')),
    difference: balance.rows.reduce((all, { difference }) => all + Math.abs(difference), 0),
  }
}
const readCredit = async (one: Made) =>
  (await explain(one)).figures.find(({ figure }) => figure === 'credit')?.amount ?? 0
async function countEvents({ caseGuid }: Made, action: string): Promise<number> {
  const filter = encodeURIComponent(`entityGuid eq ${caseGuid} and action eq '${action}'`)
  const { body } = await api.call<{ total: number }>('GET', `/audit?$filter=${filter}`)
  return body.total
}
/** Version of the case and number of its postings: a case that was left alone has both as before. */
async function readBookings({ caseGuid }: Made) {
  const [row] = await api.sql`select version, transaction_count from debt_case where id = ${caseGuid}`
  return { ...row }
}

test('an open case is derived again, with reversals, and no longer provisional', async () => {
  const one = await register(await addClient('OPEN'))
  await api.setDate('2027-01-10')
  await pay(one, 3840) // 90 + 10 × 10.00 = 190 of interest, 3,650 of principal
  assert.deepEqual(await stand(one), [32_850, 0, 'NEW'])
  await api.setDate('2027-01-20')
  assert.deepEqual(await stand(one), [32_850, 90, 'NEW']) // 10 × 10.00 × 0.9
  await enterRate(3)
  // 90 + 10 × 11.00 = 200 of interest, 3,640 of principal; then 32,860 × 11 % × 10 / 365 = 99.0301…
  assert.deepEqual(await stand(one), [32_860, 99.03, 'NEW'])
  const told = await explain(one)
  const provisional = told.figures.flatMap(({ lines }) => lines).filter((line) => line.provisional)
  assert.deepEqual(provisional, [])
  await correctRate(1)
  // 90 + 10 × 9.00 = 180 of interest, 3,660 of principal; then 32,840 × 9 % × 10 / 365 = 80.9753…
  assert.deepEqual(await stand(one), [32_840, 80.98, 'NEW'])
  assert.equal(await countEvents(one, 'interest_corrected'), 2)
  await assertProven(api)
  await removeRate()
  assert.deepEqual(await stand(one), [32_850, 90, 'NEW'])
})

test('a case that was paid in full stays closed: a remainder stands still, a surplus is credit', async () => {
  const one = await register(await addClient('PAID'))
  await api.setDate('2027-01-10')
  await pay(one, 36_690) // 36,500 and 190
  assert.deepEqual(await stand(one), [0, 0, 'PAID_IN_FULL'])
  await api.setDate('2027-01-20')
  await enterRate(3)
  // 200 of interest and 36,490 of principal were paid: 10 remain.
  assert.deepEqual(await stand(one), [10, 0, 'PAID_IN_FULL'])
  assert.deepEqual([await countEvents(one, 'reopened'), await countEvents(one, 'interest_corrected')], [0, 1])
  const owing = encodeURIComponent("closureCode eq 'PAID_IN_FULL' and remainingSum gt 0")
  const listed = await api.call<{ value: { caseGuid: string }[] }>('GET', `/cases?$filter=${owing}`)
  assert.deepEqual(
    listed.body.value.map(({ caseGuid }) => caseGuid),
    [one.caseGuid],
  )
  await api.setDate('2027-03-01')
  assert.deepEqual(await stand(one), [10, 0, 'PAID_IN_FULL'])
  await assertProven(api)
  await correctRate(1)
  // 180 of interest and 36,500 of principal: 10 too much.
  assert.deepEqual([...(await stand(one)), await readCredit(one)], [0, 0, 'PAID_IN_FULL', 10])
  await assertProven(api)
  await removeRate()
  assert.deepEqual([...(await stand(one)), await readCredit(one)], [0, 0, 'PAID_IN_FULL', 0])
})

test('the remainder of a paid case is owed again when somebody reopens it', async () => {
  const one = await register(await addClient('REOPENED'))
  await api.setDate('2027-01-10')
  await pay(one, 36_690)
  await enterRate(3)
  assert.deepEqual(await stand(one), [10, 0, 'PAID_IN_FULL'])
  await api.setDate('2027-01-20')
  await send('PATCH', `/system/forms/case/reopen?id=${one.caseGuid}`, {})
  assert.deepEqual(await stand(one), [10, 0, 'NEW'])
  await api.setDate('2027-01-30')
  assert.deepEqual(await stand(one), [10, 0.03, 'NEW']) // 10 × 11 % × 10 / 365 = 0.0301
  await assertProven(api)
  await removeRate()
})

test('what is booked on a paid case with a remainder does not reopen it, and books, statement and reports agree', async () => {
  const one = await register(await addClient('LATER'))
  await api.setDate('2027-01-10')
  const paid = await pay(one, 36_690)
  await api.setDate('2027-01-20')
  await enterRate(3)
  assert.deepEqual(await stand(one), [10, 0, 'PAID_IN_FULL'])
  const statement = await send<CaseStatement>('GET', `/cases/${one.caseGuid}/statement`)
  assert.deepEqual([statement.closingBalance, statement.owed], [10, 10])
  assert.deepEqual(await readReports(one), { closed: 10, aging: 0, difference: 0 })
  // The debtor pays a part of the rest on their own account.
  await pay(one, 4)
  assert.deepEqual(await stand(one), [6, 0, 'PAID_IN_FULL'])
  assert.equal(await countEvents(one, 'reopened'), 0)
  await pay(one, 7)
  assert.deepEqual([...(await stand(one)), await readCredit(one)], [0, 0, 'PAID_IN_FULL', 1])
  await assertProven(api)
  // A fee needs an open case.
  const fee = await api.call('POST', `/system/forms/fee/add?id=${one.caseGuid}`, {
    body: { feeType: 'courtCost', amount: 50 },
  })
  assert.equal(fee.status, 409, fee.text)
  // The payment that closed the case bounces: then it is owed again.
  await send('PATCH', `/system/forms/payment/reverse?id=${paid.paymentGuid}`, {
    reason: 'bounced',
  })
  assert.equal((await stand(one))[2], 'NEW')
  assert.equal(await countEvents(one, 'reopened'), 1)
  await assertProven(api)
  await removeRate()
})

test('a surplus on a paid case is refunded without reopening it', async () => {
  const one = await register(await addClient('REFUNDED'))
  await api.setDate('2027-01-10')
  await pay(one, 36_690)
  await enterRate(1)
  assert.deepEqual([...(await stand(one)), await readCredit(one)], [0, 0, 'PAID_IN_FULL', 10])
  assert.deepEqual(await readReports(one), { closed: 0, aging: 0, difference: 0 })
  await send('POST', `/system/forms/credit/refund?id=${one.caseGuid}`, { amount: 10 })
  assert.deepEqual([...(await stand(one)), await readCredit(one)], [0, 0, 'PAID_IN_FULL', 0])
  // The rate was right after all: the debtor owes what was refunded. The case stays as it is.
  await correctRate(2)
  assert.equal((await stand(one))[2], 'PAID_IN_FULL')
  assert.equal(await countEvents(one, 'reopened'), 0)
  await assertProven(api)
  await removeRate()
})

test('a small remainder stays within the tolerance, and a case of a small balance stays closed without one', async () => {
  const one = await register(await addClient('SMALL'))
  await api.sql`update debt_case set tolerance_minor = 1000 where id = ${one.caseGuid}`
  await api.setDate('2027-01-10')
  await pay(one, 36_680) // 190 of interest, 36,490 of principal: 10 remain
  assert.deepEqual(await stand(one), [10, 0, 'SMALL_BALANCE'])
  await enterRate(1)
  // 180 of interest, 36,500 of principal.
  assert.deepEqual(await stand(one), [0, 0, 'SMALL_BALANCE'])
  await assertProven(api)
  await removeRate()
})

test('a case that was closed by hand stays closed, with the interest of the days before', async () => {
  const one = await register(await addClient('RECALLED'))
  await api.setDate('2027-01-10')
  await closeByHand(one, 'RECALLED_BY_CLIENT')
  await api.setDate('2027-01-20')
  assert.deepEqual(await stand(one), [36_500, 190, 'RECALLED_BY_CLIENT'])
  await enterRate(3)
  assert.deepEqual(await stand(one), [36_500, 200, 'RECALLED_BY_CLIENT']) // 90 + 10 × 11.00
  await api.setDate('2027-03-01')
  assert.deepEqual(await stand(one), [36_500, 200, 'RECALLED_BY_CLIENT'])
  await assertProven(api)
  await removeRate()
})

test('a case that was settled before the first day of the rate is left alone', async () => {
  const paid = await register(await addClient('SETTLED'))
  const recalled = await register(paid.clientGuid)
  await api.setDate('2026-12-31')
  await pay(paid, 36_590) // 36,500 and 9 × 10.00
  await closeByHand(recalled, 'SETTLED')
  await api.setDate('2027-01-20')
  for (const one of [paid, recalled]) {
    const kept = await readBookings(one)
    await enterRate(3)
    await removeRate()
    assert.deepEqual(await readBookings(one), kept)
    assert.equal(await countEvents(one, 'interest_corrected'), 0)
  }
  await assertProven(api)
})

test('money that was paid out to the client stays paid out, and a surplus is taken from the next payout', async () => {
  const client = await addClient('PAYOUT')
  const partly = await register(client)
  const whole = await register(client)
  await api.setDate('2027-01-10')
  await pay(partly, 3840)
  await pay(whole, 36_690)
  const batch = await send<PayoutBatch>('POST', '/payouts', { currencyCode: 'SEK' })
  const due = async () => {
    const { body } = await api.call<{ value: PayoutDue[] }>('GET', '/payouts/due')
    return body.value
      .flatMap(({ lines, leftOut }) => [...lines, ...leftOut])
      .flatMap(({ clientGuid, amount }) => (clientGuid === client ? [amount] : []))
  }
  await api.setDate('2027-01-20')
  assert.deepEqual(await due(), [])
  await enterRate(3)
  // More of the same money is interest. The client gets principal and interest alike.
  assert.deepEqual(await due(), [])
  await correctRate(1)
  // The debtor paid 10 too much: 90 + 10 × 9.00 = 180 of interest instead of 190. The client has them already.
  assert.deepEqual(await due(), [-10])
  assert.equal(await readCredit(whole), 10)
  const { body: kept } = await api.call<PayoutBatch>('GET', `/payouts/${batch.payoutBatchGuid}`)
  assert.equal(kept.amount, batch.amount)
  await assertProven(api)
  await removeRate()
  assert.deepEqual(await due(), [])
})

test('the schedule of an active plan stands, and the case owes the interest of the right rate', async () => {
  const one = await register(await addClient('PLAN'))
  await api.setDate('2027-01-10')
  const plan = await send<PaymentPlan>('POST', `/debtors/${one.debtorGuid}/paymentplans`, {
    paymentPlanType: 1,
    numberOfPayments: 2,
    active: 1,
    registrationFee: 0,
    invoiceFee: 0,
  })
  await api.setDate('2027-01-20')
  assert.deepEqual((await stand(one)).slice(0, 2), [36_500, 290]) // 90 + 20 × 10.00
  await enterRate(3)
  assert.deepEqual((await stand(one)).slice(0, 2), [36_500, 310]) // 90 + 20 × 11.00
  const path = `/debtors/${one.debtorGuid}/paymentplans/${plan.paymentPlanGuid}`
  const { body: now } = await api.call<PaymentPlan>('GET', path)
  assert.deepEqual(now.payments, plan.payments)
  await assertProven(api)
  await removeRate()
})
