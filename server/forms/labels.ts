/** The texts of forms, in the caller's language: `data/labels`, a file per language, keyed alike. */
import { readFileSync } from 'node:fs'
import { languages, type Language } from '../../contract/languages.ts'

type Labels = Readonly<Record<string, string>>

const readLabels = (language: Language) =>
  JSON.parse(readFileSync(new URL(`../../data/labels/${language}.json`, import.meta.url), 'utf8')) as Labels

export const labels: Readonly<Record<Language, Labels>> = Object.fromEntries(
  languages.map((language) => [language, readLabels(language)]),
) as Record<Language, Labels>

/** The text of the first key that there is, in the language or else in English. */
export function findLabel(language: Language, ...keys: string[]): string | undefined {
  for (const texts of [labels[language], labels.en]) {
    const key = keys.find((one) => Object.hasOwn(texts, one))
    if (key !== undefined) return texts[key]
  }
  return undefined
}

/** The label of an entity's field: its own, or that of every field of the name. */
export const fieldLabel = (language: Language, entity: string, code: string): string =>
  findLabel(language, `${entity}.${code}`, `*.${code}`) ?? code
