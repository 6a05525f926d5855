import { allAccessCodes, type AccessCode } from '../../../contract/access/access.ts'
import type { ApprovalAct } from '../../../contract/access/approvals.ts'
import type { ImportedKind } from '../../../contract/integration/imported-kinds.ts'
import { runCommand } from '../../../contract/platform/commands.ts'
import { requireJobAsker } from '../../access/serve/job-asker.ts'
import { hasLimit } from '../../access/approvals/second-person.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { JobFailure } from '../../platform/jobs/job.ts'

/**
 * What an import of each kind does, the caller could do by hand. A file of users may grant any role, and one of histories
 * books what otherwise takes a second person.
 */
const neededCodes: Record<ImportedKind, readonly AccessCode[]> = {
  parties: ['client.write'],
  users: allAccessCodes,
  debtors: ['debtor.write'],
  cases: ['case.write'],
  invoices: ['case.write'],
  payments: ['payment.write'],
  plans: ['paymentplan.write'],
  thirdparties: ['client.write'],
  accounts: ['client.write'],
  customers: ['client.write'],
  purchases: ['client.write'],
  objects: ['client.write'],
  casehistories: allAccessCodes,
  planhistories: allAccessCodes,
}

export const mayImport = ({ accessCodes }: Caller, what: ImportedKind): boolean =>
  neededCodes[what].every((code) => accessCodes.has(code))

/** Throws a 403 that names the access codes that the caller lacks for an import, or for reading its rejected rows. */
export function requireImportRights({ accessCodes }: Caller, what: ImportedKind): void {
  const lacking = neededCodes[what].filter((code) => !accessCodes.has(code))
  if (lacking.length > 0)
    throw new ApiError('forbidden', `Files of ${what} need ${lacking.join(', ')}, which you do not have.`)
}

/** What a file of the kind does is otherwise done one at a time, each within the limit of the user's role. */
const limitedActs: Partial<Record<ImportedKind, readonly ApprovalAct[]>> = {
  payments: ['PAYMENT', 'BACKDATED_PAYMENT'],
  plans: ['DEBT_RELIEF'],
}

/**
 * The file does only what its user may do at that moment: returns the user, or throws a JobFailure. Null is nobody: a schedule,
 * or whoever runs commands on the server.
 */
export async function requireImportAsker(
  db: Db,
  askedBy: string | null,
  what: ImportedKind,
): Promise<Caller | null> {
  if (askedBy === null) return null
  const needs = { what: 'The import', access: runCommand.access, unrestricted: true }
  const caller = await requireJobAsker(db, askedBy, needs)
  try {
    requireImportRights(caller, what)
    await requireNoLimit(db, caller, what)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new JobFailure(`The user who requested the import may no longer do it. ${error.message}`)
  }
  return caller
}

/** Throws a 403 when the caller's role has a limit that a file would evade. */
export async function requireNoLimit(db: Db, caller: Caller, what: ImportedKind): Promise<void> {
  for (const act of limitedActs[what] ?? [])
    if (await hasLimit(db, caller, act))
      throw new ApiError(
        'forbidden',
        `Your role has a limit for what files of ${what} do. Somebody whose role has none imports them.`,
      )
}
