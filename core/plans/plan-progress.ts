/** The progress of an active plan: paid payments, and the steps due on a day. Pure. */
import { addDays, latest } from '../calendar/calendar.ts'

export interface MatchedPayment {
  paid: bigint
  /** The date of full payment. Null before it, and for a payment of zero. */
  paidDate: string | null
}

/**
 * Matches payments received to the rows of a plan, the oldest unpaid row first, also partly or in advance.
 * `payments` must be sorted by value date. Money beyond the last row is surplus.
 */
export function matchPayments(
  rows: readonly { amount: bigint }[],
  payments: readonly { amount: bigint; valueDate: string }[],
): { rows: MatchedPayment[]; surplus: bigint } {
  const matched = rows.map((): MatchedPayment => ({ paid: 0n, paidDate: null }))
  let at = 0
  let surplus = 0n
  for (const { amount, valueDate } of payments) {
    let left = amount
    for (; left > 0n && at < rows.length;) {
      const room = rows[at]!.amount - matched[at]!.paid
      const part = left < room ? left : room
      matched[at]!.paid += part
      left -= part
      if (part < room) break
      if (part > 0n) matched[at]!.paidDate = valueDate
      at++
    }
    surplus += left
  }
  return { rows: matched, surplus }
}

interface RowParts {
  fee: bigint
  interest: bigint
  instalment: bigint
}

const clampAmount = (part: bigint, most: bigint) => (part < 0n ? 0n : part < most ? part : most)

/**
 * Splits the paid part of a partly paid row by component: what the ledger took in total, less the previous
 * rows. If early or late payment made the ledger take other parts than planned, the difference goes to
 * principal.
 */
export function splitPaid(paid: bigint, taken: RowParts, rowsBefore: readonly RowParts[]): RowParts {
  const rest = (part: 'fee' | 'interest') => rowsBefore.reduce((left, row) => left - row[part], taken[part])
  const fee = clampAmount(rest('fee'), paid)
  const interest = clampAmount(rest('interest'), paid - fee)
  return { fee, interest, instalment: paid - fee - interest }
}

export interface CourseRow {
  paymentNo: number
  invoiceDate: string
  dueDate: string
  amount: bigint
  paid: bigint
  /** When the payment was marked as missed, even if it was paid later. */
  missedDate: string | null
}

export interface PlanCourse {
  rows: readonly CourseRow[]
  /** The invoice fees of payments up to this number are posted. */
  invoicedThrough: number
  graceDays: number
  missesToBreach: number
}

export type PlanStep =
  { kind: 'invoice' | 'miss'; paymentNo: number; date: string } | { kind: 'breach'; date: string }

const isOpen = ({ amount, paid }: CourseRow) => paid < amount
const isMissing = (row: CourseRow) => row.missedDate !== null && isOpen(row)

/** An invoice fee is posted on the invoice date, but not before the day after the previous due date. */
const invoicedOn = (rows: readonly CourseRow[], index: number): string => {
  const { invoiceDate } = rows[index]!
  return index === 0 ? invoiceDate : latest(invoiceDate, addDays(rows[index - 1]!.dueDate, 1))
}

function upcomingSteps({
  rows,
  invoicedThrough,
  graceDays,
}: PlanCourse): Exclude<PlanStep, { kind: 'breach' }>[] {
  return rows
    .flatMap((row, index) => {
      const { paymentNo } = row
      const steps: Exclude<PlanStep, { kind: 'breach' }>[] = []
      if (paymentNo > invoicedThrough)
        steps.push({ kind: 'invoice', paymentNo, date: invoicedOn(rows, index) })
      if (isOpen(row) && row.missedDate === null)
        steps.push({ kind: 'miss', paymentNo, date: addDays(row.dueDate, graceDays + 1) })
      return steps
    })
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
}

/**
 * The steps due up to a day, in order: invoices, missed payments after the grace period, and the breach once
 * enough payments are missed and unpaid. Nothing follows a breach.
 */
export function planSteps(course: PlanCourse, today: string): PlanStep[] {
  let missing = course.rows.filter(isMissing).length
  if (missing >= course.missesToBreach) return [{ kind: 'breach', date: today }]
  const steps: PlanStep[] = []
  for (const step of upcomingSteps(course)) {
    if (step.date > today) break
    steps.push(step)
    if (step.kind === 'miss' && ++missing >= course.missesToBreach) {
      steps.push({ kind: 'breach', date: step.date })
      break
    }
  }
  return steps
}

/** The next day with a step if nothing is paid. Null when none is known. */
export function nextStepDate(course: PlanCourse): string | null {
  const missing = course.rows.filter(isMissing)
  if (missing.length >= course.missesToBreach) return missing.at(-1)!.missedDate
  return upcomingSteps(course)[0]?.date ?? null
}
