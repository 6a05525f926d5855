/** Custom fields as columns of an import: checked as in forms, stored with their records. */
import type { EntityWithActions } from '../../../contract/platform/event-types.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import type { TObject } from 'typebox'
import { rowParameters, rowsFrom } from '../../platform/database/row-text.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { insertRecords, toRecords, type Change } from '../../platform/events/record.ts'
import { compileCustomValueCheck } from '../../metadata/forms/check-input.ts'
import { customFieldSchema, type CustomField } from '../../platform/dictionary/custom-field.ts'
import {
  listCustomFields,
  type CustomValue,
  type CustomValues,
} from '../../platform/dictionary/custom-fields.store.ts'
import { toResolvedField } from '../../metadata/forms/resolve-form.ts'
import { agencyItself, type Origin } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { referenceName } from './reading/columns.ts'
import { toFaults } from './reading/json-row.ts'
import type { Fault } from './reading/row.ts'

/** The entity whose custom fields the rows of a kind may have, and the table that stores them. */
export interface CustomFieldTarget {
  entity: EntityWithActions<'updated'>
  table: string
  /** The name of the identifier in events. */
  guidName: string
}

export interface CustomColumns {
  /** The schema of the kind, extended by the custom fields. */
  extend(schema: TObject): TObject
  /** Takes the columns of a heading line: a required field with a column must have a value in every row. */
  noteColumns(columns: readonly string[]): void
  /** Separates a row's custom values from its other members. */
  take(members: Record<string, unknown>): Promise<TakenValues>
  /** Stores the values of new records, by their keys, each with event and audit entry. */
  insert(tx: Db, made: readonly { key: string; values: CustomValues }[], origin: Origin): Promise<void>
}

export interface TakenValues {
  members: Record<string, unknown>
  values: CustomValues
  faults: Fault[]
}

/** Undefined when the installation has no custom field that a file could name. */
export async function findCustomColumns(
  sql: Sql,
  schema: TObject,
  of: CustomFieldTarget | undefined,
): Promise<CustomColumns | undefined> {
  if (!of) return undefined
  const taken = new Set([referenceName, ...Object.keys(schema.properties)].map((name) => name.toLowerCase()))
  const fields = (await listCustomFields(sql)).filter(
    ({ entity, code, type, hidden }) =>
      entity === of.entity && type !== null && !hidden && !taken.has(code.toLowerCase()),
  )
  return fields.length === 0 ? undefined : createColumns(sql, of, fields)
}

function createColumns(sql: Sql, of: CustomFieldTarget, fields: readonly CustomField[]): CustomColumns {
  const codes = new Set(fields.map(({ code }) => code))
  const check = compileCustomValueCheck(fields.map(toResolvedField))
  const matched = fields.filter(({ mustMatchLookup, lookupCode }) => mustMatchLookup && lookupCode !== null)
  const findFaults = createLookupCheck(sql, matched)
  let required: string[] = []
  return {
    extend: (schema) =>
      ({
        ...schema,
        properties: {
          ...schema.properties,
          ...Object.fromEntries(fields.map((field) => [field.code, customFieldSchema(field)])),
        },
      }) as TObject,
    noteColumns: (columns) => {
      required = fields.flatMap((one) => (one.required && columns.includes(one.code) ? one.code : []))
    },
    take: async (all) => {
      const entries = Object.entries(all)
      const given = Object.fromEntries(entries.filter(([name]) => codes.has(name)))
      const members = Object.fromEntries(entries.filter(([name]) => !codes.has(name)))
      const checked = checkedOr(() => check(given))
      const values = Array.isArray(checked) ? {} : dropEmpty(checked)
      const missing = required.filter((code) => given[code] === undefined)
      const faults = [
        ...(Array.isArray(checked) ? checked : []),
        ...missing.map((field) => ({ field, reason: 'is required.' })),
        ...(matched.length > 0 ? await findFaults(values) : []),
      ]
      return { members, values, faults }
    },
    insert: (tx, made, origin) => insertValues(tx, of, fields, made, origin),
  }
}

const dropEmpty = (values: Record<string, CustomValue | null>): CustomValues =>
  Object.fromEntries(
    Object.entries(values).flatMap(([code, value]) => (value === null ? [] : [[code, value]])),
  )

function checkedOr<T extends object>(check: () => T): T | Fault[] {
  try {
    return check()
  } catch (error) {
    if (error instanceof ApiError) return toFaults(error)
    throw error
  }
}

/** Maximum number of remembered lookup keys. Files repeat the same few values. */
const rememberedMax = 10_000

function createLookupCheck(sql: Sql, fields: readonly CustomField[]) {
  const known = new Map<string, boolean>()
  const has = async (lookupCode: string, key: string): Promise<boolean> => {
    const name = `${lookupCode} ${key}`
    const remembered = known.get(name)
    if (remembered !== undefined) return remembered
    // Loaded on demand: the code lists of all languages take memory.
    const { findLookupValue } = await import('../../metadata/lookups/registry.ts')
    const found = (await findLookupValue(sql, agencyItself, lookupCode, key)) !== undefined
    if (known.size >= rememberedMax) known.clear()
    known.set(name, found)
    return found
  }
  return async (values: CustomValues): Promise<Fault[]> => {
    const faults: Fault[] = []
    for (const { code, lookupCode } of fields) {
      const value = values[code]
      if (value !== undefined && !(await has(lookupCode!, String(value))))
        faults.push({ field: code, reason: `must be a key of the lookup ${lookupCode}.` })
    }
    return faults
  }
}

async function insertValues(
  tx: Db,
  { entity, table, guidName }: CustomFieldTarget,
  fields: readonly CustomField[],
  made: readonly { key: string; values: CustomValues }[],
  origin: Origin,
): Promise<void> {
  const secret = new Set(fields.flatMap(({ code, audit }) => (audit ? [] : code)))
  const byKey = new Map(made.map(({ key, values }) => [key, values]))
  const types = { key: 'text', custom: 'jsonb' }
  const rows = made.map(({ key, values }) => ({ key, custom: values }))
  const stored = await runStatement<{ key: string; guid: string; sequence: number }>(
    tx,
    `update ${table} t set custom = n.custom, version = t.version + 1, event_sequence = t.event_sequence + 1
     from ${rowsFrom(types, 1)} n where t.source_reference = n.key
     returning n.key, t.id as guid, t.event_sequence as sequence`,
    rowParameters(types, rows),
    { prepare: true },
  )
  const changes = stored.map(({ key, guid, sequence }): Change => {
    const values = Object.entries(byKey.get(key)!)
    return {
      type: `${entity}.updated`,
      entityId: guid,
      subject: guid,
      sequence,
      data: { [guidName]: guid, changed: values.map(([code]) => code) },
      changes: Object.fromEntries(
        values.map(([code, value]) => [code, [null, secret.has(code) ? 'changed' : value] as const]),
      ),
    }
  })
  await insertRecords(tx, toRecords(origin, changes))
}
