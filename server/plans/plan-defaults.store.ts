/** Default terms of a plan: the client's, else those of its parent parties, else the installation's. */
import { countDecimals, readAmount } from '../../core/money/money.ts'
import {
  effectiveSettings,
  type Environment,
  type StoredSettings,
} from '../metadata/system/system-settings.changes.ts'
import type { RequestedPlan, PlanFees } from './plan-record.ts'

export type PlanDefaults = PlanFees &
  Pick<
    RequestedPlan,
    | 'firstDueDays'
    | 'intervalType'
    | 'freeMonths'
    | 'graceDays'
    | 'missesToBreach'
    | 'evenPayments'
    | 'closingPayment'
  > & {
    businessDays: boolean
  }

export interface TermsRow {
  currencyCode: string | null
  countryCode: string | null
  firstDueDays: number | null
  intervalType: RequestedPlan['intervalType'] | null
  registrationFee: string | null
  invoiceFee: string | null
  reminderFee: string | null
  graceDays: number | null
  missesToBreach: number | null
  freeMonths: number[] | null
  businessDays: boolean | null
  evenPayments: boolean | null
  closingPayment: boolean | null
}

/**
 * Plan terms by client guid, each client's own row first and the agency's last; and the installation's
 * settings.
 */
export interface PlanTermsFound {
  byClient: Readonly<Record<string, readonly TermsRow[]>>
  settings: StoredSettings
}

/** Months without payment in debt relief, by country, when the client's terms name none. */
const freeMonthsByCountry: Record<string, number[]> = { SE: [6, 12] }

/** The defaults for a plan. Fees set in another currency than the plan's are ignored. */
export function resolvePlanDefaults(
  found: PlanTermsFound,
  { clientGuid, currencyCode }: { clientGuid: string; currencyCode: string },
  environment: Environment,
): PlanDefaults {
  const rows = found.byClient[clientGuid]!
  const settings = effectiveSettings(found.settings, environment)
  const first = <N extends keyof TermsRow>(name: N): TermsRow[N] | null =>
    rows.find((row) => row[name] !== null)?.[name] ?? null
  const own = first('currencyCode')
  const fee = (name: keyof PlanFees): bigint => {
    const given = first(name)
    if (given !== null)
      return own === null || own === currencyCode ? truncateToMinor(given, currencyCode) : 0n
    const general = settings.currencyCode === currencyCode ? settings[name] : 0
    const amount = readAmount(general ?? 0, currencyCode)
    return amount.ok ? amount.minor : 0n
  }
  return {
    registrationFee: fee('registrationFee'),
    invoiceFee: fee('invoiceFee'),
    reminderFee: fee('reminderFee'),
    firstDueDays: first('firstDueDays') ?? settings.firstDueDays ?? 30,
    intervalType: first('intervalType') ?? 3,
    freeMonths:
      first('freeMonths') ?? freeMonthsByCountry[first('countryCode') ?? settings.countryCode ?? ''] ?? [],
    graceDays: first('graceDays') ?? settings.graceDays ?? 5,
    missesToBreach: first('missesToBreach') ?? settings.missesToBreach ?? 2,
    businessDays: first('businessDays') ?? false,
    evenPayments: first('evenPayments') ?? false,
    closingPayment: first('closingPayment') ?? false,
  }
}

/** The country of the client or of a party above, else the installation's. Empty where none is set. */
export const findCountry = (
  { byClient, settings }: PlanTermsFound,
  clientGuid: string,
  environment: Environment,
): string =>
  byClient[clientGuid]!.find(({ countryCode }) => countryCode !== null)?.countryCode ??
  effectiveSettings(settings, environment).countryCode ??
  ''

/** SQL for the `TermsRow`s of each client by guid; `clients` is a query of client guids. */
export const termsByClient = (clients: string): string => `(
  with recursive above as (
    select p.*, p.id as client, 0 as distance from party p where p.id in (${clients})
    union all
    select p.*, a.client, a.distance + 1 from party p join above a on p.id = a.parent_id
  )
  select jsonb_object_agg(client, list) from (
    select client, jsonb_agg(jsonb_build_object('currencyCode', currency_code, 'countryCode', country_code,
      'firstDueDays', plan_first_due_days, 'intervalType', plan_interval_type,
      'registrationFee', plan_registration_fee::text, 'invoiceFee', plan_invoice_fee::text,
      'reminderFee', plan_reminder_fee::text, 'graceDays', plan_grace_days,
      'missesToBreach', plan_misses_to_breach, 'freeMonths', plan_free_months,
      'businessDays', plan_business_days, 'evenPayments', plan_even_payments,
      'closingPayment', plan_closing_payment) order by distance) as list
    from above group by client) by_client)`

/** Converts decimal text to minor units. Decimals that the currency lacks are cut off. */
function truncateToMinor(amount: string, currency: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  const decimals = countDecimals(currency)
  return BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals))
}
