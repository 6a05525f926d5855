/** Indexes for own fields that shall be fast to search: made and dropped in the background, without holding up writers. */
import type { Sql } from 'postgres'
import { openPatient } from '../database/database.ts'
import { expressionOf, type CustomField } from './custom-field.ts'
import type { CustomFields } from './custom-fields.ts'

interface WantedIndex {
  name: string
  table: string
  on: string
}

/** A list sorts by its value and key; a text is also compared, and found by its beginning. */
function indexesOf(field: CustomField, table: string): WantedIndex[] {
  const name = `own_${table}_${field.fieldGuid.replaceAll('-', '')}`
  const value = `(${expressionOf(field)})`
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
 * Brings the indexes in line with the fields. One node does it at a time; a half-made index, which a crash leaves
 * invalid, is made anew. Outside any transaction, as making an index beside writers asks for.
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
      return table === undefined ? [] : indexesOf(field, table)
    })
  // The lock is a transaction's: a pooler may give a session's away. The indexes are made outside it, on other connections.
  await sql.begin(async (tx) => {
    // By the simple protocol: else the statement's snapshot would be kept, for whose end the making of an index waits.
    const [lock] = await tx.unsafe<{ locked: boolean }[]>(
      `select pg_try_advisory_xact_lock(hashtext('own indexes')) as locked`,
    )
    if (!lock!.locked) return
    const patient = openPatient(sql)
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
  // What an expression holds is known to the planner once the table is analysed.
  for (const table of touched) await sql.unsafe(`analyze ${table}`)
}
