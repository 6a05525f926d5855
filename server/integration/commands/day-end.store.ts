import type { DateStep } from '../../platform/clock/business-clock.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { ChunkState } from '../../platform/jobs/chunked-work.ts'

/**
 * The progress of a step for a date, and the job that did its last chunk. Undefined when no job has begun the step.
 */
export async function findStepProgress(
  tx: Db,
  date: string,
  step: string,
): Promise<(ChunkState & { jobId: string | null }) | undefined> {
  const [row] = await tx<(ChunkState & { jobId: string | null })[]>`
    select result as figures, place, is_done as "isDone", job_id as "jobId" from day_end_step
    where business_date = ${date} and step = ${step}`
  return row
}

/** The business date, which stays for the rest of the transaction. */
export async function holdBusinessDate(tx: Db): Promise<string> {
  const [clock] = await tx<{ today: string }[]>`
    select business_date as today from business_clock for share`
  return clock!.today
}

/**
 * After the date was set back, the day-ends of the days that are to come again count as not done: what happened on them
 * under a date that was set says nothing of the days themselves.
 */
export const forgetLaterDays: DateStep = async (tx, { from, to }) => {
  if (to < from) await tx`delete from day_end_step where business_date > ${to}`
}

export async function saveStepProgress(
  tx: Db,
  { date, step, jobId }: { date: string; step: string; jobId: string },
  { figures, place, isDone }: ChunkState,
): Promise<void> {
  await tx`
    insert into day_end_step (business_date, step, result, place, is_done, job_id)
    values (${date}, ${step}, ${JSON.stringify(figures)}::text::jsonb,
      ${isDone ? null : JSON.stringify(place)}::text::jsonb, ${isDone}, ${jobId})
    on conflict (business_date, step) do update set result = excluded.result, place = excluded.place,
      is_done = excluded.is_done, job_id = excluded.job_id, ended_at = now()`
}
