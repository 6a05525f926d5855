/** A list in the order of a joined table of few rows, such as cases by client: read group by group. */
import { writeOrderBy } from '../../odata/order.ts'
import { columnExpression } from '../../odata/properties.ts'
import { collate, writeTables, type Listing } from './listing.ts'

/** Undefined where no joined table of few rows alone orders the list. */
export function walkGroups({ source, order, branches, filtered, skip, top }: Listing): string | undefined {
  const [term, further] = order.terms
  const [where, other] = branches
  if (term === undefined || further || other !== undefined) return undefined
  const { column } = term.property
  const [alias, join] =
    Object.entries(source.joins ?? {}).find(([name]) => column.startsWith(`${name}.`)) ?? []
  if (join?.few === undefined) return undefined
  const { from, condition } = join.few
  const others = [...filtered].filter((property) => !property.column.startsWith(`${alias}.`))
  const column0 = `${columnExpression(term.property)}${collate(term.property)}`
  const sortedBy = (columns: readonly string[], key: string) => writeOrderBy(order, { columns, key })
  // The groups come in their order, so that the planner sorts within groups that are alike, and reads no others.
  return `select page_key from (select * from ${from} order by ${sortedBy([column0], `${alias}.id`)} offset 0) ${alias}
    cross join lateral (
      select ${source.key} as page_key from ${writeTables(source, others)} where ${condition} and ${where!}
      order by ${source.key} ${order.keyDescending ? 'desc' : 'asc'} limit ${skip + top}) each
    order by ${sortedBy([column0], 'page_key')} limit ${top} offset ${skip}`
}
