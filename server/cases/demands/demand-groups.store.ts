/** Reads the demand groups of cases. */
import { isOpen, owed } from '../../claims/remaining-amounts.ts'
import { visibleCases } from '../../claims/cases.scope.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'

export interface Demand {
  demandedAlone: boolean
}

export async function findDemand(db: Db, caseGuid: string): Promise<Demand> {
  const [row] = await db<Demand[]>`
    select demanded_alone as "demandedAlone" from debt_case where id = ${caseGuid}`
  return row!
}

export interface DemandFacts extends Demand {
  country: string | null
  isBusiness: boolean
  /** Whether the client, or a party above it, wants claims to be demanded together. */
  wish: boolean | null
  currencyCode: string
  clientGuid: string
  mainDebtorGuid: string
  groupGuid: string | null
  reference: string | null
  rule: string | null
  demandedDate: string | null
}

export async function findDemandFacts(db: Db, caseGuid: string): Promise<DemandFacts | undefined> {
  const [row] = await db<DemandFacts[]>`
    with recursive above as (
      select p.id, p.parent_id, p.bundle_claims, 0 as distance from party p
        where p.id = (select client_id from debt_case where id = ${caseGuid})
      union all
      select p.id, p.parent_id, p.bundle_claims, a.distance + 1 from party p join above a on p.id = a.parent_id
    )
    select c.demanded_alone as "demandedAlone", c.governing_country as country,
      d.juridical_type is not distinct from 1 as "isBusiness",
      (select bundle_claims from above where bundle_claims is not null order by distance limit 1) as wish,
      c.currency_code as "currencyCode", c.client_id as "clientGuid", c.main_debtor_id as "mainDebtorGuid", g.id as "groupGuid", g.payment_reference_number as reference, g.rule,
      to_char(g.demanded_date, 'YYYY-MM-DD') as "demandedDate"
    from debt_case c join debtor d on d.id = c.main_debtor_id
      left join demand_group_case k on k.case_id = c.id and k.left_date is null
      left join demand_group g on g.id = k.group_id
    where c.id = ${caseGuid}`
  return row
}

/** The debtors who owe a case, with their roles: cases are demanded together when these are the same. */
export const owingDebtors = (caseId: string): string =>
  `(select coalesce(string_agg(cd.debtor_id || cd.debtor_role, ' ' order by cd.debtor_id), '') from case_debtor cd
    where cd.case_id = ${caseId} and cd.debtor_role in ('MAIN_DEBTOR', 'CO_DEBTOR', 'GUARANTOR', 'ESTATE'))`

/** True if two cases are of the same parties, in one currency, under one law. */
export const isSameDemand = (one: string, other: string): string =>
  `${other}.main_debtor_id = ${one}.main_debtor_id and ${other}.client_id = ${one}.client_id
    and ${other}.currency_code = ${one}.currency_code
    and ${other}.governing_country is not distinct from ${one}.governing_country
    and ${owingDebtors(`${other}.id`)} = ${owingDebtors(`${one}.id`)}`

export interface GroupedCaseRow {
  caseGuid: string
  caseNumber: string
  status: string
  subStatus: string
  remainingMinor: number
  /** The next letter demands the case: it is open, without a hold, and not disputed as a whole. */
  isDemanded: boolean
}

const isDisputed = `exists (select from objection b where b.case_id = c.id and b.matter = 'OBJECTION'
  and b.status in ('OPEN', 'ANSWERED') and b.amount is null)`

/** The cases of a case's group; of a case without one, those that stand where it stands and have none either. */
export function listGroupCases(
  db: Db,
  caller: Caller,
  { caseGuid, groupGuid }: { caseGuid: string; groupGuid: string | null },
): Promise<GroupedCaseRow[]> {
  const scope = visibleCases(caller).at(3)
  return runStatement<GroupedCaseRow>(
    db,
    `select c.id as "caseGuid", c.case_number as "caseNumber", c.status, c.sub_status as "subStatus",
       ${owed}::float8 as "remainingMinor", ${isOpen} and c.hold is null and not ${isDisputed} as "isDemanded"
     from debt_case one join debt_case c on ${isSameDemand('one', 'c')}
       left join demand_group_case k on k.case_id = c.id and k.left_date is null
     where one.id = $1 and ${scope.text}
       and case when $2::uuid is null
         then k.group_id is null and ${isOpen} and c.hold is null and not c.demanded_alone
           and c.service = one.service and c.place_status = one.place_status
           and c.place_sub_status = one.place_sub_status
         else k.group_id = $2::uuid end
     order by c.running_number`,
    [caseGuid, groupGuid, ...scope.parameters],
    { prepare: true },
  )
}

/** The current group of a case. */
export async function findCurrentGroup(tx: Db, caseGuid: string): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`
    select group_id as id from demand_group_case where case_id = ${caseGuid} and left_date is null`
  return row?.id ?? null
}

/** True if two cases may be in one group. */
export async function mayBeTogether(tx: Db, caseGuid: string, otherGuid: string): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `select from debt_case one join debt_case c on ${isSameDemand('one', 'c')}
     where one.id = $1 and c.id = $2 and c.id <> one.id and one.closure_code is null and ${isOpen}`,
    [caseGuid, otherGuid],
  )
  return rows.length > 0
}

export async function leaveGroup(tx: Db, caseGuid: string, date: string): Promise<void> {
  await tx`
    update demand_group_case set left_date = ${date}::date where case_id = ${caseGuid} and left_date is null`
}

export async function joinGroup(
  tx: Db,
  { caseGuid, groupGuid, date }: { caseGuid: string; groupGuid: string; date: string },
): Promise<void> {
  await tx`
    insert into demand_group_case (group_id, case_id, joined_date) values (${groupGuid}, ${caseGuid}, ${date}::date)
    on conflict (group_id, case_id) do update set left_date = null`
}
