/** Moves the date of a sandbox day by day. Each night is the ordinary one: the clock is set, then the day-end runs. */
import { addDays, daysBetween } from '../../../../core/calendar/calendar.ts'
import type { DayEndStep } from '../../../access/serve/slice.ts'
import { dayEndCommand } from '../../../integration/commands/day-end.ts'
import { saveStepProgress } from '../../../integration/commands/day-end.store.ts'
import { BackupRefused } from '../../../platform/backups/archive.ts'
import type { BusinessClock } from '../../../platform/clock/business-clock.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import type { Sql } from '../../../platform/database/driver/pool.ts'
import { makeId } from '../../../platform/database/make-id.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import type { RunningJob } from '../../../platform/jobs/job.ts'
import { findSandbox } from '../../../platform/sandbox/sandbox.ts'
import type { DebtorModel } from './debtor-model.ts'
import { debtorsStep, debtorsStepName } from './debtors-step.ts'
import { refusalsStep } from './refusals-step.ts'

export interface ForwardContext {
  sql: Sql
  /** Of the database itself, not of a pooler: a connection of its own holds the lock. */
  url: string
  clock: BusinessClock
  /** The steps of the installation's day-end. */
  steps: readonly DayEndStep[]
  model: DebtorModel
}

export interface ForwardOptions {
  /** The last business date; a sandbox that has it already stays there. */
  until: string
  /** Ends after the current night. */
  signal?: AbortSignal
  onNight?(done: number, total: number, date: string): void
}

/** The nights of one call. */
export interface ForwardedNights {
  from: string
  /** Where the sandbox stands now. */
  date: string
  nights: number
  isInterrupted: boolean
}

/** Throws BackupRefused for a real installation. */
export async function requireSandbox(db: Db): Promise<void> {
  if (await findSandbox(db)) return
  throw new BackupRefused(
    'This is no sandbox: its date, its cases and its letters are real, and they stay as they are. Make a copy with ' +
      '`fordra sandbox ./sandbox`, and move that: FORDRA_DATA=./sandbox fordra sandbox forward --days 60',
  )
}

/** Held in the sandbox while its date is moved. */
const forwardLock = 7_240_062

/** An interrupted night is finished first. */
export async function forwardNights(
  context: ForwardContext,
  { until, signal, onNight }: ForwardOptions,
): Promise<ForwardedNights> {
  await requireSandbox(context.sql)
  return withLock(context.url, async () => {
    const { clock, sql } = context
    await clock.roll()
    const from = clock.today()
    if (await isNightBegun(sql, from)) await runNight(context, from)
    const total = Math.max(0, daysBetween(from, until))
    let nights = 0
    onNight?.(nights, total, from)
    while (nights < total) {
      if (signal?.aborted) break
      const date = addDays(from, nights + 1)
      await clock.setDate(date, markNight)
      await runNight(context, date)
      nights++
      onNight?.(nights, total, date)
    }
    return { from, date: clock.today(), nights, isInterrupted: nights < total }
  })
}

async function withLock<T>(url: string, work: () => Promise<T>): Promise<T> {
  const holder = openDatabase(url, { max: 1, applicationName: 'fordra sandbox forward' })
  try {
    return await holder.begin(async (tx) => {
      const [lock] = await tx<{ held: boolean }[]>`select pg_try_advisory_xact_lock(${forwardLock}) as held`
      if (!lock!.held)
        throw new BackupRefused('This sandbox is being moved by another command. Wait for its end.')
      // A second statement closes the first one's portal, whose snapshot would keep vacuum from every dead row of the
      // nights: tables grew twentyfold in 45 nights. And no server may end the transaction as idle.
      await tx.unsafe('set local idle_in_transaction_session_timeout = 0')
      return await work()
    })
  } finally {
    await holder.end({ timeout: 5 })
  }
}

const jobId = '00000000-0000-0000-0000-000000000000'

/** In the transaction that changes the date, so that a night that was not finished is known as one. */
const markNight = (tx: Db, { to }: { to: string }): Promise<void> =>
  saveStepProgress(
    tx,
    { date: to, step: debtorsStepName, jobId },
    { figures: {}, place: null, isDone: false },
  )

async function isNightBegun(db: Db, date: string): Promise<boolean> {
  const rows = await db`select from day_end_step where business_date = ${date} and step = ${debtorsStepName}`
  return rows.length > 0
}

async function runNight({ clock, sql, url, steps, model }: ForwardContext, date: string): Promise<void> {
  const command = dayEndCommand(clock, [debtorsStep(model), ...steps, refusalsStep])
  await command.run(nightJob(sql, url, date), [date])
}

/** No queue runs it: its caller waits for its end. */
export const nightJob = (sql: Sql, databaseUrl: string, businessDate: string): RunningJob => ({
  id: makeId(),
  name: 'day-end',
  payload: {},
  attempt: 1,
  attemptsMax: 1,
  askedBy: null,
  origin: { actorId: null, requestId: null, operation: 'day-end', businessDate },
  sql,
  databaseUrl,
  // An interruption waits for the end of the night.
  signal: new AbortController().signal,
  progress: async () => {},
  complete: () => Promise.reject(new Error('The day-end returns its result.')),
})
