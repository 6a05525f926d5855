/** Creates, changes and deletes custom fields and overrides. */
import type { UserFieldChange, UserFieldInput } from '../../../contract/access/user-fields.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, violatedUniqueness, type Db } from '../../platform/database/transaction.ts'
import {
  deleteTracked,
  insertTracked,
  updateTracked,
  type TrackedTable,
} from '../../platform/events/tracked-row.ts'
import type { CustomField } from '../../platform/dictionary/custom-field.ts'
import { findCustomField } from '../../platform/dictionary/custom-fields.store.ts'
import type { FormTable } from '../../platform/dictionary/handler.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, invalid, FieldErrors, notFound } from '../../platform/http/errors.ts'
import { inUse } from '../../platform/http/in-use.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import { findLookup, findLookupValue } from '../lookups/registry.ts'
import { applyFieldInput, findBuiltIn, noField, type EntityForms } from './fields.rules.ts'
import * as store from './fields.store.ts'

export interface EntityStorage extends EntityForms {
  storedIn: FormTable
}

interface Context {
  caller: Caller
  origin: Origin
  /** The entities that can have custom fields. */
  entities: ReadonlyMap<string, EntityStorage>
}

const fieldTable: TrackedTable = {
  table: 'user_field',
  entity: 'field',
  guidName: 'fieldGuid',
  computed: ['defaultValue'],
}
/** The words of `$filter` and `$orderby`, where a custom field is named by its code alone. */
const reserved = new Set('and or not eq ne gt ge lt le in null true false asc desc'.split(' '))
const codePattern = /^[a-zA-Z][a-zA-Z0-9]{0,49}$/

/** Throws a 400, or a 409 for a code in use or rows that would become invalid. */
export async function addField(db: Db, input: UserFieldInput, context: Context): Promise<CustomField> {
  const checks = new FieldErrors()
  const entity = context.entities.get((input.entity ?? '').trim().toLowerCase())
  const code = (input.code ?? '').trim()
  if (!entity) checks.add('entity', `is required: one of ${[...context.entities.keys()].join(', ')}.`)
  if (!codePattern.test(code) || code in Object.prototype || reserved.has(code.toLowerCase()))
    checks.add(
      'code',
      'is required: a letter, then letters and digits, at most 50, and no word of $filter such as eq.',
    )
  // The other checks need a valid entity and code.
  checks.throwIfAny()
  const builtIn = findBuiltIn(entity!, code)
  if (builtIn !== undefined && builtIn !== code)
    throw invalid({ code: [`differs from the built-in field ${builtIn} only by letter case.`] })
  const type = input.type ?? null
  if (builtIn !== undefined && type !== null)
    throw invalid({
      type: [`must be omitted: ${code} is a built-in field of ${entity!.entity}, whose type cannot change.`],
    })
  if (builtIn === undefined && type === null)
    throw invalid({ type: [`is required: ${entity!.entity} has no built-in field ${code}.`] })
  const fieldGuid = makeId()
  const empty = { ...noField, fieldGuid, entity: entity!.entity, code, type, version: 1 }
  const field = applyFieldInput(empty, input, entity!, checks)
  await checkLookup(db, field, checks)
  checks.throwIfAny()
  try {
    await inTransaction(db, async (tx) => {
      await requireNoInvalidRows(tx, field, undefined, entity!, context.caller)
      const { fieldGuid: _, version: __, ...members } = field
      await insertTracked(
        tx,
        fieldTable,
        { guid: fieldGuid, members, more: serializeDefault(tx, field) },
        context.origin,
      )
    })
  } catch (error) {
    if (violatedUniqueness(error) !== 'user_field_code') throw error
    throw new ApiError(
      'conflict',
      `${field.entity} has a field or override ${code} already. Change that one.`,
      {
        errors: { code: ['belongs to another field of the entity.'] },
      },
    )
  }
  return field
}

/** Returns the version after the change. Throws a 400, 404, 409 or 412. */
export async function changeField(
  db: Db,
  { guid, input, ifMatch }: { guid: string; input: UserFieldChange; ifMatch: IfMatch },
  context: Context,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const before = await requireField(tx, guid, ifMatch)
    const entity = context.entities.get(before.entity)
    if (!entity) throw notFound('field')
    const checks = new FieldErrors()
    const after = applyFieldInput(before, input, entity, checks)
    await checkLookup(tx, after, checks)
    checks.throwIfAny()
    await requireNoInvalidRows(tx, after, before, entity, context.caller)
    const { fieldGuid: _, version, ...old } = before
    const { fieldGuid: __, version: ___, ...members } = after
    const more = (changed: readonly string[]): Record<string, unknown> =>
      changed.includes('defaultValue') ? serializeDefault(tx, after) : {}
    const update = { guid, before: old, version, after: members, more }
    return updateTracked(tx, fieldTable, update, context.origin)
  })
}

/** Throws a 404, a 409 while records have values of the field, or a 412. */
export async function removeField(
  db: Db,
  { guid, ifMatch }: { guid: string; ifMatch: IfMatch },
  { entities, origin }: Omit<Context, 'caller'>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const field = await requireField(tx, guid, ifMatch)
    const storedIn = entities.get(field.entity)?.storedIn
    if (field.type !== null && storedIn) {
      const used = inUse('field', {
        [`${field.entity} records`]: await store.countWith(tx, storedIn, field.code),
      })
      if (used) throw used
    }
    const { fieldGuid: _, version: __, ...before } = field
    await deleteTracked(tx, fieldTable, { guid, before }, origin)
  })
}

async function requireField(tx: Db, guid: string, ifMatch: IfMatch): Promise<CustomField> {
  const field = await findCustomField(tx, guid, { lock: true })
  if (!field) throw notFound('field')
  requireMatch(ifMatch, field.version)
  return field
}

/** A default is stored as JSON, which keeps texts and numbers apart. */
const serializeDefault = (tx: Db, { defaultValue }: CustomField) => ({
  default_value: defaultValue === null ? null : tx.json(defaultValue),
})

async function checkLookup(db: Db, { lookupCode }: CustomField, checks: FieldErrors): Promise<void> {
  if (lookupCode !== null && !(await findLookup(db, lookupCode)))
    checks.add('lookupCode', 'is not a lookup. Add its first value by the form lookupvalue/create.')
}

/**
 * Counts only values that a narrower rule would refuse. Throws a 409 with the number of rows that would become invalid.
 */
async function requireNoInvalidRows(
  tx: Db,
  field: CustomField,
  before: CustomField | undefined,
  { storedIn }: EntityStorage,
  caller: Caller,
): Promise<void> {
  const rows =
    field.type === null
      ? field.required === true && before?.required !== true
        ? await store.countWithout(tx, storedIn, field.code)
        : 0
      : await store.countInvalid(tx, storedIn, field)
  const unmatched =
    rows === 0 && field.type !== null && field.mustMatchLookup
      ? await countUnmatched(tx, storedIn, field, caller)
      : 0
  const inTheWay = rows + unmatched
  if (inTheWay === 0) return
  throw new ApiError(
    'conflict',
    `${inTheWay} ${inTheWay === 1 ? 'row is' : 'rows are'} in the way: what ${field.entity} records hold in ${field.code} would be invalid. Change those first.`,
    { members: { rowsInTheWay: inTheWay } },
  )
}

const valuesMax = 1000

async function countUnmatched(
  tx: Db,
  storedIn: FormTable,
  { code, lookupCode }: CustomField,
  caller: Caller,
): Promise<number> {
  let count = 0
  for (const { value, rows } of await store.listValues(tx, storedIn, code, valuesMax)) {
    if ((await findLookupValue(tx, caller, lookupCode!, value)) === undefined) count += rows
  }
  return count
}
