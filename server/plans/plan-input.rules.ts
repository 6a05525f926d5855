/** Reading what a plan is asked for, pure: each reader puts what is wrong into `checks` under the member's path. */
import type {
  PaymentPlanInput,
  PlanDeviation as DeviationInput,
} from '../../contract/plans/payment-plan-inputs.ts'
import { isCurrency, normaliseCurrency } from '../../core/identity/codes.ts'
import { readAmount } from '../../core/money/money.ts'
import { describePlanError } from '../../core/plans/plan-error-text.ts'
import type { PlanDeviation, PlanError } from '../../core/plans/plan-terms.ts'
import { readDate, readMoney } from '../claims/case-inputs.rules.ts'
import { ApiError, type MemberChecks } from '../platform/http/errors.ts'
import type { PlanFees } from './plan-record.ts'

/** A currency of ISO 4217, or null when none is given. */
export function readPlanCurrency(
  given: string | null | undefined,
  member: string,
  checks: MemberChecks,
): string | null {
  const code = normaliseCurrency(given ?? '')
  if (code === '') return null
  if (isCurrency(code)) return code
  checks.add(member, 'must be a currency of ISO 4217 such as SEK or EUR.')
  return null
}

/** The given fees; null where none is given. */
export function readFees(
  input: PaymentPlanInput,
  currency: string,
  checks: MemberChecks,
): { [N in keyof PlanFees]: bigint | null } {
  const read = (member: keyof PlanFees) =>
    readMoney(input[member], member, { currency, least: 'zero', required: false }, checks)
  return {
    registrationFee: read('registrationFee'),
    invoiceFee: read('invoiceFee'),
    reminderFee: read('reminderFee'),
  }
}

/** An amount in minor units, of whatever sign: the rules of plans say which are possible. */
export function readPlanAmount(
  given: number | null | undefined,
  member: string,
  currency: string,
  checks: MemberChecks,
): bigint | null {
  if (given === null || given === undefined) return null
  const result = readAmount(given, currency)
  if (result.ok) return result.minor
  checks.add(member, result.message)
  return null
}

export const readDeviations = (
  given: readonly DeviationInput[] | null | undefined,
  currency: string,
  checks: MemberChecks,
): PlanDeviation[] =>
  (given ?? []).map(({ paymentNo, specifiedDueDate, specifiedAmount }, index) => ({
    paymentNo,
    dueDate: readDate(specifiedDueDate, `payments[${index}].specifiedDueDate`, checks),
    amount: readPlanAmount(specifiedAmount, `payments[${index}].specifiedAmount`, currency, checks),
  }))

const kinds = { invalid: 'invalid', rule: 'unprocessable', conflict: 'conflict' } as const

/** Why there is no such plan: 400, 422 or 409. */
export function refusedPlan(error: PlanError, currency: string): ApiError {
  const { kind, members, message } = describePlanError(error, currency)
  return new ApiError(kinds[kind], message, {
    errors: Object.fromEntries(members.map((member) => [member, [message]])),
  })
}

export const against = (member: string, message: string) =>
  new ApiError('unprocessable', message, { errors: { [member]: [message] } })

/** The 409 of a case that is in an active plan, which it names. */
export const alreadyInPlan = (member: string, caseNumber: string, planGuid: string) => {
  const message = `Case ${caseNumber} is in the active payment plan ${planGuid} already. Cancel that one first, or leave the case out.`
  return new ApiError('conflict', message, {
    errors: { [member]: [message] },
    members: { activePaymentPlanGuid: planGuid },
  })
}

export const registeredLater = (
  { caseNumber, registrationDate }: { caseNumber: string; registrationDate: string },
  today: string,
) =>
  against('cases', `Case ${caseNumber} is registered on ${registrationDate}, after the system date ${today}.`)
