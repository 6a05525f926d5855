/** Builds queries for the items' lexemes, which `search_lexemes` creates in the database. */
import type { ItemType } from '../../../contract/metadata/items.ts'
import { foldText, foldedWords } from '../../../core/text/fold-text.ts'

/**
 * `w` a word, `n` the whole first line, `r` the second line, `i` an identity number, `p` a phone number, `e` an e-mail,
 * `c` a client with a case of the debtor.
 */
export type LexemeKind = 'w' | 'n' | 'r' | 'i' | 'p' | 'e' | 'c'

/** One lexeme, or all with that prefix. Quoted, so that no character of the text is an operator. */
export const lexeme = (type: ItemType, kind: LexemeKind, text: string, prefix = false): string =>
  `'${`${type}${kind}:${text}`.replaceAll('\\', '\\\\').replaceAll("'", "''")}'${prefix ? ':*' : ''}`

export const joinAll = (questions: readonly string[]): string => questions.join(' & ')
export const joinAny = (questions: readonly string[]): string => `(${questions.join(' | ')})`

const nameMax = 200
const referenceMax = 100

export const wholeName = (text: string): string => foldText(text.trim()).slice(0, nameMax)

/** A number or reference reduced to its letters and digits. */
export const compactText = (text: string): string =>
  foldText(text)
    .replace(/[^0-9a-z]+/g, '')
    .slice(0, referenceMax)

/** Names have at most this many useful words. */
const wordsMax = 6
export const firstWords = (text: string): string[] => foldedWords(text).slice(0, wordsMax)

/** A query for the words of a name. The last word may be incomplete. */
export const wordsQuestion = (
  type: ItemType,
  words: readonly string[],
  prefixes: 'none' | 'last' | 'all',
): string =>
  joinAll(
    words.map((word, index) =>
      lexeme(type, 'w', word, prefixes === 'all' || (prefixes === 'last' && index === words.length - 1)),
    ),
  )

/** As `client_search_key` in the database writes it. */
const clientKeyLength = 12

/** A query for the debtors that may have a case of one of the clients, or have none. */
export const clientsQuestion = (clients: readonly string[]): string =>
  joinAny(['', ...clients.map((id) => id.slice(-clientKeyLength))].map((key) => lexeme(3, 'c', key)))
