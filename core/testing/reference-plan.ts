/**
 * A slow and simple computation of payment plans, as a reference for the fast one: exact fractions, dates as
 * text, interest by the ledger's functions. Types 1 to 4, actual/365, half up, monthly or weekly.
 */
import { addDays, addMonths, toDayNumber } from '../calendar/calendar.ts'
import { interestDenominator, interestNumerator, type RateSteps } from '../interest/interest.ts'
import { divideHalfUp } from '../money/money.ts'
import type { PlanTerms } from '../plans/plan-terms.ts'

export interface HandRow {
  paymentNo: number
  dueDate: string
  instalment: bigint
  interest: bigint
  fee: bigint
  balance: bigint
}

interface State {
  /** By case and invoice, in parts; `scale` of them make one minor unit. */
  principal: bigint[][]
  interest: bigint
  costs: bigint
  scale: bigint
}

export function dueDateByHand(terms: PlanTerms, no: number): string {
  const deviations = terms.deviations ?? []
  const anchor =
    terms.firstDueDate ??
    (terms.tail ? undefined : deviations.find(({ paymentNo }) => paymentNo === 1)?.dueDate) ??
    addDays(terms.startDate, terms.firstDueDays ?? 30)
  const { type, count } = terms.interval ?? { type: 3, count: 1 }
  const steps = (no - 1) * count
  const regular =
    type === 3
      ? addMonths(anchor, steps)
      : type === 4
        ? addMonths(anchor, 12 * steps)
        : addDays(anchor, steps * (type === 2 ? 7 : 1))
  return deviations.find(({ paymentNo }) => paymentNo === no)?.dueDate ?? regular
}

/** The rows under a level amount, up to payment `last`. If `clears`, that payment pays the remainder. */
export function scheduleByHand(terms: PlanTerms, level: bigint, last: number, clears: boolean): HandRow[] {
  const state = initialState(terms)
  const rows: HandRow[] = []
  const first = (terms.tail?.paidThrough ?? 0) + 1
  for (let no = first; no <= last; no++) {
    accrue(terms, state, no, true)
    const owed = state.costs + state.interest + totalPrincipal(state)
    const made = no === first ? terms.tail?.partlyPaid : undefined
    const pay = clears && no === last ? owed : least(computePayment(terms, state, no, level), owed)
    const { fee, interest, instalment } = settle(state, pay)
    rows.push({
      paymentNo: no,
      dueDate: dueDateByHand(terms, no),
      fee: fee + (made?.fee ?? 0n),
      interest: interest + (made?.interest ?? 0n),
      instalment: instalment + (made?.instalment ?? 0n),
      balance: totalPrincipal(state),
    })
    if (pay === owed) break
  }
  return rows
}

/**
 * The whole level amount nearest (half up) to the one that repays exactly with unrounded interest. At least
 * 1.
 */
export function levelByHand(terms: PlanTerms, last: number): bigint {
  let low = 1n
  let high = 2n ** 60n
  // The largest amount whose value minus half a unit does not yet repay too much.
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    if (remaining(terms, 2n * middle - 1n, last) >= 0n) low = middle
    else high = middle - 1n
  }
  return low
}

/**
 * The remainder when half of `twice` is paid each time, negative for too much. Only its sign is meaningful.
 */
function remaining(terms: PlanTerms, twice: bigint, last: number): bigint {
  const state = initialState(terms)
  scaleBy(state, 2n)
  for (let no = (terms.tail?.paidThrough ?? 0) + 1; no <= last; no++) {
    scaleBy(state, interestDenominator)
    accrue(terms, state, no, false)
    const owed = state.costs + state.interest + totalPrincipal(state)
    const pay = computePayment(terms, state, no, twice * (state.scale / 2n), state.scale)
    // An overpayment before the last payment would have to be returned, so the amount is too large in any
    // case.
    if (pay > owed && no < last) return -1n
    if (no === last) return owed - pay
    settle(state, pay)
  }
  return 0n
}

function initialState({ cases, registrationFee = 0n }: PlanTerms): State {
  return {
    principal: cases.map(({ invoices }) => invoices.map((invoice) => invoice.principal)),
    interest: cases.reduce((sum, { interest }) => sum + interest, 0n),
    costs: cases.reduce((sum, { costs }) => sum + costs, registrationFee),
    scale: 1n,
  }
}

function scaleBy(state: State, factor: bigint): void {
  state.principal = state.principal.map((invoices) => invoices.map((amount) => amount * factor))
  state.interest *= factor
  state.costs *= factor
  state.scale *= factor
}

function accrue(terms: PlanTerms, state: State, no: number, rounds: boolean): void {
  const first = (terms.tail?.paidThrough ?? 0) + 1
  const start = toDayNumber(terms.startDate)
  const days = Array.from({ length: no - first + 1 }, (_, index) =>
    toDayNumber(dueDateByHand(terms, first + index)),
  )
  const to = Math.max(start, ...days)
  const from = Math.max(start, ...days.slice(0, -1))
  for (const [index, { invoices }] of terms.cases.entries()) {
    let sum = 0n
    for (const [position, { rates, interestFrom }] of invoices.entries()) {
      const begin = interestFrom ? Math.max(from, toDayNumber(interestFrom)) : from
      sum += numerator(state.principal[index]![position]!, rates, begin, to)
    }
    state.interest += rounds ? divideHalfUp(sum, interestDenominator) : sum / interestDenominator
    if (!rounds && sum % interestDenominator !== 0n) throw new Error('The scale is too coarse.')
  }
  if (no > (terms.tail?.invoicedThrough ?? 0)) state.costs += (terms.invoiceFee ?? 0n) * state.scale
}

const numerator = (principal: bigint, rates: RateSteps, from: number, to: number): bigint =>
  to > from ? interestNumerator(principal, rates, from, to) : 0n

/** The amount paid, if that much is owed. Amounts of the terms are scaled here; `level` is already scaled. */
function computePayment(terms: PlanTerms, state: State, no: number, level: bigint, scale = 1n): bigint {
  const made = no === (terms.tail?.paidThrough ?? 0) + 1 ? terms.tail?.partlyPaid : undefined
  const specified = terms.deviations?.find(({ paymentNo }) => paymentNo === no)?.amount
  const before = ((made?.fee ?? 0n) + (made?.interest ?? 0n) + (made?.instalment ?? 0n)) * scale
  if (specified !== undefined && specified !== null) return positive(specified * scale - before)
  if (terms.type === 1 || terms.type === 2) return positive(level - before)
  return state.costs + state.interest + positive(level - (made?.instalment ?? 0n) * scale)
}

function settle(state: State, pay: bigint): { fee: bigint; interest: bigint; instalment: bigint } {
  const fee = least(pay, state.costs)
  const interest = least(pay - fee, state.interest)
  const instalment = pay - fee - interest
  state.costs -= fee
  state.interest -= interest
  let left = instalment
  state.principal = state.principal.map((invoices) =>
    invoices.map((amount) => {
      const part = least(left, amount)
      left -= part
      return amount - part
    }),
  )
  return { fee, interest, instalment }
}

const totalPrincipal = ({ principal }: State): bigint =>
  principal.flat().reduce((sum, amount) => sum + amount, 0n)
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const positive = (amount: bigint): bigint => (amount > 0n ? amount : 0n)
