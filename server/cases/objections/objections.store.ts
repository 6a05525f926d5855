/** Reads objections, complaints and hardship. */
import { Objection } from '../../../contract/cases/objections.ts'
import { selectList } from '../../platform/database/columns.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { notFound } from '../../platform/http/errors.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'
import { visibleObjections } from './objections.scope.ts'

/** True from the day after the one by which the debtor was to get an answer, until the answer. */
const isOverdue = `coalesce(b.status = 'OPEN' and b.answer_by < (select business_date from business_clock), false)`

const columns = {
  objectionGuid: 'b.id',
  caseGuid: 'c.id',
  caseNumber: 'c.case_number',
  clientGuid: 'c.client_id',
  clientName: 'p.name',
  debtorGuid: 'c.main_debtor_id',
  mainDebtorName: 'd.full_name',
  matter: 'b.matter',
  kind: 'b.kind',
  currencyCode: 'c.currency_code',
  reason: 'b.reason',
  evidence: 'b.evidence',
  receivedDate: 'b.received_date::timestamptz',
  receivedBy: 'b.received_by',
  answerBy: 'b.answer_by::timestamptz',
  answerRule: 'b.answer_rule',
  isOverdue: isOverdue,
  status: 'b.status',
  answer: 'b.answer',
  answeredDate: 'b.answered_date::timestamptz',
  decisionReason: 'b.decision_reason',
  decidedDate: 'b.decided_date::timestamptz',
  measure: 'b.measure',
  referredDate: 'b.referred_date::timestamptz',
  createdAt: 'b.created_at',
}
const from = `objection b left join debt_case c on c.id = b.case_id left join party p on p.id = c.client_id
  left join debtor d on d.id = c.main_debtor_id`
const select = selectList({
  ...columns,
  amount: 'b.amount / c.minor_per_unit::float8',
  creditedAmount: 'b.credited / c.minor_per_unit::float8',
})
const source: ListSource<'objection'> = {
  entity: 'objection',
  from,
  key: 'b.id',
  select,
  properties: filterableProperties(Objection, {
    ...columns,
    receivedDate: 'b.received_date',
    answerBy: 'b.answer_by',
    amount: 'b.amount::numeric / c.minor_per_unit',
    creditedAmount: 'b.credited::numeric / c.minor_per_unit',
  }),
  amounts: {
    currency: 'c.currency_code',
    perUnit: 'c.minor_per_unit',
    minor: { amount: 'b.amount', creditedAmount: 'b.credited' },
  },
  defaultOrder: { terms: [], keyDescending: true, text: 'b.id desc', reversedText: 'b.id' },
}

export const listObjections = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<Objection>> =>
  listRows<Objection, 'objection'>(db, source, visibleObjections(caller), query, context)

export type StoredObjection = Objection & { version: number }

/** Throws a 404 when the caller may not see its case. */
export async function requireObjection(db: Db, caller: Caller, guid: string): Promise<StoredObjection> {
  const scope = visibleObjections(caller).at(2)
  const [row] = await runStatement<StoredObjection>(
    db,
    `select ${select}, b.version from ${from} where b.id = $1 and ${scope.text}`,
    [guid, ...scope.parameters],
    { prepare: true },
  )
  if (!row) throw notFound('objection')
  return row
}

/** The part of each case that open objections dispute, in minor units. Cases without one are left out. */
export async function findDisputed(db: Db, caseGuids: readonly string[]): Promise<Map<string, bigint>> {
  const rows = await db<{ caseGuid: string; disputed: string }[]>`
    select case_id as "caseGuid", sum(amount)::text as disputed from objection
    where case_id = any(${[...caseGuids]}::uuid[]) and matter = 'OBJECTION' and status in ('OPEN', 'ANSWERED')
      and amount is not null
    group by case_id`
  return new Map(rows.map(({ caseGuid, disputed }) => [caseGuid, BigInt(disputed)]))
}

interface Unanswered {
  objectionGuid: string
  matter: string
  answerBy: string
  isOverdue: boolean
  rule: string | null
}

/** What the debtor of a case still waits for an answer to, the earliest first. */
export const findUnanswered = (db: Db, caseGuid: string): Promise<Unanswered[]> =>
  runStatement<Unanswered>(
    db,
    `select b.id as "objectionGuid", b.matter, b.answer_by::text as "answerBy", ${isOverdue} as "isOverdue",
       b.answer_rule as rule
     from objection b where b.case_id = $1 and b.status = 'OPEN' and b.answer_by is not null
     order by b.answer_by, b.id`,
    [caseGuid],
    { prepare: true },
  )
