/** Matches headings to the fields of a kind: by field name, by label in the six languages, by common synonyms. */
import { importedKinds, type ImportedKind } from '../../../../contract/integration/imported-kinds.ts'
import { languages } from '../../../../contract/platform/languages.ts'
import { foldText } from '../../../../core/text/fold-text.ts'
import { headingWords, type HeadingWords } from '../../../../core/text/import-headings.ts'
import { referenceName } from '../reading/columns.ts'
import { importLabel, kindFields } from './kind-fields.ts'

/** Letters and digits alone, without case and accents: `E-post` and `epost` are the same. */
const fold = (text: string) => foldText(text).replace(/[^\p{L}\p{N}]/gu, '')

export interface HeadingMatcher {
  /** The field of each heading, or null. No field is there twice. */
  match(columns: readonly string[]): (string | null)[]
}

const matchers = new Map<ImportedKind, readonly ReadonlyMap<string, string>[]>()

/** `customFields` are codes and labels of custom fields. */
export function headingMatcher(
  what: ImportedKind,
  customFields: readonly { name: string; label: string }[] = [],
): HeadingMatcher {
  const custom = new Map(
    customFields.flatMap(({ name, label }) => [
      [fold(name), name],
      [fold(label), name],
    ]),
  )
  const tables = [...(matchers.get(what) ?? keep(what)), custom]
  return {
    match: (columns) => {
      const found: (string | null)[] = columns.map(() => null)
      const taken = new Set<string>()
      for (const table of tables) {
        for (const [index, heading] of columns.entries()) {
          const name = table.get(fold(heading))
          if (found[index] !== null || name === undefined || taken.has(name)) continue
          found[index] = name
          taken.add(name)
        }
      }
      return found
    },
  }
}

/** Whether some kind has a field of that name. What has a name is not guessed by its values. */
export function isKnownHeading(heading: string): boolean {
  const word = fold(heading)
  return (
    word !== '' &&
    importedKinds.some((what) => (matchers.get(what) ?? keep(what)).some((table) => table.has(word)))
  )
}

/** The tables in order of precedence. An earlier field of a table keeps a word that a later one has too. */
function keep(what: ImportedKind): readonly ReadonlyMap<string, string>[] {
  const names = [referenceName, ...Object.keys(kindFields[what].schema.properties)]
  const own: HeadingWords = headingWords.ofKinds[what] ?? {}
  const tables = [
    toTable(names, (name) => [name]),
    toTable(names, (name) => own[name] ?? []),
    toTable(names, (name) => languages.map((language) => importLabel(language, what, name))),
    toTable(names, (name) => headingWords.all[name] ?? []),
  ]
  matchers.set(what, tables)
  return tables
}

function toTable(names: readonly string[], words: (name: string) => readonly string[]): Map<string, string> {
  const table = new Map<string, string>()
  for (const name of names)
    for (const word of words(name).map(fold)) if (word !== '' && !table.has(word)) table.set(word, name)
  return table
}
