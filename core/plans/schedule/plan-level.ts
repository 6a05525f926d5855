/**
 * Finds the level amount of a plan with a given number of payments. Under it nothing remains after the last
 * payment, with unrounded interest and unchanged deviations. The result is rounded to the unit.
 *
 * The search uses doubles. Where they cannot decide the rounding, exact whole numbers do.
 */
import { computeSchedule, sumAmounts, type ScheduleInput, type Schedule } from './plan-schedule.ts'
import { spreadRounding } from './plan-spread.ts'
import { mostPayments } from '../plan-terms.ts'

/** The rounded level amount, at least one unit, and its schedule. */
export function solveLevel(course: ScheduleInput, last: number): { level: number; schedule: Schedule } {
  course.rates.extendTo(last)
  const root = findRoot(course, last)
  if (root === null) {
    // Every payment has its own amount. The last one clears the remainder.
    const { fee, interest, instalment, ...rest } = computeSchedule(course, 1, last, true)
    const level = fee.at(-1)! + interest.at(-1)! + instalment.at(-1)!
    return { level, schedule: { fee, interest, instalment, ...rest } }
  }
  const level = Math.max(1, roundLevel(course, last, root))
  const even = course.even ? spreadRounding(course, { root, level, last }) : null
  if (even) return even
  const schedule = computeSchedule(course, level, last, true)
  // A level amount of a few units repays too early when rounded up. Rounded down, something remains for every
  // payment.
  const lower = Math.floor(root)
  if (lower >= 1 && lower < level && schedule.fee.length < last - course.first + 1) {
    const later = computeSchedule(course, lower, last, true)
    if (later.fee.length > schedule.fee.length) return { level: lower, schedule: later }
  }
  return { level, schedule }
}

/** The smallest level amount that repays within the maximum number of payments. */
export function solveLeastLevel(course: ScheduleInput): number {
  course.rates.extendTo(mostPayments)
  const guess = Math.ceil((findRoot(course, mostPayments) ?? 1) - 1e-6)
  // Rounding of interest changes the result by a few units, more for longer plans.
  return findLeast(guess, (level) => computeSchedule(course, level, mostPayments, false).repaid)
}

/** The smallest amount of a limited plan that leaves less than is owed at the start. */
export const solveLeastShrinking = (course: ScheduleInput, last: number): number =>
  findLeast(1, (level) => totalLeft(computeSchedule(course, level, last, false)) < course.claim)

/** The smallest amount (at least 1) that satisfies `does`: grows the step from a guess, then bisects back. */
function findLeast(guess: number, does: (level: number) => boolean): number {
  let level = Math.max(1, guess)
  let failing = level
  for (let step = 1; level > 1 && does(level); step *= 2) level = Math.max(1, level - step)
  if (does(level)) return level
  failing = level
  for (let step = 1; !does(level); step *= 2) {
    failing = level
    level += step
    // When every payment has its own amount, no level amount has any effect.
    if (step > Number.MAX_SAFE_INTEGER / 1000) return Math.max(1, guess)
  }
  while (level - failing > 1) {
    const middle = Math.floor((level + failing) / 2)
    if (does(middle)) level = middle
    else failing = middle
  }
  return level
}

/** The total remainder of a schedule. */
export const totalLeft = ({ left }: Schedule): number => left.fee + left.interest + sumAmounts(left.principal)

/** The exact level amount as the nearest double. Null when no payment is level. */
function findRoot(course: ScheduleInput, last: number): number | null {
  let level = false
  for (let no = course.first; no <= last && !level; no++) level = course.specified[no] === undefined
  if (!level) return null
  const count = last - course.first + 1
  let before = (course.costs + course.interest + sumAmounts(course.principal)) / count
  let leftBefore = remainingAfter(course, before, last)
  let now = before + leftBefore / count
  let [low, high] = leftBefore > 0 ? [before, Infinity] : [-Infinity, before]
  for (let round = 0; round < 200; round++) {
    if (now === before) return now
    const left = remainingAfter(course, now, last)
    if (left > 0) low = Math.max(low, now)
    else high = Math.min(high, now)
    if (left === 0) return now
    const next = now - (left * (now - before)) / (left - leftBefore)
    ;[before, leftBefore] = [now, left]
    if (Math.abs(next - now) < 1e-9 + Math.abs(now) * 1e-13) return next
    if (next > low && next < high) now = next
    else if (low === -Infinity) now = high - Math.abs(high) - 1
    else now = high === Infinity ? low * 2 + 1 : (low + high) / 2
  }
  return now
}

/**
 * The amount still to pay. Stops at zero only after a payment, because the search needs negative values
 * elsewhere.
 */
const subtractPaid = (amount: number, paid: number): number =>
  paid > 0 ? Math.max(0, amount - paid) : amount
const subtractExactly = (amount: bigint, paid: bigint): bigint =>
  paid > 0n ? (amount > paid ? amount - paid : 0n) : amount

/** The remainder after the last payment with unrounded interest. Negative when too much is paid. */
function remainingAfter(course: ScheduleInput, level: number, last: number): number {
  const { rates, specified, byPrincipal, invoiceFee, feesFrom, paid } = course
  const { numerators, denominator } = rates
  const balances = course.principal.slice()
  const end = balances.length - 1
  let { costs: feeDue, interest: interestDue } = course
  let [paidBefore, paidInstalment] = [paid.fee + paid.interest + paid.instalment, paid.instalment]
  let oldest = 0
  for (let no = course.first; no <= last; no++) {
    for (let index = oldest; index <= end; index++) {
      interestDue += (balances[index]! * numerators[index]![no]!) / denominator
    }
    if (no >= feesFrom) feeDue += invoiceFee
    const amount = specified[no]
    let instalment: number
    if (amount === undefined && byPrincipal) {
      instalment = subtractPaid(level, paidInstalment)
      feeDue = interestDue = 0
    } else {
      const pay = subtractPaid(amount ?? level, paidBefore)
      const fee = Math.min(pay, feeDue)
      const interest = Math.min(pay - fee, interestDue)
      feeDue -= fee
      interestDue -= interest
      instalment = pay - fee - interest
    }
    paidBefore = paidInstalment = 0
    while (oldest < end && instalment >= balances[oldest]!) {
      instalment -= balances[oldest]!
      balances[oldest++] = 0
    }
    balances[oldest]! -= instalment
  }
  return feeDue + interestDue + sumAmounts(balances)
}

function roundLevel(course: ScheduleInput, last: number, root: number): number {
  const whole = Math.floor(root)
  const apart = root - whole - 0.5
  if (Math.abs(apart) > 1e-6 + Math.abs(root) * 1e-11) return apart < 0 ? whole : whole + 1
  const remaining = remainingExactly(course, 2n * BigInt(whole) + 1n, last)
  if (remaining === 0n && course.halfEven) return whole % 2 === 0 ? whole : whole + 1
  return remaining >= 0n ? whole + 1 : whole
}

/** Like `remainingAfter` for a level of `twice` / 2, exactly, scaled by a positive factor. */
function remainingExactly(course: ScheduleInput, twice: bigint, last: number): bigint {
  const { rates, specified, byPrincipal, feesFrom, paid } = course
  const denominator = BigInt(rates.denominator)
  // All amounts are in `scale` parts of a unit. Each period refines the parts as far as its interest needs.
  let scale = 2n
  const read = (amount: number): bigint => BigInt(amount) * scale
  let balances = course.principal.map(read)
  let [feeDue, interestDue] = [read(course.costs), read(course.interest)]
  let [paidBefore, paidInstalment] = [paid.fee + paid.interest + paid.instalment, paid.instalment]
  for (let no = course.first; no <= last; no++) {
    const accrued = balances.reduce(
      (sum, balance, index) => sum + balance * BigInt(rates.numerators[index]![no]!),
      0n,
    )
    scale *= denominator
    balances = balances.map((balance) => balance * denominator)
    interestDue = interestDue * denominator + accrued
    feeDue *= denominator
    if (no >= feesFrom) feeDue += read(course.invoiceFee)
    const amount = specified[no]
    const level = (twice * scale) / 2n
    let instalment: bigint
    if (amount === undefined && byPrincipal) {
      instalment = subtractExactly(level, read(paidInstalment))
      feeDue = interestDue = 0n
    } else {
      const pay = subtractExactly(amount === undefined ? level : read(amount), read(paidBefore))
      const fee = pay < feeDue ? pay : feeDue
      const interest = pay - fee < interestDue ? pay - fee : interestDue
      feeDue -= fee
      interestDue -= interest
      instalment = pay - fee - interest
    }
    paidBefore = paidInstalment = 0
    for (const [index, balance] of balances.entries()) {
      const part = index < balances.length - 1 && instalment > balance ? balance : instalment
      balances[index] = balance - part
      instalment -= part
      if (instalment === 0n) break
    }
  }
  return balances.reduce((sum, balance) => sum + balance, feeDue + interestDue)
}
