/** Rows with their own event numbers: inserted, updated and deleted together with event and audit entry. */
import type { EntityWithActions } from '../../../contract/platform/event-types.ts'
import { toRow } from '../database/columns.ts'
import { rowsHelper, rowHelper } from '../database/statement.ts'
import type { Db } from '../database/transaction.ts'
import type { Origin } from '../http/caller.ts'
import { changesBetween, initialChanges, insertRecords, toRecords, type Change } from './record.ts'

/** The actions on such a row. */
type TrackedAction = 'created' | 'updated' | 'deleted'

/** A table with `id`, `version` and `event_sequence`. */
export interface TrackedTable {
  table: string
  /** As in the event type. */
  entity: EntityWithActions<TrackedAction>
  /** The member that has the identifier. */
  guidName: string
  /** Columns of members whose names do not follow the rule. */
  columns?: Record<string, string>
  /** Members that are not columns. */
  computed?: readonly string[]
}

const columnsFor = (at: TrackedTable, members: object) =>
  toRow(
    Object.fromEntries(Object.entries(members).filter(([name]) => !at.computed?.includes(name))),
    at.columns,
  )

const note = (
  at: TrackedTable,
  action: TrackedAction,
  guid: string,
  sequence: number,
  changes: Change['changes'],
): Change => ({
  type: `${at.entity}.${action}`,
  entityId: guid,
  subject: guid,
  sequence,
  data: { [at.guidName]: guid, ...(action === 'updated' && { changed: Object.keys(changes) }) },
  changes,
})

export interface NewRow {
  guid: string
  members: object
  /** Columns in addition to the members. */
  more?: Record<string, unknown>
}

export const insertTracked = (tx: Db, at: TrackedTable, row: NewRow, origin: Origin): Promise<void> =>
  insertAllTracked(tx, at, [row], origin)

/** One or more rows with the same members and columns. */
export async function insertAllTracked(
  tx: Db,
  at: TrackedTable,
  rows: readonly NewRow[],
  origin: Origin,
): Promise<void> {
  const stored = rows.map(({ guid, members, more }) => ({ id: guid, ...columnsFor(at, members), ...more }))
  await tx`insert into ${tx(at.table)} ${rowsHelper(tx, stored)}`
  const notes = rows.map(({ guid, members }) => note(at, 'created', guid, 1, initialChanges(members)))
  await insertRecords(tx, toRecords(origin, notes))
}

export interface TrackedUpdate {
  guid: string
  before: object
  version: number
  after: object
  more?: (changed: readonly string[]) => Record<string, unknown>
}

/** Stores the changes of a locked row; returns its new version. */
export async function updateTracked(
  tx: Db,
  at: TrackedTable,
  { guid, before, version, after, more }: TrackedUpdate,
  origin: Origin,
): Promise<number> {
  const changes = changesBetween(before, after)
  const names = Object.keys(changes)
  if (names.length === 0) return version
  const values = Object.fromEntries(names.map((name) => [name, changes[name]![1]]))
  const row = { ...columnsFor(at, values), ...more?.(names), version: version + 1 }
  const [stored] = await tx<{ sequence: number }[]>`
    update ${tx(at.table)} set ${rowHelper(tx, row)}, event_sequence = event_sequence + 1
    where id = ${guid} returning event_sequence as sequence`
  await insertRecords(tx, toRecords(origin, [note(at, 'updated', guid, stored!.sequence, changes)]))
  return version + 1
}

export async function deleteTracked(
  tx: Db,
  at: TrackedTable,
  { guid, before }: { guid: string; before: object },
  origin: Origin,
): Promise<void> {
  const [row] = await tx<{ sequence: number }[]>`
    delete from ${tx(at.table)} where id = ${guid} returning event_sequence as sequence`
  const nothing = Object.fromEntries(Object.keys(before).map((name) => [name, null]))
  const changes = changesBetween(before, nothing)
  await insertRecords(tx, toRecords(origin, [note(at, 'deleted', guid, row!.sequence + 1, changes)]))
}
