/** Reads the queue: the list, the counts by team and handler, and what is next. */
import { WorkItem, type CaseWork, type WorkOwners, type WorkQueue } from '../../contract/work/work.ts'
import { nameRule } from '../../core/law/rule-name.ts'
import { visibleHandlers } from '../access/users/users.scope.ts'
import { amountsExact, amountsOut, caseJoins } from '../cases/cases.store.ts'
import { owed } from '../claims/remaining-amounts.ts'
import { selectList } from '../platform/database/columns.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../platform/database/list.ts'
import { runStatement } from '../platform/database/statement.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Caller } from '../platform/http/caller.ts'
import { notFound } from '../platform/http/errors.ts'
import { filterableProperties } from '../platform/odata/properties.ts'
import { workRows } from './work-reasons.ts'
import { visibleCaseWork, visibleWork } from './work.scope.ts'

const today = '(select business_date from business_clock)'

/** Whose item it is: of the user who is mentioned, else of the case's handler. */
const owner = 'coalesce(w.user_id, c.owner_user_id)'

/** Of a promise to pay that is due or broken: what was promised, in minor units. */
const promised = `(select k.promised_amount from phone_call k
    where k.case_id = w.case_id and w.reason in ('PROMISE_DUE', 'PROMISE_BROKEN')
      and k.promised_date = w.due_date - (w.reason = 'PROMISE_BROKEN')::int
    order by k.id desc limit 1)`

const columns = {
  itemId: 'w.item_id',
  caseGuid: 'w.case_id',
  caseNumber: 'c.case_number',
  debtorGuid: 'c.main_debtor_id',
  debtorName: 'm.full_name',
  clientGuid: 'c.client_id',
  clientName: 'p.name',
  status: 'c.status',
  subStatus: 'c.sub_status',
  currencyCode: 'c.currency_code',
  reason: 'w.reason',
  task: 'w.task',
  dueDate: 'w.due_date::timestamptz',
  daysLate: `(${today} - w.due_date)`,
  ownerGuid: owner,
  ownerName: 'o.full_name',
  teamGuid: 'c.owner_group_id',
  teamName: 'g.name',
  nextAction: 'c.next_action',
  nextActionDate: 'c.next_action_date::timestamptz',
}
const from = `${workRows} w join debt_case c on c.id = w.case_id
  left join app_user o on o.id = ${owner} left join access_group g on g.id = c.owner_group_id`
/** The most urgent first. */
const order = 'w.due_date, w.rank, w.item_id'
export const workSource: ListSource<'work'> = {
  entity: 'work',
  from,
  joins: caseJoins,
  key: 'w.item_id',
  select: selectList({
    ...columns,
    promisedAmount: `${promised} / c.minor_per_unit::float8`,
    remainingSum: amountsOut.remainingSum,
  } satisfies Record<keyof WorkItem, string>),
  properties: filterableProperties(WorkItem, {
    ...columns,
    dueDate: 'w.due_date',
    nextActionDate: 'c.next_action_date',
    promisedAmount: `${promised}::numeric / c.minor_per_unit`,
    remainingSum: amountsExact.remainingSum,
  }),
  defaultOrder: {
    terms: [],
    keyDescending: false,
    text: order,
    reversedText: 'w.due_date desc, w.rank desc, w.item_id desc',
  },
}

export const listWork = async (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<WorkItem>> =>
  withTasks(await listRows<WorkItem, 'work'>(db, workSource, visibleWork(caller), query, context), caller)

/** The rule that an answer follows has a name in each language. */
const withTasks = (page: Page<WorkItem>, { language }: Caller): Page<WorkItem> => ({
  ...page,
  value: page.value.map((item) =>
    item.reason === 'OBJECTION' && item.task ? { ...item, task: nameRule(language, item.task) } : item,
  ),
})

/** The items of a case, at most 100. */
export async function listCaseWork(
  db: Db,
  caller: Caller,
  caseGuid: string,
  context: ListContext,
): Promise<Page<WorkItem>> {
  const scope = visibleCaseWork(caller, caseGuid)
  return withTasks(await listRows<WorkItem, 'work'>(db, workSource, scope, { $top: 100 }, context), caller)
}

/** The handler and next action of a case. */
export async function findHandling(
  db: Db,
  caller: Caller,
  caseGuid: string,
): Promise<Omit<CaseWork, 'items' | 'nextStep'>> {
  const scope = visibleWork(caller).at(2)
  const [row] = await runStatement<Omit<CaseWork, 'items' | 'nextStep'>>(
    db,
    `select c.owner_user_id as "ownerGuid", o.full_name as "ownerName", c.owner_group_id as "teamGuid",
       g.name as "teamName", c.next_action as "nextAction", c.next_action_date::timestamptz as "nextActionDate"
     from debt_case c left join app_user o on o.id = c.owner_user_id
       left join access_group g on g.id = c.owner_group_id where c.id = $1 and ${scope.text}`,
    [caseGuid, ...scope.parameters],
    { prepare: true },
  )
  if (!row) throw notFound('case')
  return row
}

export interface NextCase {
  caseGuid: string
  itemId: string
}

/** The due case to take next: it has no handler, and no team or one of the caller's. */
export async function findNextCase(db: Db, caller: Caller): Promise<NextCase | undefined> {
  const scope = visibleWork(caller).at(2)
  const [row] = await runStatement<NextCase>(
    db,
    `select w.case_id as "caseGuid", w.item_id as "itemId" from ${workRows} w join debt_case c on c.id = w.case_id
     where w.due_date <= ${today} and w.user_id is null and c.owner_user_id is null and ${scope.text}
       and (c.owner_group_id is null or c.owner_group_id in (
         select mine.access_group_id from user_access_group mine where mine.user_id = $1))
     order by ${order} limit 1`,
    [caller.userId, ...scope.parameters],
    { prepare: true },
  )
  return row
}

export async function listWorkQueues(db: Db, caller: Caller): Promise<WorkQueue[]> {
  const scope = visibleWork(caller).at(1)
  return runStatement<WorkQueue>(
    db,
    `with due as materialized (
       select w.case_id, w.due_date, ${today} - w.due_date as age, ${owner} as owner_user_id, c.owner_group_id, c.currency_code,
         ${owed} / c.minor_per_unit::float8 as remaining
       from ${workRows} w join debt_case c on c.id = w.case_id where w.due_date <= ${today} and ${scope.text}
     ), counted as (
       select owner_user_id, owner_group_id, count(*)::int as items, count(*) filter (where age = 0)::int as due_today,
         count(*) filter (where age between 1 and 7)::int as late, count(*) filter (where age > 7)::int as very_late,
         min(due_date) as oldest
       from due group by 1, 2
     ), summed as (
       select owner_user_id, owner_group_id, jsonb_agg(
         jsonb_build_object('currencyCode', currency_code, 'remainingSum', remaining) order by currency_code) as amounts
       from (
         select owner_user_id, owner_group_id, currency_code, sum(remaining) as remaining
         from (select distinct case_id, owner_user_id, owner_group_id, currency_code, remaining from due) once
         group by 1, 2, 3
       ) by_currency group by 1, 2
     )
     select n.owner_user_id as "ownerGuid", o.full_name as "ownerName", n.owner_group_id as "teamGuid",
       g.name as "teamName", n.items, n.due_today as "dueToday", n.late, n.very_late as "veryLate",
       n.oldest::timestamptz as "oldestDate", s.amounts
     from counted n
       join summed s on s.owner_user_id is not distinct from n.owner_user_id
         and s.owner_group_id is not distinct from n.owner_group_id
       left join app_user o on o.id = n.owner_user_id left join access_group g on g.id = n.owner_group_id
     order by n.items desc, g.name nulls first, o.full_name nulls first`,
    scope.parameters,
    { prepare: true },
  )
}

/** People of the agency who can work on cases, and the groups that they are in. */
export async function listWorkOwners(db: Db, caller: Caller): Promise<WorkOwners> {
  const scope = visibleHandlers(caller).at(1)
  const handlers = `app_user u where ${scope.text}`
  const [users, teams] = await Promise.all([
    runStatement<WorkOwners['users'][number]>(
      db,
      `select u.id as "userGuid", u.full_name as "fullName" from ${handlers} order by u.full_name collate fordra_order`,
      scope.parameters,
      { prepare: true },
    ),
    runStatement<WorkOwners['teams'][number]>(
      db,
      `select g.id as "teamGuid", g.name from access_group g where exists (
         select from user_access_group x where x.access_group_id = g.id and x.user_id in (select u.id from ${handlers})
       ) order by g.name collate fordra_order`,
      scope.parameters,
      { prepare: true },
    ),
  ])
  return { users, teams }
}
