/**
 * The business clock: the date that every rule about dates uses. The database stores it, and one transaction changes it
 * together with everything that depends on it (minors, displayed addresses). A reader therefore never sees a date with
 * figures of another date. Tokens and sessions use the machine's clock instead.
 */
import type { Sql } from '../database/driver/pool.ts'
import { localDate } from '../../../core/calendar/date-time.ts'
import { inTransaction, type Db } from '../database/transaction.ts'

/** Updates what a slice derives from the date; set-based. Runs in the transaction that changes the date. */
export type DateStep = (tx: Db, dates: { from: string; to: string }) => Promise<void>

export interface BusinessClock {
  /** The business date, YYYY-MM-DD. */
  today(): string
  /** Updates the date: the set date, else the day in the system's time zone. */
  roll(): Promise<void>
  /**
   * Sets the business date on every node; null restores the real date. `record` documents the change in its
   * transaction.
   */
  setDate(date: string | null, record?: DateStep): Promise<void>
  stop(): void
}

const pollMs = 500

export async function startBusinessClock(
  sql: Sql,
  options: { timeZone: string; steps: readonly DateStep[]; onError: (error: unknown) => void },
): Promise<BusinessClock> {
  let businessDate = ''
  let rolls = 0
  const realDay = () => localDate(options.timeZone, new Date())

  const roll = async () => {
    businessDate = await inTransaction(sql, (tx) => rollDate(tx, realDay(), options.steps))
    rolls++
  }
  const poll = async () => {
    const rollsBefore = rolls
    const [row] = await sql<{ date: string; set: string | null }[]>`
      select business_date as date, system_date as set from business_clock`
    // The date was set here during the read, so the read value is outdated.
    if (rolls !== rollsBefore) return
    businessDate = row!.date
    if (businessDate !== (row!.set ?? realDay())) await roll()
  }

  await roll()
  let stopped = false
  let timer: NodeJS.Timeout
  const schedule = () => {
    timer = setTimeout(async () => {
      await poll().catch(options.onError)
      if (!stopped) schedule()
    }, pollMs)
    timer.unref()
  }
  schedule()
  return {
    today: () => businessDate,
    roll,
    setDate: async (date, record) => {
      businessDate = await inTransaction(sql, async (tx) => {
        const [before] = await tx<{ from: string }[]>`
          update business_clock set system_date = ${date} returning business_date as from`
        const to = await rollDate(tx, realDay(), options.steps)
        await record?.(tx, { from: before!.from, to })
        return to
      })
      rolls++
    },
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/** Returns the new date. */
async function rollDate(tx: Db, realDay: string, steps: readonly DateStep[]): Promise<string> {
  await tx`insert into business_clock (business_date) values (${realDay}) on conflict do nothing`
  const [clock] = await tx<{ from: string; to: string; stepsDue: boolean }[]>`
    select business_date as from, coalesce(system_date, ${realDay}::date) as to, steps_due as "stepsDue"
    from business_clock for update`
  const { from, to, stepsDue } = clock!
  if (from === to && !stepsDue) return to
  for (const step of steps) await step(tx, { from, to })
  await tx`update business_clock set business_date = ${to}, steps_due = false`
  return to
}
