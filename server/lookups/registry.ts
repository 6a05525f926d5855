/** Every lookup by its code. Codes are compared without regard to case. */
import { lookupValuesMax } from '../../contract/lookups.ts'
import type { Db } from '../database/transaction.ts'
import type { Caller } from '../http/caller.ts'
import { findDefinedValue, isDefinedLookup, listDefinedValues } from './defined-values.store.ts'
import type { Found, Lookup } from './lookup.ts'
import { bestMatches } from './match.ts'
import { recordLookups } from './record-lookups.ts'
import { installedLookups, staticLookups } from './static-lookups.ts'

const builtIn = new Map<string, Lookup>(
  Object.entries({ ...staticLookups, ...recordLookups, ...installedLookups }),
)

/** The codes of the lookups that every installation has. */
export const lookupCodes: readonly string[] = [...builtIn.keys()].toSorted()

/** Whether only the lookup's values may be stored in a field that has it. One that an installation made is closed. */
export const isClosedLookup = (code: string): boolean => builtIn.get(code.toLowerCase())?.closed ?? true

/** Whether the lookup is short enough to be shown whole. */
export const isShortLookup = (code: string): boolean => builtIn.get(code.toLowerCase())?.short ?? false

/** A lookup of the installation's own values alone. */
const defined = (code: string): Lookup => ({
  closed: true,
  short: false,
  search: async ({ db, caller }, text) =>
    bestMatches(await listDefinedValues(db, code, caller.language), text, lookupValuesMax),
  find: ({ db, caller }, key) => findDefinedValue(db, code, key, caller.language),
})

/** The built-in values, and after them those that the installation added. */
const extended = (code: string, lookup: Lookup): Lookup => ({
  ...lookup,
  search: async (request, text, given) => {
    const builtInValues = await lookup.search(request, '', given)
    const own = await listDefinedValues(request.db, code, request.caller.language)
    return bestMatches([...builtInValues, ...own], text, lookupValuesMax)
  },
  find: async (request, key) => (await lookup.find(request, key)) ?? defined(code).find(request, key),
})

export async function findLookup(db: Db, code: string): Promise<Lookup | undefined> {
  const lower = code.toLowerCase()
  const lookup = builtIn.get(lower)
  if (lookup) return lookup.extensible ? extended(lower, lookup) : lookup
  return (await isDefinedLookup(db, lower)) ? defined(lower) : undefined
}

/** The value of a key, as the caller sees it. */
export async function findLookupValue(
  db: Db,
  caller: Caller,
  code: string,
  key: string,
): Promise<Found | undefined> {
  const lookup = await findLookup(db, code)
  return lookup?.find({ db, caller }, key)
}
