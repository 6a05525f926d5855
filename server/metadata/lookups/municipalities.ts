/** The municipalities of data/municipalities.json as lookup values. A code is only unique within its country. */
import { municipalities, type Municipality } from '../../../core/identity/municipalities.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import type { ListedValue } from './lookup.ts'

/** Both names of a bilingual municipality, the caller's language first. */
function joinNames({ name, swedishName }: Municipality, language: Language): string {
  if (swedishName === undefined) return name
  return language === 'sv' ? `${swedishName} - ${name}` : `${name} - ${swedishName}`
}

/** Listed under their countries, sorted by name. */
export function listMunicipalities(language: Language): ListedValue[] {
  const { compare } = new Intl.Collator(language === 'no' ? 'nb' : language)
  return municipalities
    .map((one) => ({
      key: one.code,
      description: `${joinNames(one, language)}, ${one.country}`,
      under: [one.country],
    }))
    .toSorted((a, b) => compare(a.description, b.description))
}
