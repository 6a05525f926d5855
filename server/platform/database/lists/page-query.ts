/**
 * The SQL of one page of a list and of its total. How many rows match decides how the page is read, not the planner's
 * estimate: it expects the matching rows to be spread evenly over the order, and is wrong by a factor of a thousand where
 * they are not.
 */
import { reverseOrder } from '../../odata/order.ts'
import { columnExpression, type Property } from '../../odata/properties.ts'
import { walkGroups } from './few-groups.ts'
import { collate, joinBranches, matchAll, ordered, writeTables, type Listing } from './listing.ts'
import {
  countMatching,
  mergeBranches,
  mergeParts,
  selectMatching,
  sortMatching,
  type Window,
} from './matching-keys.ts'
import { findNameParts, selectNameParts } from './name-parts.ts'
import { countSinceSettled } from './settled-totals.ts'
import type { SqlText } from '../../odata/writer.ts'
import type { Parameter } from '../statement.ts'

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

const keptTotal = (entity: string) => `(select sum(rows)::bigint from list_total where entity = '${entity}')`

/** Yields `total`, and for a list whose totals are kept `changes` and `rows`, the size of the whole list. */
export function writeCountQuery(listing: Listing): PageQuery {
  const { source, everything } = listing
  const { totalsKeptAs: entity } = source
  if (entity !== undefined && everything)
    return { text: `select ${keptTotal(entity)} as total, null as changes`, parameters: [] }
  const kept =
    entity === undefined
      ? 'null as changes'
      : `${selectChanges(listing)} as changes, ${keptTotal(entity)} as rows`
  const { branches, parameters } = matchAll(listing)
  return { text: `select ${countMatching({ ...listing, branches })} as total, ${kept}`, parameters }
}

/** The rows of one page, with `$total` where the statement knows it and else with `$changes`. */
export function writePageQuery(listing: Listing, expected: Expected): PageQuery {
  const { source, order } = listing
  const picked = pickKeys(listing, expected)
  const own = picked?.parameters ?? listing.parameters
  const extra =
    picked?.total === undefined
      ? selectTotals(listing, own.length + 1)
      : { text: picked.total, parameters: [] }
  const parameters = [...own, ...extra.parameters]
  if (picked === undefined) {
    const { top, skip } = listing
    const text = `select ${source.select}, ${extra.text} from ${writeTables(source)} where ${joinBranches(listing)}
      order by ${order.text} limit ${top} offset ${skip}`
    return { text, parameters }
  }
  const text = `${picked.before ?? ''} select ${source.select}, ${extra.text} from (${picked.text}) page
    join ${writeTables(source)} on ${source.key} = page.page_key order by ${order.text}`
  return {
    text,
    parameters,
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
  const { parts, skip, order, branches, everything, filtered } = listing
  if (parts.length > 0 && filtered.size === 0) return { text: mergeParts(listing) }
  if (!everything && isFew(listing, expected)) return gather(listing)
  if (parts.length > 0) return { text: mergeParts(listing) }
  const grouped = walkGroups(listing)
  if (grouped !== undefined) return { text: grouped }
  if (isSortedByJoined(listing)) return sortAll(listing)
  const bound = expected.prefixesSortFirst ? lowerBound(listing) : undefined
  const isSimple = branches.length === 1 && !bound && skip < deepSkip
  if (isSimple && !isCovered(listing) && !joinsLast(listing)) return undefined
  const window = pickWindow(listing, expected.matching)
  return {
    text: mergeBranches(listing, window, bound?.text),
    ...(window.order !== order && { onlyFor: expected.matching! }),
    ...(bound && { parameters: [...listing.parameters, bound.prefix] }),
  }
}

/**
 * What the totals of the list depend on: its own rows, and those of joined tables that the filter names. Where the filter
 * names nothing but the name, other changes do not count, and of names only those with the letters that it demands.
 */
function selectChanges({ source, filtered, pieces }: Listing): string {
  const columns = [...filtered].map(({ column }) => column)
  const joins = Object.entries(source.joins ?? {}).map(([alias, { changesKeptAs, named }]) => ({
    entity: changesKeptAs,
    named,
    columns: columns.filter((column) => column.includes(`${alias}.`)),
  }))
  const joined = joins.filter((join) => join.columns.length > 0)
  const own = {
    entity: source.totalsKeptAs!,
    named: source.named,
    columns: columns.filter((column) => !joined.some((join) => join.columns.includes(column))),
  }
  const isByName = ({ named, columns: asked }: typeof own) =>
    named !== undefined && asked.every((column) => column === named)
  const parts = findNameParts([...pieces.values()].flat())
  if (joined.length === 0 && isByName(own) && parts.length > 0) return selectNameParts(own.entity, parts)
  const counts = [own, ...joined].map((counted) => {
    const counter = isByName(counted) ? 'name_changes' : 'changes'
    return `(select sum(${counter}) from list_total where entity = '${counted.entity}')`
  })
  return `(${counts.join(' + ')})::bigint`
}

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
  return (
    writeTables(source) !== writeTables(source, [...filtered, ...ordered(listing)], joinBranches(listing))
  )
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

/** Rows past the middle are reached from the end: with literal numbers, since the planner knows nothing of others. */
function pickWindow({ order, skip, top }: Listing, matching: number | undefined): Window {
  if (matching === undefined || skip < deepSkip || skip <= matching / 2 || skip >= matching)
    return { order, limit: top, offset: skip }
  const limit = Math.min(top, matching - skip)
  return { order: reverseOrder(order), limit, offset: matching - skip - limit }
}

function selectTotals(listing: Listing, firstParameter: number): SqlText {
  const { source, everything, settled } = listing
  const { totalsKeptAs: entity } = source
  if (settled) {
    const { text, parameters } = countSinceSettled(listing, settled, firstParameter)
    return { text: `${text} as "$total"`, parameters }
  }
  const text =
    entity === undefined
      ? `${countMatching(listing)} as "$total"`
      : everything
        ? `${keptTotal(entity)} as "$total"`
        : `${selectChanges(listing)} as "$changes"`
  return { text, parameters: [] }
}
