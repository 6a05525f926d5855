/** Streams every row of a list from one snapshot, in batches, for exports. */
import type { Sql } from './driver/pool.ts'
import type { Scope } from './row-scope.ts'
import { compileFilter } from '../odata/filter.ts'
import { compileOrder } from '../odata/order.ts'
import { runStatement } from './statement.ts'
import { writeTables } from './lists/listing.ts'
import type { ListContext, ListSource } from './list.ts'

const batchRows = 1_000

export interface StreamQuery {
  $filter?: string
  $orderby?: string
}

export interface StreamContext extends Pick<ListContext, 'today' | 'customFields'> {
  /** If given, the rows are counted first. */
  onTotal?: (total: number) => void
}

/**
 * Passes the rows within the scope to `take`, in batches and in order (default: by key). Returns the number of rows.
 * Throws an ODataError for an invalid filter or order.
 */
export async function streamRows<E extends string>(
  sql: Sql,
  { source, visible }: { source: ListSource<E>; visible: Scope<NoInfer<E>> },
  query: StreamQuery,
  { today, customFields, onTotal }: StreamContext,
  take: (rows: Record<string, unknown>[]) => Promise<void>,
): Promise<number> {
  const scope = visible.at(1)
  const properties = customFields?.size ? new Map([...source.properties, ...customFields]) : source.properties
  const filter = query.$filter?.trim()
    ? compileFilter(properties, query.$filter, {
        collation: 'fordra_order',
        firstParameter: scope.parameters.length + 1,
        now: `${today}T${new Date().toISOString().slice(11)}`,
      })
    : undefined
  const order = query.$orderby?.trim()
    ? compileOrder(properties, query.$orderby, { collation: 'fordra_order', key: source.key }).text
    : source.key
  const where = filter ? `${scope.text} and (${filter.text})` : scope.text
  const parameters = [...scope.parameters, ...(filter?.parameters ?? [])]
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    await tx`set local statement_timeout = 0`
    if (onTotal) {
      const counted = `select count(*)::int as total from ${writeTables(source, filter?.properties ?? [])} where ${where}`
      onTotal((await runStatement<{ total: number }>(tx, counted, parameters))[0]!.total)
    }
    let count = 0
    const text = `select ${source.select} from ${writeTables(source)} where ${where} order by ${order}`
    const read = runStatement<Record<string, unknown>>(tx, text, parameters)
    for await (const rows of read.cursor(batchRows)) {
      count += rows.length
      await take(rows)
    }
    return count
  })
}
