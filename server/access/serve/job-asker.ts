/** In whose name a job works. It can wait, run for minutes, and be retried days later, so rights are checked again. */
import type { AccessCode } from '../../../contract/access/access.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { JobFailure } from '../../platform/jobs/job.ts'
import { findUserCaller } from '../sessions/sessions.ts'

export interface JobNeeds {
  /** What was requested, as the subject of a sentence: `The import`. */
  what: string
  access: readonly AccessCode[]
  /** Of the token with which it was requested. */
  scope?: readonly AccessCode[] | null
  /** It works on records of all clients. */
  unrestricted?: boolean
}

/** The user who requested a job, with the rights and clients of now. Throws a JobFailure: a retry would not help. */
export async function requireJobAsker(db: Db, askedBy: string, needs: JobNeeds): Promise<Caller> {
  const { what, access, scope = null, unrestricted = false } = needs
  const caller = await findUserCaller(db, askedBy, scope)
  if (!caller) throw new JobFailure(`${what} was requested by a user who is disabled now.`)
  const lacking = access.filter((code) => !caller.accessCodes.has(code))
  if (lacking.length > 0)
    throw new JobFailure(
      `${what} was requested by a user who has lost the right to it. Missing: ${lacking.join(', ')}.`,
    )
  if (unrestricted && caller.partyIds !== null)
    throw new JobFailure(`${what} was requested by a user who is restricted to clients now.`)
  return caller
}
