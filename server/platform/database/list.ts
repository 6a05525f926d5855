/**
 * One page of a list with its exact total. The total of a list without a filter comes with the page. A filtered total is
 * counted once and remembered as long as the list's change counter stands still: the counter is read in the same snapshot
 * as the rows, so a remembered total is never wrong, on whichever node the change was made.
 */
import { compileOrder } from '../odata/order.ts'
import type { Sql } from './driver/pool.ts'
import type { Scope } from './row-scope.ts'
import type { ListSource } from './lists/list-source.ts'
import { compileRows, withCustomFields } from './lists/matching-rows.ts'
import type { Properties } from '../odata/properties.ts'
import { SharedRuns } from './lists/shared-runs.ts'
import { KeptTexts, runStatement } from './statement.ts'
import type { Listing, Settled } from './lists/listing.ts'
import { readFirstPage } from './lists/first-page.ts'
import { isUnchanged, type Changes } from './lists/name-parts.ts'
import { writeCountQuery, writePageQuery } from './lists/page-query.ts'
import { orderParts, writeBranches } from './lists/restricted-rows.ts'
import { findDeparture } from './lists/departure.ts'
import { isOutdated, isSettling, settleTotal } from './lists/settled-totals.ts'
import { addUp, readSums, writeSumsQuery, type CurrencySum } from './lists/sums.ts'
import type { Db } from './transaction.ts'

export type { ListSource } from './lists/list-source.ts'

export interface PageQuery {
  $filter?: string
  $orderby?: string
  $skip?: number
  $top?: number
  /** Amounts to add up over all matching rows, separated by commas. */
  sums?: string
}

export interface Page<T> {
  count: number
  skip: number
  total: number
  value: T[]
  /** Only if the request wants them. Null if adding up takes too long. */
  sums?: CurrencySum[] | null
}

/** Page sizes and orders that are worth a prepared statement: few enough that they cannot fill the server's memory. */
const preparedTops = new Set([10, 25, 50, 100])

const preparedMax = 100

/** What a node remembers of the lists of one database. */
export class ListMemory {
  /**
   * A pool that plans every statement with its values (`plan_cache_mode`), so that filters too can be prepared: else each
   * costs a round trip more, or gets a plan that cannot use a prefix. Null where lists are read from the common pool.
   */
  readonly pool: Sql | null
  /** The filters worth preparing. */
  readonly #prepared = new KeptTexts(preparedMax)
  readonly exact = new Map<string, Total>()
  readonly settled = new Map<string, Settled>()
  /** About how many rows each whole list has: decides only how a page is read. */
  readonly about = new Map<string, number>()
  /** The counts under way. */
  readonly counts = new SharedRuns<Total>()
  /** The settled totals under way. */
  readonly settling = new SharedRuns<Settled>()
  /** The sums under way. */
  readonly sums = new SharedRuns<CurrencySum[] | null>()

  /** Whether a text that begins with a prefix never sorts before the prefix, in the order of texts of this database. */
  readonly prefixesSortFirst: boolean

  /** How long adding up amounts may take, in milliseconds. */
  readonly sumsLimitMs: number

  constructor(pool: Sql | null = null, { prefixesSortFirst = false, sumsLimitMs = 5_000 } = {}) {
    this.pool = pool
    this.prefixesSortFirst = prefixesSortFirst
    this.sumsLimitMs = sumsLimitMs
  }

  mayPrepare(text: string): boolean {
    return this.pool !== null && this.#prepared.prepareText(text, () => text).prepare
  }

  remember(key: string, total: Total): void {
    keep(this.exact, key, total)
  }

  rememberSettled(key: string, settled: Settled): void {
    keep(this.settled, key, settled)
  }
}

function keep<T>(totals: Map<string, T>, key: string, total: T): void {
  totals.delete(key)
  if (totals.size >= totalsMax) totals.delete(totals.keys().next().value!)
  totals.set(key, total)
}

interface Total {
  total: number
  /** The list's change counter in the snapshot in which the rows were counted. */
  changes: Changes
}

const totalsMax = 2_000

/** The assumed size of a list that nobody has counted yet. */
const manyRows = 1_000_000

export interface ListContext {
  totals: ListMemory
  /** The business date. */
  today: string
  /** The custom fields of the entity, for the filter and the order. */
  customFields?: Properties
}

interface Statement extends Listing {
  totals: ListMemory
  prepare: boolean
  /** Whether the values of the parameters do not decide the plan. */
  hasOnePlan: boolean
}

/** The rows that the scope holds; there is no list without one. */
export async function listRows<T, E extends string>(
  db: Db,
  source: ListSource<E>,
  visible: Scope<NoInfer<E>>,
  query: PageQuery,
  context: ListContext,
): Promise<Page<T>> {
  const { sums } = query
  const members = sums === undefined ? [] : readSums(source, sums)
  const statement = compileStatement(source, visible, query, context)
  const page = await readListing<T>(db, visible, statement)
  return sums === undefined ? page : { ...page, sums: await sumRows(db, statement, members) }
}

function compileStatement<E extends string>(
  source: ListSource<E>,
  visible: Scope<NoInfer<E>>,
  query: PageQuery,
  { totals, today, customFields }: ListContext,
): Statement {
  const scope = visible.at(1)
  const properties = withCustomFields(source, customFields)
  const { $skip: skip = 0, $top: top = 25 } = query
  const firstParameter = scope.parameters.length + 1
  const compile = (over: Properties) => compileRows(over, query.$filter, { firstParameter, today })
  const filter = compile(properties)
  const sorted = query.$orderby?.trim() || undefined
  const order =
    sorted === undefined && source.defaultOrder
      ? source.defaultOrder
      : compileOrder(properties, sorted, { collation: 'fordra_order', key: source.key })
  const parts = orderParts(visible, order, filter && { named: filter.properties, properties, compile })
  const everything = filter === undefined && scope.text === 'true'
  return {
    totals,
    source,
    branches: writeBranches(visible, source.key, filter?.text),
    condition: filter?.text,
    everything,
    filtered: filter?.properties ?? new Set(),
    prefixes: filter?.prefixes ?? new Map(),
    pieces: filter?.pieces ?? new Map(),
    parts,
    isByKey: isByKey(visible),
    parameters: [...scope.parameters, ...(filter?.parameters ?? [])],
    narrowing: filter?.narrowing,
    order,
    skip,
    top,
    prepare: !filter && skip === 0 && preparedTops.has(top) && order.terms.length <= 1,
    hasOnePlan: !filter && (everything || parts.length > 0 || visible.parent !== undefined),
  }
}

/** What a transaction reads is its own: it sees its writes, and what it counts is remembered by nobody. */
const isInside = (db: Db): boolean => !('begin' in db)

async function readListing<T>(db: Db, { parent }: Scope<string>, asked: Statement): Promise<Page<T>> {
  const inside = isInside(db)
  const statement = inside ? { ...asked, totals: new ListMemory() } : asked
  const { source, order, skip, top, totals, hasOnePlan } = statement
  if (parent && isFirstPage(source, statement)) {
    const first = await readFirstPage(db, source, { parent, order: order.text, top })
    const total = first.total ?? (await countRows(db, statement)).total
    return { count: first.rows.length, skip, total, value: first.rows as T[] }
  }
  // Planned with its values only where they decide the plan. What an index has in order has a plan that is kept.
  return readPage<T>(inside || hasOnePlan ? db : (totals.pool ?? db), statement)
}

/** The sums, together with everybody who asked for the same before adding up began. */
function sumRows(db: Db, statement: Statement, members: readonly string[]): Promise<CurrencySum[] | null> {
  const { totals } = statement
  const query = writeSumsQuery(statement, members)
  const limitMs = totals.sumsLimitMs
  if (isInside(db)) return addUp(db, query, { members, limitMs })
  const key = JSON.stringify([query.text, query.parameters])
  return totals.sums.run(key, () => addUp(totals.pool ?? db, query, { members, limitMs }))
}

/** Whether the page is the one that nearly everybody asks for: the list's own order from its beginning. */
const isFirstPage = ({ defaultOrder }: ListSource, { prepare, order }: Statement): boolean =>
  prepare && (order === defaultOrder || order.terms.length === 0)

/** Whether the restriction names no column but the key. */
const isByKey = (visible: Scope<string>): boolean =>
  visible.at(1).text === 'true' || visible.partsAt(1).length > 0

async function readPage<T>(db: Db, statement: Statement): Promise<Page<T>> {
  const { source, skip, totals, everything } = statement
  const entity = source.totalsKeptAs
  const page = (rows: T[], total: number): Page<T> => ({ count: rows.length, skip, total, value: rows })
  if (isSettling(statement) && !isInside(db)) {
    const settled = await findSettled(db, statement)
    const known = { ...statement, settled, prepare: false }
    const { rows, total } = await readRows<T>(db, known, { total: settled.total, changes: null })
    const exact = total ?? tellTotal(statement, rows) ?? (await countRows(db, statement)).total
    settled.total = exact
    return page(rows, exact)
  }
  if (entity === undefined || everything) {
    const about = entity && totals.about.get(entity)
    const { rows, total } = await readRows<T>(
      db,
      statement,
      about ? { total: about, changes: null } : undefined,
    )
    if (total !== undefined && entity !== undefined) totals.about.set(entity, total)
    return page(rows, total ?? tellTotal(statement, rows) ?? (await countRows(db, statement)).total)
  }
  const remembered = totals.exact.get(totalKey(statement))
  // How many rows match decides how the page is read.
  const counted = remembered ? undefined : await countRows(db, statement)
  const { rows, total, changes } = await readRows<T>(db, statement, remembered ?? counted)
  if (total !== undefined) {
    // The next page is read by what matches now, not by what matched when the total was remembered.
    if (total !== remembered?.total) totals.remember(totalKey(statement), { total, changes: null })
    return page(rows, total)
  }
  const told = tellTotal(statement, rows)
  if (told !== undefined) return page(rows, told)
  if (remembered && changes !== undefined && isUnchanged(remembered.changes, changes)) {
    if (remembered.changes !== changes) totals.remember(totalKey(statement), { ...remembered, changes })
    return page(rows, remembered.total)
  }
  return page(rows, (counted ?? (await countRows(db, statement))).total)
}

/** The settled total, counted by one statement for all who ask meanwhile. */
async function findSettled(db: Db, statement: Statement): Promise<Settled> {
  const { totals } = statement
  const key = totalKey(statement)
  const former = totals.settled.get(key)
  if (former && !isOutdated(former)) return former
  const left = canCancel(db, totals) ? findDeparture() : undefined
  const settle = async (allLeft: AbortSignal) => {
    const signal = canCancel(db, totals) ? allLeft : undefined
    const settled = await settleTotal(db, statement, { former, signal })
    totals.rememberSettled(key, settled)
    return settled
  }
  return totals.settling.run(key, settle, left)
}

/**
 * The total by the rows themselves, where the page ends the list. A count of another moment could contradict them. Undefined
 * for a full page and for one beyond the end.
 */
const tellTotal = ({ skip, top }: Statement, { length }: readonly unknown[]): number | undefined =>
  length < top && (length > 0 || skip === 0) ? skip + length : undefined

interface ReadRows<T> {
  rows: T[]
  /** Unknown where the statement does not tell it, or gave no row. */
  total?: number | undefined
  /** The list's change counter in the snapshot of the rows. */
  changes?: Changes | undefined
}

interface Extra {
  /** Null where the statement should tell it and cannot. */
  $total?: number | null | undefined
  $changes?: Changes | undefined
}

/** @param expected how many rows probably match, if that is known. */
async function readRows<T>(db: Db, statement: Statement, expected?: Total): Promise<ReadRows<T>> {
  if (statement.top === 0) return { rows: [] }
  const { totals, source } = statement
  const { text, parameters, onlyFor } = writePageQuery(statement, {
    matching: expected?.total,
    rows: totals.about.get(source.totalsKeptAs ?? '') ?? manyRows,
    prefixesSortFirst: totals.prefixesSortFirst,
  })
  const prepare = statement.prepare || totals.mayPrepare(text)
  const signal = canCancel(db, totals) ? findDeparture() : undefined
  const rows = await runStatement<T & Extra>(db, text, parameters, { prepare, signal })
  const { $total: total, $changes: changes } = rows[0] ?? {}
  const isExact =
    rows.length > 0 && (total === onlyFor || (total === undefined && isUnchanged(expected?.changes, changes)))
  if (onlyFor !== undefined && !isExact) return readRows(db, statement)
  for (const row of rows) row.$total = row.$changes = undefined
  return { rows, total: total ?? undefined, changes }
}

const totalKey = ({ source, branches, parameters }: Statement) =>
  JSON.stringify([source.from, branches, parameters])

/** Counts the matching rows, together with everybody who asked for the same before the count began. */
async function countRows(db: Db, statement: Statement): Promise<Total> {
  const key = totalKey(statement)
  const left = canCancel(db, statement.totals) ? findDeparture() : undefined
  const count = async (allLeft: AbortSignal): Promise<Total> => {
    const { source, totals } = statement
    const { text, parameters } = writeCountQuery(statement)
    const prepare = totals.mayPrepare(text)
    const signal = canCancel(db, totals) ? allLeft : undefined
    const [row] = await runStatement<Total & { rows?: number }>(db, text, parameters, {
      prepare,
      signal,
    })
    const { rows, ...total } = row!
    if (source.totalsKeptAs !== undefined && total.changes !== null) totals.remember(key, total)
    if (source.totalsKeptAs !== undefined && rows !== undefined) totals.about.set(source.totalsKeptAs, rows)
    return total
  }
  return statement.totals.counts.run(key, count, left)
}

/** The pool for lists is connected to the server itself: behind a pooler a statement cannot be told from others'. */
const canCancel = (db: Db, { pool }: ListMemory): boolean => db === pool
