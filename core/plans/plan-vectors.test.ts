/// <reference types="node" />
/** The published and reference schedules, each within the tolerance that the file of vectors states. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { solveAnnualRate, intervalBetween } from '../interest/annual-percentage.ts'
import { buildRateSteps } from '../interest/interest.ts'
import { fromMinor, toMinor } from '../money/money.ts'
import { computePlan } from './plan.ts'
import type { PaymentPlan, PlanCase, PlanTerms, PlanType } from './plan-terms.ts'

interface Row {
  no: number
  dueDate: string | null
  principal: number
  interest: number
  payment: number
  balance: number
}
interface ReferenceRow {
  paymentNo: number
  dueDate: string
  days?: number
  instalment: number
  interest: number
  fee: number
  amount: number
  balance: number
  perCase?: number[]
}
interface Schedule {
  id: string
  method: 'annuity' | 'linear'
  principal: number
  annualRatePct: number
  rateChanges?: { from_: string; annualRatePct: number }[]
  dayCount: string
  startDate: string
  numberOfPayments?: number
  amountPerPeriod?: number
  upfrontFee: number
  expectedAprPct: number
  rows: Row[]
}
interface ReferencePlan {
  id: string
  paymentPlanType: string
  input: {
    cases: { principal: number; interest: number; fee: number; ratePct: number }[]
    claims?: number[]
    startDate: string
    firstDueDate: string
    numberOfPayments: number | null
    amount: number | null
    invoiceFee: number
    registrationFee: number
    payments: { paymentNo: number; specifiedDueDate: string | null; specifiedAmount: number | null }[]
    freeMonths?: number[]
  }
  levelAmount: number
  residualAfterPlan: number
  totals: {
    amount: number
    principal: number
    interest: number
    fee: number
    writtenOff?: number
    perCaseWrittenOff?: number[]
    perCasePaid?: number[]
  }
  annualPercentage: number | null
  annualPercentageRaw?: number
  rows: ReferenceRow[]
}
const { schedules } = JSON.parse(
  readFileSync(new URL('vectors/payment-plans.json', import.meta.url), 'utf8'),
) as { schedules: (Schedule & ReferencePlan)[] }

const minor = (amount: number): bigint => toMinor(amount, 'EUR')
const major = (amount: bigint): number => fromMinor(amount, 'EUR')
const at = (percent: number) =>
  buildRateSteps({ kind: percent === 0 ? 'none' : 'fixed', rate: String(percent) }, new Map())

function makePlan(terms: PlanTerms): PaymentPlan {
  const outcome = computePlan(terms)
  assert.ok(
    outcome.ok,
    JSON.stringify(outcome, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
  )
  return outcome.plan
}

const makeCase = (one: {
  principal: number
  interest?: number
  fee?: number
  ratePct: number
}): PlanCase => ({
  invoices: [{ principal: minor(one.principal), rates: at(one.ratePct) }],
  interest: minor(one.interest ?? 0),
  costs: minor(one.fee ?? 0),
})

function referenceTerms({ paymentPlanType, input }: ReferencePlan): PlanTerms {
  return {
    type: Number(paymentPlanType) as PlanType,
    startDate: input.startDate ?? '2026-01-01',
    firstDueDate: input.firstDueDate ?? '2026-01-31',
    cases:
      input.claims?.map((principal) => makeCase({ principal, ratePct: 8 })) ??
      input.cases.map((one) => makeCase(one)),
    numberOfPayments: input.claims ? 50 : input.numberOfPayments,
    amount: input.amount === null ? null : minor(input.amount),
    registrationFee: minor(input.registrationFee ?? 0),
    invoiceFee: minor(input.invoiceFee ?? 0),
    deviations: (input.payments ?? []).map(({ paymentNo, specifiedDueDate, specifiedAmount }) => ({
      paymentNo,
      dueDate: specifiedDueDate,
      amount: specifiedAmount === null ? null : minor(specifiedAmount),
    })),
    freeMonths: input.freeMonths ?? [],
  }
}

/** The annual percentage before it is rounded, from the rows and what is left, with fees paid at once. */
function computeRawPercentage({ startDate, claim, rows, left }: PaymentPlan, upfront = 0): number {
  const payments = rows.map(({ amount, dueDate }) => ({
    amount: major(amount),
    years: intervalBetween(startDate, dueDate, 3).years,
  }))
  payments.at(-1)!.amount += major(left.total)
  payments.push({ amount: upfront, years: 0 })
  return solveAnnualRate([{ amount: major(claim), years: 0 }], payments)! * 100
}

test('the reference plans come out exactly, every row', () => {
  const plans = schedules.filter(({ id }) => id.startsWith('PLAN-'))
  assert.equal(plans.length, 10)
  for (const vector of plans) {
    const plan = makePlan(referenceTerms(vector))
    const rows = plan.rows.map((row, index) => ({
      paymentNo: row.paymentNo,
      dueDate: row.dueDate,
      ...(vector.rows[index]?.days === undefined ? {} : { days: row.days }),
      instalment: major(row.instalment),
      interest: major(row.interest),
      fee: major(row.fee),
      amount: major(row.amount),
      ...(row.shares ? { perCase: row.shares.map(major) } : {}),
      balance: major(row.balance),
    }))
    assert.deepEqual(rows, vector.rows, vector.id)
    assert.equal(plan.annualPercentage, vector.annualPercentage, vector.id)
    if (vector.annualPercentageRaw)
      assert.equal(computeRawPercentage(plan).toFixed(6), String(vector.annualPercentageRaw))
    assert.equal(major(plan.totals.amount), vector.totals.amount, vector.id)
    if (vector.input.claims) {
      assert.equal(major(plan.left.total), vector.totals.writtenOff)
      assert.deepEqual(plan.left.byCase.map(major), vector.totals.perCaseWrittenOff)
    } else {
      assert.equal(major(plan.levelAmount), vector.levelAmount, vector.id)
      assert.equal(major(plan.left.principal), vector.residualAfterPlan, vector.id)
      assert.equal(major(plan.totals.interest), vector.totals.interest, vector.id)
      assert.equal(major(plan.totals.fee), vector.totals.fee, vector.id)
      assert.equal(major(plan.totals.principal), vector.totals.principal, vector.id)
    }
  }
})

test("the Commission's tables come out within a cent, and with as many payments", () => {
  const tables = schedules.filter(({ id }) => id.startsWith('EC-'))
  assert.equal(tables.length, 3)
  for (const table of tables) {
    const plan = makePlan({
      type: table.method === 'annuity' ? 1 : 3,
      startDate: '2025-01-01',
      firstDueDate: '2025-02-01',
      cases: [makeCase({ principal: table.principal, ratePct: table.annualRatePct })],
      numberOfPayments: table.numberOfPayments ?? null,
      amount: table.amountPerPeriod === undefined ? null : minor(table.amountPerPeriod),
      dayCount: '30/360',
      rounding: 'none',
    })
    assertRows(table, plan, 1)
    assert.equal(
      computeRawPercentage(plan, table.upfrontFee).toFixed(4),
      table.expectedAprPct.toFixed(4),
      table.id,
    )
  }
})

const sumMinor = (amounts: number[]): number =>
  amounts.reduce((whole, amount) => whole + Number(minor(amount)), 0)

function assertRows(table: Schedule, plan: PaymentPlan, tolerance: number): void {
  assert.equal(plan.rows.length, table.rows.length, table.id)
  for (const [index, row] of plan.rows.entries()) {
    const expected = table.rows[index]!
    for (const [name, found, published] of [
      ['principal', row.instalment, expected.principal],
      ['interest', row.interest, expected.interest],
      ['payment', row.amount, expected.payment],
      ['balance', row.balance, expected.balance],
    ] as const) {
      const apart = Math.abs(Number(found - minor(published)))
      assert.ok(
        apart <= tolerance,
        `${table.id} row ${row.paymentNo} ${name}: ${found}, published ${published}`,
      )
    }
    if (expected.dueDate) assert.equal(row.dueDate, expected.dueDate)
  }
  if (tolerance > 1) {
    assert.equal(
      Number(plan.totals.principal),
      sumMinor(table.rows.map(({ principal }) => principal)),
      table.id,
    )
    assert.equal(Number(plan.totals.interest), sumMinor(table.rows.map(({ interest }) => interest)), table.id)
  }
}

const finTerms = (table: Schedule): PlanTerms => ({
  type: 1,
  startDate: table.startDate,
  firstDueDate: table.rows[0]!.dueDate!,
  cases: [makeCase({ principal: table.principal, ratePct: table.annualRatePct })],
  numberOfPayments: table.rows.length,
  dayCount: table.dayCount.startsWith('actual/actual') ? 'actual/actual' : '30/360',
  rounding: 'half-even',
})

test('the schedules of another open platform come out within two cents, and sum alike', () => {
  const tables = schedules.filter(({ id }) => id.startsWith('FIN-') && !id.includes('rate-change'))
  assert.equal(tables.length, 2)
  for (const table of tables) assertRows(table, makePlan(finTerms(table)), 2)
})

test('a rate that changes gives the unpaid payments a new level amount', () => {
  const table = schedules.find(({ id }) => id === 'FIN-10-rate-change')!
  const before = makePlan(finTerms(table))
  const [first] = before.rows
  const tail = makePlan({
    ...finTerms(table),
    startDate: first!.dueDate,
    firstDueDate: first!.dueDate,
    cases: [makeCase({ principal: major(first!.balance), ratePct: table.rateChanges![0]!.annualRatePct })],
    tail: { paidThrough: 1, lastDueDate: first!.dueDate },
  })
  const totals = {
    amount: first!.amount + tail.totals.amount,
    principal: first!.instalment + tail.totals.principal,
    interest: first!.interest + tail.totals.interest,
    fee: 0n,
  }
  assertRows(table, { ...tail, rows: [first!, ...tail.rows], totals }, 2)
})

const planFor = (
  percent: number,
  count: number,
  principal: number,
  rounding: PlanTerms['rounding'] = 'none',
) =>
  makePlan({
    type: 1,
    startDate: '2026-01-01',
    firstDueDate: '2026-02-01',
    cases: [makeCase({ principal, ratePct: percent })],
    numberOfPayments: count,
    dayCount: '30/360',
    rounding,
  })

test('the functions of spreadsheets come out: PMT, PPMT, IPMT', () => {
  assert.equal(major(planFor(8, 10, 10_000).levelAmount), 1037.03)
  // What is saved up to 50,000 is what a debt of that takes, less its interest.
  const saved = planFor(6, 216, 50_000)
  assert.equal(major(saved.levelAmount - saved.rows[0]!.interest), 129.08)
  // Published to six decimals: the debt is a million times as large.
  assert.equal((Number(planFor(8, 60, 15_000_000_000).levelAmount) / 1e8).toFixed(6), '304.145914')
  assert.equal(major(planFor(10, 24, 2000).rows[0]!.instalment), 75.62)
  assert.equal(major(planFor(10, 36, 8000).rows[0]!.interest), 66.67)
})
