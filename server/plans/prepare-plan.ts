/**
 * Prepares a plan from its input: chooses the cases, reads the terms, and computes the schedule in core.
 * Stores nothing.
 */
import type { Language } from '../../contract/platform/languages.ts'
import type { PaymentPlanInput } from '../../contract/plans/payment-plan-inputs.ts'
import { computeOwed } from '../../core/plans/plan-balances.ts'
import type { PlanCase as OwedCase, PlanType } from '../../core/plans/plan-terms.ts'
import { computePlan } from '../../core/plans/plan.ts'
import { readDate } from '../claims/case-inputs.rules.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Caller } from '../platform/http/caller.ts'
import { invalid, FieldErrors } from '../platform/http/errors.ts'
import type { Environment } from '../metadata/system/system-settings.changes.ts'
import { hasFees, limitFees, openPlanLaw } from './law/lawful-plan-fees.ts'
import { findPayableCases, isFree, type FreeCase, type PayableCase } from './plan-cases.store.ts'
import { findCountry, resolvePlanDefaults, type PlanDefaults } from './plan-defaults.store.ts'
import {
  ruleError,
  planConflict,
  readDeviations,
  readFees,
  readPlanAmount,
  readPlanCurrency,
  planRefusal,
  registeredLaterError,
} from './plan-input.rules.ts'
import {
  buildSchedule,
  buildPlanTerms,
  type RequestedPlan,
  type PlanRecord,
  type RecordedCase,
} from './plan-record.ts'

/**
 * The proposal for the input on the business date. Throws a 400 that names every wrong member, a 422 for
 * cases or terms that break a rule, and a 409 for a case in an active plan.
 */
export async function preparePlan(
  db: Db,
  caller: Caller,
  { debtorGuid, input }: { debtorGuid: string; input: PaymentPlanInput },
  environment: Environment,
): Promise<PlanRecord> {
  const checks = new FieldErrors()
  if (input.paymentPlanType === null || input.paymentPlanType === undefined)
    checks.add(
      'paymentPlanType',
      'is required: 1 annuity, 2 annuity limited, 3 linear, 4 linear limited or 5 debt relief.',
    )
  const asked = readPlanCurrency(input.currencyCode, 'currencyCode', checks)
  const feeCurrency = readPlanCurrency(input.feeCurrencyCode, 'feeCurrencyCode', checks)
  checks.throwIfAny()
  const found = await findPayableCases(db, caller, { debtorGuid, cases: input.cases })
  const cases = chooseCases(found.cases, input.cases, asked)
  const currencyCode = cases[0]!.currencyCode
  if (feeCurrency !== null && feeCurrency !== currencyCode)
    throw ruleError(
      'feeCurrencyCode',
      `Fees are booked on the cases. Set feeCurrencyCode to ${currencyCode}, the currency of the cases, or leave it out.`,
    )
  const { clientGuid } = cases[0]!
  const { businessDate, governingCountry } = cases[0]!.history
  const defaults = resolvePlanDefaults(found, { clientGuid, currencyCode }, environment)
  const mayCost = hasFees(defaults) || hasFees(input)
  const isProposed = input.active !== 1
  const law = mayCost ? await openPlanLaw(db, cases[0]!.caseGuid, businessDate, isProposed) : null
  const plan = readAsked(input, {
    currency: currencyCode,
    country: governingCountry ?? findCountry(found, clientGuid, environment),
    defaults: law ? { ...defaults, ...limitFees(law, defaults, input.numberOfPayments ?? null) } : defaults,
    language: caller.language,
  })
  return composeProposal(plan, {
    debtor: found.debtor,
    cases,
    currencyCode,
    businessDate,
    owed: cases.map((one) => caseOwed(one, caller)),
    caller,
  })
}

function readAsked(
  input: PaymentPlanInput,
  {
    currency,
    country,
    defaults,
    language,
  }: { currency: string; country: string; defaults: PlanDefaults; language: Language },
): RequestedPlan {
  const checks = new FieldErrors(language)
  const planType = input.paymentPlanType as PlanType
  const given = readFees(input, currency, checks)
  const askedAmount = readPlanAmount(input.amount, 'amount', currency, checks)
  const deviations = readDeviations(input.payments, currency, checks)
  const askedFirstDue = readDate(input.firstDueDate, 'firstDueDate', checks)
  const { businessDays, ...terms } = defaults
  checks.throwIfAny()
  const fee = (name: keyof typeof given) => (planType === 5 ? 0n : (given[name] ?? defaults[name]))
  const intervalType =
    (input.intervalType as RequestedPlan['intervalType'] | null | undefined) ?? terms.intervalType
  return {
    ...terms,
    planType,
    askedNumber: input.numberOfPayments ?? null,
    askedAmount,
    registrationFee: fee('registrationFee'),
    invoiceFee: fee('invoiceFee'),
    reminderFee: fee('reminderFee'),
    intervalType,
    intervalCount: input.interval ?? 1,
    askedFirstDue,
    payDay: input.payDay ?? null,
    dueCountry: (input.businessDays ?? businessDays) ? country : null,
    evenPayments: input.evenPayments ?? terms.evenPayments,
    // Only a plan that clears what is owed can be left with the interest and fees of late payment.
    closingPayment: (planType === 1 || planType === 3) && (input.closingPayment ?? terms.closingPayment),
    deviations,
  }
}

function composeProposal(
  asked: RequestedPlan,
  found: {
    debtor: string
    cases: readonly PayableCase[]
    currencyCode: string
    businessDate: string
    owed: readonly OwedCase[]
    caller: Pick<Caller, 'language'>
  },
): PlanRecord {
  const { debtor, cases, currencyCode, businessDate, owed, caller } = found
  const schedule = computeSchedule(asked, owed, { businessDate, currencyCode, caller })
  return {
    ...asked,
    ...schedule,
    planGuid: null,
    debtorGuid: debtor,
    active: 2,
    endReason: null,
    endDate: null,
    registrationDate: businessDate,
    currencyCode,
    invoicedThrough: 0,
    cases: cases.map(({ caseGuid, caseNumber, clientReference, clientGuid }, index): RecordedCase => ({
      caseGuid,
      caseNumber,
      clientReference,
      clientGuid,
      claim: totalClaim(owed[index]!),
      movementsBefore: null,
    })),
    version: 1,
    eventSequence: 0,
  }
}

/** Computes the schedule from the balances on a day. Throws a 400, 409 or 422 when there is no such plan. */
export function computeSchedule(
  asked: RequestedPlan,
  owed: readonly OwedCase[],
  {
    businessDate,
    currencyCode,
    caller,
  }: { businessDate: string; currencyCode: string; caller: Pick<Caller, 'language'> },
) {
  const outcome = computePlan(buildPlanTerms(asked, owed, businessDate))
  if (!outcome.ok) throw planRefusal(outcome.error, currencyCode, caller)
  return buildSchedule(outcome.plan)
}

/** The total owed on a case: principal, interest and costs. */
export const totalClaim = ({ invoices, interest, costs }: OwedCase): bigint =>
  invoices.reduce((sum, { principal }) => sum + principal, interest + costs)

function caseOwed(one: FreeCase, caller: Caller): OwedCase {
  const { input, businessDate } = one.history
  if (one.registrationDate > businessDate) throw registeredLaterError(one, businessDate, caller)
  return computeOwed(input, businessDate)
}

/** The named cases, or all open cases of the currency that are in no active plan. The oldest first. */
function chooseCases(
  payable: readonly PayableCase[],
  given: readonly string[] | null | undefined,
  currency: string | null,
): FreeCase[] {
  const cases = given ? checkGiven(payable, given) : payable.filter(isFree)
  const fitting = given || currency === null ? cases : cases.filter((one) => one.currencyCode === currency)
  const currencies = [...new Set(fitting.map(({ currencyCode }) => currencyCode))]
  if (fitting.length === 0)
    throw ruleError(
      'cases',
      `The debtor has no open case${currency === null ? '' : ` in ${currency}`} that is not in an active payment plan.`,
    )
  if (currencies.length > 1)
    throw ruleError(
      'cases',
      `The cases are in ${currencies.join(' and ')}. A plan has one currency: name cases of one currency, or set currencyCode.`,
    )
  if (currency !== null && currencies[0] !== currency)
    throw ruleError(
      'currencyCode',
      `The cases are in ${currencies[0]}. Set currencyCode to ${currencies[0]}, or leave it out.`,
    )
  return fitting
}

function checkGiven(payable: readonly PayableCase[], given: readonly string[]): FreeCase[] {
  if (given.length === 0)
    throw invalid({ cases: ['must name at least one case. Leave it out to include all open cases.'] })
  const byGuid = new Map(payable.map((one) => [one.caseGuid, one]))
  const chosen = new Set<PayableCase>()
  for (const [index, guid] of given.entries()) {
    const one = byGuid.get(guid.toLowerCase())
    const member = `cases[${index}]`
    if (!one)
      throw ruleError(
        member,
        `${member} is not a case that this debtor owes, or you may not see it. Check the case.`,
      )
    if (chosen.has(one)) throw invalid({ [member]: ['is listed twice. Name each case once.'] })
    if (one.closed) throw ruleError(member, `Case ${one.caseNumber} is closed. Leave it out of the plan.`)
    if (one.planGuid !== null) throw planConflict(member, one.caseNumber, one.planGuid)
    chosen.add(one)
  }
  return payable.filter(isFree).filter((one) => chosen.has(one))
}
