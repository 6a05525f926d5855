/** The municipalities of data/municipalities.json as values to choose: a code is understood with its country. */
import { municipalities, type Municipality } from '../../../core/identity/municipalities.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import type { ListedValue } from './lookup.ts'

/** Both names where there are two, as people know either; the caller's first. */
function namesOf({ name, swedishName }: Municipality, language: Language): string {
  if (swedishName === undefined) return name
  return language === 'sv' ? `${swedishName} - ${name}` : `${name} - ${swedishName}`
}

/** Listed under their countries, in the order of names. */
export function listMunicipalities(language: Language): ListedValue[] {
  const { compare } = new Intl.Collator(language === 'no' ? 'nb' : language)
  return municipalities
    .map((one) => ({
      key: one.code,
      description: `${namesOf(one, language)}, ${one.country}`,
      under: [one.country],
    }))
    .toSorted((a, b) => compare(a.description, b.description))
}
