/**
 * The end of a business date: every step that a slice has registered runs once for each date, in the transaction in which
 * it is noted as done. Interrupted in any way and run again, it goes on with the step where it was.
 */
import type { Sql } from 'postgres'
import type { BusinessClock } from '../clock/business-clock.ts'
import { jsonOf } from '../database/statement.ts'
import { inTransaction, type Db } from '../database/transaction.ts'
import { ApiError, type MemberErrors } from '../http/errors.ts'
import type { Origin } from '../http/caller.ts'
import { dailySlot } from '../jobs/schedules.ts'
import type { JobResult, Schedule } from '../jobs/job.ts'
import { insertJob } from '../jobs/jobs.store.ts'
import type { CommandHandler } from './command.ts'
import { commandAttempts } from './commands.routes.ts'
import { uniqueKeyOf } from './commands.store.ts'

export interface DayEnd {
  /** YYYY-MM-DD */
  date: string
  /** The last date for which this step was done before; null for none. */
  previous: string | null
  origin: Origin
}

/** Set-based work for the end of a date. Runs in a transaction that also notes the step as done. */
export interface DayEndStep {
  /** Unique and lasting: it is what is noted as done. */
  name: string
  run(tx: Db, day: DayEnd): Promise<JobResult>
}

const stepLock = 0x44415945

export function dayEndCommand(clock: BusinessClock, steps: readonly DayEndStep[]): CommandHandler {
  return {
    command: 'day-end',
    check: ([date]) => {
      if (date === undefined || date <= clock.today()) return
      const errors: MemberErrors = {
        'argument[0]': [`must not be after the business date, ${clock.today()}.`],
      }
      throw new ApiError('unprocessable', `${date} has not come: the business date is ${clock.today()}.`, {
        errors,
      })
    },
    run: async (job, [given]) => {
      await clock.roll()
      const date = given ?? clock.today()
      const outcomes: Record<string, unknown> = {}
      for (const [index, step] of steps.entries()) {
        await job.progress(index, steps.length)
        outcomes[step.name] = await runStep(job.sql, step, {
          date,
          origin: { ...job.origin, businessDate: date },
        })
      }
      return { date, steps: outcomes }
    },
  }
}

async function runStep(
  sql: Sql,
  step: DayEndStep,
  { date, origin }: Omit<DayEnd, 'previous'>,
): Promise<unknown> {
  return inTransaction(sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(${stepLock}::int, hashtext(${step.name}))`
    const [state] = await tx<{ done: boolean; previous: string | null }[]>`
      select coalesce(bool_or(business_date = ${date}), false) as done,
        max(business_date) filter (where business_date < ${date}) as previous
      from day_end_step where step = ${step.name}`
    if (state!.done) return 'was done before'
    const result = await step.run(tx, { date, previous: state!.previous, origin })
    await tx`
      insert into day_end_step (business_date, step, result) values (${date}, ${step.name}, ${jsonOf(tx, result)})`
    return result
  })
}

/** Asks for the day-end once a day, from an hour in the system's time zone on. */
export const dayEndSchedule = (timeZone: string, hour: number): Schedule => ({
  name: 'day-end',
  slot: (now) => dailySlot(timeZone, hour, now),
  ask: (tx) =>
    insertJob(tx, {
      kind: 'command',
      name: 'day-end',
      payload: { arguments: [] },
      askedBy: null,
      requestId: null,
      attemptsMax: commandAttempts,
      uniqueKey: uniqueKeyOf('day-end'),
    }),
})
