/** Reads what the law needs to know of cases (core/law/permissions.ts), set-based. */
import { isUnderAged } from '../../core/identity/age.ts'
import type { Circumstance } from '../../core/law/pack.ts'
import type { LegalCase } from '../../core/law/permissions.ts'
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
  dueDate: string
  dateOfBirth: string | null
  limitationDate: string | null
  onPlan: boolean
  holds: Hold[]
  closedAs: string[]
  isEnforceable: boolean
  hasGuardian: boolean
  claimKind: ClaimKind
  isDisputed: boolean
  isHardshipAssessed: boolean
  reminderFeeAgreed: boolean
  noticeDeadline: string | null
  fees: { type: string; amount: number; date: string }[]
  letters: { kind: string; date: string; due: string | null }[]
}

/** Holds of any open case of the debtor that tell of the debtor, not of the one claim. */
const personal = `'HOLD_DECEASED', 'HOLD_DEBT_RELIEF', 'HOLD_BANKRUPTCY'`

/**
 * True if an open objection disputes the whole claim, or open objections together at least what remains. A part leaves
 * the rest of the claim as it is.
 */
const disputes = `coalesce((select bool_or(b.amount is null) or sum(b.amount) >= ${owed}
  from objection b where b.case_id = c.id and b.matter = 'OBJECTION' and b.status in ('OPEN', 'ANSWERED')), false)`

const select = `
  select c.id as "caseGuid", c.governing_country as country, d.juridical_type is not distinct from 1 as "isBusiness",
    c.currency_code as currency, c.original_principal::text as principal,
    coalesce((select max(i.due_date) from invoice i where i.case_id = c.id), c.registration_date) as "dueDate",
    to_char(d.date_of_birth at time zone 'UTC', 'YYYY-MM-DD') as "dateOfBirth", c.limitation_date as "limitationDate",
    c.place_sub_status = 'PAYMENT_PLAN' as "onPlan",
    array(select distinct o.hold from debt_case o where o.main_debtor_id = c.main_debtor_id and o.closure_code is null
      and (o.hold in (${personal}) or o.id = c.id and o.hold is not null)) as holds,
    array(select distinct o.closure_code from debt_case o where o.main_debtor_id = c.main_debtor_id
      and o.closure_code in ('DECEASED', 'DEBT_RELIEF')) as "closedAs",
    c.place_status = 'ENFORCEMENT' or c.place_sub_status = 'TITLE_OBTAINED'
      or exists (select from limitation_interruption x where x.case_id = c.id and x.kind = 'TITLE') as "isEnforceable",
    exists (select from case_debtor g where g.case_id = c.id and g.debtor_role = 'GUARDIAN') as "hasGuardian",
    c.claim_kind as "claimKind", ${disputes} as "isDisputed",
    exists (select from objection b where b.case_id = c.id and b.matter = 'HARDSHIP' and b.status in ('UPHELD', 'PARTLY', 'REJECTED'))
      as "isHardshipAssessed",
    c.reminder_fee_agreed as "reminderFeeAgreed", c.notice_deadline as "noticeDeadline",
    coalesce((select jsonb_agg(jsonb_build_object('type', m.details ->> 'feeType', 'amount', m.amount, 'date', m.value_date))
      from movement m where m.case_id = c.id and m.kind = 'fee'
        and not exists (select from movement r where r.reverses_id = m.id)), '[]') as fees,
    coalesce((select jsonb_agg(jsonb_build_object('kind', o.kind, 'date', o.business_date, 'due', o.due_date))
      from document o where o.case_id = c.id), '[]') as letters
  from debt_case c join debtor d on d.id = c.main_debtor_id
  where c.id = any($1::uuid[])`

/** Legal facts by case guid, as of a day. */
export async function findLegalCases(
  db: Db,
  caseGuids: readonly string[],
  date: string,
): Promise<Map<string, LegalCase>> {
  if (caseGuids.length === 0) return new Map()
  const rows = await runStatement<Row>(db, select, [[...caseGuids]], { prepare: true })
  return new Map(rows.map((row) => [row.caseGuid, toLegalCase(row, date)]))
}

const toLegalCase = (row: Row, date: string): LegalCase => ({
  country: row.country,
  debtor: row.isBusiness ? 'business' : 'consumer',
  currency: row.currency,
  principal: BigInt(row.principal),
  dueDate: row.dueDate,
  circumstances: findCircumstances(row, date),
  isEnforceable: row.isEnforceable,
  hasGuardian: row.hasGuardian,
  claimKind: row.claimKind,
  isHardshipAssessed: row.isHardshipAssessed,
  reminderFeeAgreed: row.reminderFeeAgreed,
  noticeDeadline: row.noticeDeadline,
  fees: row.fees.map(({ type, amount, date: on }) => ({ type, amount: BigInt(amount), date: on })),
  letters: row.letters,
})

const ofHold: Partial<Record<Hold, Circumstance>> = {
  HOLD_DISPUTE: 'disputed',
  HOLD_COMPLAINT: 'disputed',
  HOLD_DECEASED: 'deceased',
  HOLD_DEBT_RELIEF: 'debtRelief',
  HOLD_BANKRUPTCY: 'bankruptcy',
}

function findCircumstances(row: Row, date: string): Circumstance[] {
  const found: Circumstance[] = row.holds.flatMap((hold) => ofHold[hold] ?? [])
  if (row.dateOfBirth !== null && isUnderAged(row.dateOfBirth, date)) found.push('minor')
  if (row.closedAs.includes('DECEASED')) found.push('deceased')
  if (row.closedAs.includes('DEBT_RELIEF')) found.push('debtRelief')
  if (row.limitationDate !== null && row.limitationDate < date) found.push('barred')
  if (row.isDisputed && !found.includes('disputed')) found.push('disputed')
  if (row.onPlan) found.push('plan')
  return found
}

/** The fee tables in force on a day, by country. */
export async function findFeeTables(
  db: Db,
  countries: Iterable<string | null>,
  date: string,
): Promise<(country: string | null) => readonly ShippedFee[]> {
  const tables = new Map<string, readonly ShippedFee[]>()
  for (const country of new Set(countries))
    if (country !== null) tables.set(country, await findFeesBetween(db, country, { from: date, to: date }))
  return (country) => tables.get(country ?? '') ?? []
}
