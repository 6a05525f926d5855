/** The texts of forms, in the caller's language: `data/labels`, a file per language, keyed alike, and beside them what fields mean. */
import { readFileSync } from 'node:fs'
import { languages, type Language } from '../../../contract/platform/languages.ts'

type Labels = Readonly<Record<string, string>>

const readTexts = (folder: string): Readonly<Record<Language, Labels>> =>
  Object.fromEntries(
    languages.map((language) => {
      const file = new URL(`../../../data/labels/${folder}${language}.json`, import.meta.url)
      return [language, JSON.parse(readFileSync(file, 'utf8')) as Labels]
    }),
  ) as Record<Language, Labels>

export const labels = readTexts('')

/** What fields mean, where the label alone does not say it: `<entity>.<field>`, or `*.<field>` for every entity. */
export const descriptions = readTexts('descriptions/')

/** The text of the first key that there is, in the language or else in English. */
export const findLabel = (language: Language, ...keys: string[]): string | undefined =>
  findText(labels, language, keys)

function findText(texts: typeof labels, language: Language, keys: readonly string[]): string | undefined {
  for (const own of [texts[language], texts.en]) {
    const key = keys.find((one) => Object.hasOwn(own, one))
    if (key !== undefined) return own[key]
  }
  return undefined
}

/** The label of an entity's field: its own, or that of every field of the name. */
export const fieldLabel = (language: Language, entity: string, code: string): string =>
  findLabel(language, `${entity}.${code}`, `*.${code}`) ?? code

/** What an entity's field means: its own text, or that of every field of the name. */
export const fieldDescription = (language: Language, entity: string, code: string): string | undefined =>
  findText(descriptions, language, [`${entity}.${code}`, `*.${code}`])
