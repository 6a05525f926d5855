/** Terms of business. A client without its own term inherits it from its parent party, up to the agency. */
import { defaultAllocationOrder, type AllocationOrderCode } from '../../core/ledger/allocation.ts'
import type { DayCountCode } from '../../core/interest/day-count.ts'
import type { InterestTerms } from '../../core/interest/interest.ts'
import type { DueDateBasis } from '../../core/law/terms.ts'
import type { ClaimKind } from '../../core/limitation/limitation.ts'
import type { Db } from '../platform/database/transaction.ts'

export interface ClientTerms {
  clientGuid: string
  name: string
  countryCode: string | null
  currencyCode: string | null
  interest: InterestTerms
  /** The days of a year by contract. Null where the law decides. */
  dayCount: DayCountCode | null
  allocationOrder: AllocationOrderCode
  /** Decimal text in units of the currency, not minor units. */
  tolerance: string
  /** The currency of the tolerance. Null when the tolerance applies in any currency. */
  toleranceCurrency: string | null
  /** Amount by fee type, in units of the currency. Other fee types cost the statutory fee. */
  fees: Record<string, number>
  /** The kind of the client's claims against natural persons. */
  claimKind: ClaimKind | null
  /** True if a fee for reminders was agreed when the debts arose. */
  reminderFeeAgreed: boolean
  /** What the due dates of the client's claims rest on. */
  dueDateBasis: DueDateBasis
}

interface TermsRow {
  /** The client whose terms the party's are. */
  clientGuid: string
  id: string
  name: string
  parentId: string | null
  countryCode: string | null
  currencyCode: string | null
  interestRate: string | null
  interestSeries: string | null
  interestPoints: string | null
  dayCount: DayCountCode | null
  allocationOrder: AllocationOrderCode | null
  tolerance: string | null
  fees: Record<string, number> | null
  claimKind: ClaimKind | null
  reminderFeeAgreed: boolean | null
  dueDateBasis: DueDateBasis | null
  /** The installation's settings, the same in every row. */
  general: { tolerance?: number; currencyCode?: string }
}

/** The terms of a client: a party below the agency. Undefined when there is none. */
export async function findClientTerms(db: Db, clientGuid: string): Promise<ClientTerms | undefined> {
  const [terms] = (await findTermsOfClients(db, [clientGuid])).values()
  return terms
}

/** The terms of many clients, by their guids in lower case. The agency and unknown guids are left out. */
export async function findTermsOfClients(
  db: Db,
  clientGuids: readonly string[],
): Promise<Map<string, ClientTerms>> {
  const rows = await db<TermsRow[]>`
    with recursive above as (
      select p.*, p.id as client_id, 0 as distance from party p
      where p.id = any(${[...clientGuids]}::uuid[]) and p.parent_id is not null
      union all
      select p.*, a.client_id, a.distance + 1 from party p join above a on p.id = a.parent_id
    )
    select client_id as "clientGuid", id, name, parent_id as "parentId", country_code as "countryCode", currency_code as "currencyCode",
      trim_scale(interest_rate)::text as "interestRate", interest_series as "interestSeries",
      trim_scale(interest_points)::text as "interestPoints", interest_day_count as "dayCount", allocation_order as "allocationOrder",
      trim_scale(tolerance)::text as tolerance, fees, claim_kind as "claimKind", reminder_fee_agreed as "reminderFeeAgreed",
      due_date_basis as "dueDateBasis",
      (select settings from system_setting) as general
    from above order by distance`
  const byClient = Map.groupBy(rows, ({ clientGuid }) => clientGuid)
  return new Map([...byClient].map(([clientGuid, own]) => [clientGuid, combineTerms(own)]))
}

/** The terms of a client from the rows of its parties, the nearest first: the client's own is there. */
function combineTerms(rows: readonly TermsRow[]): ClientTerms {
  const client = rows[0]!
  const first = <N extends keyof TermsRow>(name: N): TermsRow[N] | null =>
    rows.find((row) => row[name] !== null)?.[name] ?? null
  const tolerance = first('tolerance')
  // The installation's tolerance has no effect until the installation has a currency.
  const general = client.general.currencyCode ? client.general : {}
  const withInterest = rows.find((row) => row.interestRate !== null || row.interestSeries !== null)
  return {
    clientGuid: client.id,
    name: client.name,
    countryCode: first('countryCode'),
    currencyCode: first('currencyCode'),
    interest: withInterest ? readInterest(withInterest) : { kind: 'none' },
    dayCount: first('dayCount'),
    allocationOrder: first('allocationOrder') ?? defaultAllocationOrder,
    tolerance: tolerance ?? String(general.tolerance ?? 0),
    toleranceCurrency: tolerance === null ? (general.currencyCode ?? null) : first('currencyCode'),
    fees: Object.assign({}, ...rows.toReversed().map(({ fees }) => fees ?? {})) as Record<string, number>,
    claimKind: first('claimKind'),
    reminderFeeAgreed: first('reminderFeeAgreed') ?? false,
    dueDateBasis: first('dueDateBasis') ?? 'AGREED',
  }
}

/** Interest terms from the columns of a party or an invoice. */
export function readInterest(row: {
  interestRate: string | null
  interestSeries: string | null
  interestPoints: string | null
}): InterestTerms {
  if (row.interestRate !== null) return { kind: 'fixed', rate: row.interestRate }
  if (row.interestSeries !== null)
    return { kind: 'reference', series: row.interestSeries, points: row.interestPoints! }
  return { kind: 'none' }
}

/** Interest terms as columns of a party, case or invoice. */
export const interestColumns = (terms: InterestTerms) => ({
  interest_rate: terms.kind === 'fixed' ? terms.rate : null,
  interest_series: terms.kind === 'reference' ? terms.series : null,
  interest_points: terms.kind === 'reference' ? terms.points : null,
})

export interface CaseTerms {
  interestRate: number | null
  interestSeries: string | null
  interestPoints: number | null
  allocationOrder: string
  tolerance: number
}

/** The current terms of a case, including the last change of its interest terms. */
export async function findCaseTerms(db: Db, caseGuid: string): Promise<CaseTerms> {
  const [row] = await db<CaseTerms[]>`
    with last as (
      select details -> 'terms' as terms from movement
      where case_id = ${caseGuid} and kind = 'terms' and invoice_id is null
        and not exists (select from movement r where r.reverses_id = movement.id)
      order by value_date desc, number desc limit 1
    )
    select case when l.terms is null then c.interest_rate else (l.terms ->> 'rate')::numeric end::float8 as "interestRate",
      case when l.terms is null then c.interest_series else l.terms ->> 'series' end as "interestSeries",
      case when l.terms is null then c.interest_points else (l.terms ->> 'points')::numeric end::float8 as "interestPoints",
      c.allocation_order as "allocationOrder", c.tolerance_minor / c.minor_per_unit::float8 as tolerance
    from debt_case c left join last l on true where c.id = ${caseGuid}`
  return row!
}
