/** Indexes of custom fields marked as indexed: created and dropped in the background, without blocking writers. */
import type { Sql } from '../database/driver/pool.ts'
import { openWithoutTimeout } from '../database/database.ts'
import { valueExpression, type CustomField } from './custom-field.ts'
import type { CustomFields } from './custom-fields.ts'

interface WantedIndex {
  name: string
  table: string
  on: string
}

/** Lists sort by value and key. Texts also need an index for comparison and prefix search. */
function wantedIndexes(field: CustomField, table: string): WantedIndex[] {
  const name = `own_${table}_${field.fieldGuid.replaceAll('-', '')}`
  const value = `(${valueExpression(field)})`
  const isText = field.type === 'string' || field.type === 'text' || field.type === 'lookup'
  if (!isText) return [{ name, table, on: `(${value} nulls first, id)` }]
  const short = (field.length ?? 200) <= 500
  if (!short) return []
  return [
    { name, table, on: `(${value} collate fordra_order nulls first, id)` },
    { name: `${name}_text`, table, on: `(${value} text_pattern_ops)` },
  ]
}

/**
 * Creates and drops indexes to match the fields. One node at a time; an index left invalid by a crash is created again.
 * Runs outside of transactions, as `create index concurrently` requires.
 */
export async function alignIndexes(
  sql: Sql,
  fields: CustomFields,
  tables: ReadonlyMap<string, string>,
): Promise<void> {
  fields.forget()
  const rows = [...(await fields.all()).values()].flat()
  const wanted = rows
    .filter(({ type, indexed }) => type !== null && indexed)
    .flatMap((field) => {
      const table = tables.get(field.entity)
      return table === undefined ? [] : wantedIndexes(field, table)
    })
  // A transaction holds the lock, because a pooler may drop a session's lock. The indexes are created outside of it, on
  // other connections.
  await sql.begin(async (tx) => {
    // Sent by the simple protocol. Otherwise the statement's snapshot stays open, and creating an index would wait for
    // it.
    const [lock] = await tx.unsafe<{ locked: boolean }[]>(
      `select pg_try_advisory_xact_lock(hashtext('own indexes')) as locked`,
    )
    if (!lock!.locked) return
    const patient = openWithoutTimeout(sql)
    await makeIndexes(patient, wanted).finally(() => patient.end())
  })
}

async function makeIndexes(sql: Sql, wanted: readonly WantedIndex[]): Promise<void> {
  const known = await sql<{ name: string; valid: boolean }[]>`
    select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relname like 'own\\_%' and c.relnamespace = 'public'::regnamespace`
  const valid = new Set(known.filter((one) => one.valid).map(({ name }) => name))
  const names = new Set(wanted.map(({ name }) => name))
  for (const { name } of known) {
    if (!names.has(name) || !valid.has(name)) await sql.unsafe(`drop index concurrently if exists ${name}`)
  }
  for (const { name, table, on } of wanted) {
    if (!valid.has(name)) await sql.unsafe(`create index concurrently ${name} on ${table} ${on}`)
  }
  const touched = new Set(wanted.filter(({ name }) => !valid.has(name)).map(({ table }) => table))
  // The planner knows the values of an expression once the table is analysed.
  for (const table of touched) await sql.unsafe(`analyze ${table}`)
}
