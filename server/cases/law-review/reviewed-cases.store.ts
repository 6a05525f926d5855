/** Reads cases for a review by the law, chunk by chunk, and writes what was found. */
import type { LawCorrection, LawFindingKind, LawObstacle } from '../../../contract/cases/law-reviews.ts'
import type { ReviewedActs } from '../../../core/law/review-acts.ts'
import { owed } from '../../claims/remaining-amounts.ts'
import { isSameDemand } from '../demands/demand-groups.store.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { rowsIn } from '../../platform/database/row-text.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'

/** True if money of a case `c` was paid out to its client. */
const isPaidOut = `exists (select from trust_entry e join trust_transaction t on t.id = e.transaction_id
  where e.case_id = c.id and t.kind = 'payout')`

export interface ReviewedCase extends ReviewedActs {
  caseGuid: string
  version: number
  closureCode: string | null
  closureDate: string | null
  isPaidOut: boolean
  onPlan: boolean
  limitationCountry: string | null
  limitationDate: string | null
  owed: bigint
  openingFee: bigint
  openingFeeType: string | null
  openingFeeDate: string
  /** True if its interest needs a closer look: booked by another day count, or while it was closed. */
  reckons: boolean
}

type Row = Omit<ReviewedCase, 'owed' | 'openingFee' | 'fees'> & {
  owed: string
  openingFee: string
  fees: {
    id: string
    type: string | null
    amount: number
    date: string
    isOverridden: boolean
    jointPrincipal: number | null
    demandGroup: string | null
    isRepeated: boolean
  }[]
}

/** True if a fee `m` of a case `c` was charged on an older case of the same parties on the same day. */
const isRepeated = `not m.details ? 'demandGroup' and not c.demanded_alone and exists (
  select from debt_case o join movement f on f.case_id = o.id and f.kind = 'fee'
  where ${isSameDemand('c', 'o')} and o.running_number < c.running_number and not o.demanded_alone
    and f.value_date = m.value_date and f.details ->> 'feeType' = m.details ->> 'feeType'
    and not exists (select from movement r where r.reverses_id = f.id))`

/**
 * The cases of a chunk that have something to judge. Most have not. After the business date was set back, a case that
 * is registered later has no claim yet, and what was done later is not judged: the facts of its day are not known.
 */
const reviewedText = `
  select c.id as "caseGuid", c.version, c.closure_code as "closureCode", c.closure_date as "closureDate",
    ${isPaidOut} as "isPaidOut", c.before_plan_status is not null as "onPlan", c.limitation_country as "limitationCountry",
    c.limitation_date as "limitationDate", (${owed})::text as owed,
    (c.opening_fee - c.opening_court_costs)::text as "openingFee", c.opening_fee_type as "openingFeeType",
    coalesce(c.opening_fee_date, c.registration_date) as "openingFeeDate",
    (c.day_count is not null or c.closure_code is not null and c.accrual_per_day <> 0
      or c.closure_code is null and exists (select from movement m where m.case_id = c.id and m.kind = 'reversal')) as reckons,
    coalesce((select jsonb_agg(jsonb_build_object('id', m.id, 'type', m.details ->> 'feeType', 'amount', m.amount,
        'date', m.value_date, 'isOverridden', m.details ? 'overrideReason', 'jointPrincipal', m.details -> 'jointPrincipal',
        'demandGroup', m.details ->> 'demandGroup', 'isRepeated', ${isRepeated}) order by m.value_date, m.number)
      from movement m where m.case_id = c.id and m.kind = 'fee' and m.value_date <= $2::date
        and not exists (select from movement r where r.reverses_id = m.id)), '[]') as fees,
    coalesce((select jsonb_agg(jsonb_build_object('id', o.id, 'kind', o.kind, 'date', o.business_date, 'due', o.due_date)
        order by o.business_date, o.id)
      from document o where (o.case_id = c.id
        or o.id in (select l.document_id from demand_letter_case l where l.case_id = c.id))
        and o.business_date <= $2::date), '[]') as letters,
    (select jsonb_agg(jsonb_build_object('due', i.due_date, 'since',
        case when i.opening then '0001-01-01' else to_char(coalesce(m.value_date, c.registration_date), 'YYYY-MM-DD') end))
      from invoice i left join movement m on m.invoice_id = i.id and m.kind = 'claim' and m.case_id = c.id
      where i.case_id = c.id) as invoices
  from debt_case c
  where c.id = any($1::uuid[]) and c.registration_date <= $2::date and (
    c.opening_fee > c.opening_court_costs or c.day_count is not null
    or c.closure_code is null and c.limitation_date < $2::date
    or c.closure_code is not null and c.accrual_per_day <> 0
    or exists (select from movement m where m.case_id = c.id and m.kind in ('fee', 'reversal'))
    or exists (select from document o where o.case_id = c.id)
    or exists (select from demand_letter_case l where l.case_id = c.id))
  order by c.id`

export async function findReviewedCases(
  db: Db,
  caseGuids: readonly string[],
  date: string,
): Promise<ReviewedCase[]> {
  const rows = await runStatement<Row>(db, reviewedText, [[...caseGuids], date], { prepare: true })
  return rows.map((row) => ({
    ...row,
    owed: BigInt(row.owed),
    openingFee: BigInt(row.openingFee),
    fees: row.fees.map((fee) => ({
      ...fee,
      type: fee.type ?? '',
      amount: BigInt(fee.amount),
      jointPrincipal: fee.jointPrincipal === null ? null : BigInt(fee.jointPrincipal),
    })),
    invoices: row.invoices ?? [],
  }))
}

/** The cases of which money was paid out to their clients. */
export async function findPaidOut(db: Db, caseGuids: readonly string[]): Promise<Set<string>> {
  const rows = await runStatement<{ id: string }>(
    db,
    `select c.id from debt_case c where c.id = any($1::uuid[]) and ${isPaidOut}`,
    [[...caseGuids]],
    { prepare: true },
  )
  return new Set(rows.map(({ id }) => id))
}

/** The next case guids after one, in order. */
export async function findChunk(db: Db, after: string, rows: number): Promise<string[]> {
  const found = await db<{ id: string }[]>`
    select id from debt_case where id > ${after} order by id limit ${rows}`
  return found.map(({ id }) => id)
}

/** Periods in which each case was closed and reopened later, from the audit trail, with the closure code. */
export async function findClosedPeriods(
  db: Db,
  caseGuids: readonly string[],
): Promise<Map<string, { code: string; from: string; to: string }[]>> {
  if (caseGuids.length === 0) return new Map()
  const rows = await db<{ caseGuid: string; date: string; before: string | null; after: string | null }[]>`
    select subject as "caseGuid", business_date as date, changes #>> '{closureCode,0}' as before,
      changes #>> '{closureCode,1}' as after
    from audit_entry where subject = any(${[...caseGuids]}::uuid[]) and entity = 'case' and changes ? 'closureCode'
    order by subject, sequence`
  const periods = new Map<string, { code: string; from: string; to: string }[]>()
  const closed = new Map<string, { code: string; from: string }>()
  for (const { caseGuid, date, after } of rows) {
    const open = closed.get(caseGuid)
    if (after !== null) closed.set(caseGuid, { code: after, from: open?.from ?? date })
    else if (open) {
      periods.set(caseGuid, [...(periods.get(caseGuid) ?? []), { ...open, to: date }])
      closed.delete(caseGuid)
    }
  }
  return periods
}

/** A finding before it is stored. Amounts in minor units. */
export interface NewFinding {
  kind: LawFindingKind
  action: string | null
  actedDate: string | null
  movementGuid: string | null
  documentGuid: string | null
  rule: string | null
  source: string | null
  verified: boolean
  charged: bigint | null
  lawful: bigint | null
  amount: bigint
  correction: LawCorrection
  details: {
    periods?: [from: string, to: string | null][]
    /** Of a fee that was charged once for several claims. */
    demandGroup?: string
    jointPrincipal?: number
  }
  obstacle: LawObstacle | null
}

const findingTypes = {
  id: 'uuid',
  review_id: 'uuid',
  case_id: 'uuid',
  kind: 'text',
  act: 'text',
  acted_date: 'date',
  movement_id: 'uuid',
  document_id: 'uuid',
  rule: 'text',
  source: 'text',
  verified: 'boolean',
  charged: 'bigint',
  lawful: 'bigint',
  amount: 'bigint',
  correction: 'text',
  details: 'jsonb',
  status: 'text',
  obstacle: 'text',
  case_version: 'int',
} as const

export async function insertFindings(
  tx: Db,
  reviewGuid: string,
  found: readonly { of: ReviewedCase; findings: readonly NewFinding[] }[],
): Promise<number> {
  const rows = found.flatMap(({ of, findings }) =>
    findings.map((one) => ({
      id: makeId(),
      review_id: reviewGuid,
      case_id: of.caseGuid,
      kind: one.kind,
      act: one.action,
      acted_date: one.actedDate,
      movement_id: one.movementGuid,
      document_id: one.documentGuid,
      rule: one.rule,
      source: one.source,
      verified: one.verified,
      charged: one.charged === null ? null : Number(one.charged),
      lawful: one.lawful === null ? null : Number(one.lawful),
      amount: Number(one.amount),
      correction: one.correction,
      details: one.details,
      status: one.obstacle === null ? 'OPEN' : 'LISTED',
      obstacle: one.obstacle,
      case_version: of.version,
    })),
  )
  if (rows.length === 0) return 0
  await tx`
    insert into law_finding (${tx.unsafe(Object.keys(findingTypes).join(', '))})
    select * from ${rowsIn(tx, findingTypes, rows)} n`
  return rows.length
}
