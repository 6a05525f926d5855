/** Ranks how well a value matches the typed text (contract section 13). */
import { foldText } from '../../../core/text/fold-text.ts'

/** The texts of a value that can match. `code` is a record's reference where its key is a GUID. */
export interface Matchable {
  key: string
  description: string
  code?: string | null
}

const startsWord = (text: string, part: string) => {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!)) return true
  }
  return false
}

function rank({ key, description, code }: Matchable, typed: string, plain: (text: string) => string): number {
  const names = [plain(key), ...(code ? [plain(code)] : [])]
  const text = plain(description)
  if (names.includes(typed)) return 0
  if (names.some((name) => name.startsWith(typed))) return 1
  if (names.some((name) => name.includes(typed))) return 2
  if (text === typed) return 3
  if (text.startsWith(typed)) return 4
  if (startsWord(text, typed)) return 5
  return text.includes(typed) ? 6 : Infinity
}

const lower = (text: string) => text.normalize('NFC').toLowerCase()

/**
 * The matching values, best first and at most `most`; equal ones keep their order. Accents are ignored, but exact
 * matches of typed accents come first.
 */
export function bestMatches<T extends Matchable>(values: readonly T[], typed: string, most: number): T[] {
  const trimmed = typed.trim()
  if (trimmed === '') return values.slice(0, most)
  const [folded, exact] = [foldText(trimmed), lower(trimmed)]
  return values
    .map((value) => {
      const place = rank(value, folded, foldText)
      return { value, place: place === Infinity || rank(value, exact, lower) === place ? place : place + 0.5 }
    })
    .filter(({ place }) => place < Infinity)
    .toSorted((a, b) => a.place - b.place)
    .slice(0, most)
    .map(({ value }) => value)
}
