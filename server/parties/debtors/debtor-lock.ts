import { findVisible } from '../../platform/database/find-row.ts'
import { rowParameters, updateFrom } from '../../platform/database/row-text.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { insertRecords, toRecords, type Change } from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { notFound } from '../../platform/http/errors.ts'
import { visibleDebtors } from './debtors.scope.ts'
import type { VisibleGuid } from '../../platform/database/row-scope.ts'

/** A change below a debtor, without the number that it gets among the debtor's events. */
export type DebtorChangeNote = Omit<Change, 'sequence' | 'subject' | 'data'> & {
  data?: Record<string, unknown>
}

/** The guid of a debtor that the caller may see: whatever belongs to it is read by this. */
export type VisibleDebtor = VisibleGuid<'debtor'>

export interface HeldDebtor {
  debtor: VisibleDebtor
  /** Writes the events and audit entries of the changes made meanwhile. */
  note(changes: readonly DebtorChangeNote[]): Promise<void>
}

const countedTypes = { id: 'uuid', event_sequence: 'bigint' }
const countedText = updateFrom('debtor', countedTypes, 1)

const source = {
  entity: 'debtor',
  from: 'debtor d',
  key: 'd.id',
  select: 'd.id as "debtorGuid", d.event_sequence as "eventSequence"',
  keyMember: 'debtorGuid',
} as const

/**
 * Holds the debtor for the rest of the transaction, so that what belongs to it changes one after the other. Throws a
 * 404 when there is none or the caller may not see it.
 */
export async function lockDebtor(
  tx: Db,
  caller: Caller,
  debtorGuid: string,
  origin: Origin,
): Promise<HeldDebtor> {
  const { guid, row } = await findDebtorGuid(tx, caller, debtorGuid, 'for no key update')
  return {
    debtor: guid,
    note: async (changes) => {
      const numbered = changes.map((change, index) => ({
        ...change,
        data: { debtorGuid, ...change.data },
        subject: debtorGuid,
        sequence: row.eventSequence + index + 1,
      }))
      await insertRecords(tx, toRecords(origin, numbered))
      await tx`
        update debtor set event_sequence = ${row.eventSequence + changes.length} where id = ${debtorGuid}`
    },
  }
}

/**
 * Holds many debtors, in the order of their guids. What it returns writes the events and audit entries of changes below
 * them; those of a debtor in the order in which they are given. Throws a 404 when the caller may not see one of them.
 */
export async function lockDebtors(
  tx: Db,
  caller: Caller,
  debtorGuids: readonly string[],
  origin: Origin,
): Promise<(notes: readonly { debtorGuid: string; note: DebtorChangeNote }[]) => Promise<void>> {
  const wanted = [...new Set(debtorGuids)]
  const scope = visibleDebtors(caller).at(2)
  const held = await runStatement<{ debtorGuid: string; eventSequence: number }>(
    tx,
    `select ${source.select} from ${source.from} where d.id = any($1::uuid[]) and ${scope.text}
     order by d.id for no key update of d`,
    [wanted, ...scope.parameters],
    { prepare: true },
  )
  if (held.length < wanted.length) throw notFound('debtor')
  const sequences = new Map(held.map(({ debtorGuid, eventSequence }) => [debtorGuid, eventSequence]))
  return async (notes) => {
    const numbered = notes.map(({ debtorGuid, note }) => {
      const sequence = sequences.get(debtorGuid)! + 1
      sequences.set(debtorGuid, sequence)
      return { ...note, data: { debtorGuid, ...note.data }, subject: debtorGuid, sequence }
    })
    await insertRecords(tx, toRecords(origin, numbered))
    const counted = wanted.map((id) => ({ id, event_sequence: sequences.get(id)! }))
    await runStatement(tx, countedText, rowParameters(countedTypes, counted), { prepare: true })
  }
}

/** Throws a 404 when there is no such debtor or the caller may not see it. */
export const requireDebtor = async (db: Db, caller: Caller, debtorGuid: string): Promise<VisibleDebtor> =>
  (await findDebtorGuid(db, caller, debtorGuid)).guid

async function findDebtorGuid(db: Db, caller: Caller, debtorGuid: string, lock?: 'for no key update') {
  const found = await findVisible<'debtor', { eventSequence: number }>(
    db,
    source,
    debtorGuid,
    visibleDebtors(caller),
    lock && { lock },
  )
  if (!found) throw notFound('debtor')
  return found
}
