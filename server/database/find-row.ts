/** Reading one row that a caller may see: what lies outside their restriction is not found. */
import { anyOf, runStatement, type Parameter } from './statement.ts'
import { together } from './together.ts'
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
  /** The wire name of the key, where rows that are asked for at the same time are read together. */
  keyMember?: string
}

export interface FindOptions {
  /** Holds the row for the rest of the transaction: `for update`. */
  lock?: `for ${string}`
}

/** Undefined when there is no such row, or none that the scope holds. */
export async function findRow<T extends object, E extends Entity>(
  db: Db,
  source: RowSource<E>,
  guid: string,
  scope: Scope<NoInfer<E>>,
  { lock }: FindOptions = {},
): Promise<T | undefined> {
  const { from, key, select, parameters: own = [], keyMember } = source
  const { text, parameters } = scope.at(2 + own.length)
  if (keyMember !== undefined && text === 'true' && lock === undefined)
    return findTogether(db, { source, keyMember, guid }, source) as Promise<T | undefined>
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

interface Wanted {
  source: RowSource<Entity>
  keyMember: string
  guid: string
}

/** Rows of one source. Each is an object of its own, also of two who ask for the same. */
const findTogether = together<Wanted, object | undefined>(async (db, all) => {
  const [{ source, keyMember, guid }] = all as [Wanted]
  const text = `select ${source.select} from ${source.from} where ${source.key} =`
  if (all.length === 1) return runStatement(db, `${text} $1`, [guid], { prepare: true })
  const guids = all.map((one) => one.guid.toLowerCase())
  const rows = await runStatement<Record<string, unknown>>(db, `${text} ${anyOf('$1')}`, [guids], {
    prepare: true,
  })
  const found = new Map(rows.map((row) => [row[keyMember], row]))
  const mayRepeat = rows.length < guids.length
  return guids.map((one) => (mayRepeat && found.has(one) ? { ...found.get(one) } : found.get(one)))
})
