/** Reads what the law needs to know of cases (core/law/permissions.ts), set-based. */
import { isUnderAged } from '../../core/identity/age.ts'
import type { Circumstance } from '../../core/law/pack.ts'
import { findPack, findRule } from '../../core/law/packs.ts'
import { unstatedFee, type LegalCase } from '../../core/law/legal-case.ts'
import type { ShippedFee } from '../../core/ledger/statutory-fees.ts'
import type { ClaimKind } from '../../core/law/terms.ts'
import type { Hold } from '../../core/cases/case-lifecycle.ts'
import { owed } from '../claims/remaining-amounts.ts'
import { runStatement } from '../platform/database/statement.ts'
import type { Db } from '../platform/database/transaction.ts'
import { findFeesBetween } from './rates/statutory-fees.store.ts'

interface Row {
  caseGuid: string
  country: string | null
  isBusiness: boolean
  currency: string
  principal: string
  remainingPrincipal: string
  /** Null for a case that is in no demand group. */
  groupPrincipal: string | null
  dueDate: string
  orderDate: string
  dateOfBirth: string | null
  /** The day on which the claim arose, as far as it is known. */
  claimDate: string
  isMinorClaimChecked: boolean
  limitationDate: string | null
  onPlan: boolean
  holds: Hold[]
  closedAs: string[]
  isEnforceable: boolean
  hasGuardian: boolean
  claimKind: ClaimKind
  isDisputed: boolean
  isUnanswered: boolean
  isHardshipAssessed: boolean
  reminderFeeAgreed: boolean
  noticeDeadline: string | null
  openingFee: string
  openingFeeType: string | null
  openingFeeDate: string
  fees: { id: string; type: string; amount: number; date: string }[]
  letters: { id: string; kind: string; date: string; due: string | null; isHeld: boolean }[]
}

/** Holds of any open case of the debtor that tell of the debtor, not of the one claim. A death stays when the case closes. */
const personal = `'HOLD_DECEASED', 'HOLD_DEBT_RELIEF', 'HOLD_BANKRUPTCY'`

/**
 * True if an open objection disputes the whole claim, or open objections together at least what remains. A part leaves
 * the rest of the claim as it is.
 */
const disputes = `coalesce((select bool_or(b.amount is null) or sum(b.amount) >= ${owed}
  from objection b where b.case_id = c.id and b.matter = 'OBJECTION' and b.status in ('OPEN', 'ANSWERED')), false)`

/** True if an answer to the debtor is overdue on the day `$2`. */
const lacksAnswer = `exists (select from objection b
  where b.case_id = c.id and b.status = 'OPEN' and b.answer_by < $2::date)`

/** Fees of other cases `c` was demanded together with: the one fee counts for each of them. */
const groupFees = `
  select m.* from demand_group_case own
    join demand_group_case other on other.group_id = own.group_id and other.case_id <> own.case_id
    join movement m on m.case_id = other.case_id and m.kind = 'fee' and m.details ->> 'demandGroup' = own.group_id::text
  where own.case_id = c.id`

const groupPrincipal = `(select sum(o.original_principal) from demand_group_case own
    join demand_group_case other on other.group_id = own.group_id and other.left_date is null
    join debt_case o on o.id = other.case_id
  where own.case_id = c.id and own.left_date is null)`

const select = `
  select c.id as "caseGuid", c.governing_country as country, d.juridical_type is not distinct from 1 as "isBusiness",
    c.currency_code as currency, c.original_principal::text as principal,
    c.remaining_principal::text as "remainingPrincipal", ${groupPrincipal}::text as "groupPrincipal",
    coalesce(i.last_due, c.registration_date) as "dueDate", c.registration_date as "orderDate",
    to_char(d.date_of_birth at time zone 'UTC', 'YYYY-MM-DD') as "dateOfBirth", c.limitation_date as "limitationDate",
    coalesce(i.first_day, c.registration_date) as "claimDate",
    c.minor_claim_checked as "isMinorClaimChecked",
    c.place_sub_status = 'PAYMENT_PLAN' as "onPlan",
    coalesce(p.holds, '{}') as holds, coalesce(p.closed_as, '{}') as "closedAs",
    c.place_status = 'ENFORCEMENT' or c.place_sub_status = 'TITLE_OBTAINED'
      or exists (select from limitation_interruption x where x.case_id = c.id and x.kind = 'TITLE') as "isEnforceable",
    exists (select from case_debtor g where g.case_id = c.id and g.debtor_role = 'GUARDIAN') as "hasGuardian",
    c.claim_kind as "claimKind", ${disputes} as "isDisputed", ${lacksAnswer} as "isUnanswered",
    exists (select from objection b where b.case_id = c.id and b.matter = 'HARDSHIP' and b.status in ('UPHELD', 'PARTLY', 'REJECTED'))
      as "isHardshipAssessed",
    c.reminder_fee_agreed as "reminderFeeAgreed", c.notice_deadline as "noticeDeadline",
    (c.opening_fee - c.opening_court_costs)::text as "openingFee", c.opening_fee_type as "openingFeeType",
    coalesce(c.opening_fee_date, c.registration_date) as "openingFeeDate",
    coalesce((select jsonb_agg(jsonb_build_object('id', m.id, 'type', m.details ->> 'feeType', 'amount', m.amount,
        'date', m.value_date))
      from (select m.* from movement m where m.case_id = c.id and m.kind = 'fee' union all ${groupFees}) m
      where not exists (select from movement r where r.reverses_id = m.id)), '[]') as fees,
    coalesce((select jsonb_agg(jsonb_build_object('id', o.id, 'kind', o.kind, 'date', o.business_date, 'due', o.due_date,
        'isHeld', exists (select from message k where k.document_id = o.id and k.sent_at is null and k.held_reason is not null)))
      from (select o.id, o.kind, o.business_date, o.due_date from document o where o.case_id = c.id
        union select o.id, o.kind, o.business_date, o.due_date from demand_letter_case l
          join document o on o.id = l.document_id where l.case_id = c.id) o), '[]') as letters
  from debt_case c join debtor d on d.id = c.main_debtor_id
    cross join lateral (
      select max(b.due_date) as last_due, min(least(b.invoice_date, b.due_date)) as first_day
      from invoice b where b.case_id = c.id
    ) i
    cross join lateral (
      select array_agg(distinct o.hold) filter (where o.hold = 'HOLD_DECEASED'
          or o.closure_code is null and (o.hold in (${personal}) or o.id = c.id and o.hold is not null)) as holds,
        array_agg(distinct o.closure_code) filter (where o.closure_code in ('DECEASED', 'DEBT_RELIEF')) as closed_as
      from debt_case o where o.main_debtor_id = c.main_debtor_id
    ) p
  where c.id = any($1::uuid[])`

/** Legal facts by case guid, as of a day. */
export async function findLegalCases(
  db: Db,
  caseGuids: readonly string[],
  date: string,
): Promise<Map<string, LegalCase>> {
  if (caseGuids.length === 0) return new Map()
  const rows = await runStatement<Row>(db, select, [[...caseGuids], date], { prepare: true })
  return new Map(rows.map((row) => [row.caseGuid, toLegalCase(row, date)]))
}

/** What the law of a country calls a fee that the books name more closely. */
export function toLegalType(feeType: string, country: string | null): string {
  if (feeType === 'planRegistration') return 'paymentPlan'
  if (feeType !== 'planReminder') return feeType
  // Most packs know reminders only.
  const knowsOwn = findPack(country)?.rules.some(
    (rule) => 'actions' in rule && rule.actions.includes('fee:planReminder'),
  )
  return knowsOwn ? feeType : 'reminder'
}

const toLegalCase = (row: Row, date: string): LegalCase => ({
  country: row.country,
  debtor: row.isBusiness ? 'business' : 'consumer',
  currency: row.currency,
  principal: BigInt(row.principal),
  remainingPrincipal: BigInt(row.remainingPrincipal),
  ...(row.groupPrincipal !== null &&
    isJudgedJointly(row, date) && { jointPrincipal: BigInt(row.groupPrincipal) }),
  dueDate: row.dueDate,
  orderDate: row.orderDate,
  circumstances: findCircumstances(row, date),
  isEnforceable: row.isEnforceable,
  hasGuardian: row.hasGuardian,
  claimKind: row.claimKind,
  isHardshipAssessed: row.isHardshipAssessed,
  reminderFeeAgreed: row.reminderFeeAgreed,
  noticeDeadline: row.noticeDeadline,
  openingCosts: findOpeningCosts(row),
  fees: row.fees.map(({ amount, type, ...fee }) => ({
    ...fee,
    type: toLegalType(type, row.country),
    amount: BigInt(amount),
  })),
  letters: row.letters,
})

function findOpeningCosts({ openingFee, openingFeeType, openingFeeDate }: Row): LegalCase['openingCosts'] {
  const amount = BigInt(openingFee)
  return amount > 0n ? { type: openingFeeType ?? unstatedFee, amount, date: openingFeeDate } : null
}

const isJudgedJointly = ({ country, isBusiness }: Row, date: string): boolean =>
  findRule(country, 'bundling', { date, debtor: isBusiness ? 'business' : 'consumer' })?.principal === 'joint'

const ofHold: Partial<Record<Hold, Circumstance>> = {
  HOLD_DISPUTE: 'disputed',
  HOLD_COMPLAINT: 'disputed',
  HOLD_DECEASED: 'deceased',
  HOLD_DEBT_RELIEF: 'debtRelief',
  HOLD_BANKRUPTCY: 'bankruptcy',
}

/** What the law calls the reason of a hold. Nothing for a hold that it does not know. */
export const toCircumstance = (hold: string | null): Circumstance[] => {
  const found = ofHold[hold as Hold]
  return found === undefined ? [] : [found]
}

function findCircumstances(row: Row, date: string): Circumstance[] {
  const found = row.holds.flatMap(toCircumstance)
  if (row.dateOfBirth !== null && isUnderAged(row.dateOfBirth, date)) found.push('minor')
  if (isMinorClaim(row)) found.push('minorClaim')
  if (row.closedAs.includes('DECEASED')) found.push('deceased')
  if (row.closedAs.includes('DEBT_RELIEF')) found.push('debtRelief')
  if (row.limitationDate !== null && row.limitationDate < date) found.push('barred')
  if (row.isDisputed && !found.includes('disputed')) found.push('disputed')
  if (row.isUnanswered) found.push('unanswered')
  if (row.onPlan) found.push('plan')
  return found
}

/** True if the debtor was under 18 when the claim arose, and nobody has examined its ground. */
const isMinorClaim = ({ dateOfBirth, claimDate, isMinorClaimChecked }: Row): boolean =>
  dateOfBirth !== null && !isMinorClaimChecked && isUnderAged(dateOfBirth, claimDate)

export type FeeTables = (country: string | null) => readonly ShippedFee[]

/** The fee tables in force on a day, by country. */
export const findFeeTables = (db: Db, countries: Iterable<string | null>, date: string): Promise<FeeTables> =>
  findFeeTablesBetween(db, countries, { from: date, to: date })

/** The number of payments of the active plan of a case. Zero without one. */
export async function countInstalments(db: Db, caseGuid: string): Promise<number> {
  const [row] = await runStatement<{ count: number }>(
    db,
    `select coalesce(max(pp.number_of_payments), 0)::int as count
     from payment_plan_case pc join payment_plan pp on pp.id = pc.plan_id and pp.active = 1 where pc.case_id = $1`,
    [caseGuid],
    { prepare: true },
  )
  return row!.count
}

/** The fees in force on any day of a period, by country. */
export async function findFeeTablesBetween(
  db: Db,
  countries: Iterable<string | null>,
  period: { from: string; to: string },
): Promise<FeeTables> {
  const tables = new Map<string, readonly ShippedFee[]>()
  for (const country of new Set(countries))
    if (country !== null) tables.set(country, await findFeesBetween(db, country, period))
  return (country) => tables.get(country ?? '') ?? []
}
