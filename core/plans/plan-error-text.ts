/** Error texts for impossible plans: what is wrong, and what to do. */
import type { Formats } from '../text/formats.ts'
import { mostPayments, type PlanError } from './plan-terms.ts'

export interface PlanErrorText {
  /**
   * `invalid`: the input is malformed. `rule`: it breaks a rule. `conflict`: a paid payment cannot change.
   */
  kind: 'invalid' | 'rule' | 'conflict'
  /** The affected members, with paths such as `amount` or `payments[0].specifiedDueDate`. */
  members: string[]
  message: string
}

const invalid = (members: string[], message: string): PlanErrorText => ({ kind: 'invalid', members, message })
const rule = (members: string[], message: string): PlanErrorText => ({ kind: 'rule', members, message })

/** Writes amounts in the plan's currency, and days, as the formats do. */
export function describePlanError(
  error: PlanError,
  { currency, formats }: { currency: string; formats: Formats },
): PlanErrorText {
  const write = (minor: bigint): string => formats.money(minor, currency)
  switch (error.code) {
    case 'wrong-combination':
      return invalid(
        ['numberOfPayments', 'amount'],
        error.needs === 'one'
          ? 'This type of plan takes either numberOfPayments or amount. Send one of them.'
          : 'This type of plan takes both numberOfPayments and amount.',
      )
    case 'out-of-range':
      return describeRange(error, write)
    case 'nothing-owed':
      return rule(['cases'], 'Nothing is owed on these cases. A plan needs cases with something left to pay.')
    case 'too-large':
      return rule(
        ['amount'],
        `The amounts and fees are too large. Their sum must be below ${write(2n ** 53n)}.`,
      )
    case 'never-repays':
      return rule(
        ['amount'],
        `With this amount the debt is not repaid within ${mostPayments} payments, or does not shrink. The minimum amount is ${write(error.leastAmount)}.`,
      )
    case 'first-due-date':
      return rule(
        ['firstDueDate'],
        `The first payment must be due from ${formats.day(error.from)} to ${formats.day(error.through)}. A plan cannot start with a payment in the past.`,
      )
    case 'pay-day-interval':
      return invalid(
        ['payDay'],
        'A day of the month needs an interval of months or years. Leave it out, or choose another interval.',
      )
    case 'deviation-unknown':
      return rule(
        [`payments[${error.index}].paymentNo`],
        `The plan has no payment ${error.paymentNo}. Its payments are 1 to ${error.lastPaymentNo}.`,
      )
    case 'deviation-paid':
      return {
        kind: 'conflict',
        members: [`payments[${error.index}].paymentNo`],
        message: `Payment ${error.paymentNo} is paid and cannot be changed. Payments from ${error.paidThrough + 1} on can be.`,
      }
    case 'deviation-twice':
      return rule(
        [`payments[${error.index}].paymentNo`],
        `Payment ${error.paymentNo} is changed twice. Send its date and amount together, once.`,
      )
    case 'dates-out-of-order':
      return describeDisorder(error, formats)
  }
}

function describeRange(
  error: Extract<PlanError, { code: 'out-of-range' }>,
  write: (minor: bigint) => string,
): PlanErrorText {
  switch (error.member) {
    case 'numberOfPayments':
      return invalid(
        ['numberOfPayments'],
        `The number of payments must be a whole number from ${error.least} to ${error.most}.`,
      )
    case 'interval':
    case 'payDay':
      return invalid([error.member], `Must be a whole number from ${error.least} to ${error.most}.`)
    case 'deviation-amount':
      return invalid(
        [`payments[${error.index}].specifiedAmount`],
        `A specified amount must be at least ${write(error.least)}.`,
      )
    case 'amount':
    case 'registrationFee':
    case 'invoiceFee':
      return invalid([error.member], `Must be at least ${write(error.least)}.`)
  }
}

function describeDisorder(
  error: Extract<PlanError, { code: 'dates-out-of-order' }>,
  { day }: Formats,
): PlanErrorText {
  const { index, paymentNo, after, orOn, before } = error
  const from = orOn ? `on ${day(after)} or later` : `after ${day(after)}`
  return rule(
    [`payments[${index}].specifiedDueDate`],
    `Due dates must stay in order: payment ${paymentNo} must be due ${from}${before === null ? '' : `, and before ${day(before)}`}.`,
  )
}
