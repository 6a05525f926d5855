/**
 * Creates and changes schedules of commands, and starts the commands that are due. docs/domain/jobs.md has the rules.
 */
import { commands, type Command, type CommandName } from '../../../contract/platform/commands.ts'
import type { EventAction } from '../../../contract/platform/event-types.ts'
import type { ScheduleInput } from '../../../contract/platform/schedules.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import {
  changesBetween,
  initialChanges,
  insertRecords,
  toRecords,
  type Change,
} from '../../platform/events/record.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { invalid, FieldErrors, notFound } from '../../platform/http/errors.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import { readArguments } from './arguments.ts'
import { insertCommandJob } from './commands.store.ts'
import { checkCron, nextRun } from './cron.ts'
import * as store from './schedules.store.ts'

/** Commands whose arguments stay valid from run to run: no dates and no files. */
const schedulable: readonly Command[] = (commands as readonly Command[]).filter(
  (one) => !one.arguments.some(({ required }) => required),
)

export interface ScheduleContext {
  origin: Origin
  timeZone: string
}

const noSchedule = { command: '', argument: [], cron: '', description: null, enabled: true }

/** Creates a schedule and returns its GUID. Throws a 400 that names each wrong member. */
export async function createSchedule(
  db: Db,
  input: ScheduleInput,
  { origin, timeZone }: ScheduleContext,
): Promise<string> {
  const record = applyInput(noSchedule, input)
  const id = makeId()
  await inTransaction(db, async (tx) => {
    await store.insertSchedule(tx, { id, ...record, nextRunAt: computeNextRun(record, timeZone) })
    await note(tx, origin, { id, action: 'created', sequence: 1, changes: initialChanges({ ...record }) })
  })
  return id
}

/**
 * Changes a schedule and returns its version. A new time, or enabling it, computes the next run from now. Throws a 400,
 * 404 or 412.
 */
export async function changeSchedule(
  db: Db,
  id: string,
  input: ScheduleInput,
  { origin, timeZone }: ScheduleContext,
  ifMatch?: IfMatch,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const held = await store.lockSchedule(tx, id)
    if (!held) throw notFound('schedule')
    const { version, sequence, ...before } = held
    requireMatch(ifMatch, version)
    const record = applyInput(before, input)
    const changes = changesBetween({ ...before }, { ...record })
    if (Object.keys(changes).length === 0) return version
    const isOther = record.cron !== before.cron || record.enabled !== before.enabled
    await store.updateSchedule(tx, {
      id,
      ...record,
      nextRunAt: isOther ? computeNextRun(record, timeZone) : undefined,
    })
    await note(tx, origin, { id, action: 'updated', sequence: sequence + 1, changes })
    return version + 1
  })
}

/** Removes a schedule. Jobs that it has enqueued continue. Throws a 404 or 412. */
export async function removeSchedule(db: Db, id: string, origin: Origin, ifMatch?: IfMatch): Promise<void> {
  await inTransaction(db, async (tx) => {
    const held = await store.lockSchedule(tx, id)
    if (!held) throw notFound('schedule')
    const { version, sequence, ...record } = held
    requireMatch(ifMatch, version)
    await store.deleteSchedule(tx, id)
    const nothing = Object.fromEntries(Object.keys(record).map((name) => [name, null]))
    const changes = changesBetween({ ...record }, nothing)
    await note(tx, origin, { id, action: 'deleted', sequence: sequence + 1, changes })
  })
}

/**
 * Enqueues the command of every due schedule once, whichever node is first. A schedule whose command is still running
 * stays due until the command has ended. Runs missed meanwhile are merged into that one run.
 */
export async function startDueSchedules(sql: Sql, timeZone: string): Promise<void> {
  for (const id of await store.listDue(sql)) {
    await inTransaction(sql, async (tx) => {
      const due = await store.lockDue(tx, id)
      if (!due) return
      const { command, argument: given, cron } = due
      const jobId = await insertCommandJob(tx, { command, given, askedBy: null, requestId: null })
      if (jobId === undefined) return
      await store.recordRun(tx, { id, jobId, nextRunAt: nextRun(cron, timeZone, new Date()) ?? null })
    })
  }
}

const computeNextRun = ({ cron, enabled }: store.ScheduleRecord, timeZone: string): Date | null =>
  enabled ? (nextRun(cron, timeZone, new Date()) ?? null) : null

function applyInput(
  before: Omit<store.ScheduleRecord, 'command'> & { command: string },
  input: ScheduleInput,
): store.ScheduleRecord {
  const checks = new FieldErrors()
  const record = {
    command: (input.command?.trim() ?? before.command) as CommandName,
    argument: input.argument ?? before.argument,
    cron: (input.cron ?? before.cron).trim().replace(/\s+/g, ' '),
    description: input.description === '' ? null : (input.description ?? before.description),
    enabled: input.enabled ?? before.enabled,
  }
  const fault = checkCron(record.cron)
  if (fault !== undefined) checks.add('cron', fault)
  const command = schedulable.find((one) => one.command === record.command)
  if (!command) {
    const names = schedulable.map((one) => one.command).join(', ')
    checks.add('command', `must be a command that can run by itself: ${names}.`)
  }
  checks.throwIfAny()
  return { ...record, argument: parseArguments(command!, record.argument) }
}

/** The arguments as stored. Throws a 400 that names each wrong argument. */
function parseArguments(command: Command, given: readonly string[]): string[] {
  const known = readArguments(command, { argument: [...given] }).filter((one) => one !== undefined)
  const dated = command.arguments.findIndex(
    ({ type }, index) => type !== 'word' && known[index] !== undefined,
  )
  if (dated === -1) return known
  const { name } = command.arguments[dated]!
  throw invalid({
    [`argument[${dated}]`]: [`must be left out: each run then takes the ${name} of its day.`],
  })
}

async function note(
  tx: Db,
  origin: Origin,
  given: { id: string; action: EventAction<'schedule'>; sequence: number; changes: Change['changes'] },
): Promise<void> {
  const { id, action, sequence, changes } = given
  const data = { scheduleGuid: id }
  await insertRecords(
    tx,
    toRecords(origin, [{ type: `schedule.${action}`, entityId: id, subject: id, sequence, data, changes }]),
  )
}
