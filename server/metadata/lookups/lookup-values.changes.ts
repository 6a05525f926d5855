/** Creates, changes and deletes the values that an installation adds to lookups, or replaces. */
import { languages } from '../../../contract/platform/languages.ts'
import type { LookupValueChange, LookupValueInput } from '../../../contract/metadata/lookup-values.ts'
import { cleanText } from '../../../core/identity/person-name.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, violatedUniqueness, type Db } from '../../platform/database/transaction.ts'
import {
  deleteTracked,
  insertTracked,
  updateTracked,
  type TrackedTable,
} from '../../platform/events/tracked-row.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, FieldErrors, notFound } from '../../platform/http/errors.ts'
import { inUse } from '../../platform/http/in-use.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import { findLookup, lookupCodes } from './registry.ts'

/** Counts the records whose custom fields have a lookup value, by entity. Other uses are not counted. */
export type CountUses = (
  db: Db,
  value: { lookupCode: string; lookupKey: string },
) => Promise<Record<string, number>>

type Descriptions = Record<string, string>

interface ValueRecord {
  lookupCode: string
  lookupKey: string
  position: number
  descriptions: Descriptions
}
export type StoredLookupValue = ValueRecord & { lookupValueGuid: string; version: number }

const lookupValueTable: TrackedTable = {
  table: 'lookup_value',
  entity: 'lookupvalue',
  guidName: 'lookupValueGuid',
}
/** The member that holds the description in a language. */
export const descriptionMember = (language: string) => `text${language[0]!.toUpperCase()}${language.slice(1)}`

/** A value as the members of its form: the description in each language is a member of its own. */
export const valueMembers = ({ descriptions, ...value }: StoredLookupValue) => ({
  ...value,
  ...Object.fromEntries(
    languages.map((language) => [descriptionMember(language), descriptions[language] ?? null]),
  ),
})

export async function findLookupValue(
  db: Db,
  guid: string,
  { lock = false } = {},
): Promise<StoredLookupValue | undefined> {
  const [row] = await db<StoredLookupValue[]>`
    select id as "lookupValueGuid", lookup_code as "lookupCode", lookup_key as "lookupKey", position, descriptions, version
    from lookup_value where id = ${guid} ${lock ? db`for update` : db``}`
  return row
}

/** Throws a 400, or a 409 for a key in use. */
export async function addLookupValue(
  db: Db,
  caller: Caller,
  input: LookupValueInput,
  origin: Origin,
): Promise<StoredLookupValue> {
  const checks = new FieldErrors()
  const lookupCode = cleanText(input.lookupCode ?? '').toLowerCase()
  const lookupKey = cleanText(input.lookupKey ?? '')
  if (!/^[a-z][a-z0-9_-]{0,49}$/.test(lookupCode))
    checks.add('lookupCode', 'is required: a letter, then letters, digits, - and _.')
  if (lookupKey === '') checks.add('lookupKey', 'is required.')
  if (lookupCodes.includes(lookupCode)) await checkBuiltIn(db, caller, { lookupCode, lookupKey }, checks)
  const changed = apply({ lookupCode, lookupKey, position: 0, descriptions: {} }, input, checks)
  checks.throwIfAny()
  const guid = makeId()
  try {
    await inTransaction(db, (tx) => insertTracked(tx, lookupValueTable, { guid, members: changed }, origin))
  } catch (error) {
    if (violatedUniqueness(error) !== 'lookup_value_key') throw error
    throw new ApiError(
      'conflict',
      `The lookup ${lookupCode} has this lookupKey already. Change that value.`,
      {
        errors: { lookupKey: ['belongs to another value of the lookup.'] },
      },
    )
  }
  return { lookupValueGuid: guid, ...changed, version: 1 }
}

/**
 * Refuses a value of a built-in lookup that accepts none, and the key of a built-in value unless the lookup lets a custom
 * value replace it (`extensible.replaces`).
 */
async function checkBuiltIn(
  db: Db,
  caller: Caller,
  { lookupCode, lookupKey }: { lookupCode: string; lookupKey: string },
  checks: FieldErrors,
): Promise<void> {
  const lookup = await findLookup(db, lookupCode)
  if (!lookup?.extensible)
    checks.add('lookupCode', 'is a list that accepts no more values. Choose another code for your own list.')
  else if (
    !lookup.extensible.replaces &&
    lookupKey !== '' &&
    (await lookup.find({ db, caller }, lookupKey)) !== undefined
  )
    checks.add('lookupKey', 'is a value of the lookup already.')
}

/** Returns the version after the change. */
export async function changeLookupValue(
  db: Db,
  { guid, input, ifMatch }: { guid: string; input: LookupValueChange; ifMatch: IfMatch },
  origin: Origin,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { lookupValueGuid: _, version, ...before } = await requireValue(tx, guid, ifMatch)
    const checks = new FieldErrors()
    const after = apply(before, input, checks)
    checks.throwIfAny()
    return updateTracked(tx, lookupValueTable, { guid, before, version, after }, origin)
  })
}

/** Throws a 404, a 409 while records use the value, or a 412. */
export async function removeLookupValue(
  db: Db,
  { guid, ifMatch }: { guid: string; ifMatch: IfMatch },
  { countUses, origin }: { countUses: CountUses; origin: Origin },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { lookupValueGuid: _, version: __, ...before } = await requireValue(tx, guid, ifMatch)
    const uses = await countUses(tx, before)
    // The type of an address is no custom field.
    if (before.lookupCode === 'addresstype') {
      const [row] = await tx<{ addresses: number }[]>`
        select count(*)::int as addresses from address where lower(address_type) = lower(${before.lookupKey})`
      uses['addresses'] = row!.addresses
    }
    const used = inUse('lookup value', uses)
    if (used) throw used
    await deleteTracked(tx, lookupValueTable, { guid, before }, origin)
  })
}

async function requireValue(tx: Db, guid: string, ifMatch: IfMatch): Promise<StoredLookupValue> {
  const found = await findLookupValue(tx, guid, { lock: true })
  if (!found) throw notFound('lookup value')
  requireMatch(ifMatch, found.version)
  return found
}

function apply(before: ValueRecord, input: LookupValueChange, checks: FieldErrors): ValueRecord {
  const members = input as Record<string, string | number | null | undefined>
  const descriptions: Descriptions = { ...before.descriptions }
  for (const language of languages) {
    const given = members[descriptionMember(language)]
    if (typeof given !== 'string') continue
    const text = cleanText(given)
    if (text === '') delete descriptions[language]
    else descriptions[language] = text
  }
  if (Object.keys(descriptions).length === 0)
    checks.add('textEn', 'is required unless another language has a text.')
  const position = typeof input.position === 'number' ? input.position : before.position
  return { ...before, position, descriptions }
}
