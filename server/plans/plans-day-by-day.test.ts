/**
 * Walks plans day by day through the business date: paid on time, late, in part, early, never. Each day runs
 * the day-end, verifies the ledger, and compares schedule, ledger and cases.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PaymentPlan } from '../../contract/plans/payment-plans.ts'
import { addDays } from '../../core/calendar/calendar.ts'
import { countDecimals } from '../../core/money/money.ts'
import { contextOn, assertProven, runDayEnd } from '../testing/records/cases.ts'
import { openPlanStage, type PlanStage } from '../testing/records/plans.ts'

const start = '2026-01-31'
let stage: PlanStage
before(async () => {
  stage = await openPlanStage(start)
})
after(() => stage.api.close())

/** What a debtor pays on a day, given the current plan. Null for nothing. */
type Payer = (plan: PaymentPlan, day: string) => number | null
interface Walked {
  name: string
  debtorGuid: string
  caseGuids: string[]
  guid: string
  currency: string
  payer: Payer
  plan: PaymentPlan
  paid: number
}

const dueOn = (plan: PaymentPlan, day: string) =>
  plan.payments.find(({ dueDate, unpaid }) => dueDate.slice(0, 10) === day && unpaid > 0)
const onTime: Payer = (plan, day) => dueOn(plan, day)?.unpaid ?? null
const early: Payer = (plan, day) => dueOn(plan, addDays(day, 20))?.unpaid ?? null
/** Three days late, within the grace period. */
const late: Payer = (plan, day) => dueOn(plan, addDays(day, -3))?.unpaid ?? null
/** Half on the due date, half after the grace period. */
const halves: Payer = (plan, day) => {
  const due = dueOn(plan, day)
  if (due) return Math.floor(due.amount / 2)
  return dueOn(plan, addDays(day, -8))?.unpaid ?? null
}
/** Two payments at once, on every second due date. */
const double: Payer = (plan, day) => {
  const due = dueOn(plan, day)
  if (!due) return null
  return due.unpaid + (plan.payments[due.paymentNo]?.unpaid ?? 0)
}
const once: Payer = (plan, day) => {
  const due = dueOn(plan, day)
  return due?.paymentNo === 1 ? due.unpaid : null
}

const rated = (principal: number, more: object = {}) => ({
  principal,
  interestRate: 10,
  interestFromDate: start,
  ...more,
})
const fees = { registrationFee: 170, invoiceFee: 25, reminderFee: 60 }
const table: [name: string, cases: object[], plan: object, payer: Payer, end: string][] = [
  [
    'annuity on time',
    [rated(10_000)],
    { paymentPlanType: 1, numberOfPayments: 6, ...fees },
    onTime,
    'COMPLETED',
  ],
  [
    'annuity of three cases',
    [rated(4_000), rated(6_000, { interestRate: 12 }), rated(3_000, { fee: 180 })],
    { paymentPlanType: 1, numberOfPayments: 5, ...fees },
    onTime,
    'COMPLETED',
  ],
  [
    'annuity by amount, with a deviation',
    [rated(5_000)],
    { paymentPlanType: 1, amount: 1_100, payments: [{ paymentNo: 2, specifiedAmount: 300 }] },
    onTime,
    'COMPLETED',
  ],
  [
    'limited',
    [rated(10_000)],
    { paymentPlanType: 2, numberOfPayments: 4, amount: 900, ...fees },
    onTime,
    'COMPLETED',
  ],
  ['linear', [rated(6_000)], { paymentPlanType: 3, numberOfPayments: 6, ...fees }, onTime, 'COMPLETED'],
  [
    'linear limited',
    [rated(6_000)],
    { paymentPlanType: 4, numberOfPayments: 3, amount: 700 },
    onTime,
    'COMPLETED',
  ],
  [
    'debt relief',
    [rated(9_000), rated(1_000), rated(333)],
    { paymentPlanType: 5, numberOfPayments: 5, amount: 700 },
    onTime,
    'COMPLETED',
  ],
  ['late', [rated(8_000)], { paymentPlanType: 1, numberOfPayments: 5, ...fees }, late, 'COMPLETED'],
  ['in halves', [rated(8_000)], { paymentPlanType: 1, numberOfPayments: 5, ...fees }, halves, 'COMPLETED'],
  ['early', [rated(8_000)], { paymentPlanType: 3, numberOfPayments: 5, ...fees }, early, 'COMPLETED'],
  ['two at once', [rated(8_000)], { paymentPlanType: 1, numberOfPayments: 6, ...fees }, double, 'COMPLETED'],
  ['never', [rated(8_000)], { paymentPlanType: 1, numberOfPayments: 6, ...fees }, () => null, 'BREACHED'],
  [
    'once only, debt relief',
    [rated(8_000), rated(2_000)],
    { paymentPlanType: 5, numberOfPayments: 6, amount: 500 },
    once,
    'BREACHED',
  ],
  ...(['NOK', 'DKK', 'EUR', 'ISK', 'JPY', 'KWD'] as const).map(
    (currencyCode): [string, object[], object, Payer, string] => [
      currencyCode,
      [rated(12_345, { currencyCode })],
      { paymentPlanType: 1, numberOfPayments: 4, registrationFee: 20, invoiceFee: 3 },
      onTime,
      'COMPLETED',
    ],
  ),
]

/** Converts an amount to minor units. */
const minor = (amount: number, currency: string) => Math.round(amount * 10 ** countDecimals(currency))

async function begin([name, cases, body, payer]: (typeof table)[number]): Promise<Walked> {
  const made = await stage.debtorWith(...cases)
  const { body: plan, status, text } = await stage.plan(made.debtorGuid, { active: 1, ...body })
  assert.equal(status, 201, `${name}: ${text}`)
  return { name, ...made, guid: plan.paymentPlanGuid!, currency: plan.currencyCode, payer, plan, paid: 0 }
}

/** Compares the plan's payments with what was paid: payments fill in order, the oldest first. */
async function compare(one: Walked, day: string): Promise<void> {
  const { name, currency, plan } = one
  const about = `${name} on ${day}`
  const sum = plan.payments.reduce(
    (all, { amount, unpaid }) => all + minor(amount, currency) - minor(unpaid, currency),
    0,
  )
  const whole = minor(plan.totalAmount, currency)
  assert.equal(sum, Math.min(one.paid, whole), about)
  const firstOpen = plan.payments.findIndex(({ unpaid }) => unpaid > 0)
  plan.payments.forEach(({ unpaid, amount, paidDate }, index) => {
    if (firstOpen >= 0 && index > firstOpen) assert.equal(unpaid, amount, about)
    assert.equal(paidDate !== null, unpaid === 0 && amount > 0, about)
  })
  if (plan.active !== 1) return
  assert.equal(plan.remainingNumberOfPayments, plan.payments.filter(({ unpaid }) => unpaid > 0).length)
  for (const guid of one.caseGuids) {
    const { status, subStatus } = await stage.detail(one.debtorGuid, guid)
    assert.ok(status === 'CLOSED' || subStatus === 'PAYMENT_PLAN', `${about}: ${status} ${subStatus}`)
  }
}

/** Compares rows paid on time with the ledger: it must show the row's fee, interest and instalment. */
async function compareWithLedger(one: Walked, day: string): Promise<void> {
  const { plan, currency, name } = one
  const made = plan.payments.filter(({ unpaid }) => unpaid === 0)
  const details = await Promise.all(one.caseGuids.map((guid) => stage.detail(one.debtorGuid, guid)))
  const sum = (pick: (detail: (typeof details)[number]) => number) =>
    details.reduce((all, detail) => all + minor(pick(detail), currency), 0)
  const rows = (part: 'instalment' | 'interest' | 'fee') =>
    made.reduce((all, row) => all + minor(row[part], currency), 0)
  const paid = [sum((d) => d.paidPrincipal), sum((d) => d.paidInterest), sum((d) => d.paidFee)]
  const shown =
    plan.paymentPlanType === 5 ? [rows('instalment')] : [rows('instalment'), rows('interest'), rows('fee')]
  const found = plan.paymentPlanType === 5 ? [paid.reduce((all, part) => all + part, 0)] : paid
  assert.deepEqual(found, shown, `${name} on ${day}`)
}

test('plans walked day by day agree with the ledger and the cases', async () => {
  const walked: Walked[] = []
  for (const entry of table) walked.push(await begin(entry))
  for (let day = start, days = 0; days < 240; day = addDays(day, 1), days++) {
    await stage.setDate(day)
    await runDayEnd(stage.api.sql, contextOn(day).origin)
    for (const one of walked) {
      if (one.plan.active !== 1) continue
      one.plan = await stage.get(one.debtorGuid, one.guid)
      const amount = one.plan.active === 1 ? one.payer(one.plan, day) : null
      if (amount !== null && amount > 0) {
        await stage.pay({ caseGuid: one.caseGuids.at(-1), amount, currencyCode: one.currency })
        one.paid += minor(amount, one.currency)
        one.plan = await stage.get(one.debtorGuid, one.guid)
        if (one.payer === onTime) await compareWithLedger(one, day)
      }
      if (amount !== null || days % 30 === 0) await compare(one, day)
    }
    if (days % 5 === 0) await assertProven(stage.api)
  }
  await assertProven(stage.api)
  assert.deepEqual(
    walked.map(({ name, plan }) => [name, plan.endReason]),
    table.map(([name, , , , end]) => [name, end]),
  )
  const of = (name: string) => walked.find((one) => one.name === name)!
  const readDetails = async (name: string) => {
    const { debtorGuid, caseGuids } = of(name)
    return Promise.all(caseGuids.map((guid) => stage.detail(debtorGuid, guid)))
  }
  for (const { status, closureCode } of await readDetails('annuity of three cases'))
    assert.deepEqual([status, closureCode], ['CLOSED', 'PAID_IN_FULL'])
  const [limited] = await readDetails('limited')
  assert.deepEqual([limited!.status, limited!.subStatus], ['NEW', 'REGISTERED'])
  assert.ok(limited!.remainingPrincipal > 6_000)
  for (const detail of await readDetails('debt relief'))
    assert.deepEqual([detail.closureCode, detail.remainingSum], ['DEBT_RELIEF', 0])
  const [never] = await readDetails('never')
  // The registration fee, two invoice fees and two reminder fees for the missed payments.
  assert.equal(never!.remainingFee, 170 + 2 * 25 + 2 * 60)
  assert.deepEqual([never!.status, never!.subStatus], ['NEW', 'REGISTERED'])
  const revived = await readDetails('once only, debt relief')
  for (const { remainingInterest } of revived) assert.ok(remainingInterest > 0, 'the claims revive')
})
