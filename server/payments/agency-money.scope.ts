import { defineScope, type Scope, type VisibleGuid } from '../platform/database/row-scope.ts'
import type { Caller } from '../platform/http/caller.ts'

/** Bank files, suspense and payouts contain money of all clients. A restricted caller sees none of them. */
export const agencyOnly = <E extends 'paymentfile' | 'suspense' | 'payoutbatch'>(
  entity: E,
  caller: Caller,
): Scope<E> => defineScope(entity, () => (caller.partyIds === null ? 'true' : 'false'))

/** The entries of a bank file that the caller may see. */
export const bankFileEntries = (file: VisibleGuid<'paymentfile'>): Scope<'paymentfileentry'> =>
  defineScope('paymentfileentry', (bind) => `pe.file_id = ${bind(file, 'uuid')}`)
