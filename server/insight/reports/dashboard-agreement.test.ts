/**
 * The dashboard and the reports agree on the same ledger, except for intended differences
 * (docs/domain/treasury.md).
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Collected, PlanPerformance, Portfolio } from '../../../contract/insight/dashboard.ts'
import type { Report } from '../../../contract/insight/reports.ts'
import { closeCase } from '../../cases/case-status.ts'
import { agencyCaller, assertProven, contextOn, openCases } from '../../testing/records/cases.ts'
import { useCredit } from '../../payments/credit.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

type Stage = Awaited<ReturnType<typeof openCases>>
type Row = Readonly<Record<string, unknown>>

let api: TestApi
let stage: Stage
/** A case with an overpayment in June. */
let overpaid: Awaited<ReturnType<Stage['register']>>
let creditor: string

const read = async <T>(path: string, token = api.token) => {
  const answer = await api.call<T>('GET', path, { token })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** Sums of the named figures, in hundredths, grouped by the named keys. */
function sumsBy(rows: readonly Row[], keys: readonly string[], figures: readonly string[]) {
  const groups = Map.groupBy(rows, (row) => keys.map((key) => String(row[key])).join(' '))
  return new Map(
    [...groups]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([group, own]) => [
        group,
        figures.map((name) => own.reduce((sum, row) => sum + Math.round(Number(row[name]) * 100), 0)),
      ]),
  )
}

const rated = (interestRate: number) => ({ interestRate, interestFromDate: '2026-06-15' })

/**
 * Sets up 15 June to 20 July 2026 with two clients and two currencies.
 * CLIENT: 3,650 at 10 %, of which 500 are paid in June and 300 in July; 40 EUR at 20 %, of which 10 are paid
 * to the client; 800, recalled after a payment of 100; 100, overpaid by 60; and a reversed payment of 70.
 * OTHER: 1,200 at 8 %, with a payment backdated into June.
 */
before(async () => {
  api = await startApi()
  stage = await openCases(api)
  creditor = await api.signIn(6, stage.client)
  const { register } = stage
  const pay = async (input: object) => {
    const { status, text, body } = await api.call<{ paymentGuid: string }>(
      'POST',
      '/system/forms/payment/register',
      { body: input },
    )
    assert.equal(status, 201, text)
    return body.paymentGuid
  }
  const half = await register({ principal: 3650, ...rated(10) })
  const euro = await register({ principal: 40, currencyCode: 'EUR', ...rated(20) })
  const recalled = await register({ principal: 800, ...rated(10) })
  overpaid = await register({ principal: 100 })
  const others = await register({ principal: 1200, clientGuid: stage.other, ...rated(8) })
  await api.setDate('2026-06-25')
  await pay({ caseGuid: half.caseGuid, amount: 500 })
  await pay({ caseGuid: euro.caseGuid, amount: 10, currencyCode: 'EUR', toThirdParty: true })
  await pay({ caseGuid: recalled.caseGuid, amount: 100 })
  await pay({ caseGuid: others.caseGuid, amount: 70 })
  const input = { closureCode: 'RECALLED_BY_CLIENT' }
  await closeCase(api.sql, agencyCaller, { caseGuid: recalled.caseGuid, input }, contextOn('2026-06-25'))
  const wrong = await pay({ caseGuid: half.caseGuid, amount: 70 })
  await api.setDate('2026-07-20')
  await pay({ caseGuid: half.caseGuid, amount: 300 })
  await pay({ caseGuid: others.caseGuid, amount: 30.5, valueDate: '2026-06-20' })
  const path = `/system/forms/payment/reverse?id=${wrong}`
  const reversed = await api.call('PATCH', path, { body: { reason: 'bounced' } })
  assert.equal(reversed.status, 200, reversed.text)
})
after(() => api.close())

const readPortfolios = async (token?: string) => {
  const [{ value }, report, aging] = await Promise.all([
    read<Portfolio>('/dashboard/portfolio', token),
    read<Report>('/reports/portfolio', token),
    read<Report>('/reports/aging', token),
  ])
  return { value, report, aging }
}
const openRows = ({ rows }: Report) => rows.filter(({ status }) => status !== 'CLOSED')

/** Collected amounts in hundredths by currency and month, in total and to third parties. */
const readCollected = async (token?: string) => {
  const [{ value, from }, { rows }] = await Promise.all([
    read<Collected>('/dashboard/collected', token),
    read<Report>('/reports/collected?from=2025-08-01', token),
  ])
  assert.equal(from, '2025-08-01T00:00:00Z')
  const shown = value.map((row) => ({ ...row, month: row.month.slice(0, 7) }))
  const told = rows.map((row) => ({ ...row, amount: Number(row['sum']) + Number(row['thirdParty']) }))
  const keys = ['currencyCode', 'month']
  return {
    shown: sumsBy(shown, keys, ['amount', 'toThirdParty']),
    told: sumsBy(told, keys, ['amount', 'thirdParty']),
  }
}

describe('getPortfolio and the portfolio report', () => {
  const figures = ['cases', 'principal', 'interest', 'fee', 'sum']
  test('agree on open cases with interest up to the business date, and only the report has closed ones', async () => {
    const { value, report, aging } = await readPortfolios()
    const [closed, open] = [true, false].map((wanted) =>
      report.rows.filter(({ status }) => (status === 'CLOSED') === wanted),
    )
    const keys = ['currencyCode', 'status']
    assert.deepEqual(sumsBy(value, keys, figures), sumsBy(open!, keys, figures))
    assert.deepEqual([...sumsBy(open!, keys, figures).keys()], ['EUR NEW', 'SEK NEW'])
    const whole = ['cases', 'sum']
    assert.deepEqual(sumsBy(value, ['currencyCode'], whole), sumsBy(aging.rows, ['currencyCode'], whole))
    // 20 % of 30.22 EUR for 25 days. Of the 10 EUR paid, 0.22 went to ten days of interest.
    assert.equal(value.find(({ currencyCode }) => currencyCode === 'EUR')!.interest, 0.41)
    assert.equal(closed!.length, 1)
    assert.ok(Number(closed![0]!['sum']) > 700)
    await assertProven(api)
  })

  test('agree for a creditor on their own cases, and on an earlier date', async () => {
    const own = await readPortfolios(creditor)
    assert.deepEqual(
      sumsBy(own.value, ['currencyCode'], figures),
      sumsBy(openRows(own.report), ['currencyCode'], figures),
    )
    const all = await readPortfolios()
    await api.setDate('2026-06-28')
    const then = await readPortfolios()
    assert.deepEqual(
      sumsBy(then.value, ['currencyCode'], figures),
      sumsBy(openRows(then.report), ['currencyCode'], figures),
    )
    assert.notDeepEqual(then.value, all.value)
    await api.setDate('2026-07-20')
  })
})

describe('getCollected and the collected report', () => {
  test('agree by month of the value date and currency, for all cases and for a creditor', async () => {
    const { shown, told } = await readCollected()
    assert.deepEqual(shown, told)
    assert.deepEqual(
      [...shown],
      [
        ['EUR 2026-06', [1000, 1000]],
        ['SEK 2026-06', [70_050, 0]],
        ['SEK 2026-07', [30_000, 0]],
      ],
    )
    const own = await readCollected(creditor)
    assert.deepEqual(own.shown, own.told)
    assert.deepEqual(own.shown.get('SEK 2026-06'), [60_000, 0])
  })

  test('count an overpayment when it arrives on the dashboard, and when it is used in the report', async () => {
    const form = '/system/forms/payment/register'
    const body = { caseGuid: overpaid.caseGuid, amount: 160, valueDate: '2026-06-30' }
    assert.equal((await api.call('POST', form, { body })).status, 201)
    const overpayment = await readCollected()
    assert.equal(overpayment.shown.get('SEK 2026-06')![0], 86_050)
    assert.equal(overpayment.told.get('SEK 2026-06')![0], 80_050)
    const next = await stage.register({ principal: 90, debtorGuid: overpaid.debtorGuid })
    const use = { caseGuid: next.caseGuid, input: { amount: 60 } }
    await useCredit(api.sql, agencyCaller, use, contextOn('2026-07-20'))
    const then = await readCollected()
    assert.deepEqual(then.shown, overpayment.shown)
    assert.equal(then.told.get('SEK 2026-07')![0], 36_000)
    await assertProven(api)
  })
})

describe('getPlanPerformance and the plans report', () => {
  test('agree on the states of plans and on due payments, including those of ended plans', async () => {
    const at = '2026-07-20'
    const make = async (active: number) => {
      const { debtorGuid, caseGuid } = await stage.register({ principal: 900 })
      const payments = [{ paymentNo: 1, specifiedDueDate: '2026-07-25T00:00:00Z' }]
      const body = {
        active,
        paymentPlanType: 1,
        numberOfPayments: 3,
        registrationFee: 0,
        invoiceFee: 0,
        payments,
      }
      const path = `/debtors/${debtorGuid}/paymentplans`
      const made = await api.call<{ paymentPlanGuid: string }>('POST', path, { body })
      assert.equal(made.status, 201, made.text)
      return { caseGuid, cancel: () => api.call('POST', `${path}/${made.body.paymentPlanGuid}/cancel`) }
    }
    const pay = async (caseGuid: string, amount: number) => {
      const { status, text } = await api.call('POST', '/system/forms/payment/register', {
        body: { caseGuid, amount },
      })
      assert.equal(status, 201, text)
    }
    await api.setDate(at)
    const [late, cancelled, ahead] = [await make(1), await make(1), await make(1)]
    await make(2)
    const discarded = await make(2)
    assert.equal((await discarded.cancel()).status, 200)
    await pay(ahead.caseGuid, 900)
    await api.setDate('2026-07-26')
    await pay(cancelled.caseGuid, 300)
    await pay(late.caseGuid, 120)
    await api.setDate('2026-08-10')
    assert.equal((await cancelled.cancel()).status, 200)
    await api.setDate('2026-11-20')
    const [{ states, months }, report] = await Promise.all([
      read<PlanPerformance>('/dashboard/plans'),
      read<Report>('/reports/plans'),
    ])
    const [row] = report.rows
    assert.equal(report.rows.length, 1)
    const countPlans = (...wanted: string[]) =>
      states.reduce((sum, { state, plans }) => (wanted.includes(state) ? sum + plans : sum), 0)
    assert.deepEqual(
      ['proposed', 'active', 'completed', 'breached', 'cancelled'].map((code) => row![code]),
      [1, 1, 1, 0, 2],
    )
    assert.deepEqual(
      [
        countPlans('PROPOSED'),
        countPlans('ACTIVE', 'LATE'),
        countPlans('COMPLETED'),
        countPlans('CANCELLED'),
      ],
      [1, 1, 1, 2],
    )
    // Three payments of the active plan, and one due before its plan was cancelled.
    assert.equal(
      months.reduce((sum, { payments }) => sum + payments, 0),
      4,
    )
    assert.deepEqual(
      sumsBy(months, ['currencyCode'], ['amount', 'paid']),
      sumsBy(report.rows, ['currencyCode'], ['due', 'paid']),
    )
    assert.equal(row!['paid'], 420)
  })
})
