/** One attempt at a job: starts it, runs its kind, and records the outcome. */
import type { Sql } from '../database/driver/pool.ts'
import { inTransaction, type Db } from '../database/transaction.ts'
import { logDuration } from '../log/log-detail.ts'
import type { Origin } from '../http/caller.ts'
import { ApiError } from '../http/errors.ts'
import { JobCancelled, JobFailure, type JobKind, type RunningJob } from './job.ts'
import {
  endAttempts,
  saveProgress,
  releaseAttempt,
  type Attempt,
  type End,
  type Ending,
  type Progress,
} from './jobs.store.ts'

export interface AttemptContext {
  sql: Sql
  /** Starts an attempt; undefined when the job has ended. */
  start: (jobId: string) => Promise<Attempt | undefined>
  /** Ends an attempt without a transaction of its own; false when another attempt has replaced it. */
  end: (ending: Ending) => Promise<boolean>
  databaseUrl: string
  kinds: ReadonlyMap<string, JobKind>
  today: () => string
  /** True while the node stops: failures then return the job without using up an attempt. */
  isStopping: () => boolean
}

const progressEveryMs = 1_000

/**
 * Throws when the queue should retry: also when the attempt is not the job's current one, since the database may have
 * lost its start, and the queue forgets what ends without a fault. Abort `controller` to cancel the job or stop the node.
 */
export async function attemptJob(
  context: AttemptContext,
  jobId: string,
  controller: AbortController,
): Promise<void> {
  const { sql, databaseUrl } = context
  const attempt = await context.start(jobId)
  if (!attempt) return
  const businessDate = context.today()
  const origin = jobOrigin(attempt, businessDate)
  const kind = context.kinds.get(attempt.kind)
  const progress = new ProgressReporter(sql, attempt, controller)
  const makeEnding = (outcome: End): Ending => ({
    attempt,
    end: outcome,
    // Written here, so that a result that JSON cannot hold fails this job and not its batch.
    result: outcome.result === undefined ? null : JSON.stringify(outcome.result),
    businessDate,
    progress: progress.unwritten,
  })
  const end = async (outcome: End) => requireCurrent(await context.end(makeEnding(outcome)))
  if (attempt.cancelRequested) return end({ status: 'cancelled' })
  const fail = (lastError: string) =>
    failAttempt(context, { ending: makeEnding({ status: 'failed', lastError }), kind, origin })
  if (!kind) return fail(`This version has no jobs of the kind ${attempt.kind}.`)
  // An attempt that ended with its node was counted, so a job that crashes its node cannot do so for ever.
  if (attempt.attempts > attempt.attemptsMax) return fail(endedWithNode)
  let over = false
  const job: RunningJob = {
    ...attempt,
    attempt: attempt.attempts,
    origin,
    sql,
    databaseUrl,
    signal: controller.signal,
    progress: (done, total = null) => progress.tell({ done, total }),
    complete: async (work) => {
      await inTransaction(sql, async (tx) => {
        const result = await work(tx)
        if (!(await completeInTransaction(tx, makeEnding({ status: 'completed', result }))))
          throw new JobCancelled()
      })
      over = true
    },
  }
  try {
    const result = (await runLogged(kind, job)) ?? {}
    if (!over) await end({ status: 'completed', result })
  } catch (error) {
    if (context.isStopping() && controller.signal.aborted) {
      await releaseAttempt(sql, attempt, null)
      throw error
    }
    if (error instanceof JobCancelled || controller.signal.aborted) return end({ status: 'cancelled' })
    const lastError = describeFailure(error)
    const isFinal = error instanceof JobFailure || attempt.attempts >= attempt.attemptsMax
    if (isFinal) return fail(lastError)
    await releaseAttempt(sql, attempt, lastError)
    throw error
  }
}

const runLogged = (kind: JobKind, job: RunningJob) =>
  logDuration(
    'job',
    () => ({ job: job.id, kind: kind.kind, name: job.name, attempt: job.attempt }),
    async () => kind.run(job),
  )

const jobOrigin = ({ askedBy, requestId, name }: Attempt, businessDate: string): Origin => ({
  actorId: askedBy,
  requestId,
  operation: name.slice(0, 50),
  businessDate,
})

const completeInTransaction = async (tx: Db, ending: Ending): Promise<boolean> =>
  (await endAttempts(tx, [ending]))[0]!

function requireCurrent(isCurrent: boolean): void {
  if (!isCurrent) throw new Error('This attempt is not the current one of its job.')
}

const endedWithNode = 'The node ended unexpectedly in each attempt.'

async function failAttempt(
  { sql }: AttemptContext,
  { ending, kind, origin }: { ending: Ending; kind: JobKind | undefined; origin: Origin },
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    requireCurrent(await completeInTransaction(tx, ending))
    await kind?.onFailed?.(tx, { ...ending.attempt, origin })
  })
}

/** The reported progress: written at most once a second, and finally with the attempt's end. */
class ProgressReporter {
  readonly #sql: Sql
  readonly #attempt: Attempt
  readonly #controller: AbortController
  #writtenAt = 0
  unwritten: Progress | undefined

  constructor(sql: Sql, attempt: Attempt, controller: AbortController) {
    this.#sql = sql
    this.#attempt = attempt
    this.#controller = controller
  }

  async tell(progress: Progress): Promise<void> {
    this.#controller.signal.throwIfAborted()
    this.unwritten = progress
    if (Date.now() - this.#writtenAt < progressEveryMs) return
    this.#writtenAt = Date.now()
    this.unwritten = undefined
    if (!(await saveProgress(this.#sql, this.#attempt, progress))) throw new JobCancelled()
  }
}

/** For the history, which administrators read: our own messages, otherwise only the error's code. */
function describeFailure(error: unknown): string {
  if (error instanceof ApiError || error instanceof JobFailure) return error.message.slice(0, 500)
  const { code, message } = error as { code?: string; message?: string }
  // A database message may contain values of a row.
  return (code === undefined ? String(message ?? error) : `The attempt failed with ${code}.`).slice(0, 500)
}
