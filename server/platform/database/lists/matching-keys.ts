/** SQL for the keys of the rows that match, and for their number. */
import { writeOrderBy, type Order } from '../../odata/order.ts'
import { columnExpression } from '../../odata/properties.ts'
import { collate, matchAll, ordered, writeTables, type Listing } from './listing.ts'

/** The rows of a page, counted from the beginning of an order. */
export interface Window {
  order: Order
  limit: number
  offset: number
}

/** From here on a look at each matching row takes longer than a look at all names of the caller's parts. */
const manyMatching = 1000

/** An expression for the number of matching rows. */
export function countMatching(listing: Listing): string {
  const { source, branches, parts, filtered, condition } = listing
  const rows = branches
    .map((where) => `(select count(*) from ${writeTables(source, filtered, where)} where ${where})`)
    .join(' + ')
  if (parts.length === 0) return rows
  // The parts are counted off their indexes.
  const byParts = parts
    .map(
      ({ from, where, key, repeats }) =>
        `(select count(${repeats ? `distinct ${key}` : '*'}) from ${from} where ${where})`,
    )
    .join(' + ')
  if (condition === undefined) return byParts
  return `case when (select count(*) from (
      select from ${writeTables(source, filtered, condition)} where ${condition} limit ${manyMatching + 1}) matching
    ) > ${manyMatching} then ${byParts} else ${rows} end`
}

const selectBranch = (listing: Listing, where: string): string => {
  const { source, filtered } = listing
  const sorted = ordered(listing).map((property, index) => `${columnExpression(property)} as s${index}`)
  return `select ${[`${source.key} as page_key`, ...sorted].join(', ')}
      from ${writeTables(source, [...filtered, ...ordered(listing)], where)} where ${where}`
}

/** The keys of all matching rows as `page_key`, with what orders them as `s0`, `s1` and so on. */
export const selectMatching = (listing: Listing): string =>
  matchAll(listing)
    .branches.map((where) => selectBranch(listing, where))
    .join(' union all ')

/** The order and the page of what `selectMatching` selects. */
export const sortMatching = (listing: Listing): string =>
  sortWindow(listing, { order: listing.order, limit: listing.top, offset: listing.skip })

function sortWindow(listing: Listing, { order, limit, offset }: Window): string {
  const columns = ordered(listing).map((property, index) => `s${index}${collate(property)}`)
  return `order by ${writeOrderBy(order, { columns, key: 'page_key' })} limit ${limit} offset ${offset}`
}

/** The keys of a page, read along its order: with several branches, merged from the beginnings of each. */
export function mergeBranches(listing: Listing, window: Window, bound: string | undefined): string {
  const { source, filtered, branches } = listing
  const { order, limit, offset } = window
  const conditions = branches.map((where) => (bound === undefined ? where : `${where} and ${bound}`))
  if (conditions.length === 1) {
    const where = conditions[0]!
    return `select ${source.key} as page_key
      from ${writeTables(source, [...filtered, ...ordered(listing)], where)} where ${where}
      order by ${order.text} limit ${limit} offset ${offset}`
  }
  const beginnings = conditions.map(
    (where) => `(${selectBranch(listing, where)} order by ${order.text} limit ${limit + offset})`,
  )
  return `select page_key from (${beginnings.join(' union all ')}) merged ${sortWindow(listing, window)}`
}

/** The page's keys, merged from the beginnings of the parts: as many rows of each as could be on it, read off its index. */
export function mergeParts({ parts, order, skip, top }: Listing): string {
  const [{ property }] = order.terms as [Order['terms'][0]]
  const selects = parts.map(({ from, where, key, columns, repeats }) => {
    const column = `${columns[property.column]}${collate(property)}`
    return `(select ${repeats ? `distinct on (${column}, ${key})` : ''} ${column} as sorted, ${key} as page_key
      from ${from} where ${where} order by ${writeOrderBy(order, { columns: [column], key })} limit ${skip + top})`
  })
  const merged = writeOrderBy(order, { columns: ['sorted'], key: 'page_key' })
  return `select page_key from (${selects.join(' union all ')}) merged order by ${merged} limit ${top} offset ${skip}`
}
