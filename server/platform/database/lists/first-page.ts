/**
 * First pages of lists below one record, such as the cases of a debtor. They are short and asked for often, so those asked
 * for at the same time come by one statement.
 */
import { batchQueries } from '../query-batcher.ts'
import type { ScopeParent } from '../row-scope.ts'
import { runStatement } from '../statement.ts'
import type { Db } from '../transaction.ts'
import type { ListSource } from './list-source.ts'
import { writeTables } from './listing.ts'

export interface FirstPage {
  rows: object[]
  /** Undefined where the record has more rows than the page. */
  total: number | undefined
}

export interface FirstPageQuery {
  parent: ScopeParent
  /** The ORDER BY list. */
  order: string
  top: number
}

type Read = (db: Db, query: FirstPageQuery, kind: string) => Promise<FirstPage>

/** Each source has its own queues: within one, what differs is the rest of the condition, the order and the size. */
const readers = new WeakMap<ListSource, Read>()

export function readFirstPage(db: Db, source: ListSource, query: FirstPageQuery): Promise<FirstPage> {
  const read: Read =
    readers.get(source) ??
    batchQueries<FirstPageQuery, FirstPage>((own, queries) => readPages(own, source, queries))
  readers.set(source, read)
  const { parent, order, top } = query
  const { text, parameters } = parent.restAt(2)
  return read(db, query, JSON.stringify([parent.column, text, parameters, order, top]))
}

interface Placed {
  $place?: number | undefined
  $row?: number | undefined
}

/** The queries differ in nothing but the record. One row more than the page has tells whether these are all. */
async function readPages(
  db: Db,
  source: ListSource,
  queries: readonly FirstPageQuery[],
): Promise<FirstPage[]> {
  const [{ parent, order, top }] = queries as [FirstPageQuery]
  const rest = parent.restAt(2)
  // The planner does not see how many records there are: so a connection keeps one plan.
  const rows = await runStatement<Placed>(
    db,
    `select asked.place::int - 1 as "$place", listed.*
     from unnest((select $1::uuid[])) with ordinality asked (parent, place), lateral (
       select ${source.select}, row_number() over (order by ${order})::int as "$row" from ${writeTables(source)}
       where ${parent.column} = asked.parent and ${rest.text} order by ${order} limit ${top + 1}) listed
     order by 1, "$row"`,
    [queries.map(({ parent: { guid } }) => guid), ...rest.parameters],
    { prepare: true },
  )
  const pages = queries.map((): object[] => [])
  for (const row of rows) {
    pages[row.$place!]!.push(row)
    row.$place = row.$row = undefined
  }
  return pages.map((found) =>
    found.length > top
      ? { rows: found.slice(0, top), total: undefined }
      : { rows: found, total: found.length },
  )
}
