/** Custom lookup values: of custom lookups, and in addition to some built-in ones. */
import type { Language } from '../../../contract/platform/languages.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { LookupMatch } from './lookup.ts'

interface Row {
  key: string
  descriptions: Partial<Record<Language, string>>
}

const toFound = ({ key, descriptions }: Row, language: Language): LookupMatch => ({
  key,
  description: descriptions[language] ?? descriptions.en ?? Object.values(descriptions)[0] ?? key,
})

/** In their order. Empty for a code without values. */
export async function listDefinedValues(
  db: Db,
  lookupCode: string,
  language: Language,
): Promise<LookupMatch[]> {
  const rows = await db<Row[]>`
    select lookup_key as key, descriptions from lookup_value where lookup_code = ${lookupCode}
    order by position, lookup_key limit 10000`
  return rows.map((row) => toFound(row, language))
}

export async function findDefinedValue(
  db: Db,
  lookupCode: string,
  key: string,
  language: Language,
): Promise<LookupMatch | undefined> {
  const [row] = await db<Row[]>`
    select lookup_key as key, descriptions from lookup_value
    where lookup_code = ${lookupCode} and lower(lookup_key) = lower(${key})`
  return row && toFound(row, language)
}

/** The codes of lookups to which the agency has added values. */
export async function listDefinedLookups(db: Db): Promise<string[]> {
  const rows = await db<{ code: string }[]>`
    select distinct lookup_code as code from lookup_value order by lookup_code limit 1000`
  return rows.map(({ code }) => code)
}

export async function isDefinedLookup(db: Db, lookupCode: string): Promise<boolean> {
  const [row] = await db<{ any: boolean }[]>`
    select exists (select from lookup_value where lookup_code = ${lookupCode}) as any`
  return row!.any
}
