import type { Db } from '../../platform/database/transaction.ts'
import {
  valueExpression,
  parseSpecificValues,
  type CustomField,
} from '../../platform/dictionary/custom-field.ts'
import type { FormTable } from '../../platform/dictionary/handler.ts'
import { snakeCase } from '../../platform/database/columns.ts'

/** Counts the rows without a value in a built-in field; 0 for a field that the table does not store. */
export async function countWithout(db: Db, storedIn: FormTable, code: string): Promise<number> {
  const column = storedIn.columns?.[code] ?? snakeCase(code)
  const [known] = await db<{ any: boolean }[]>`
    select exists (select from pg_attribute where attrelid = ${storedIn.table}::regclass and attname = ${column}
      and attnum > 0 and not attisdropped) as any`
  if (!known!.any) return 0
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from ${db(storedIn.table)} where ${db(column)} is null`
  return row!.count
}

/** Counts the rows with a value in a custom field. */
export async function countWith(db: Db, { table }: FormTable, code: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from ${db(table)} where jsonb_exists(custom, ${code})`
  return row!.count
}

/** Counts the rows whose value, or missing value, a custom field would refuse. */
export async function countInvalid(db: Db, { table }: FormTable, field: CustomField): Promise<number> {
  const value = db.unsafe(valueExpression(field))
  const text = db.unsafe(`(custom ->> '${field.code}')`)
  const has = db`jsonb_exists(custom, ${field.code})`
  const isDate = field.type === 'date' || field.type === 'datetime'
  const limit = (given: string) => (isDate ? db`${given}::timestamptz` : db`${given}::numeric`)
  const values = parseSpecificValues(field).map(String)
  const maxLength = field.length ?? Number.MAX_SAFE_INTEGER
  // The whole last day is allowed.
  const beyond =
    field.maxValue === null
      ? db`false`
      : isDate
        ? db`${value} >= ${limit(field.maxValue)} + interval '1 day'`
        : db`${value} > ${limit(field.maxValue)}`
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from ${db(table)} where
      (${field.required === true} and not ${has})
      or (${has} and (
        length(${text}) > ${maxLength}::bigint
        or (${values.length > 0} and ${text} <> all(${values}::text[]))
        or ${field.minValue === null ? db`false` : db`${value} < ${limit(field.minValue)}`}
        or ${beyond}))`
  return row!.count
}

/** Counts the rows with the given value in a custom field, in any letter case. */
export async function countValue(db: Db, { table }: FormTable, code: string, value: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from ${db(table)} where lower(custom ->> ${code}) = lower(${value})`
  return row!.count
}

/** The distinct values in use, each with its number of rows, up to a limit. */
export async function listValues(
  db: Db,
  { table }: FormTable,
  code: string,
  most: number,
): Promise<{ value: string; rows: number }[]> {
  return db<{ value: string; rows: number }[]>`
    select custom ->> ${code} as value, count(*)::int as rows from ${db(table)}
    where jsonb_exists(custom, ${code}) group by 1 limit ${most}`
}
