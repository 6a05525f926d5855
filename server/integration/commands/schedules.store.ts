import type { CommandName } from '../../../contract/platform/commands.ts'
import { Schedule } from '../../../contract/platform/schedules.ts'
import { memberColumns, selectList } from '../../platform/database/columns.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { unrestricted } from '../../platform/database/row-scope.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'

/** The members of a schedule that users set. */
export interface ScheduleRecord {
  command: CommandName
  argument: string[]
  cron: string
  description: string | null
  enabled: boolean
}

const columns = memberColumns(Object.keys(Schedule.properties), 's', {
  scheduleGuid: 'id',
  lastJobId: 'last_job_id::text',
})
const source: ListSource<'schedule'> = {
  entity: 'schedule',
  from: 'command_schedule s',
  key: 's.id',
  select: selectList(columns),
  properties: filterableProperties(Schedule, columns),
}
const everyone = unrestricted('schedule', 'Schedules are read by system.admin alone.')

export const listSchedules = (db: Db, query: PageQuery, context: ListContext): Promise<Page<Schedule>> =>
  listRows<Schedule, 'schedule'>(db, source, everyone, query, context)

export async function findSchedule(
  db: Db,
  id: string,
): Promise<(Schedule & { version: number }) | undefined> {
  const [row] = await runStatement<Schedule & { version: number }>(
    db,
    `select ${source.select}, s.version from command_schedule s where s.id = $1`,
    [id],
  )
  return row
}

export interface LockedSchedule extends ScheduleRecord {
  version: number
  sequence: number
}

/** Locks a schedule until the transaction ends: no node runs it meanwhile. */
export async function lockSchedule(tx: Db, id: string): Promise<LockedSchedule | undefined> {
  const [row] = await tx<LockedSchedule[]>`
    select command, argument, cron, description, enabled, version, event_sequence as sequence
    from command_schedule where id = ${id} for update`
  return row
}

export async function insertSchedule(
  tx: Db,
  { id, nextRunAt, ...record }: ScheduleRecord & { id: string; nextRunAt: Date | null },
): Promise<void> {
  await tx`
    insert into command_schedule (id, command, argument, cron, description, enabled, next_run_at, event_sequence)
    values (${id}, ${record.command}, ${record.argument}, ${record.cron}, ${record.description}, ${record.enabled},
      ${nextRunAt}, 1)`
}

/** Stores a change. The time of the next run stays unless one is given. */
export async function updateSchedule(
  tx: Db,
  { id, nextRunAt, ...record }: ScheduleRecord & { id: string; nextRunAt: Date | null | undefined },
): Promise<void> {
  await tx`
    update command_schedule set command = ${record.command}, argument = ${record.argument}, cron = ${record.cron},
      description = ${record.description}, enabled = ${record.enabled},
      ${nextRunAt === undefined ? tx`` : tx`next_run_at = ${nextRunAt},`}
      version = version + 1, event_sequence = event_sequence + 1
    where id = ${id}`
}

export async function deleteSchedule(tx: Db, id: string): Promise<void> {
  await tx`delete from command_schedule where id = ${id}`
}

/** The schedules that are due. */
export async function listDue(db: Db): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from command_schedule where next_run_at <= now() order by next_run_at`
  return rows.map(({ id }) => id)
}

/** Locks a due schedule until the transaction ends. Undefined when another node holds it. */
export async function lockDue(
  tx: Db,
  id: string,
): Promise<Pick<ScheduleRecord, 'command' | 'argument' | 'cron'> | undefined> {
  const [row] = await tx<Pick<ScheduleRecord, 'command' | 'argument' | 'cron'>[]>`
    select command, argument, cron from command_schedule
    where id = ${id} and next_run_at <= now() for update skip locked`
  return row
}

export async function recordRun(
  tx: Db,
  { id, jobId, nextRunAt }: { id: string; jobId: string; nextRunAt: Date | null },
): Promise<void> {
  await tx`
    update command_schedule set last_run_at = now(), last_job_id = ${jobId}, next_run_at = ${nextRunAt} where id = ${id}`
}
