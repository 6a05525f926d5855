/** What users did without a second person, so that an amount that is divided stays one amount. */
import type { ApprovalAct } from '../../../contract/access/approvals.ts'
import { countDecimals } from '../../../core/money/money.ts'
import { rowsIn } from '../../platform/database/row-text.ts'
import type { Db } from '../../platform/database/transaction.ts'

/** What an act does to one case, or to none that it names. Minor units. */
export interface CaseShare {
  caseGuid: string | null
  amount: bigint
}

/** Acts of a kind and currency within a period that ends today. */
interface Counted {
  act: ApprovalAct
  currencyCode: string
  today: string
  periodDays: number
}

/** Class of the advisory locks of users, who otherwise could do two acts at once by the same sum. */
const userLock = 0x4c4f4e45

/** What the user did alone. Until the transaction ends, no other act of the user is counted. */
export async function sumOfUser(
  tx: Db,
  userGuid: string,
  { act, currencyCode, today, periodDays }: Counted,
): Promise<bigint> {
  await tx`select pg_advisory_xact_lock(${userLock}::int, hashtext(${userGuid}))`
  const [row] = await tx<{ sum: string }[]>`
    select coalesce(sum(amount), 0)::text as sum from lone_act
    where user_id = ${userGuid} and act = ${act} and currency_code = ${currencyCode}
      and done_on > ${today}::date - ${periodDays}::int`
  return BigInt(row!.sum)
}

/** What anybody did alone on each of the cases, which the transaction holds. */
export async function sumsOfCases(
  tx: Db,
  caseGuids: readonly string[],
  { act, currencyCode, today, periodDays }: Counted,
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await tx<{ caseGuid: string; sum: string }[]>`
    select case_id as "caseGuid", sum(amount)::text as sum from lone_act
    where case_id = any(${[...caseGuids]}::uuid[]) and act = ${act} and currency_code = ${currencyCode}
      and done_on > ${today}::date - ${periodDays}::int
    group by case_id`
  return new Map(rows.map(({ caseGuid, sum }) => [caseGuid, BigInt(sum)]))
}

/** A limit of a role for an act. Amounts in minor units, as text. */
export interface StoredLimit {
  currencyCode: string | null
  amount: string
  userAmount: string
  /** Null: acts do not add up. */
  periodDays: number | null
}

const limits = (tx: Db, { act, role }: { act: ApprovalAct; role: number }) => tx`
  select currency_code as "currencyCode", amount::text as amount, coalesce(user_amount, amount)::text as "userAmount",
    period_days as "periodDays"
  from approval_limit where act = ${act} and user_role = ${role}`

export const findLimits = (tx: Db, asked: { act: ApprovalAct; role: number }): Promise<StoredLimit[]> =>
  tx<StoredLimit[]>`${limits(tx, asked)}`

interface LoneAct extends CaseShare {
  currencyCode: string
  today: string
  userGuid: string
}

/**
 * Finds the limits of the user's role. Where there are none, the user does the acts alone, and the same statement notes
 * them.
 */
export const findLimitsOrNote = (
  tx: Db,
  { act, role }: { act: ApprovalAct; role: number },
  acts: readonly LoneAct[],
): Promise<StoredLimit[]> => tx<StoredLimit[]>`
  with limited as (${limits(tx, { act, role })}),
  noted as (${insertion(tx, act, acts)} where not exists (select from limited))
  select * from limited`

const columns = {
  case_id: 'uuid',
  user_id: 'uuid',
  currency_code: 'text',
  amount: 'bigint',
  minor_per_unit: 'int',
  done_on: 'date',
} as const

const insertion = (tx: Db, act: ApprovalAct, acts: readonly LoneAct[]) => {
  const rows = acts
    .filter(({ amount }) => amount > 0n)
    .map(({ caseGuid, amount, currencyCode, today, userGuid }) => ({
      case_id: caseGuid,
      user_id: userGuid,
      currency_code: currencyCode,
      amount: String(amount),
      minor_per_unit: 10 ** countDecimals(currencyCode),
      done_on: today,
    }))
  return tx`
    insert into lone_act (act, case_id, user_id, currency_code, amount, minor_per_unit, done_on)
    select ${act}, n.case_id, n.user_id, n.currency_code, n.amount, n.minor_per_unit, n.done_on
    from ${rowsIn(tx, columns, rows)} n`
}

export async function insertLoneActs(tx: Db, act: ApprovalAct, acts: readonly LoneAct[]): Promise<void> {
  if (acts.some(({ amount }) => amount > 0n)) await insertion(tx, act, acts)
}

/** A limit counts at most 366 days. */
export const deleteOldLoneActs = async (db: Db): Promise<void> => {
  await db`delete from lone_act l using business_clock b where l.done_on <= b.business_date - 366`
}
