/** Reads reviews by the law and their findings. */
import { LawFinding, LawReview, type LawObstacle } from '../../../contract/cases/law-reviews.ts'
import type { DayCountTerm } from '../../../core/interest/day-count.ts'
import { selectList } from '../../platform/database/columns.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import { rowsIn } from '../../platform/database/row-text.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'
import { allReviews, visibleFindings } from './law-reviews.scope.ts'
import type { NewFinding } from './reviewed-cases.store.ts'

const reviewColumns = {
  lawReviewGuid: 'r.id',
  reviewDate: 'r.business_date::timestamptz',
  startedAt: 'r.started_at',
  finishedAt: 'r.finished_at',
  caseCount: 'r.cases',
  findingCount: 'r.findings',
  openCount: "(select count(*)::int from law_finding f where f.review_id = r.id and f.status = 'OPEN')",
  requestedBy: 'u.full_name',
}
const reviews: ListSource<'lawreview'> = {
  entity: 'lawreview',
  from: 'law_review r left join app_user u on u.id = r.requested_by',
  key: 'r.id',
  select: selectList(reviewColumns satisfies Record<keyof LawReview, string>),
  properties: filterableProperties(LawReview, { ...reviewColumns, reviewDate: 'r.business_date' }),
  defaultOrder: { terms: [], keyDescending: true, text: 'r.id desc', reversedText: 'r.id' },
}

export const listLawReviews = (db: Db, query: PageQuery, context: ListContext): Promise<Page<LawReview>> =>
  listRows<LawReview, 'lawreview'>(db, reviews, allReviews, query, context)

const columns = {
  lawFindingGuid: 'f.id',
  lawReviewGuid: 'f.review_id',
  reviewDate: 'r.business_date::timestamptz',
  caseGuid: 'c.id',
  caseNumber: 'c.case_number',
  clientGuid: 'c.client_id',
  clientName: 'p.name',
  debtorGuid: 'c.main_debtor_id',
  mainDebtorName: 'd.full_name',
  findingKind: 'f.kind',
  action: 'f.act',
  actedDate: 'f.acted_date::timestamptz',
  rule: 'f.rule',
  ruleSource: 'f.source',
  ruleVerified: 'f.verified',
  currencyCode: 'c.currency_code',
  correction: 'f.correction',
  findingStatus: 'f.status',
  obstacle: 'f.obstacle',
  confirmedAt: 'f.confirmed_at',
  confirmedBy: 'u.full_name',
}
const amountColumns = { chargedAmount: 'f.charged', lawfulAmount: 'f.lawful', amount: 'f.amount' }
const amounts = (type: string) =>
  Object.fromEntries(
    Object.entries(amountColumns).map(([name, column]) => [
      name,
      type === 'numeric' ? `${column}::numeric / c.minor_per_unit` : `${column} / c.minor_per_unit::float8`,
    ]),
  ) as Record<keyof typeof amountColumns, string>
const findings: ListSource<'lawfinding'> = {
  entity: 'lawfinding',
  from: `law_finding f join law_review r on r.id = f.review_id join debt_case c on c.id = f.case_id
    left join party p on p.id = c.client_id left join debtor d on d.id = c.main_debtor_id
    left join app_user u on u.id = f.confirmed_by`,
  key: 'f.id',
  select: selectList({ ...columns, ...amounts('float8') } satisfies Record<keyof LawFinding, string>),
  properties: filterableProperties(LawFinding, {
    ...columns,
    ...amounts('numeric'),
    reviewDate: 'r.business_date',
    actedDate: 'f.acted_date',
  }),
  amounts: { currency: 'c.currency_code', perUnit: 'c.minor_per_unit', minor: amountColumns },
  defaultOrder: { terms: [], keyDescending: true, text: 'f.id desc', reversedText: 'f.id' },
}

export const listLawFindings = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<LawFinding>> =>
  listRows<LawFinding, 'lawfinding'>(db, findings, visibleFindings(caller), query, context)

/** A finding as its correction needs it. Amounts in minor units. */
export interface StoredFinding {
  guid: string
  reviewGuid: string
  caseGuid: string
  caseNumber: string
  currencyCode: string
  kind: string
  action: string | null
  actedDate: string | null
  movementGuid: string | null
  rule: string | null
  lawful: number | null
  amount: number
  correction: LawFindingCorrection
  details: NewFinding['details']
  status: string
  obstacle: LawObstacle | null
  caseVersion: number
}
export type LawFindingCorrection = LawFinding['correction']

const select = `f.id as "guid", f.review_id as "reviewGuid", f.case_id as "caseGuid", c.case_number as "caseNumber",
  c.currency_code as "currencyCode", f.kind,
  f.act as action, f.acted_date as "actedDate", f.movement_id as "movementGuid", f.rule, f.lawful, f.amount, f.correction, f.details,
  f.status, f.obstacle, f.case_version as "caseVersion"`

export function findFindings(db: Db, caller: Caller, guids: readonly string[]): Promise<StoredFinding[]> {
  const scope = visibleFindings(caller).at(2)
  return runStatement<StoredFinding>(
    db,
    `select ${select} from law_finding f join debt_case c on c.id = f.case_id
     where f.id = any($1::uuid[]) and ${scope.text} order by f.case_id, f.id`,
    [[...guids], ...scope.parameters],
    { prepare: true },
  )
}

/** The first open findings of a review, those of one currency after another. */
export function findOpenFindings(
  db: Db,
  caller: Caller,
  { reviewGuid, most }: { reviewGuid: string; most: number },
): Promise<StoredFinding[]> {
  const scope = visibleFindings(caller).at(3)
  return runStatement<StoredFinding>(
    db,
    `select ${select} from law_finding f join debt_case c on c.id = f.case_id
     where f.review_id = $1 and f.status = 'OPEN' and ${scope.text} order by c.currency_code, f.case_id, f.id limit $2`,
    [reviewGuid, most, ...scope.parameters],
    { prepare: true },
  )
}

export const hasReview = async (db: Db, reviewGuid: string): Promise<boolean> =>
  (await db`select from law_review where id = ${reviewGuid}`).length > 0

export async function countOpenFindings(db: Db, caller: Caller, reviewGuid: string): Promise<number> {
  const scope = visibleFindings(caller).at(2)
  const [row] = await runStatement<{ count: number }>(
    db,
    `select count(*)::int as count from law_finding f join debt_case c on c.id = f.case_id
     where f.review_id = $1 and f.status = 'OPEN' and ${scope.text}`,
    [reviewGuid, ...scope.parameters],
    { prepare: true },
  )
  return row!.count
}

/** A finding that is confirmed (no obstacle) or refused. */
export interface FindingUpdate {
  guid: string
  obstacle: LawObstacle | null
}

const updateTypes = { id: 'uuid', obstacle: 'text' } as const

export async function updateFindings(
  tx: Db,
  updates: readonly FindingUpdate[],
  { actorId }: Origin,
): Promise<void> {
  if (updates.length === 0) return
  const given = updates.map(({ guid, obstacle }) => ({ id: guid, obstacle }))
  await tx`
    update law_finding f set obstacle = n.obstacle,
      status = case when n.obstacle is null then 'CONFIRMED' else 'REFUSED' end,
      confirmed_by = case when n.obstacle is null then ${actorId}::uuid end,
      confirmed_at = case when n.obstacle is null then now() end
    from ${rowsIn(tx, updateTypes, given)} n where f.id = n.id`
}

/** The other open findings of a corrected case stay open: only its corrections have changed it. */
export async function moveVersions(
  tx: Db,
  { caseGuid, from, to }: { caseGuid: string; from: number; to: number },
): Promise<void> {
  await tx`
    update law_finding set case_version = ${to}
    where case_id = ${caseGuid} and case_version = ${from} and status = 'OPEN'`
}

export async function updateDayCount(
  tx: Db,
  caseGuid: string,
  dayCount: readonly DayCountTerm[] | null,
): Promise<void> {
  await tx`
    update debt_case set day_count = ${dayCount === null ? null : tx.json(dayCount as never)} where id = ${caseGuid}`
}
