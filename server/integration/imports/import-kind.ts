/** What differs between the imports of two kinds of records. Everything else is common. */
import type { ImportedKind } from '../../../contract/integration/imported-kinds.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import type { TObject } from 'typebox'
import type { Db } from '../../platform/database/transaction.ts'
import type { CustomValues } from '../../platform/dictionary/custom-fields.store.ts'
import type { Origin } from '../../platform/http/caller.ts'
import type { CustomColumns, CustomFieldTarget } from './custom-columns.ts'
import type { Fault, KeyedRow } from './reading/row.ts'

export interface ImportKind<Made> {
  what: ImportedKind
  /** The members that a row may have. */
  schema: TObject
  /** The entity whose custom fields a row may have as well. */
  own?: CustomFieldTarget
  /** Parsers for cells that are neither text nor number nor boolean. */
  cells?: Readonly<Record<string, (text: string) => unknown>>
  /** Identifies a row without a source reference. If absent, all of the row's contents identify it. */
  readReference?(members: Record<string, unknown>): string | null
  /** Only one chunk of this kind is inserted at a time, also by several imports, because each inserts row by row. */
  inTurn?: true
  /** Rows per transaction, for kinds with much work per row. */
  rowsInChunk?: number
  /** Rows per transaction of a dry run, for kinds whose rows refer to earlier rows of the file. */
  rowsInTrial?: number
  /** The column that must differ in every row of a file, whose values `listNames` tells. */
  distinct?: { field: string; reason: string; unless?: (run: Run) => boolean }
  /** Which of the keys exist. */
  findPresent(db: Db, keys: readonly string[]): Promise<Set<string>>
  /** Makes a record of a checked row. Throws a 400 that names every wrong member. */
  prepare(members: Record<string, unknown>, key: string, context: PrepareContext): Made
  /** Slow or asynchronous checks. Returns the faults of each record, or none. */
  complete?(made: readonly Made[], context: PrepareContext): Promise<(readonly Fault[])[]>
  /** Keys that must be unique, besides the record's own key. */
  listNames(made: Made): string[]
  /**
   * Inserts a chunk's records and returns one outcome for each. Called again when another program took a key meanwhile.
   */
  insert(tx: Db, ready: readonly ReadyRow<Made>[], run: Run, origin: Origin): Promise<Outcome[]>
}

export interface PrepareContext {
  countryCode: string
  /** The country of a debtor's address that names none; null leaves it out. */
  addressCountry: string | null
  /** The installation's currency, for amounts that name none. */
  currencyCode: string
  /** The business date. */
  today: string
  /** The agency's name, which no password may consist of. */
  agencyName: string
}

export interface ReadyRow<Made> {
  row: KeyedRow
  made: Made
  /** Values of custom fields. */
  own?: CustomValues
  /** The earlier line of this file with the same reference. */
  sameAsLine: number | undefined
}

/** The outcome of a record. Faults say why it was rejected. */
export type Outcome = 'inserted' | Remarkable | 'already there' | readonly Fault[]

/** Inserted, with something that the report of the import tells. */
export interface Remarkable {
  /** Costs above the ceiling of the law, which are not demanded. */
  withheld: boolean
  /** The day on which the claim was barred by limitation; null when it is not. */
  barredOn: string | null
}

export interface Run {
  id: string
  /** The agency, which owns the records. */
  partyId: string | null
  agencyName: string
  /** Allows a debtor whose identity number another debtor has. */
  allowDuplicates: boolean
  /** The fee types of all countries and of the agency, as they were when the import began. */
  feeTypes: readonly string[]
  own: CustomColumns | undefined
  /** Called in each chunk's transaction, before it. Throws when the import may not go on. */
  onChunk?: ((tx: Db) => Promise<void>) | undefined
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

/** Which of the keys a table has. */
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
