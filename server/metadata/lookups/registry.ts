/** Every lookup by its code. Codes are case-insensitive. */
import { lookupValuesMax } from '../../../contract/metadata/lookups.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { findDefinedValue, isDefinedLookup, listDefinedValues } from './defined-values.store.ts'
import type { LookupExtension, LookupMatch, Lookup } from './lookup.ts'
import { lookupList } from './lookup-list.ts'
import { bestMatches } from './match.ts'
import { recordLookups } from './record-lookups.ts'
import { installedLookups, staticLookups } from './static-lookups.ts'

const listed = new Map<string, Lookup>(
  Object.entries({ ...staticLookups, ...recordLookups, ...installedLookups }),
)
const builtIn = new Map<string, Lookup>([
  ...listed,
  ['lookup', lookupList(listed, () => true)],
  ['extensiblelookup', lookupList(listed, ({ extensible }) => extensible !== undefined)],
])

/** The codes of the built-in lookups. */
export const lookupCodes: readonly string[] = [...builtIn.keys()].toSorted()

/** True if a field may store only values of the lookup. Custom lookups are closed. */
export const isClosedLookup = (code: string): boolean => builtIn.get(code.toLowerCase())?.closed ?? true

/** True if the lookup is short enough to list in full. */
export const isShortLookup = (code: string): boolean => builtIn.get(code.toLowerCase())?.short ?? false

/** A custom lookup without built-in values. */
const defined = (code: string): Lookup => ({
  closed: true,
  short: false,
  search: async ({ db, caller }, text) =>
    bestMatches(await listDefinedValues(db, code, caller.language), text, lookupValuesMax),
  find: ({ db, caller }, key) => findDefinedValue(db, code, key, caller.language),
})

/** The built-in values, followed by custom ones. Custom values with a built-in key replace it. */
const extended = (code: string, lookup: Lookup, { list }: LookupExtension): Lookup => ({
  ...lookup,
  search: async ({ db, caller }, text, given) => {
    const own = await listDefinedValues(db, code, caller.language)
    const replaced = new Set(own.map(({ key }) => key.toLowerCase()))
    const builtInValues = list(caller.language, given).filter(({ key }) => !replaced.has(key.toLowerCase()))
    return bestMatches([...builtInValues, ...own], text, lookupValuesMax)
  },
  find: async (request, key) => (await defined(code).find(request, key)) ?? lookup.find(request, key),
})

export async function findLookup(db: Db, code: string): Promise<Lookup | undefined> {
  const lower = code.toLowerCase()
  const lookup = builtIn.get(lower)
  if (lookup) return lookup.extensible ? extended(lower, lookup, lookup.extensible) : lookup
  return (await isDefinedLookup(db, lower)) ? defined(lower) : undefined
}

/** The value of a key, as the caller sees it. */
export async function findLookupValue(
  db: Db,
  caller: Caller,
  code: string,
  key: string,
): Promise<LookupMatch | undefined> {
  const lookup = await findLookup(db, code)
  return lookup?.find({ db, caller }, key)
}
