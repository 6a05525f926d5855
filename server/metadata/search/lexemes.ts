/** Questions to the items' lexemes, as `search_lexemes` makes them in the database. */
import type { ItemType } from '../../../contract/metadata/items.ts'
import { foldText, wordsOf } from '../../../core/text/fold-text.ts'

/** `w` a word, `n` the whole first line, `r` the second, `i` an identity number, `p` a phone, `e` an e-mail. */
export type LexemeKind = 'w' | 'n' | 'r' | 'i' | 'p' | 'e'

/** One lexeme, or all that begin so, quoted so that nothing in the text is read as an operator. */
export const lexeme = (type: ItemType, kind: LexemeKind, text: string, prefix = false): string =>
  `'${`${type}${kind}:${text}`.replaceAll('\\', '\\\\').replaceAll("'", "''")}'${prefix ? ':*' : ''}`

export const allOf = (questions: readonly string[]): string => questions.join(' & ')
export const anyOf = (questions: readonly string[]): string => `(${questions.join(' | ')})`

const nameMax = 200
const referenceMax = 100

export const wholeName = (text: string): string => foldText(text.trim()).slice(0, nameMax)

/** A number or reference by its letters and digits alone. */
export const compactOf = (text: string): string =>
  foldText(text)
    .replace(/[^0-9a-z]+/g, '')
    .slice(0, referenceMax)

/** More words than a name has say nothing more. */
const wordsMax = 6
export const someWordsOf = (text: string): string[] => wordsOf(text).slice(0, wordsMax)

/** The words of a name, the last of which may have only begun. */
export const wordsQuestion = (
  type: ItemType,
  words: readonly string[],
  prefixes: 'none' | 'last' | 'all',
): string =>
  allOf(
    words.map((word, index) =>
      lexeme(type, 'w', word, prefixes === 'all' || (prefixes === 'last' && index === words.length - 1)),
    ),
  )
