/** Reads a user's notifications, and marks them. */
import { Notification, unreadMax, type NotificationMarks } from '../../../contract/platform/notifications.ts'
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
import { invalid } from '../../platform/http/errors.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'
import { ownNotifications } from './notifications.scope.ts'

const isJob = `nt.kind in ('JOB_DONE', 'JOB_FAILED')`
const columns = {
  notificationGuid: 'nt.id',
  kind: 'nt.kind',
  isRead: '(nt.read_at is not null)',
  createdAt: 'nt.created_at',
  count: 'nt.count',
  caseGuid: 'nt.case_id',
  caseNumber: 'c.case_number',
  debtorGuid: 'd.id',
  debtorName: 'd.full_name',
  approvalGuid: 'nt.approval_id',
  act: 'case when nt.approval_id is not null then nt.name end',
  jobId: 'nt.job_id',
  jobName: `case when ${isJob} then nt.name end`,
  actorName: 'u.full_name',
}
const source: ListSource<'notification'> = {
  entity: 'notification',
  from: `notification nt left join debt_case c on c.id = nt.case_id
  left join debtor d on d.id = coalesce(c.main_debtor_id, nt.debtor_id) left join app_user u on u.id = nt.actor_id`,
  key: 'nt.id',
  select: selectList(columns),
  properties: filterableProperties(Notification, columns),
  defaultOrder: {
    terms: [],
    keyDescending: true,
    text: 'nt.created_at desc, nt.id desc',
    reversedText: 'nt.created_at, nt.id',
  },
}

export const listNotifications = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<Notification>> =>
  listRows<Notification, 'notification'>(db, source, ownNotifications(caller), query, context)

/** Of each user a text that differs once a notification came, or was read or not read any more. */
export async function findMarks(db: Db, userIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await runStatement<{ userId: string; mark: string }>(
    db,
    `select k.id as "userId", concat_ws('/',
      (select n.created_at from notification n where n.user_id = k.id order by n.created_at desc, n.id desc limit 1),
      (select count(*) from (
        select from notification n where n.user_id = k.id and n.read_at is null limit ${unreadMax + 1}) unread)) as mark
     from unnest($1::uuid[]) k (id)`,
    [[...userIds]],
    { prepare: true },
  )
  return new Map(rows.map(({ userId, mark }) => [userId, mark]))
}

/** The number of unread ones, up to `unreadMax`. */
export async function countUnread(db: Db, caller: Caller): Promise<number> {
  const scope = ownNotifications(caller).at(2)
  const [row] = await runStatement<{ unread: number }>(
    db,
    `select count(*)::int as unread from (
       select from notification nt where nt.read_at is null and ${scope.text} limit $1) counted`,
    [unreadMax, ...scope.parameters],
    { prepare: true },
  )
  return row!.unread
}

/** Throws a 400 when all are to be unread. */
export async function markNotifications(
  db: Db,
  caller: Caller,
  { notificationGuids, isRead = true }: NotificationMarks,
): Promise<void> {
  if (notificationGuids === undefined && !isRead)
    throw invalid({ notificationGuids: ['is required to mark notifications as unread.'] })
  const scope = ownNotifications(caller).at(3)
  await runStatement(
    db,
    `update notification nt set read_at = case when $2::boolean then now() end
     where (nt.read_at is null) = $2::boolean and ($1::uuid[] is null or nt.id = any($1::uuid[])) and ${scope.text}`,
    [notificationGuids ?? null, isRead, ...scope.parameters],
  )
}

/** A user keeps the newest ones. */
const keptMax = 1000

/** Deletes what is older than 90 days, or more than anybody reads. */
export async function purgeNotifications(db: Db): Promise<void> {
  await db`delete from notification where created_at < now() - interval '90 days'`
  await db`
    delete from notification where id in (
      select placed.id from (
        select id, row_number() over (partition by user_id order by created_at desc, id desc) as place from notification
      ) placed where placed.place > ${keptMax})`
}
