/** What a slice adds to have a command (S11) do something. */
import type { CommandName } from '../../../contract/platform/commands.ts'
import type { Db } from '../database/transaction.ts'
import type { JobResult, RunningJob } from './job.ts'

/** The arguments as given, in the command's order, dates as YYYY-MM-DD; those left out are undefined. */
export type CommandArguments = readonly (string | undefined)[]

export interface CommandHandler {
  command: CommandName
  /**
   * Does the work of one attempt. Returns the job's result, or ends the job by `job.complete`, which has its effect come
   * once. Throws JobFailure for what another attempt would not mend.
   */
  run(job: RunningJob, given: CommandArguments): Promise<JobResult | void>
  /** Refuses arguments by a rule, before there is a job. Throws an ApiError. */
  check?(given: CommandArguments, db: Db): void | Promise<void>
}
