/** The plan calculation in the browser agrees with what the service says of its cases. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeInput, toPlanCase, type OwedCase, type PlanInput } from './plan-terms.ts'

const asOf = '2026-11-21T00:00:00Z'
const line = (figure: string, amount: number, more: object = {}) => ({
  rule: figure,
  text: '',
  date: asOf,
  invoiceGuid: null,
  movementGuid: null,
  amount,
  ...more,
})
const interest = (invoiceGuid: string, ratePercent: number, toDate: string) =>
  line('INTEREST', 1, { invoiceGuid, ratePercent, toDate })

const owed = {
  record: {
    invoices: [
      { invoiceGuid: 'later', dueDate: '2026-03-31T00:00:00Z' },
      { invoiceGuid: 'earlier', dueDate: '2026-01-31T00:00:00Z' },
      { invoiceGuid: 'paid', dueDate: '2025-01-31T00:00:00Z' },
    ],
  },
  explanation: {
    currencyCode: 'SEK',
    asOf,
    standstills: [],
    figures: [
      {
        figure: 'remainingPrincipal',
        amount: 1100.1,
        lines: [
          line('REGISTERED', 700.1, { invoiceGuid: 'later' }),
          line('REGISTERED', 500, { invoiceGuid: 'earlier' }),
          line('PAID', -100, { invoiceGuid: 'earlier' }),
          line('REGISTERED', 50, { invoiceGuid: 'paid' }),
          line('PAID', -50, { invoiceGuid: 'paid' }),
        ],
      },
      {
        figure: 'accruedInterest',
        amount: 3,
        lines: [
          interest('earlier', 12, '2026-06-30T00:00:00Z'),
          interest('earlier', 10, asOf),
          interest('later', 8, asOf),
        ],
      },
      { figure: 'remainingInterest', amount: 3, lines: [] },
      { figure: 'remainingFee', amount: 180, lines: [] },
    ],
  },
} as unknown as OwedCase

test("the debt of a case is split by claim, oldest due date first, at today's rate", () => {
  const { invoices, interest: accrued, costs } = toPlanCase(owed)
  assert.deepEqual(
    invoices.map(({ principal, rates }) => [principal, rates.rates.at(-1)]),
    [
      [40_000n, 10_000_000],
      [70_010n, 8_000_000],
    ],
  )
  assert.deepEqual([accrued, costs], [300n, 18_000n])
})

const input: PlanInput = {
  paymentPlanType: 1,
  numberOfPayments: 6,
  amount: null,
  currencyCode: 'SEK',
  registrationFee: 170,
  invoiceFee: 0,
  intervalType: 3,
  interval: 1,
  payments: [{ paymentNo: 2, specifiedDueDate: '2027-01-25T00:00:00Z', specifiedAmount: 50 }],
  cases: [],
}

const noContext: Parameters<typeof computeInput>[2] = { firstDueDays: undefined, country: null }

test('a plan pays the whole debt with fee and interest, with the given deviations', () => {
  const outcome = computeInput([owed], input, noContext)
  assert.ok(outcome.ok)
  const { totals, rows, claim } = outcome.plan
  assert.equal(claim, 40_000n + 70_010n + 300n + 18_000n)
  assert.equal(totals.principal, 110_010n)
  assert.ok(totals.amount >= claim + 17_000n)
  assert.deepEqual([rows[1]!.dueDate, rows[1]!.amount, rows.length], ['2027-01-25', 5000n, 6])
})

test('an impossible plan gives its reason', () => {
  const outcome = computeInput(
    [owed],
    { ...input, numberOfPayments: null, amount: 1, payments: [] },
    noContext,
  )
  assert.ok(!outcome.ok)
  assert.equal(outcome.error.code, 'never-repays')
})

const dates = (more: Partial<PlanInput>, context = noContext) => {
  const outcome = computeInput([owed], { ...input, numberOfPayments: 3, payments: [], ...more }, context)
  assert.ok(outcome.ok)
  return outcome.plan.rows.map(({ dueDate }) => dueDate).join(' ')
}

test('the rhythm, the pay day, the first due date and the business days are those of the input', () => {
  assert.equal(dates({}), '2026-12-21 2027-01-21 2027-02-21')
  assert.equal(dates({}, { firstDueDays: 10, country: null }), '2026-12-01 2027-01-01 2027-02-01')
  assert.equal(dates({ intervalType: 2, interval: 2 }), '2026-12-21 2027-01-04 2027-01-18')
  assert.equal(dates({ payDay: 31 }), '2026-12-31 2027-01-31 2027-02-28')
  assert.equal(dates({ firstDueDate: '2026-12-06T00:00:00Z' }), '2026-12-06 2027-01-06 2027-02-06')
  const swedish = { firstDueDays: undefined, country: 'SE' }
  const open = { businessDays: true, firstDueDate: '2026-12-06T00:00:00Z' }
  assert.equal(dates(open, swedish), '2026-12-07 2027-01-07 2027-02-08')
  assert.equal(dates({ ...open, businessDays: false }, swedish), '2026-12-06 2027-01-06 2027-02-06')
})

const newInterest = (one: OwedCase) => {
  const outcome = computeInput([one], { ...input, numberOfPayments: 1, payments: [] }, noContext)
  assert.ok(outcome.ok)
  return outcome.plan.totals.interest - 300n
}

test('interest pauses in the days that the service names', () => {
  const pause = { kind: 'INTEREST_PAUSE', fromDate: '2026-12-01T00:00:00Z', toDate: '2026-12-10T00:00:00Z' }
  const paused = {
    ...owed,
    explanation: { ...owed.explanation, standstills: [pause, { ...pause, kind: 'HOLD' }] },
  } as unknown as OwedCase
  // 30 days at 10 % of 400.00 and at 8 % of 700.10; ten of them pause.
  assert.equal(newInterest(owed as unknown as OwedCase), 789n)
  assert.equal(newInterest(paused), 526n)
})
