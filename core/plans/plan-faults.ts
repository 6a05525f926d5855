/** Checks a plan's terms before anything is computed. */
import { totalClaim } from './schedule/plan-schedule.ts'
import { addYears } from '../calendar/calendar.ts'
import { longestInterval, mostPayments, type PlanError, type PlanTerms } from './plan-terms.ts'

/** The first fault of the terms, or null. */
export const findFault = (terms: PlanTerms): PlanError | null =>
  findWrongCombination(terms) ??
  findOutOfRange(terms) ??
  findWrongRhythm(terms) ??
  findWrongDeviation(terms) ??
  findNothingOwed(terms)

function findWrongCombination({ type, numberOfPayments, amount }: PlanTerms): PlanError | null {
  const given = Number(isGiven(numberOfPayments)) + Number(isGiven(amount))
  const needed = type === 1 || type === 3 ? 1 : 2
  return given === needed ? null : { code: 'wrong-combination', needs: needed === 1 ? 'one' : 'both' }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

function findOutOfRange(terms: PlanTerms): PlanError | null {
  const { numberOfPayments: count, amount, registrationFee = 0n, invoiceFee = 0n, tail } = terms
  const least = (tail?.paidThrough ?? 0) + 1
  if (isGiven(count) && !(Number.isInteger(count) && count! >= least && count! <= mostPayments)) {
    return { code: 'out-of-range', member: 'numberOfPayments', least, most: mostPayments }
  }
  if (isGiven(amount) && amount! < 1n) return { code: 'out-of-range', member: 'amount', least: 1n }
  if (registrationFee < 0n) return { code: 'out-of-range', member: 'registrationFee', least: 0n }
  if (invoiceFee < 0n) return { code: 'out-of-range', member: 'invoiceFee', least: 0n }
  return null
}

/** The first due date is only checked for a new plan: a tail has that of its past payment 1. */
function findWrongRhythm({ interval, payDay, startDate, firstDueDate, tail }: PlanTerms): PlanError | null {
  const { type, count } = interval ?? { type: 3, count: 1 }
  const most = longestInterval[type]
  if (count > most) return { code: 'out-of-range', member: 'interval', least: 1, most }
  if (isGiven(payDay)) {
    if (!(Number.isInteger(payDay) && payDay! >= 1 && payDay! <= 31))
      return { code: 'out-of-range', member: 'payDay', least: 1, most: 31 }
    if (type !== 3 && type !== 4) return { code: 'pay-day-interval' }
  }
  const through = addYears(startDate, 10)
  if (firstDueDate && !tail && (firstDueDate < startDate || firstDueDate > through))
    return { code: 'first-due-date', from: startDate, through }
  return null
}

function findWrongDeviation({ deviations = [], numberOfPayments, tail }: PlanTerms): PlanError | null {
  const last = numberOfPayments ?? mostPayments
  const paidThrough = tail?.paidThrough ?? 0
  const seen = new Set<number>()
  for (const [index, { paymentNo, amount }] of deviations.entries()) {
    if (!Number.isInteger(paymentNo) || paymentNo < 1 || paymentNo > last) {
      return { code: 'deviation-unknown', index, paymentNo, lastPaymentNo: last }
    }
    if (paymentNo <= paidThrough) return { code: 'deviation-paid', index, paymentNo, paidThrough }
    if (seen.has(paymentNo)) return { code: 'deviation-twice', index, paymentNo }
    if (isGiven(amount) && amount! < 0n) {
      return { code: 'out-of-range', member: 'deviation-amount', index, least: 0n }
    }
    seen.add(paymentNo)
  }
  return null
}

function findNothingOwed({ cases }: PlanTerms): PlanError | null {
  return cases.some((one) => totalClaim(one) > 0n) ? null : { code: 'nothing-owed' }
}
