/** Deletes documents: when the law no longer keeps them, or before they have left. */
import type { Document } from '../../../contract/collection/documents.ts'
import { lockDebtor, type DebtorChangeNote } from '../../parties/debtors/debtor-lock.ts'
import { findLegalHold } from '../../parties/debtors/retention.routes.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, writeDay } from '../../platform/http/errors.ts'
import { deleteUnsentLetter } from '../../platform/messages/messages.store.ts'
import * as store from './documents.store.ts'
import { reverseLetterFees } from '../letter-fees/letter-fees.ts'

/** Deletes a document and its message. Throws a 409 while the debtor is under a legal hold. */
export async function removeDocument(
  tx: Db,
  caller: Caller,
  document: Document,
  origin: Origin,
): Promise<void> {
  const { documentGuid, debtorGuid } = document
  const { debtor, note } = await lockDebtor(tx, caller, debtorGuid, origin)
  const { held, keptUntil } = await findLegalHold(tx, debtor, origin.businessDate)
  if (held) {
    const until =
      keptUntil === null
        ? 'while a case is open or has credit'
        : `until ${writeDay(keptUntil.slice(0, 10), caller.language)}`
    throw new ApiError(
      'conflict',
      `The document is kept ${until}: the debtor is under a legal hold. See /debtors/${debtorGuid}/legalhold.`,
    )
  }
  await store.deleteDocument(tx, documentGuid)
  await note([deletionNote(document)])
}

/**
 * Deletes a letter that nobody has tried to send. Throws a 409 for any other: it may have reached the debtor.
 */
export async function withdrawLetter(
  tx: Db,
  caller: Caller,
  document: Document,
  origin: Origin,
): Promise<void> {
  // Cases are locked before their debtor.
  await reverseLetterFees(tx, { documentGuid: document.documentGuid, reason: 'withdrawn' }, origin)
  const { note } = await lockDebtor(tx, caller, document.debtorGuid, origin)
  if (!(await deleteUnsentLetter(tx, document.documentGuid))) {
    const why = document.channel === null ? 'was never handed over for sending' : 'may have left already'
    throw new ApiError('conflict', `The letter cannot be withdrawn: it ${why}.`)
  }
  await store.deleteDocument(tx, document.documentGuid)
  await note([deletionNote(document)])
}

const deletionNote = ({ documentGuid, debtorGuid, kind }: Document): DebtorChangeNote => ({
  type: 'debtor.document_deleted',
  entityId: debtorGuid,
  data: { documentGuid, kind },
  changes: { document: [kind, null] },
})
