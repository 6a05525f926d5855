import { makeId } from '../../platform/database/make-id.ts'
import type { Db } from '../../platform/database/transaction.ts'

export interface RunCounts {
  /** Rows of the source that have an outcome. */
  rows: number
  inserted: number
  /** Inserted cases with costs above the ceiling of the law, which are not demanded. */
  withheld: number
  /** Inserted cases whose claim was barred by limitation before. */
  barred: number
  /** Inserted by an earlier run, or by a concurrent one. */
  alreadyThere: number
  rejected: number
}

export const noCounts: RunCounts = {
  rows: 0,
  inserted: 0,
  withheld: 0,
  barred: 0,
  alreadyThere: 0,
  rejected: 0,
}

/** Returns the run's identifier. The business clock must be set. */
export async function insertRun(
  db: Db,
  run: { what: string; source: string; fileName: string },
): Promise<string> {
  const id = makeId()
  await db`
    insert into import_run (id, what, source, file_name, business_date)
    select ${id}, ${run.what}, ${run.source}, ${run.fileName}, business_date from business_clock`
  return id
}

/** Locks the business date for the rest of the transaction and returns it. */
export async function holdBusinessDate(tx: Db): Promise<string> {
  const [clock] = await tx<{ date: string }[]>`select business_date as date from business_clock for share`
  return clock!.date
}

/** Saves the checkpoint: what this transaction adds to the run. */
export async function addToRun(tx: Db, runId: string, counts: RunCounts): Promise<void> {
  await tx`
    update import_run set rows_read = rows_read + ${counts.rows}, inserted = inserted + ${counts.inserted},
      already_there = already_there + ${counts.alreadyThere}, rejected = rejected + ${counts.rejected}, withheld = withheld + ${counts.withheld},
      barred = barred + ${counts.barred}, updated_at = now()
    where id = ${runId}`
}

export async function endRun(db: Db, runId: string, complete: boolean): Promise<void> {
  await db`update import_run set ended_at = now(), complete = ${complete} where id = ${runId}`
}
