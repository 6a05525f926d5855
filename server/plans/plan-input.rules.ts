/** Readers for the input of a plan, pure. Each adds its errors to `checks` under the member's path. */
import type {
  PaymentPlanInput,
  PlanDeviation as DeviationInput,
} from '../../contract/plans/payment-plan-inputs.ts'
import { isCurrency, normaliseCurrency } from '../../core/identity/codes.ts'
import { readAmount } from '../../core/money/money.ts'
import { describePlanError } from '../../core/plans/plan-error-text.ts'
import type { PlanDeviation, PlanError } from '../../core/plans/plan-terms.ts'
import { readDate, readMoney } from '../claims/case-inputs.rules.ts'
import { findReader } from '../platform/dictionary/reader.ts'
import type { Caller } from '../platform/http/caller.ts'
import { ApiError, type FieldErrors, writeDay } from '../platform/http/errors.ts'
import type { PlanFees } from './plan-record.ts'

/** An ISO 4217 currency code. Null when none was given. */
export function readPlanCurrency(
  given: string | null | undefined,
  member: string,
  checks: FieldErrors,
): string | null {
  const code = normaliseCurrency(given ?? '')
  if (code === '') return null
  if (isCurrency(code)) return code
  checks.add(member, 'must be an ISO 4217 currency code, for example SEK or EUR.')
  return null
}

/** The given fees. Null when none was given. */
export function readFees(
  input: PaymentPlanInput,
  currency: string,
  checks: FieldErrors,
): { [N in keyof PlanFees]: bigint | null } {
  const read = (member: keyof PlanFees) =>
    readMoney(input[member], member, { currency, least: 'zero', required: false }, checks)
  return {
    registrationFee: read('registrationFee'),
    invoiceFee: read('invoiceFee'),
    reminderFee: read('reminderFee'),
  }
}

/** An amount in minor units, of any sign: core's plan rules check the bounds. */
export function readPlanAmount(
  given: number | null | undefined,
  member: string,
  currency: string,
  checks: FieldErrors,
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
  checks: FieldErrors,
): PlanDeviation[] =>
  (given ?? []).map(({ paymentNo, specifiedDueDate, specifiedAmount }, index) => ({
    paymentNo,
    dueDate: readDate(specifiedDueDate, `payments[${index}].specifiedDueDate`, checks),
    amount: readPlanAmount(specifiedAmount, `payments[${index}].specifiedAmount`, currency, checks),
  }))

const kinds = { invalid: 'invalid', rule: 'unprocessable', conflict: 'conflict' } as const

/** The error of an impossible plan: 400, 422 or 409. */
export function planRefusal(
  error: PlanError,
  currency: string,
  { language }: Pick<Caller, 'language'>,
): ApiError {
  const { formats } = findReader(language)
  const { kind, members, message } = describePlanError(error, { currency, formats })
  return new ApiError(kinds[kind], message, {
    errors: Object.fromEntries(members.map((member) => [member, [message]])),
  })
}

export const ruleError = (member: string, message: string) =>
  new ApiError('unprocessable', message, { errors: { [member]: [message] } })

/** The 409 for a case in another active plan; the answer names that plan. */
export const planConflict = (member: string, caseNumber: string, planGuid: string) => {
  const message = `Case ${caseNumber} is already in the active payment plan ${planGuid}. Cancel that plan first, or leave the case out.`
  return new ApiError('conflict', message, {
    errors: { [member]: [message] },
    members: { activePaymentPlanGuid: planGuid },
  })
}

export const registeredLaterError = (
  { caseNumber, registrationDate }: { caseNumber: string; registrationDate: string },
  today: string,
  { language }: Pick<Caller, 'language'>,
) =>
  ruleError(
    'cases',
    `Case ${caseNumber} is registered on ${writeDay(registrationDate, language)}, after the business date ${writeDay(today, language)}. Leave it out.`,
  )
