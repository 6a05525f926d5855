/** What tells the import of one kind of records from that of another. All else is common to them. */
import type { Sql } from 'postgres'
import type { TObject } from 'typebox'
import type { Db } from '../../platform/database/transaction.ts'
import type { CustomValues } from '../../platform/dictionary/custom-fields.store.ts'
import type { Origin } from '../../platform/http/caller.ts'
import type { OwnColumns, OwnFieldsOf } from './own-columns.ts'
import type { Fault, KeyedRow } from './reading/row.ts'

export interface ImportKind<Made> {
  what: string
  /** The members that a row may have. */
  schema: TObject
  /** Whose own fields of the installation a row may have besides. */
  own?: OwnFieldsOf
  /** How a cell is read that is neither a text nor a number nor a boolean. */
  cells?: Readonly<Record<string, (text: string) => unknown>>
  /** What a row is known by when the source gives it no reference; without one it is known by all that it holds. */
  referenceOf?(members: Record<string, unknown>): string | null
  /** Rows with so much work in them that fewer go into one transaction. */
  rowsInChunk?: number
  /** Which of some keys there are. */
  findPresent(db: Db, keys: readonly string[]): Promise<Set<string>>
  /** Makes a record of a checked row. Throws a 400 naming every wrong member. */
  prepare(members: Record<string, unknown>, key: string, context: PrepareContext): Made
  /** What takes long, or has to wait: returns the faults of each, or none. */
  complete?(made: readonly Made[]): Promise<(readonly Fault[])[]>
  /** What a record shares with no other one, besides its key. */
  namesOf(made: Made): string[]
  /** Inserts a chunk's records, one outcome for each. Asked for again when another program took a name meanwhile. */
  insert(tx: Db, ready: readonly ReadyRow<Made>[], run: Run, origin: Origin): Promise<Outcome[]>
}

export interface PrepareContext {
  countryCode: string
  /** Of the installation: of amounts without a currency. */
  currencyCode: string
  /** The business date. */
  today: string
}

export interface ReadyRow<Made> {
  row: KeyedRow
  made: Made
  /** Of the installation's own fields. */
  own?: CustomValues
  /** The line of this file that has the same reference already. */
  sameAsLine: number | undefined
}

/** What became of a record; faults say why it was rejected. */
export type Outcome = 'inserted' | 'already there' | readonly Fault[]

export interface Run {
  id: string
  /** The agency, which the records are made by. */
  partyId: string | null
  /** Takes a debtor whose identity number another one has. */
  allowDuplicates: boolean
  own: OwnColumns | undefined
}

export type KeyedTable =
  | 'party'
  | 'app_user'
  | 'debt_case'
  | 'invoice'
  | 'payment'
  | 'payment_plan'
  | 'third_party'
  | 'account'
  | 'customer'
  | 'purchase'
  | 'object'

/** Which of some keys a table has. */
export async function findKeys(
  db: Db | Sql,
  table: KeyedTable,
  keys: readonly string[],
): Promise<Set<string>> {
  const rows = await db<{ reference: string }[]>`
    select source_reference as reference from ${db(table)}
    where source_reference = any(array(select unnest(${[...keys]}::text[])))`
  return new Set(rows.map(({ reference }) => reference))
}
