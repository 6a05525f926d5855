/** What a plan has when nothing else is said: the client's terms, those of the parties above it, the installation's. */
import { decimalsOf, readAmount } from '../../core/money.ts'
import type { Db } from '../database/transaction.ts'
import { settingsThatHold, type Environment, type StoredSettings } from '../system/system-settings.changes.ts'
import type { AskedPlan, PlanFees } from './plan-record.ts'

type Defaults = PlanFees &
  Pick<AskedPlan, 'firstDueDays' | 'intervalType' | 'freeMonths' | 'graceDays' | 'missesToBreach'>

interface TermsRow {
  currencyCode: string | null
  countryCode: string | null
  firstDueDays: number | null
  intervalType: AskedPlan['intervalType'] | null
  registrationFee: string | null
  invoiceFee: string | null
  reminderFee: string | null
  graceDays: number | null
  missesToBreach: number | null
  freeMonths: number[] | null
  /** The installation's, the same in every row. */
  stored: StoredSettings
}

/** The months in which debt relief asks for no payment, where no client's terms say otherwise. */
const freeMonthsOf: Record<string, number[]> = { SE: [6, 12] }

/** Fees that are set in another currency than the plan's are none. */
export async function findPlanDefaults(
  db: Db,
  { clientGuid, currencyCode }: { clientGuid: string; currencyCode: string },
  environment: Environment,
): Promise<Defaults> {
  const rows = await findTerms(db, clientGuid)
  const settings = settingsThatHold(rows[0]!.stored, environment)
  const first = <N extends keyof TermsRow>(name: N): TermsRow[N] | null =>
    rows.find((row) => row[name] !== null)?.[name] ?? null
  const own = first('currencyCode')
  const fee = (name: keyof PlanFees): bigint => {
    const given = first(name)
    if (given !== null) return own === null || own === currencyCode ? minorOf(given, currencyCode) : 0n
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
    freeMonths: first('freeMonths') ?? freeMonthsOf[first('countryCode') ?? settings.countryCode ?? ''] ?? [],
    graceDays: first('graceDays') ?? settings.graceDays ?? 5,
    missesToBreach: first('missesToBreach') ?? settings.missesToBreach ?? 2,
  }
}

/** A party's own terms first, the agency's last. */
const findTerms = (db: Db, clientGuid: string): Promise<TermsRow[]> =>
  db<TermsRow[]>`
    with recursive above as (
      select p.*, 0 as distance from party p where p.id = ${clientGuid}
      union all
      select p.*, a.distance + 1 from party p join above a on p.id = a.parent_id
    )
    select currency_code as "currencyCode", country_code as "countryCode", plan_first_due_days as "firstDueDays",
      plan_interval_type as "intervalType", plan_registration_fee::text as "registrationFee",
      plan_invoice_fee::text as "invoiceFee", plan_reminder_fee::text as "reminderFee", plan_grace_days as "graceDays",
      plan_misses_to_breach as "missesToBreach", plan_free_months as "freeMonths",
      (select settings from system_setting) as stored
    from above order by distance`

/** Decimal text in minor units, decimals that the currency does not have left out. */
function minorOf(amount: string, currency: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  const decimals = decimalsOf(currency)
  return BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals))
}
