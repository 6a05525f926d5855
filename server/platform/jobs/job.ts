/** A job: durable background work with retries and a history. */
import type { Sql } from '../database/driver/pool.ts'
import type { Db } from '../database/transaction.ts'
import type { Origin } from '../http/caller.ts'

/** The result of a finished job, kept in the history. */
export type JobResult = Record<string, unknown>

/** One attempt at a job, passed to its kind's `run`. */
export interface RunningJob<P = unknown> {
  /** The same in every attempt: use it as an idempotency key for external effects. */
  id: string
  name: string
  payload: P
  attempt: number
  attemptsMax: number
  askedBy: string | null
  origin: Origin
  sql: Sql
  /** The database address for a worker thread of the job. */
  databaseUrl: string
  /**
   * Aborts when the job is cancelled or the service stops: then `run` must throw. A stopped job returns to the queue.
   */
  signal: AbortSignal
  /**
   * Reports progress: written at most once a second, and finally with the job's end. Throws when the job was cancelled.
   */
  progress(done: number, total?: number | null): Promise<void>
  /**
   * Ends the job and runs `work` in one transaction, so that its effect happens once, even after a crash. Returns
   * without running it when another attempt has taken over the job.
   */
  complete(work: (tx: Db) => Promise<JobResult>): Promise<void>
}

/** A kind of job. `run` either calls `complete`, or returns a result and may then run twice after a crash. */
export interface JobKind<P = unknown> {
  kind: string
  /** Maximum attempts before the job fails for good. Default 10. */
  attemptsMax?: number
  /** Maximum concurrent jobs of this kind per node. Default: no limit of its own. */
  concurrency?: number
  run(job: RunningJob<P>): Promise<JobResult | void>
  /** Called in the transaction in which the job fails for good. */
  onFailed?(
    tx: Db,
    job: { id: string; name: string; payload: P; askedBy: string | null; origin: Origin },
  ): Promise<void>
}

/** A queue task without a history of its own. It is retried when it throws. */
export type QueueTask = (payload: unknown, signal: AbortSignal) => Promise<void>

/** Enqueued once per slot, by whichever node is first. */
export interface Schedule {
  name: string
  /** The current slot, such as a date; undefined for none. */
  slot(now: Date): string | undefined
  /** Enqueues the work in the transaction that takes the slot; returns the job's id. */
  ask(tx: Db, slot: string): Promise<string | undefined>
}

/** All background work of the queue. */
export interface JobRegistry {
  kinds: JobKind[]
  tasks: Record<string, QueueTask>
  schedules: Schedule[]
  /**
   * Enqueues work that is due; called every second on every node. It must ensure that one node enqueues each piece.
   */
  schedulers: ((sql: Sql) => Promise<void>)[]
  /** Enqueues again what has lost its entry in the queue; called every minute on every node. */
  sweeps: ((sql: Sql) => Promise<unknown>)[]
}

/** Ends a job as failed at once, without retries. */
export class JobFailure extends Error {}
/** Thrown by `progress` when the job was cancelled. */
export class JobCancelled extends Error {
  constructor() {
    super('The job was cancelled.')
  }
}
