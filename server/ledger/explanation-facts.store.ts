/** Reads what the explanation of a case tells beside its figures: rates with sources, fees, standstills, reversals. */
import type { Db } from '../platform/database/transaction.ts'
import { statusDay, type PastDay } from './as-of/past-day.ts'
import type { Component } from '../../core/ledger/allocation.ts'
import type { MovementKind } from '../../core/ledger/case-movement.ts'

export interface RateSource {
  series: string
  from: string
  source: string | null
  unverified: boolean
}

/** The last day of a question about the past, or one after all days. */
const lastDay = (day: string | null | undefined): string => day ?? '9999-12-31'

/** The sources as they were known on the day: what a later change replaced, before what is stored now. */
export const findRateSources = (
  db: Db,
  series: readonly string[],
  day: PastDay | null,
): Promise<RateSource[]> =>
  db<RateSource[]>`
    with replaced as (
      select distinct on (series, valid_from) series, valid_from, source_before as source, unverified_before as unverified
      from reference_rate_change
      where business_date > ${lastDay(day?.knownAt)} and series = any(${[...series]}::text[])
      order by series, valid_from, position)
    select series, valid_from as "from", source, unverified from replaced
    union all
    select series, valid_from, source, unverified from reference_rate r
    where series = any(${[...series]}::text[])
      and not exists (select from replaced p where p.series = r.series and p.valid_from = r.valid_from)`

export interface FeeFact {
  movementGuid: string
  feeType: string | null
  rule: string | null
  overrideReason: string | null
  /** The number of claims that it was charged for together. Null for a fee of one claim. */
  claims: number | null
}

export const findFeeFacts = (db: Db, caseGuid: string): Promise<FeeFact[]> =>
  db<FeeFact[]>`
    select id as "movementGuid", details ->> 'feeType' as "feeType", details ->> 'rule' as rule,
      details ->> 'overrideReason' as "overrideReason", (
        select count(distinct l.case_id)::int from demand_group_case k
          join demand_letter_case l on l.case_id = k.case_id
          join document o on o.id = l.document_id and o.business_date = m.value_date
        where k.group_id = (m.details ->> 'demandGroup')::uuid having count(*) > 0) as claims
    from movement m where case_id = ${caseGuid} and kind = 'fee'`

/** Invoices with the rule of law by which their interest begins. Null where the due date or a given day counts. */
export const findInterestStarts = (
  db: Db,
  caseGuid: string,
): Promise<{ invoiceGuid: string; rule: string | null }[]> =>
  db<{ invoiceGuid: string; rule: string | null }[]>`
    select id as "invoiceGuid", interest_start_rule as rule from invoice
    where case_id = ${caseGuid}`

export interface ReversalFact {
  kind: MovementKind
  movementGuid: string
  paymentGuid: string | null
  amount: number
  invoiceNumber: string | null
  details: { feeType?: string; component?: Component }
  date: string
  reversedDate: string
}

export const findReversals = (db: Db, caseGuid: string, day: PastDay | null): Promise<ReversalFact[]> =>
  db<ReversalFact[]>`
    select m.kind, m.id as "movementGuid", m.payment_id as "paymentGuid", m.amount,
      coalesce(i.invoice_number, i.number::text) as "invoiceNumber", m.details, m.value_date as date,
      r.booked_date as "reversedDate"
    from movement r join movement m on m.id = r.reverses_id left join invoice i on i.id = m.invoice_id
    where r.case_id = ${caseGuid} and r.kind = 'reversal' and m.value_date <= ${lastDay(day?.asOf)}
      and r.booked_date <= ${lastDay(day?.knownAt)} order by r.number`

/** A hold, a closing or a dispute. `to` is null while it lasts. */
export interface StandstillFact {
  kind: 'CLOSED' | 'HOLD' | 'DISPUTE' | 'INTEREST_PAUSE'
  /** Null for an interest pause. */
  reason: string | null
  from: string
  to: string | null
}

/** Holds and closings from the audit trail, objections, and the interest pauses of the ledger. */
export async function findStandstills(
  db: Db,
  caseGuid: string,
  day: PastDay | null,
): Promise<StandstillFact[]> {
  const last = lastDay(day && statusDay(day))
  const changes = await db<{ member: string; value: string | null; date: string }[]>`
    select m.member, a.changes #>> array[m.member, '1'] as value,
      case when m.member = 'hold' and a.changes #>> '{hold,1}' is not null
        then coalesce((a.changes #>> '{holdFrom,1}')::date, a.business_date) else a.business_date end as date
    from audit_entry a, (values ('hold'), ('closureCode')) m (member)
    where a.subject = ${caseGuid} and a.entity = 'case' and a.changes ? m.member and a.business_date <= ${last}
    order by a.sequence`
  const disputes = await db<{ reason: string; from: string; to: string | null }[]>`
    select kind as reason, received_date as "from", case when decided_date <= ${last} then decided_date end as "to"
    from objection
    where case_id = ${caseGuid} and matter = 'OBJECTION' and received_date <= ${last} order by received_date, id`
  const pauses = await db<{ from: string; to: string | null }[]>`
    select p.value_date + 1 as "from", (
      select r.value_date from movement r
      where r.case_id = p.case_id and r.kind = 'resume' and r.details ->> 'hold' = p.details ->> 'hold'
        and r.booked_date <= ${last}
        and not exists (select from movement u where u.reverses_id = r.id and u.booked_date <= ${last})
      order by r.number limit 1) as "to"
    from movement p
    where p.case_id = ${caseGuid} and p.kind = 'pause' and p.booked_date <= ${last}
      and not exists (select from movement u where u.reverses_id = p.id and u.booked_date <= ${last})
    order by p.number`
  return [
    ...pauses.map((one) => ({ kind: 'INTEREST_PAUSE' as const, reason: null, ...one })),
    ...joinPeriods(changes, 'hold', 'HOLD'),
    ...joinPeriods(changes, 'closureCode', 'CLOSED'),
    ...disputes.map((one) => ({ kind: 'DISPUTE' as const, ...one })),
  ].toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))
}

function joinPeriods(
  changes: readonly { member: string; value: string | null; date: string }[],
  member: string,
  kind: StandstillFact['kind'],
): StandstillFact[] {
  const periods: StandstillFact[] = []
  for (const { value, date } of changes.filter((one) => one.member === member)) {
    const last = periods.at(-1)
    if (last && last.to === null) last.to = date
    if (value !== null) periods.push({ kind, reason: value, from: date, to: null })
  }
  return periods
}
