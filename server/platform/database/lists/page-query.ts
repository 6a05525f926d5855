/**
 * The SQL of one page of a list and of its total. How many rows match decides how the page is read, not the planner's
 * estimate: it expects the matching rows to be spread evenly over the order, and is wrong by a factor of a thousand where
 * they are not.
 */
import { writeOrderBy, type Order } from '../../odata/order.ts'
import type { SqlText } from '../../odata/writer.ts'
import { columnExpression, type Property } from '../../odata/properties.ts'
import type { ListSource } from './list-source.ts'
import type { ScopePart } from '../row-scope.ts'
import type { Parameter } from '../statement.ts'

/** What is asked of a list, compiled. */
export interface Listing {
  source: ListSource
  where: string
  parameters: readonly Parameter[]
  /** Follows from `where` and helps where all matching rows are read; its parameters come after the others. */
  narrowing: SqlText | undefined
  /** Whether `where` drops nothing. */
  everything: boolean
  /** The properties that the filter names. */
  filtered: ReadonlySet<Property>
  /** What texts must begin with, by property, as far as the whole filter demands it. */
  prefixes: ReadonlyMap<Property, string>
  /** Whether the restriction names no column but the key. */
  isByKey: boolean
  /** The rows in parts that are read in the order asked for; none where they must be sorted. */
  parts: readonly ScopePart[]
  order: Order
  skip: number
  top: number
}

export interface Expected {
  /** About how many rows match; undefined if nobody knows. */
  matching: number | undefined
  /** About how many rows the whole table has. */
  rows: number
  /** Whether a text that begins with a prefix never sorts before the prefix. */
  prefixesSortFirst: boolean
}

export interface PageQuery {
  text: string
  parameters: readonly Parameter[]
  /** The page is right only for exactly this many matching rows, as it is read from the end of the list. */
  onlyFor?: number
}

/** From here on the page's keys are picked first from an index alone, and the far half is read from its end. */
const deepSkip = 200

const collate = ({ type }: Property) => (type === 'string' ? ' COLLATE fordra_order' : '')

const keptTotal = (entity: string) => `(select sum(rows)::bigint from list_total where entity = '${entity}')`

/** Yields `total`, and for a list whose totals are kept `changes` and `rows`, the size of the whole list. */
export function writeCountQuery(listing: Listing): PageQuery {
  const { source, everything, filtered } = listing
  const { totalsKeptAs: entity } = source
  if (entity !== undefined && everything)
    return { text: `select ${keptTotal(entity)} as total, null as changes`, parameters: [] }
  const kept =
    entity === undefined
      ? 'null as changes'
      : `${selectChanges(listing)} as changes, ${keptTotal(entity)} as rows`
  const { text, parameters } = matchAll(listing)
  return {
    text: `select count(*) as total, ${kept} from ${writeTables(source, filtered)} where ${text}`,
    parameters,
  }
}

/** The condition where all matching rows are read. */
const matchAll = ({ where, parameters, narrowing }: Listing): SqlText =>
  narrowing
    ? { text: `${where} and ${narrowing.text}`, parameters: [...parameters, ...narrowing.parameters] }
    : { text: where, parameters: [...parameters] }

/** The rows of one page, with `$total` where the statement knows it and else with `$changes`. */
export function writePageQuery(listing: Listing, expected: Expected): PageQuery {
  const { source, order, parameters } = listing
  const extra = selectTotals(listing)
  const picked = pickKeys(listing, expected)
  if (picked === undefined) {
    const { where, top, skip } = listing
    const text = `select ${source.select}, ${extra} from ${writeTables(source)} where ${where}
      order by ${order.text} limit ${top} offset ${skip}`
    return { text, parameters }
  }
  const text = `${picked.before ?? ''} select ${source.select}, ${picked.total ?? extra} from (${picked.text}) page
    join ${writeTables(source)} on ${source.key} = page.page_key order by ${order.text}`
  return {
    text,
    parameters: picked.parameters ?? parameters,
    ...(picked.onlyFor !== undefined && { onlyFor: picked.onlyFor }),
  }
}

interface PickedKeys {
  /** Selects the page's keys as `page_key`. */
  text: string
  before?: string
  /** Selects the total, where the keys tell it. */
  total?: string
  onlyFor?: number
  /** Other parameters than the listing's. */
  parameters?: readonly Parameter[]
}

/** Undefined where the page is best read in one go. */
function pickKeys(listing: Listing, expected: Expected): PickedKeys | undefined {
  const { source, parts, skip, order, where, everything } = listing
  if (parts.length > 0) return { text: mergeParts(listing) }
  if (!everything && isFew(listing, expected)) return gather(listing)
  if (isSortedByJoined(listing)) return sortAll(listing)
  const bound = expected.prefixesSortFirst ? lowerBound(listing) : undefined
  if (!bound && skip < deepSkip && !isCovered(listing) && !joinsLast(listing)) return undefined
  const condition = bound ? `${where} and ${bound.text}` : where
  const { text, limit, offset } = pickWindow(listing, expected.matching)
  return {
    text: `select ${source.key} as page_key
      from ${writeTables(source, [...listing.filtered, ...ordered(listing)])} where ${condition}
      order by ${text} limit ${limit} offset ${offset}`,
    ...(text !== order.text && { onlyFor: expected.matching! }),
    ...(bound && { parameters: [...listing.parameters, bound.prefix] }),
  }
}

/** The table of the list with those of its joins that the properties' columns need. */
export function writeTables({ from, joins = {} }: ListSource, properties?: Iterable<Property>): string {
  const columns = properties && [...properties].map(({ column }) => column)
  const needed = Object.entries(joins).filter(
    ([alias]) => !columns || columns.some((column) => column.includes(`${alias}.`)),
  )
  return [from, ...needed.map(([, { join }]) => join)].join(' ')
}

/** What the totals of the list depend on: its own rows, and those of joined tables that the filter names. */
function selectChanges({ source, filtered }: Listing): string {
  const columns = [...filtered].map(({ column }) => column)
  const joined = Object.entries(source.joins ?? {}).filter(([alias]) =>
    columns.some((column) => column.includes(`${alias}.`)),
  )
  const entities = [source.totalsKeptAs, ...joined.map(([, { changesKeptAs }]) => changesKeptAs)]
  return `(select sum(changes)::bigint from list_total where entity in (${entities.map((entity) => `'${entity}'`).join(', ')}))`
}

const ordered = ({ order }: Listing) => order.terms.map(({ property }) => property)

/**
 * Whether the filter asks for nothing but the member that orders, so that an index of that order tells the page's keys
 * without a look at the rows that are dropped: a third less for the database to do where one row in 70 matches.
 */
const isCovered = ({ filtered, order, source, isByKey }: Listing): boolean =>
  filtered.size > 0 &&
  isByKey &&
  [...filtered].every(({ column }) => column === order.terms[0]?.property.column || column === source.key)

/** Whether the page's rows alone should be joined: the other tables tell neither which rows match nor their order. */
function joinsLast(listing: Listing): boolean {
  const { source, order, filtered, everything } = listing
  if (everything && (order === source.defaultOrder || order.terms.length === 0)) return false
  return writeTables(source) !== writeTables(source, [...filtered, ...ordered(listing)])
}

/**
 * Whether reading and sorting all matching rows takes less than walking along the order until the page is full. A walk
 * passes `(skip + top) / matching` of the rows it starts among; sorting reads `matching` rows.
 */
function isFew(listing: Listing, { matching, rows }: Expected): boolean {
  const { source, order } = listing
  if (matching === undefined || order === source.defaultOrder) return false
  const { skip, top, prefixes } = listing
  const prefix = prefixes.get(order.terms[0]?.property as Property)
  const among = prefix === undefined ? rows : rows * (prefixShares[prefix.length - 1] ?? prefixShares.at(-1)!)
  const perRow = isCovered(listing) ? 1 / 8 : 1
  return matching * matching <= (skip + top) * among * perRow
}
/** The share of the names that begin with one, two, three or more given letters, roughly. */
const prefixShares = [0.1, 0.04, 0.01]

/** Whether no index serves the order, since it begins with a column of a joined table that none begins with. */
function isSortedByJoined({ source, order }: Listing): boolean {
  const column = order.terms[0]?.property.column ?? ''
  return Object.entries(source.joins ?? {}).some(
    ([alias, { indexed }]) => column.includes(`${alias}.`) && !indexed.includes(column),
  )
}

/**
 * All matching rows are joined and sorted. `offset 0` keeps the planner from sorting the joined table first and looking
 * for its rows one by one, which it does in the hope that few are alike.
 */
const sortAll = (listing: Listing): PickedKeys => ({
  text: `select page_key from (${selectMatching(listing)} offset 0) matching ${sortMatching(listing)}`,
  parameters: matchAll(listing).parameters,
})

/** All matching rows are read and sorted; so the total is known too. */
const gather = (listing: Listing): PickedKeys => ({
  before: `with matching as materialized (${selectMatching(listing)})`,
  text: `select page_key from matching ${sortMatching(listing)}`,
  total: '(select count(*) from matching) as "$total"',
  parameters: matchAll(listing).parameters,
})

function selectMatching(listing: Listing): string {
  const { source, filtered } = listing
  const sorted = ordered(listing).map((property, index) => `${columnExpression(property)} as s${index}`)
  return `select ${[`${source.key} as page_key`, ...sorted].join(', ')}
      from ${writeTables(source, [...filtered, ...ordered(listing)])} where ${matchAll(listing).text}`
}

function sortMatching(listing: Listing): string {
  const { order, top, skip } = listing
  const columns = ordered(listing).map((property, index) => `s${index}${collate(property)}`)
  return `order by ${writeOrderBy(order, { columns, key: 'page_key' })} limit ${top} offset ${skip}`
}

/** An ordered walk over texts that begin with a prefix starts at the prefix and not at A. */
function lowerBound({ prefixes, order, parameters }: Listing): { text: string; prefix: string } | undefined {
  const [term] = order.terms
  const prefix = term && !term.descending ? prefixes.get(term.property) : undefined
  const bound = prefix === undefined ? undefined : boundOfPrefix(prefix)
  if (term === undefined || bound === undefined) return undefined
  const text = `${columnExpression(term.property)}${collate(term.property)} >= $${parameters.length + 1}::text`
  return { text, prefix: bound }
}

/**
 * A text that does not sort after any text that begins with the prefix; undefined where that is not sure. A last letter
 * with an accent gives way to its plain letter: further accents after it could sort the text before the prefix.
 */
export function boundOfPrefix(prefix: string): string | undefined {
  if (!/^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd} ]+$/u.test(prefix)) return undefined
  const last = [...prefix].at(-1)!
  return prefix.slice(0, -last.length) + last.normalize('NFD').replace(/\p{M}+$/u, '')
}

/** The page's keys, merged from the beginnings of the parts: as many rows of each as could be on it, read off its index. */
function mergeParts({ parts, order, skip, top }: Listing): string {
  const [{ property }] = order.terms as [Order['terms'][0]]
  const selects = parts.map(({ from, where, key, columns, repeats }) => {
    const column = `${columns[property.column]}${collate(property)}`
    return `(select ${repeats ? `distinct on (${column}, ${key})` : ''} ${column} as sorted, ${key} as page_key
      from ${from} where ${where} order by ${writeOrderBy(order, { columns: [column], key })} limit ${skip + top})`
  })
  const merged = writeOrderBy(order, { columns: ['sorted'], key: 'page_key' })
  return `select page_key from (${selects.join(' union all ')}) merged order by ${merged} limit ${top} offset ${skip}`
}

/** Rows past the middle are reached from the end: with literal numbers, since the planner knows nothing of others. */
function pickWindow({ order, skip, top }: Listing, matching: number | undefined) {
  if (matching === undefined || skip < deepSkip || skip <= matching / 2 || skip >= matching)
    return { text: order.text, limit: top, offset: skip }
  const limit = Math.min(top, matching - skip)
  return { text: order.reversedText, limit, offset: matching - skip - limit }
}

function selectTotals(listing: Listing): string {
  const { source, where, everything, filtered } = listing
  const { totalsKeptAs: entity } = source
  if (entity === undefined)
    return `(select count(*) from ${writeTables(source, filtered)} where ${where}) as "$total"`
  return everything ? `${keptTotal(entity)} as "$total"` : `${selectChanges(listing)} as "$changes"`
}
