/** A plan's rows as they are shown and stored, from the schedule in units. */
import { sharePayments } from './debt-relief.ts'
import type { DueDates } from './plan-dates.ts'
import { claimOf, sumOf, type Course, type Schedule } from './plan-schedule.ts'
import type { PaymentPlan, PlanRow, PlanTerms } from './plan-terms.ts'
import { civilOf, writeCivil } from './civil-day.ts'

/** The rows of types 1 to 4, their totals, and what they leave. */
export function composeRows(
  terms: PlanTerms,
  course: Course,
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
  let balance = sumOf(leftByInvoice) + sumOf(instalments) - paid.instalment / unit
  const rows: PlanRow[] = []
  for (let index = 0; index < fees.length; index++) {
    const no = first + index
    const [fee, interest, instalment] = [fees[index]!, interests[index]!, instalments[index]!]
    const before = index === 0 ? paid : null
    const made = before ? (before.fee + before.interest + before.instalment) / unit : 0
    balance -= instalment - (before ? before.instalment / unit : 0)
    const amount = fee + interest + instalment
    rows.push({
      paymentNo: no,
      ...datesOf(dates, no, index === 0 ? dates.start : dates.due[no - 1]!, lead),
      instalment: BigInt(instalment),
      interest: BigInt(interest),
      fee: BigInt(fee),
      amount: BigInt(amount),
      unpaid: BigInt(amount - made),
      balance: BigInt(balance),
      paymentType: specified[no] === undefined ? level : 3,
    })
  }
  const [principal, interest, fee] = [sumOf(instalments), sumOf(interests), sumOf(fees)]
  return {
    rows,
    totals: {
      amount: BigInt(principal + interest + fee),
      principal: BigInt(principal),
      interest: BigInt(interest),
      fee: BigInt(fee),
    },
    left: {
      principal: BigInt(sumOf(leftByInvoice)),
      interest: BigInt(Math.round(schedule.left.interest / unit)),
      fee: BigInt(Math.round(schedule.left.fee / unit)),
      byCase: course.cases.map(({ from, to }) => BigInt(sumOf(leftByInvoice.slice(from, to)))),
    },
  }
}

/** Units as minor units whose running sums are those of the units, rounded half up. */
function toMinor(units: number[], unit: number): number[] {
  if (unit === 1) return units
  let [sum, shown] = [0, 0]
  return units.map((amount) => {
    sum += amount
    const before = shown
    shown = Math.round(sum / unit)
    return shown - before
  })
}

/** The principal left by invoice in minor units, so that together with what is paid it is all there was. */
function splitLeft({ unit, principal }: Course, { left, instalment }: Schedule): number[] {
  if (unit === 1) return left.principal
  const whole = Math.round(sumOf(principal) / unit) - Math.round(sumOf(instalment) / unit)
  const shares = toMinor(left.principal, unit)
  const last = shares.length - 1
  shares[last]! += whole - sumOf(shares)
  return shares
}

/** Debt relief: the rows with each case's share, what each case has left, and all that was claimed. */
export function composeReliefRows(
  terms: PlanTerms,
  dates: DueDates,
  first: number,
): { rows: PlanRow[]; left: bigint[]; claim: bigint } {
  const last = terms.numberOfPayments!
  const left = terms.cases.map(claimOf)
  const claim = left.reduce((sum, one) => sum + one, 0n)
  const made = terms.tail?.partlyPaid?.instalment ?? 0n
  const specified = new Map(
    (terms.deviations ?? []).flatMap(({ paymentNo, amount }) =>
      amount === undefined || amount === null ? [] : [[paymentNo, amount] as const],
    ),
  )
  const amounts = Array.from(
    { length: last - first + 1 },
    (_, index) => (specified.get(first + index) ?? terms.amount!) - (index === 0 ? made : 0n),
  )
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
      ...datesOf(dates, no, index === 0 ? dates.start : dates.due[no - 1]!, terms.invoiceDaysBefore ?? 14),
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

function datesOf(
  { due, civil, start }: DueDates,
  no: number,
  from: number,
  lead: number,
): Pick<PlanRow, 'invoiceDate' | 'dueDate' | 'days'> {
  const day = due[no]!
  return {
    invoiceDate: writeCivil(civilOf(Math.max(day - lead, Math.min(start, day)))),
    dueDate: writeCivil(civil[no]!),
    days: Math.max(0, day - Math.max(from, start)),
  }
}
