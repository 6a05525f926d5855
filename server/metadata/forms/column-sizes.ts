/** The maximum size of columns, from the database's catalogue. */
import { snakeCase } from '../../platform/database/columns.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { FormTable } from '../../platform/dictionary/handler.ts'

/** Column name to size: characters of a limited text, bytes of a fixed type, else PostgreSQL's own limit. */
export type ColumnSizes = ReadonlyMap<string, number>

/** The largest value of a column, PostgreSQL's limit of one gigabyte. */
export const largestValue = 1_073_741_823

const known = new Map<string, Promise<ColumnSizes>>()

/** Tables change only with a release, so one query is enough. */
export function findColumnSizes(db: Db, table: string): Promise<ColumnSizes> {
  let sizes = known.get(table)
  if (!sizes) {
    sizes = readSizes(db, table)
    known.set(table, sizes)
    sizes.catch(() => known.delete(table))
  }
  return sizes
}

async function readSizes(db: Db, table: string): Promise<ColumnSizes> {
  const rows = await db<{ column: string; size: number }[]>`
    select a.attname as column,
      case when t.typlen > 0 then t.typlen when t.typname = 'varchar' and a.atttypmod > 4 then a.atttypmod - 4
        else ${largestValue}::int end as size
    from pg_attribute a join pg_type t on t.oid = a.atttypid
    where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped`
  return new Map(rows.map(({ column, size }) => [column, size]))
}

/** The size of a member's column; 0 for a member that is not stored. */
export const columnSize = (sizes: ColumnSizes, storedIn: FormTable | undefined, code: string): number =>
  sizes.get(storedIn?.columns?.[code] ?? snakeCase(code)) ?? 0
