/**
 * The day-end: every registered step runs once for each date, chunk by chunk. Each chunk's transaction stores the
 * step's counts and where the next chunk begins. An interrupted day-end therefore continues where it stopped, with the
 * same counts as an uninterrupted one.
 */
import type { BusinessClock } from '../../platform/clock/business-clock.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { ApiError, type MemberErrors, writeDay } from '../../platform/http/errors.ts'
import type { Origin } from '../../platform/http/caller.ts'
import {
  countWork,
  doParts,
  toParts,
  type ChunkedWork,
  type ChunkState,
} from '../../platform/jobs/chunked-work.ts'
import { dailySlot } from '../../platform/jobs/schedules.ts'
import { JobFailure, type RunningJob, type Schedule } from '../../platform/jobs/job.ts'
import type { CommandHandler } from '../../platform/jobs/command.ts'
import type { DayEndStep } from '../../access/serve/slice.ts'
import { insertCommandJob } from './commands.store.ts'
import { findStepProgress, holdBusinessDate, saveStepProgress } from './day-end.store.ts'

const stepLock = 0x44415945
const stepsDoneBefore = 'was done before'

export function dayEndCommand(clock: BusinessClock, steps: readonly DayEndStep[]): CommandHandler {
  return {
    command: 'day-end',
    check: ([date], _db, { language }) => {
      if (date === undefined || date <= clock.today()) return
      const errors: MemberErrors = {
        'argument[0]': [`must not be after the business date, ${writeDay(clock.today(), language)}.`],
      }
      throw new ApiError(
        'unprocessable',
        `${writeDay(date, language)} is in the future: the business date is ${writeDay(clock.today(), language)}.`,
        {
          errors,
        },
      )
    },
    run: async (job, [given]) => {
      await clock.roll()
      const date = given ?? clock.today()
      return { date, steps: await runSteps(job, steps, { ...job.origin, businessDate: date }) }
    },
  }
}

async function runSteps(
  job: RunningJob,
  steps: readonly DayEndStep[],
  origin: Origin,
): Promise<Record<string, unknown>> {
  const counts = await Promise.all(steps.map(({ work }) => countWork(job.sql, work, origin)))
  // Completing a step counts as one unit of progress, so that a day-end without rows reports progress too.
  const total = counts.reduce((sum, count) => sum + count, steps.length)
  const outcomes: Record<string, unknown> = {}
  let before = 0
  for (const [index, step] of steps.entries()) {
    const [begin, end] = [before, before + counts[index]! + 1]
    outcomes[step.name] = await runStep(job, step, origin, (worked) =>
      job.progress(Math.min(begin + worked, end - 1), total),
    )
    before = end
    await job.progress(before, total)
  }
  return outcomes
}

async function runStep(
  job: RunningJob,
  step: DayEndStep,
  origin: Origin,
  told: (worked: number) => Promise<void>,
): Promise<unknown> {
  const { parts, join } = toParts(step.work)
  // Each part stores its progress separately. The first part uses the step's own name.
  const named = parts.map((work, index) => ({
    work,
    name: index === 0 ? step.name : `${step.name} ${index + 1}`,
  }))
  const done = await doParts(
    named,
    (part) => inTransaction(job.sql, (tx) => runChunk(tx, job.id, part, origin)),
    told,
  )
  return done.some(({ jobId }) => jobId === job.id)
    ? join(done.map(({ figures }) => figures))
    : stepsDoneBefore
}

async function runChunk(
  tx: Db,
  jobId: string,
  { name, work }: { name: string; work: ChunkedWork },
  origin: Origin,
): Promise<ChunkState & { worked: number; jobId: string | null }> {
  await tx`select pg_advisory_xact_lock(${stepLock}::int, hashtext(${name}))`
  await requireReached(tx, origin.businessDate)
  const noted = await findStepProgress(tx, origin.businessDate, name)
  if (noted?.isDone) return { ...noted, worked: 0 }
  const state: ChunkState = noted ?? { figures: work.none, place: null, isDone: false }
  const next = await work.run(tx, state, origin)
  await saveStepProgress(tx, { date: origin.businessDate, step: name, jobId }, next)
  return { ...next, jobId }
}

/** The date stays for the rest of the transaction. A day-end ends as failed when the date was set back before its day. */
async function requireReached(tx: Db, date: string): Promise<void> {
  const today = await holdBusinessDate(tx)
  if (today >= date) return
  throw new JobFailure(
    `The business date was set back to ${today}, before ${date}. The day-end of ${date} is done when that day comes.`,
  )
}

/** Enqueues the day-end once a day, from the given hour on, in the system's time zone. */
export const dayEndSchedule = (timeZone: string, hour: number): Schedule => ({
  name: 'day-end',
  slot: (now) => dailySlot(timeZone, hour, now),
  ask: (tx) => insertCommandJob(tx, { command: 'day-end', given: [], askedBy: null, requestId: null }),
})
