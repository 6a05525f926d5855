import { allAccessCodes, type AccessCode } from '../../../contract/access/access.ts'
import type { ImportedKind } from '../../../contract/integration/imported-kinds.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'

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
