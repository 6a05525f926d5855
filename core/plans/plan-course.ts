/** A plan on its way: which of its payments are paid, and what a day brings when they are not. Pure. */
import { addDays, latest } from '../calendar/calendar.ts'

export interface MatchedPayment {
  paid: bigint
  /** When it was paid in full; null until then, and of a payment of nothing. */
  paidDate: string | null
}

/**
 * What was paid, matched to the payments of a plan in their order: the oldest unpaid first, in part, or beyond the due
 * one. `payments` are in the order of their value dates. What is beyond the last is surplus.
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

const within = (part: bigint, most: bigint) => (part < 0n ? 0n : part < most ? part : most)

/**
 * What of a row that is partly paid is paid of which part: what the ledger took in all, less the rows before. Where a
 * payment came early or late and the ledger took other parts than a row says, the difference is principal.
 */
export function splitPaid(paid: bigint, taken: RowParts, rowsBefore: readonly RowParts[]): RowParts {
  const rest = (part: 'fee' | 'interest') => rowsBefore.reduce((left, row) => left - row[part], taken[part])
  const fee = within(rest('fee'), paid)
  const interest = within(rest('interest'), paid - fee)
  return { fee, interest, instalment: paid - fee - interest }
}

export interface CourseRow {
  paymentNo: number
  invoiceDate: string
  dueDate: string
  amount: bigint
  paid: bigint
  /** When it was marked missed, whether it was paid later or not. */
  missedDate: string | null
}

export interface PlanCourse {
  rows: readonly CourseRow[]
  /** Payments up to this number have their invoice fee posted. */
  invoicedThrough: number
  graceDays: number
  missesToBreach: number
}

export type PlanStep =
  { kind: 'invoice' | 'miss'; paymentNo: number; date: string } | { kind: 'breach'; date: string }

const isOpen = ({ amount, paid }: CourseRow) => paid < amount
const isMissing = (row: CourseRow) => row.missedDate !== null && isOpen(row)

/** An invoice fee is posted on the invoice date, but not before the payment before it is due. */
const invoicedOn = (rows: readonly CourseRow[], index: number): string => {
  const { invoiceDate } = rows[index]!
  return index === 0 ? invoiceDate : latest(invoiceDate, addDays(rows[index - 1]!.dueDate, 1))
}

function stepsToCome({
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
 * What has come about by a day, in order: invoices, payments unpaid after the days of grace, and the breach when so many
 * are missed and still unpaid, after which nothing follows.
 */
export function planSteps(course: PlanCourse, today: string): PlanStep[] {
  let missing = course.rows.filter(isMissing).length
  if (missing >= course.missesToBreach) return [{ kind: 'breach', date: today }]
  const steps: PlanStep[] = []
  for (const step of stepsToCome(course)) {
    if (step.date > today) break
    steps.push(step)
    if (step.kind === 'miss' && ++missing >= course.missesToBreach) {
      steps.push({ kind: 'breach', date: step.date })
      break
    }
  }
  return steps
}

/** The next day that brings something without a payment; null when none is known. */
export function nextStepDate(course: PlanCourse): string | null {
  const missing = course.rows.filter(isMissing)
  if (missing.length >= course.missesToBreach) return missing.at(-1)!.missedDate
  return stepsToCome(course)[0]?.date ?? null
}
