/** Reading one row that a caller may see: what lies outside their restriction is not found. */
import { runStatement, type Parameter } from './statement.ts'
import type { Entity, Scope, VisibleGuid } from '../http/restriction.ts'
import type { Db } from './transaction.ts'

export interface RowSource<E extends Entity> {
  entity: E
  /** Table and alias: `debtor d`. */
  from: string
  /** The primary key: `d.id`. */
  key: string
  /** The select list that yields the wire names. */
  select: string
  /** Those of the select list, from `$2` on. */
  parameters?: readonly Parameter[]
}

export interface FindOptions {
  /** Holds the row for the rest of the transaction: `for update`. */
  lock?: `for ${string}`
}

/** Undefined when there is no such row, or none that the scope holds. */
export async function findRow<T extends object, E extends Entity>(
  db: Db,
  { from, key, select, parameters: own = [] }: RowSource<E>,
  guid: string,
  scope: Scope<NoInfer<E>>,
  { lock }: FindOptions = {},
): Promise<T | undefined> {
  const { text, parameters } = scope.at(2 + own.length)
  const [row] = await runStatement<T>(
    db,
    `select ${select} from ${from} where ${key} = $1 and ${text} ${lock ?? ''}`,
    [guid, ...own, ...parameters],
    { prepare: true },
  )
  return row
}

/** The same, returning the guid as one that the caller may see, for reading what belongs to it. */
export async function findVisible<E extends Entity, T extends object>(
  db: Db,
  source: RowSource<E>,
  guid: string,
  scope: Scope<NoInfer<E>>,
  options?: FindOptions,
): Promise<{ guid: VisibleGuid<E>; row: T } | undefined> {
  const row = await findRow<T, E>(db, source, guid, scope, options)
  return row && { guid: guid as VisibleGuid<E>, row }
}
