import type { Db } from '../database/transaction.ts'
import { insertRecords, recordsOf, type Change } from '../events/record.ts'
import type { Caller, Origin } from '../http/caller.ts'
import { notFound } from '../http/errors.ts'
import { visibleTo } from './restriction.ts'

/** A change below a debtor, without the number that it gets among the debtor's events. */
export type DebtorChangeNote = Omit<Change, 'sequence' | 'subject' | 'data'> & {
  data?: Record<string, unknown>
}

/**
 * Holds the debtor for the rest of the transaction, so that what belongs to it changes one after the other. Throws a
 * 404 when there is none or the caller may not see it. Returns a function that writes the events and audit entries of
 * the changes made meanwhile.
 */
export async function lockDebtor(
  tx: Db,
  caller: Caller,
  debtorGuid: string,
  origin: Origin,
): Promise<(changes: readonly DebtorChangeNote[]) => Promise<void>> {
  const scope = visibleTo(caller, 2)
  const [debtor] = await tx.unsafe<{ eventSequence: number }[]>(
    `select d.event_sequence as "eventSequence" from debtor d where d.id = $1 and ${scope.text} for update`,
    [debtorGuid, ...scope.parameters] as never,
    { prepare: true },
  )
  if (!debtor) throw notFound('debtor')
  return async (changes) => {
    const numbered = changes.map((change, index) => ({
      ...change,
      data: { debtorGuid, ...change.data },
      subject: debtorGuid,
      sequence: debtor.eventSequence + index + 1,
    }))
    await insertRecords(tx, recordsOf(origin, numbered))
    await tx`
      update debtor set event_sequence = ${debtor.eventSequence + changes.length} where id = ${debtorGuid}`
  }
}

/** Throws a 404 when there is no such debtor or the caller may not see it. */
export async function requireDebtor(db: Db, caller: Caller, debtorGuid: string): Promise<void> {
  const scope = visibleTo(caller, 2)
  const rows = await db.unsafe(
    `select 1 from debtor d where d.id = $1 and ${scope.text}`,
    [debtorGuid, ...scope.parameters] as never,
    { prepare: true },
  )
  if (rows.length === 0) throw notFound('debtor')
}
