/** What a job is: durable work in the background, tried again when it fails, with a history. */
import type { Sql } from 'postgres'
import type { Db } from '../database/transaction.ts'
import type { Origin } from '../http/caller.ts'

/** What the history keeps of a job that came to its end. */
export type JobResult = Record<string, unknown>

/** One attempt at a job, as its kind's `run` gets it. */
export interface RunningJob<P = unknown> {
  /** The same in every attempt: what an effect outside of the database is made once by. */
  id: string
  name: string
  payload: P
  attempt: number
  attemptsMax: number
  askedBy: string | null
  origin: Origin
  sql: Sql
  /** By which a thread of the job's own reaches the database. */
  databaseUrl: string
  /** Aborts when the job is cancelled or the service stops: then `run` throws, and a stopped job is given back. */
  signal: AbortSignal
  /** Tells how far it is: written once a second at most, the last with the job's end. Throws when the job was cancelled. */
  progress(done: number, total?: number | null): Promise<void>
  /**
   * Ends the job and does `work` in one transaction, so that its effect comes once, whatever is killed when. Returns
   * without doing it when another attempt has taken the job over.
   */
  complete(work: (tx: Db) => Promise<JobResult>): Promise<void>
}

/** A kind of job. `run` either calls `complete`, or returns a result and may then run twice after a sudden end. */
export interface JobKind<P = unknown> {
  kind: string
  /** Attempts before it stays among the failed ones; 10 unless given. */
  attemptsMax?: number
  /** How many of the kind one node runs at once; as many as there is room for unless given. */
  concurrency?: number
  run(job: RunningJob<P>): Promise<JobResult | void>
  /** Told in the transaction in which the job has failed for good. */
  onFailed?(
    tx: Db,
    job: { id: string; name: string; payload: P; askedBy: string | null; origin: Origin },
  ): Promise<void>
}

/** Work of the queue without a history of its own. Throwing has it tried again. */
export type QueueTask = (payload: unknown, signal: AbortSignal) => Promise<void>

/** Asked for once in each slot, whichever node comes first. */
export interface Schedule {
  name: string
  /** The slot that has come, such as a date; undefined for none. */
  slot(now: Date): string | undefined
  /** Asks for the work in the transaction that takes the slot; returns the job's id. */
  ask(tx: Db, slot: string): Promise<string | undefined>
}

/** Everything that runs in the background by the queue. */
export interface JobRegistry {
  kinds: JobKind[]
  tasks: Record<string, QueueTask>
  schedules: Schedule[]
  /** Looks each second for work that is due and asks for it: every node does, so each work must be asked for by one alone. */
  askers: ((sql: Sql) => Promise<void>)[]
}

/** Thrown to end a job at once as failed: another attempt would fail alike. */
export class JobFailure extends Error {}
/** Thrown by `progress` when the job was cancelled. */
export class JobCancelled extends Error {
  constructor() {
    super('The job was cancelled.')
  }
}
