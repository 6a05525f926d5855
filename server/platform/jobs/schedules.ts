import type { Sql } from '../database/driver/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Schedule } from './job.ts'

/** The slots that this node knows to be taken, so that it asks the database once per slot. */
const known = new WeakMap<Schedule, string>()

/** Enqueues due work: the node that takes the slot does so in the same transaction. */
export async function enqueueScheduled(sql: Sql, schedule: Schedule, now: Date): Promise<void> {
  const slot = schedule.slot(now)
  if (slot === undefined || known.get(schedule) === slot) return
  await inTransaction(sql, async (tx) => {
    const [taken] = await tx`
      insert into schedule_slot (schedule, slot, job_id)
      values (${schedule.name}, ${slot}, '00000000-0000-0000-0000-000000000000') on conflict do nothing returning slot`
    if (!taken) return
    const jobId = await schedule.ask(tx, slot)
    if (jobId === undefined) throw new Error(`The schedule ${schedule.name} waits for its former job.`)
    await tx`update schedule_slot set job_id = ${jobId} where schedule = ${schedule.name} and slot = ${slot}`
  })
  known.set(schedule, slot)
}

/**
 * The day in a time zone, starting at the given hour. Each day occurs once, even when a clock change skips or repeats
 * the hour.
 */
export function dailySlot(timeZone: string, hour: number, now: Date): string | undefined {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  }).formatToParts(now)
  const part = (type: string) => parts.find((one) => one.type === type)!.value
  return Number(part('hour')) >= hour ? `${part('year')}-${part('month')}-${part('day')}` : undefined
}
