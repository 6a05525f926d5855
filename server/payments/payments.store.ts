/** Finds payments and their targets. */
import { rowParameterCount, rowParameters, rowsFrom } from '../platform/database/row-text.ts'
import { runStatement } from '../platform/database/statement.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Caller } from '../platform/http/caller.ts'
import { notFound } from '../platform/http/errors.ts'
import { visibleCases } from '../claims/cases.scope.ts'
import { caseRowSelect, type CaseRow } from '../claims/case-lock.ts'

export interface ReferenceMatch {
  caseGuid: string | null
  debtorGuid: string | null
  groupGuid: string | null
  /** True when the reference is the case's own, digit by digit. */
  exact: boolean
}

/** True if a demand group `g` has a case that the caller may see. */
const isVisibleGroup = (
  scope: string,
) => `exists (select from demand_group_case k join debt_case c on c.id = k.case_id
  where k.group_id = g.id and ${scope})`

/** Visible cases, debtors or demand groups that a payer's reference may name. An exact match comes first. */
export async function findByReference(
  db: Db,
  caller: Caller,
  numbers: ReferenceNumbers,
): Promise<ReferenceMatch[]> {
  const scope = visibleCases(caller).at(5)
  return runStatement<ReferenceMatch>(
    db,
    `select c.id as "caseGuid", null::uuid as "debtorGuid", null::uuid as "groupGuid",
       c.payment_reference_number = $3::text as exact from debt_case c
     where (c.payment_reference_number = $3::text or c.case_number = any($1::text[])) and ${scope.text}
     union all
     select null, d.id, null, false from debtor d
     where d.debtor_reference = any($2::text[])
       and exists (select from case_debtor cd join debt_case c on c.id = cd.case_id where cd.debtor_id = d.id and ${scope.text})
     union all
     select null, null, g.id, g.payment_reference_number = $3::text from demand_group g
     where g.number = any($4::bigint[]) and ${isVisibleGroup(scope.text)}
     order by exact desc limit 2`,
    [
      numbers.caseNumbers,
      numbers.debtorReferences,
      numbers.reference,
      numbers.groupNumbers,
      ...scope.parameters,
    ],
    { prepare: true },
  )
}

export interface ReferenceNumbers {
  reference: string
  caseNumbers: string[]
  debtorReferences: string[]
  groupNumbers: string[]
}

const pairTypes = { place: 'int', text: 'text' }
const referencePairs = (nth: number) => `${rowsFrom(pairTypes, 1 + nth * rowParameterCount)} w`

/**
 * Finds matches for many references with four index scans. At most two per reference, an exact match first.
 */
export async function findByReferences(
  db: Db,
  caller: Caller,
  asked: readonly ReferenceNumbers[],
): Promise<Map<ReferenceNumbers, ReferenceMatch[]>> {
  const matches = new Map(asked.map((one) => [one, [] as ReferenceMatch[]]))
  if (asked.length === 0) return matches
  const pairs = (values: (one: ReferenceNumbers) => readonly string[]) =>
    rowParameters(
      pairTypes,
      asked.flatMap((one, place) => values(one).map((text) => ({ place, text }))),
    )
  const scope = visibleCases(caller).at(1 + 4 * rowParameterCount)
  const rows = await runStatement<ReferenceMatch & { place: number }>(
    db,
    `select w.place, c.id as "caseGuid", null::uuid as "debtorGuid", null::uuid as "groupGuid", true as exact
     from ${referencePairs(0)} join debt_case c on c.payment_reference_number = w.text where ${scope.text}
     union all
     select w.place, c.id, null, null, false from ${referencePairs(1)} join debt_case c on c.case_number = w.text where ${scope.text}
     union all
     select w.place, null, d.id, null, false from ${referencePairs(2)} join debtor d on d.debtor_reference = w.text
     where exists (select from case_debtor cd join debt_case c on c.id = cd.case_id where cd.debtor_id = d.id and ${scope.text})
     union all
     select w.place, null, null, g.id, true from ${referencePairs(3)} join demand_group g on g.number = w.text::bigint
     where ${isVisibleGroup(scope.text)}
     order by exact desc`,
    [
      ...pairs(({ reference }) => [reference]),
      ...pairs(({ caseNumbers }) => caseNumbers),
      ...pairs(({ debtorReferences }) => debtorReferences),
      ...pairs(({ groupNumbers }) => groupNumbers),
      ...scope.parameters,
    ],
    { prepare: true },
  )
  for (const { place, ...match } of rows) {
    const own = matches.get(asked[place]!)!
    const isKnown = own.some(
      (one) =>
        one.caseGuid === match.caseGuid &&
        one.debtorGuid === match.debtorGuid &&
        one.groupGuid === match.groupGuid,
    )
    if (!isKnown && own.length < 2) own.push(match)
  }
  return matches
}

/**
 * The open cases that a debtor owes, within the caller's restriction. The one registered first comes first.
 */
export async function listOwedCases(
  db: Db,
  caller: Caller,
  debtorGuid: string,
): Promise<{ caseGuid: string; currencyCode: string }[]> {
  const scope = visibleCases(caller).at(2)
  return runStatement(
    db,
    `select c.id as "caseGuid", c.currency_code as "currencyCode"
     from case_debtor cd join debt_case c on c.id = cd.case_id
     where cd.debtor_id = $1 and cd.debtor_role in ('MAIN_DEBTOR', 'CO_DEBTOR', 'GUARANTOR', 'ESTATE')
       and c.status <> 'CLOSED' and ${scope.text} order by c.running_number`,
    [debtorGuid, ...scope.parameters],
    { prepare: true },
  )
}

export interface GroupedCase {
  caseGuid: string
  isOpen: boolean
  /** True while it is on hold or an objection to it is open: others are paid first. */
  isWaiting: boolean
}

/** The cases of a demand group that the caller may see, with those that were taken out only when no other is left. */
export async function listGroupedCases(db: Db, caller: Caller, groupGuid: string): Promise<GroupedCase[]> {
  const scope = visibleCases(caller).at(2)
  return runStatement<GroupedCase>(
    db,
    `select c.id as "caseGuid", c.status <> 'CLOSED' as "isOpen",
       c.hold is not null or exists (select from objection b where b.case_id = c.id and b.matter = 'OBJECTION'
         and b.status in ('OPEN', 'ANSWERED')) as "isWaiting"
     from demand_group_case k join debt_case c on c.id = k.case_id
     where k.group_id = $1 and ${scope.text}
       and (k.left_date is null
         or not exists (select from demand_group_case o where o.group_id = k.group_id and o.left_date is null))
     order by c.running_number`,
    [groupGuid, ...scope.parameters],
    { prepare: true },
  )
}

/**
 * Locks cases in the order of their identifiers, which prevents deadlocks: the given cases, and those in an
 * active payment plan with them. With `ended`, also those of ended plans.
 */
export async function lockCases(
  tx: Db,
  caller: Caller,
  caseGuids: readonly string[],
  { ended = false } = {},
): Promise<CaseRow[]> {
  const scope = visibleCases(caller).at(3)
  return runStatement<CaseRow>(
    tx,
    `select ${caseRowSelect} from debt_case c
     where c.id in (
         select unnest($1::uuid[]) union
         select other.case_id from payment_plan_case own join payment_plan_case other on other.plan_id = own.plan_id
         where own.case_id = any($1::uuid[]) and (own.active or ($2 and own.movements_before is not null)))
       and ${scope.text} order by c.id for no key update`,
    [caseGuids, ended, ...scope.parameters],
    { prepare: true },
  )
}

const payerTypes = { case_id: 'uuid', role: 'int' }

/**
 * Locks cases that nobody holds, in the order of their identifiers, each with the role of the user who pays it. Leaves out
 * cases in an active payment plan, and those that a role with a limit of payments pays. The row tells of the plan: it is
 * read as it is when it is locked, other tables as they were before.
 */
export async function lockFreeCases(
  tx: Db,
  caller: Caller,
  roles: ReadonlyMap<string, number>,
): Promise<CaseRow[]> {
  const scope = visibleCases(caller).at(1 + rowParameterCount)
  const rows = [...roles].map(([caseGuid, role]) => ({ case_id: caseGuid, role }))
  return runStatement<CaseRow>(
    tx,
    `select ${caseRowSelect} from ${rowsFrom(payerTypes, 1)} n join debt_case c on c.id = n.case_id
     where ${scope.text}
       and c.before_plan_status is null
       and not exists (select from approval_limit l where l.act = 'PAYMENT' and l.user_role = n.role)
     order by c.id for no key update of c skip locked`,
    [...rowParameters(payerTypes, rows), ...scope.parameters],
    { prepare: true },
  )
}

export interface PaymentRow {
  paymentGuid: string
  amount: number
  currencyCode: string
  valueDate: string
  toThirdParty: boolean
  reversedDate: string | null
  /** Whether a reversed payment bounced. Null while it is not reversed, or when it is unknown. */
  bounced: boolean | null
  payerReference: string | null
  version: number
  movements: { movementGuid: string; caseGuid: string }[]
}

export async function findPayment(db: Db, paymentGuid: string): Promise<PaymentRow | undefined> {
  const [row] = await db<PaymentRow[]>`
    select p.id as "paymentGuid", p.amount, p.currency_code as "currencyCode", p.value_date as "valueDate",
      p.to_third_party as "toThirdParty", p.reversed_date as "reversedDate", p.bounced, p.payer_reference as "payerReference", p.version,
      (select jsonb_agg(jsonb_build_object('movementGuid', m.id, 'caseGuid', m.case_id)) from movement m
        where m.payment_id = p.id) as movements
    from payment p where p.id = ${paymentGuid}`
  return row
}

/** Throws a 404 for a payment with a part on a case that the caller may not see. */
export async function requirePayment(db: Db, caller: Caller, paymentGuid: string): Promise<PaymentRow> {
  const found = await findPayment(db, paymentGuid)
  const scope = visibleCases(caller).at(2)
  const hidden = await runStatement(
    db,
    `select from movement m join debt_case c on c.id = m.case_id where m.payment_id = $1 and not (${scope.text})`,
    [paymentGuid, ...scope.parameters],
  )
  if (!found || hidden.length > 0) throw notFound('payment')
  return found
}

/** An unreversed payment with the same payer's reference for the same debtor. */
export async function findSamePayment(
  db: Db,
  debtorGuid: string,
  payerReference: string,
): Promise<{ paymentGuid: string; caseGuid: string | null } | undefined> {
  const [row] = await db<{ paymentGuid: string; caseGuid: string | null }[]>`
    select id as "paymentGuid", case_id as "caseGuid" from payment
    where debtor_id = ${debtorGuid} and lower(payer_reference) = lower(${payerReference}) and reversed_date is null`
  return row
}

/** Marks a payment as reversed. Returns false if it already was. */
export async function updateReversed(
  tx: Db,
  paymentGuid: string,
  { reason, date, bounced }: { reason: string; date: string; bounced: boolean },
): Promise<boolean> {
  const rows = await tx`
    update payment set reversed_date = ${date}, reversal_reason = ${reason}, bounced = ${bounced}, version = version + 1
    where id = ${paymentGuid} and reversed_date is null returning id`
  return rows.length === 1
}
