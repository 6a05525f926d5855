/** How a slice implements a command (S11). */
import type { CommandName } from '../../../contract/platform/commands.ts'
import type { Caller } from '../http/caller.ts'
import type { Db } from '../database/transaction.ts'
import type { JobResult, RunningJob } from './job.ts'

/** The arguments in the command's order, dates as YYYY-MM-DD; omitted ones are undefined. */
export type CommandArguments = readonly (string | undefined)[]

export interface CommandHandler {
  command: CommandName
  /**
   * Runs one attempt. Returns the job's result, or ends the job by `job.complete`, so that its effect happens once.
   * Throws JobFailure for errors that a retry would not correct.
   */
  run(job: RunningJob, given: CommandArguments): Promise<JobResult | void>
  /** Checks arguments and rights by a rule before the job exists. Throws an ApiError. */
  check?(given: CommandArguments, db: Db, caller: Caller): void | Promise<void>
}
