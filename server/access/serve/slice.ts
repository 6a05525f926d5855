import type { Sql } from '../../platform/database/driver/pool.ts'
import type { DateStep } from '../../platform/clock/business-clock.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { FormHandler } from '../../platform/dictionary/handler.ts'
import type { Work } from '../../platform/jobs/chunked-work.ts'
import type { CommandHandler } from '../../platform/jobs/command.ts'
import type { JobKind, JobResult, QueueTask, Schedule } from '../../platform/jobs/job.ts'
import type { MoneyReader } from './money-reader.ts'
import type { ServerContext } from './server-context.ts'

/** A set-based step of the day-end. Its changes belong to the given origin. */
export interface DayEndStep {
  /** Unique and permanent: it identifies the step's progress. */
  name: string
  work: Work
}

/**
 * Verifies one of the installation's books and returns counts. Throws JobFailure that says where the book is wrong.
 */
export type LedgerCheck = (sql: Sql) => Promise<JobResult>

/** Deletes what has expired. */
export type Purge = (db: Db) => Promise<void>

/** What a room adds to the service. `app.ts` lists the slices; everything else follows from the list. */
export interface Slice {
  /** Loads shipped data into a migrated database, before anything is served. */
  load?(sql: Sql, today: string): Promise<void>
  /** Each serves operations of the contract. */
  routes?: readonly ((service: ServerContext) => void)[]
  forms?(service: ServerContext): readonly FormHandler[]
  commands?(service: ServerContext): readonly CommandHandler[]
  /** Updates what the room derives from the business date, in the transaction that changes the date. */
  dateSteps?: readonly DateStep[]
  /** The number of rows per chunk depends on the step, unless given. */
  dayEnd?(chunkRows?: number): readonly DayEndStep[]
  /** The books that `verify-ledger` verifies. */
  checks?: readonly LedgerCheck[]
  purges?: readonly Purge[]
  /** Reads what a dry run has booked in the room's books. */
  readMoney?: MoneyReader
  jobs?(service: ServerContext): SliceBackgroundWork
}

export interface SliceBackgroundWork {
  kinds?: readonly JobKind[]
  tasks?: Readonly<Record<string, QueueTask>>
  schedules?: readonly Schedule[]
  /** Enqueues work that is due; called every second. */
  schedulers?: readonly ((sql: Sql) => Promise<void>)[]
  sweeps?: readonly ((sql: Sql) => Promise<unknown>)[]
}
