/**
 * The form of a new payment plan: creation (D14) by field codes, and calculation (D18) as its recalculation.
 */
import { hasFees, limitFees, openPlanLaw } from './law/lawful-plan-fees.ts'
import { warnOfPlanFees } from './law/plan-terms-warnings.ts'
import { clientPlanTerms } from '../../contract/metadata/forms/cases.ts'
import * as layout from '../../contract/metadata/forms/payment-plans.ts'
import { planTermNames } from '../../contract/plans/plan-terms.ts'
import type { PaymentPlanInput } from '../../contract/plans/payment-plan-inputs.ts'
import { addDays } from '../../core/calendar/calendar.ts'
import { toMidnight } from '../../core/calendar/date-time.ts'
import { fromMinor } from '../../core/money/money.ts'
import { handle, type FormCall, type FormHandler } from '../platform/dictionary/handler.ts'
import { notFound } from '../platform/http/errors.ts'
import type { ServerContext } from '../access/serve/server-context.ts'
import type { Environment } from '../metadata/system/system-settings.changes.ts'
import { createPlan } from './plans.changes.ts'
import { changePlanTerms, requireOwnPlanTerms } from './plan-terms.changes.ts'
import { snakeCase } from '../platform/database/columns.ts'
import { findPayableCases, isFree } from './plan-cases.store.ts'
import { resolvePlanDefaults } from './plan-defaults.store.ts'
import { shapePlan, type PlanFees, type PlanRecord } from './plan-record.ts'
import { preparePlan } from './prepare-plan.ts'

const planTermColumns = {
  clientGuid: 'id',
  ...Object.fromEntries(planTermNames.map((name) => [name, `plan_${snakeCase(name)}`])),
}

export function planForms({ settings }: ServerContext): FormHandler[] {
  const environment = { countryCode: settings.FORDRA_COUNTRY, currencyCode: settings.FORDRA_CURRENCY }
  return [
    handle(clientPlanTerms, {
      storedIn: { table: 'party', columns: planTermColumns },
      find: async ({ db, caller, id }) => {
        const terms = await requireOwnPlanTerms(db, caller, id)
        const warnings = await warnOfPlanFees(db, caller, { clientGuid: id, asked: {} }, environment)
        return { record: { ...terms, warnings }, version: terms.version }
      },
      recalculate: async (_code, { db, caller, id, body }) => {
        await requireOwnPlanTerms(db, caller, id)
        return { warnings: await warnOfPlanFees(db, caller, { clientGuid: id, asked: body }, environment) }
      },
      store: ({ db, caller, id, body, origin, ifMatch }) =>
        changePlanTerms(db, caller, { clientGuid: id, input: body, ifMatch }, origin),
    }),
    handle(layout.paymentPlanCreate, {
      defaults: (call) => initialValues(call, environment),
      recalculate: async (_code, { db, caller, id, body }) => {
        if (id === '') throw notFound('debtor')
        return computedValues(await preparePlan(db, caller, { debtorGuid: id, input: body }, environment))
      },
      create: async ({ db, caller, id, body, origin }) => {
        const input: PaymentPlanInput = body
        const made = await createPlan(db, caller, { debtorGuid: id, input }, { origin, environment })
        return {
          record: { ...requestedValues(made), ...computedValues(made), paymentPlanGuid: made.planGuid },
          version: made.version,
          location: `/debtors/${id}/paymentplans/${made.planGuid}`,
        }
      },
    }),
  ]
}

/**
 * Initial values: a proposal with every open case that is in no active plan and has the oldest case's
 * currency, with its client's fees.
 */
async function initialValues({ db, caller, id }: FormCall, environment: Environment): Promise<object> {
  const start = { active: 2, paymentPlanType: 1 }
  if (id === '') return start
  const found = await findPayableCases(db, caller, { debtorGuid: id })
  const open = found.cases.filter(isFree)
  const [oldest] = open
  if (!oldest) return start
  const { clientGuid, currencyCode } = oldest
  const fees = resolvePlanDefaults(found, { clientGuid, currencyCode }, environment)
  const lawful = hasFees(fees)
    ? limitFees(await openPlanLaw(db, oldest.caseGuid, oldest.history.businessDate), fees, null)
    : fees
  return {
    ...start,
    currencyCode,
    feeCurrencyCode: currencyCode,
    cases: open.flatMap((one) => (one.currencyCode === currencyCode ? [one.caseGuid] : [])),
    ...feeValues(lawful, currencyCode),
    intervalType: fees.intervalType,
    interval: 1,
    firstDueDate: toMidnight(addDays(oldest.history.businessDate, fees.firstDueDays)),
    businessDays: fees.businessDays,
    evenPayments: fees.evenPayments,
    closingPayment: fees.closingPayment,
  }
}

const feeValues = ({ registrationFee, invoiceFee, reminderFee }: PlanFees, currency: string) => ({
  registrationFee: fromMinor(registrationFee, currency),
  invoiceFee: fromMinor(invoiceFee, currency),
  reminderFee: fromMinor(reminderFee, currency),
})

const requestedValues = (plan: PlanRecord) => ({
  active: plan.active,
  paymentPlanType: plan.planType,
  numberOfPayments: plan.askedNumber,
  amount: plan.askedAmount === null ? null : fromMinor(plan.askedAmount, plan.currencyCode),
  currencyCode: plan.currencyCode,
  feeCurrencyCode: plan.currencyCode,
  intervalType: plan.intervalType,
  interval: plan.intervalCount,
  payDay: plan.payDay,
  businessDays: plan.dueCountry !== null,
  evenPayments: plan.evenPayments,
  closingPayment: plan.closingPayment,
  cases: plan.cases.map(({ caseGuid }) => caseGuid),
})

/** The computed values of a plan, and the defaults that it used. */
function computedValues(plan: PlanRecord) {
  const { numberOfPayments, payments, ...shown } = shapePlan(plan)
  return {
    ...feeValues(plan, plan.currencyCode),
    currencyCode: plan.currencyCode,
    cases: plan.cases.map(({ caseGuid }) => caseGuid),
    levelAmount: fromMinor(plan.levelAmount, plan.currencyCode),
    paymentCount: numberOfPayments,
    firstDueDate: payments[0]!.dueDate,
    lastDueDate: payments.at(-1)!.dueDate,
    totalAmount: shown.totalAmount,
    totalPrincipal: shown.totalPrincipal,
    totalInterest: shown.totalInterest,
    totalFee: shown.totalFee,
    annualPercentage: shown.annualPercentage,
  }
}
