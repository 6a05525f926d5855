import type { Sql } from 'postgres'
import type { DateStep } from '../../platform/clock/business-clock.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { FormHandler } from '../../platform/dictionary/handler.ts'
import type { Work } from '../../platform/jobs/chunked-work.ts'
import type { CommandHandler } from '../../platform/jobs/command.ts'
import type { JobKind, JobResult, QueueTask, Schedule } from '../../platform/jobs/job.ts'
import type { Service } from './service.ts'

/** Set-based work for the end of a date: that of the origin it gets. */
export interface DayEndStep {
  /** Unique and lasting: it is what is noted as done. */
  name: string
  work: Work
}

/** Checks one of the installation's books. Returns figures; throws JobFailure saying where the book does not hold. */
export type LedgerCheck = (sql: Sql) => Promise<JobResult>

/** Deletes what has expired. */
export type Purge = (db: Db) => Promise<void>

/** What a room brings to the service. `app.ts` lists the slices; everything else follows from the list. */
export interface Slice {
  /** Loads shipped data into a migrated database, before anything is served. */
  load?(sql: Sql, today: string): Promise<void>
  /** Each serves operations of the contract. */
  routes?: readonly ((service: Service) => void)[]
  forms?(service: Service): readonly FormHandler[]
  commands?(service: Service): readonly CommandHandler[]
  /** What the room derives from the business date, in the transaction that changes the date. */
  dateSteps?: readonly DateStep[]
  /** A chunk has as many rows as suits its step, unless given. */
  dayEnd?(chunkRows?: number): readonly DayEndStep[]
  /** The books that `verify-ledger` checks. */
  checks?: readonly LedgerCheck[]
  purges?: readonly Purge[]
  jobs?(service: Service): SliceJobs
}

export interface SliceJobs {
  kinds?: readonly JobKind[]
  tasks?: Readonly<Record<string, QueueTask>>
  schedules?: readonly Schedule[]
  /** Looks each second for work that is due and asks for it. */
  askers?: readonly ((sql: Sql) => Promise<void>)[]
}
