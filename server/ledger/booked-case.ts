import type { Db } from '../platform/database/transaction.ts'
import type { BookedCase } from './booking.ts'
import { readLifecycle, type CaseRow } from '../claims/case-lock.ts'
import { loadHistories, type CaseHistory } from './ledger.store.ts'

/** Loads the history of a locked case, ready for booking. */
export async function findBookedCase(tx: Db, row: CaseRow): Promise<BookedCase> {
  const [history] = await loadHistories(tx, [row.caseGuid])
  return toBookedCase(row, history!)
}

export const toBookedCase = (row: CaseRow, history: CaseHistory): BookedCase => ({
  caseGuid: row.caseGuid,
  clientGuid: row.clientGuid,
  currencyCode: row.currencyCode,
  life: readLifecycle(row),
  closureDate: row.closureDate,
  movementCount: row.movementCount,
  transactionCount: row.transactionCount,
  version: row.version,
  eventSequence: row.eventSequence,
  input: history.input,
  stored: history.stored,
  payments: history.payments,
  businessDate: history.businessDate,
  limitation: history.limitation,
  limitationDate: row.limitationDate,
})
