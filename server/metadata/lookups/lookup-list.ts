/** The lookups themselves: for whoever says from which lookup a field has its values. */
import { lookupValuesMax } from '../../../contract/metadata/lookups.ts'
import { texts } from '../../../core/text/texts.ts'
import { listDefinedLookups, listDefinedValues } from './defined-values.store.ts'
import type { Lookup, LookupMatch, LookupRequest } from './lookup.ts'
import { bestMatches } from './match.ts'

type Lookups = ReadonlyMap<string, Lookup>

/** Lists the agency's own lookups and the built-in ones that `offers` accepts. Other codes may be typed. */
export function lookupList(builtIn: Lookups, offers: (lookup: Lookup) => boolean): Lookup {
  const list = async (request: LookupRequest) => {
    const own = (await listDefinedLookups(request.db)).filter((code) => !builtIn.has(code))
    const offered = [...builtIn].filter(([, lookup]) => offers(lookup))
    const described = [
      ...own.map(async (code) => toMatch(code, await describeOwn(request, code))),
      ...offered.map(async ([code, lookup]) => toMatch(code, await describeBuiltIn(request, code, lookup))),
    ]
    return Promise.all(described)
  }
  return {
    closed: false,
    short: false,
    search: async (request, text) => bestMatches(await list(request), text, lookupValuesMax),
    find: async (request, key) => (await list(request)).find((match) => match.key === key.toLowerCase()),
  }
}

const toMatch = (key: string, description: string): LookupMatch => ({
  key,
  description: description === '' ? key : `${description} (${key})`,
})

const examplesMax = 3

/** The first values say best what a list holds. */
function listExamples(values: readonly LookupMatch[]): string {
  const examples = values.slice(0, examplesMax).map(({ description }) => description)
  return examples.join(', ') + (values.length > examplesMax ? ' …' : '')
}

const describeOwn = async ({ db, caller }: LookupRequest, code: string) =>
  listExamples(await listDefinedValues(db, code, caller.language))

/** Lookups of records have the name of the record: their values differ by caller. */
async function describeBuiltIn(request: LookupRequest, code: string, lookup: Lookup): Promise<string> {
  if (lookup.access === undefined) return listExamples(await lookup.search(request, '', []))
  const names: Readonly<Record<string, string>> = texts[request.caller.language].console
  return names[`entity.${code}`] ?? ''
}
