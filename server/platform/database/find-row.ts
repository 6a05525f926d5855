/** Reads one row that a caller may see. Rows outside the caller's restriction are not found. */
import { anyUuid, runStatement, type Parameter } from './statement.ts'
import { batchQueries, changeBatches } from './query-batcher.ts'
import type { Scope, VisibleGuid } from './row-scope.ts'
import type { Db } from './transaction.ts'

export interface RowSource<E extends string> {
  entity: E
  /** Table and alias: `debtor d`. */
  from: string
  /** The primary key: `d.id`. */
  key: string
  /** The select list that yields the member names. */
  select: string
  /** Parameters of the select list, from `$2` on. */
  parameters?: readonly Parameter[]
  /** The member name of the key (a GUID in the select list). If given, concurrent reads are batched. */
  keyMember?: string
  /** It is read to be changed: its reads are batched as changes are. */
  isChanged?: true
}

export interface FindOptions {
  /** Locks the row for the rest of the transaction: `for update`. */
  lock?: `for ${string}`
}

/** Undefined when there is no such row within the scope. */
export async function findRow<T extends object, E extends string>(
  db: Db,
  source: RowSource<E>,
  guid: string,
  scope: Scope<NoInfer<E>>,
  { lock }: FindOptions = {},
): Promise<T | undefined> {
  const { from, key, select, parameters: own = [] } = source
  const { text, parameters } = scope.at(2 + own.length)
  if (isShared(source) && text === 'true' && lock === undefined)
    return (source.isChanged ? findChanged : findBatched)(db, { source, guid }, source) as Promise<
      T | undefined
    >
  const [row] = await runStatement<T>(
    db,
    `select ${select} from ${from} where ${key} = $1 and ${text} ${lock ?? ''}`,
    [guid, ...own, ...parameters],
    { prepare: true },
  )
  return row
}

/** The same, but returns a GUID that is marked as visible to the caller, for reading related rows. */
export async function findVisible<E extends string, T extends object>(
  db: Db,
  source: RowSource<E>,
  guid: string,
  scope: Scope<NoInfer<E>>,
  options?: FindOptions,
): Promise<{ guid: VisibleGuid<E>; row: T } | undefined> {
  const row = await findRow<T, E>(db, source, guid, scope, options)
  return row && { guid: guid as VisibleGuid<E>, row }
}

const isShared = <E extends string>(source: RowSource<E>): source is RowSource<E> & { keyMember: string } =>
  source.keyMember !== undefined && source.parameters === undefined

interface Wanted {
  source: RowSource<string> & { keyMember: string }
  guid: string
}

/** Rows of one source, which takes no parameters. Each is an object of its own, also of two who ask for the same. */
async function findAll(db: Db, all: readonly Wanted[]): Promise<(object | undefined)[]> {
  const [{ source, guid }] = all as [Wanted]
  const text = `select ${source.select} from ${source.from} where ${source.key} =`
  const isOne = all.length === 1
  const guids = all.map((one) => one.guid.toLowerCase())
  const rows = await runStatement<Record<string, unknown>>(
    db,
    `${text} ${isOne ? '$1' : anyUuid('$1')}`,
    [isOne ? guid : guids],
    { prepare: true },
  )
  const found = new Map(rows.map((row) => [row[source.keyMember], row]))
  if (found.has(undefined)) throw new TypeError(`The rows of ${source.from} have no ${source.keyMember}.`)
  if (rows.length === guids.length) return guids.map((one) => found.get(one))
  return guids.map((one, index) => {
    const row = found.get(one)
    return guids.indexOf(one) < index ? structuredClone(row) : row
  })
}

const findBatched = batchQueries(findAll)
const findChanged = batchQueries(findAll, { runningMax: changeBatches.runningMax })
