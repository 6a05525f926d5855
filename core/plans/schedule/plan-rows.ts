/** Converts a schedule in units to the rows of a plan in minor units. */
import { sharePayments } from '../debt-relief.ts'
import type { DueDates } from './plan-dates.ts'
import { totalClaim, requireExact, sumAmounts, type ScheduleInput, type Schedule } from './plan-schedule.ts'
import type { PaymentPlan, PlanRow, PlanTerms } from '../plan-terms.ts'
import { writeDay } from '../../calendar/civil-day.ts'

/** The rows of plan types 1 to 4, with totals and remainders. */
export function composeRows(
  terms: PlanTerms,
  course: ScheduleInput,
  schedule: Schedule,
): {
  rows: PlanRow[]
  totals: PaymentPlan['totals']
  left: Omit<PaymentPlan['left'], 'total'>
} {
  const { unit, first, dates, specified, paid } = course
  const [fees, interests, instalments] = [schedule.fee, schedule.interest, schedule.instalment].map((units) =>
    toMinor(units, unit),
  ) as [number[], number[], number[]]
  const leftByInvoice = splitLeft(course, schedule)
  const lead = terms.invoiceDaysBefore ?? 14
  const level = course.byPrincipal ? 2 : 1
  let balance = sumAmounts(leftByInvoice) + sumAmounts(instalments) - paid.instalment / unit
  let made = (paid.fee + paid.interest + paid.instalment) / unit
  let madeOfPrincipal = paid.instalment / unit
  // Most fees and amounts repeat the previous row's, and creating a bigint is expensive.
  let [lastFee, feeMinor, lastAmount, amountMinor] = [0, 0n, 0, 0n]
  const rows: PlanRow[] = []
  for (let index = 0; index < fees.length; index++) {
    const paymentNo = first + index
    const fee = fees[index]!
    const amount = fee + interests[index]! + instalments[index]!
    balance -= instalments[index]! - madeOfPrincipal
    if (fee !== lastFee) [lastFee, feeMinor] = [fee, BigInt(fee)]
    if (amount !== lastAmount) [lastAmount, amountMinor] = [amount, BigInt(amount)]
    rows.push({
      paymentNo,
      invoiceDate: computeInvoiceDate(dates, paymentNo, lead, course.feesFrom - 1),
      dueDate: writeDay(dates.due[paymentNo]!),
      days: interestDays(dates, paymentNo, first),
      instalment: BigInt(instalments[index]!),
      interest: BigInt(interests[index]!),
      fee: feeMinor,
      amount: amountMinor,
      unpaid: made === 0 ? amountMinor : BigInt(amount - made),
      balance: BigInt(balance),
      paymentType: specified[paymentNo] === undefined ? level : 3,
    })
    made = madeOfPrincipal = 0
  }
  const byCase = course.cases.map(({ from, to }) => BigInt(sumAmounts(leftByInvoice.slice(from, to))))
  return {
    rows,
    totals: addUp(instalments, interests, fees),
    left: {
      principal: BigInt(sumAmounts(leftByInvoice)),
      interest: BigInt(Math.round(schedule.left.interest / unit)),
      fee: BigInt(Math.round(schedule.left.fee / unit)),
      byCase,
    },
  }
}

function addUp(instalments: number[], interests: number[], fees: number[]): PaymentPlan['totals'] {
  const [principal, interest, fee] = [sumAmounts(instalments), sumAmounts(interests), sumAmounts(fees)]
  return {
    amount: BigInt(requireExact(principal + interest + fee)),
    principal: BigInt(principal),
    interest: BigInt(interest),
    fee: BigInt(fee),
  }
}

/** Converts units to minor units so that running sums equal those of the units, rounded half up. */
function toMinor(units: number[], unit: number): number[] {
  if (unit === 1) return units
  let [sum, shown] = [0, 0]
  return units.map((amount) => {
    sum = requireExact(sum + amount)
    const before = shown
    shown = Math.round(sum / unit)
    return shown - before
  })
}

/**
 * The remaining principal by invoice in minor units. Together with the instalments it equals the original
 * principal.
 */
function splitLeft({ unit, principal, paid }: ScheduleInput, { left, instalment }: Schedule): number[] {
  if (unit === 1) return left.principal
  // What was paid of the first payment is part of its row, and no longer of the principal.
  const paidNow = sumAmounts(instalment) - paid.instalment
  const whole = Math.round(sumAmounts(principal) / unit) - Math.round(paidNow / unit)
  const shares = toMinor(left.principal, unit)
  const last = shares.length - 1
  shares[last]! += whole - sumAmounts(shares)
  return shares
}

/** Debt relief: rows with each case's share, the remainder of each case, and the total claim. */
export function composeReliefRows(
  terms: PlanTerms,
  dates: DueDates,
  first: number,
): { rows: PlanRow[]; left: bigint[]; claim: bigint } {
  const last = terms.numberOfPayments!
  const left = terms.cases.map(totalClaim)
  const claim = left.reduce((sum, one) => sum + one, 0n)
  const made = terms.tail?.partlyPaid?.instalment ?? 0n
  const specified = new Map(
    (terms.deviations ?? []).flatMap(({ paymentNo, amount }) =>
      amount === undefined || amount === null ? [] : [[paymentNo, amount] as const],
    ),
  )
  const amounts = Array.from({ length: last - first + 1 }, (_, index) => {
    const whole = specified.get(first + index) ?? terms.amount!
    if (index > 0) return whole
    // A partly paid payment whose deviating amount is taken back is at least what was paid of it.
    return whole > made ? whole - made : 0n
  })
  const payments = sharePayments(terms.tail?.claims ?? left, amounts, left)
  dates.extendTo(last)
  let balance = claim
  const rows = payments.map(({ amount: unpaid, shares }, index): PlanRow => {
    const no = first + index
    const amount = unpaid + (index === 0 ? made : 0n)
    balance -= unpaid
    for (const [one, share] of shares.entries()) left[one]! -= share
    return {
      paymentNo: no,
      invoiceDate: computeInvoiceDate(
        dates,
        no,
        terms.invoiceDaysBefore ?? 14,
        terms.tail?.invoicedThrough ?? 0,
      ),
      dueDate: writeDay(dates.due[no]!),
      days: interestDays(dates, no, first),
      instalment: amount,
      interest: 0n,
      fee: 0n,
      amount,
      unpaid,
      balance,
      paymentType: specified.has(no) ? 3 : 1,
      shares,
    }
  })
  return { rows, left, claim }
}

const interestDays = ({ due, start }: DueDates, no: number, first: number): number =>
  Math.max(0, due[no]! - (no === first ? start : Math.max(start, due[no - 1]!)))

/**
 * The invoice date, `lead` days before the due date. Not before the start, unless the invoice was already
 * sent or is overdue.
 */
function computeInvoiceDate({ due, start }: DueDates, no: number, lead: number, sent: number): string {
  const day = due[no]!
  return writeDay(no > sent ? Math.max(day - lead, Math.min(start, day)) : day - lead)
}
