/** A client's own terms of payment plans. Existing plans keep theirs. */
import { planTermNames, type PlanTermsInput } from '../../contract/plans/plan-terms.ts'
import { fromMinor } from '../../core/money/money.ts'
import { readMoney } from '../claims/case-inputs.rules.ts'
import { requireOwnTerms, storeTerms } from '../ledger/client-terms.changes.ts'
import { snakeCase } from '../platform/database/columns.ts'
import { inTransaction, type Db } from '../platform/database/transaction.ts'
import { changesBetween } from '../platform/events/record.ts'
import type { Caller, Origin } from '../platform/http/caller.ts'
import { FieldErrors } from '../platform/http/errors.ts'
import { requireMatch, type IfMatch } from '../platform/http/version.ts'

/** The client's own values. Null means that the parent party's value applies. */
export interface OwnPlanTerms {
  firstDueDays: number | null
  intervalType: number | null
  graceDays: number | null
  missesToBreach: number | null
  registrationFee: number | null
  invoiceFee: number | null
  reminderFee: number | null
  freeMonths: string[] | null
  businessDays: boolean | null
  evenPayments: boolean | null
  closingPayment: boolean | null
}

const inheritedTerms: OwnPlanTerms = {
  firstDueDays: null,
  intervalType: null,
  graceDays: null,
  missesToBreach: null,
  registrationFee: null,
  invoiceFee: null,
  reminderFee: null,
  freeMonths: null,
  businessDays: null,
  evenPayments: null,
  closingPayment: null,
}

/** Throws a 404. */
export async function requireOwnPlanTerms(
  db: Db,
  caller: Caller,
  clientGuid: string,
): Promise<OwnPlanTerms & { clientGuid: string; version: number }> {
  const { version } = await requireOwnTerms(db, caller, clientGuid)
  return { ...(await findOwn(db, clientGuid)), clientGuid, version }
}

async function findOwn(db: Db, clientGuid: string): Promise<OwnPlanTerms> {
  const [row] = await db<OwnPlanTerms[]>`
    select plan_first_due_days as "firstDueDays", plan_interval_type as "intervalType", plan_grace_days as "graceDays",
      plan_misses_to_breach as "missesToBreach", plan_registration_fee::float8 as "registrationFee",
      plan_invoice_fee::float8 as "invoiceFee", plan_reminder_fee::float8 as "reminderFee",
      plan_free_months::text[] as "freeMonths", plan_business_days as "businessDays",
      plan_even_payments as "evenPayments", plan_closing_payment as "closingPayment"
    from party where id = ${clientGuid}`
  return row!
}

/** Changes a client's plan terms. Returns the version. Throws a 400, 404 or 412. */
export async function changePlanTerms(
  db: Db,
  caller: Caller,
  { clientGuid, input, ifMatch }: { clientGuid: string; input: PlanTermsInput; ifMatch: IfMatch },
  origin: Origin,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const client = await requireOwnTerms(tx, caller, clientGuid, { lock: true })
    requireMatch(ifMatch, client.version)
    const before = await findOwn(tx, clientGuid)
    const kept = input.planTermsOfParent === true ? inheritedTerms : before
    const changes = changesBetween(before, { ...kept, ...readTerms(input, client.currencyCode) })
    return storeTerms(tx, client, changes, origin, (name) => `plan_${snakeCase(name)}`)
  })
}

/** Reads the given terms. Throws a 400 that names every wrong field. */
function readTerms(input: PlanTermsInput, currency: string | null): Partial<OwnPlanTerms> {
  const checks = new FieldErrors()
  const terms: Record<string, unknown> = {}
  for (const name of planTermNames) {
    const given = input[name]
    if (given !== null && given !== undefined) terms[name] = given
  }
  for (const name of ['registrationFee', 'invoiceFee', 'reminderFee'] as const) {
    const minor = readMoney(input[name], name, { currency, least: 'zero', required: false }, checks)
    if (minor === null) continue
    if (currency === null) checks.add(name, 'needs a currency: set the client’s currencyCode first.')
    else terms[name] = fromMinor(minor, currency)
  }
  const months = input.freeMonths
  if (months && new Set(months).size < months.length)
    checks.add('freeMonths', 'must name each month only once.')
  if (months) terms['freeMonths'] = months.toSorted((a, b) => Number(a) - Number(b))
  checks.throwIfAny()
  return terms
}
