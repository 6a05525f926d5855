/** Finds the words that a mistyped word may stand for. */
import { editDistance } from '../../../core/text/edit-distance.ts'
import type { Db } from '../../platform/database/transaction.ts'

export interface WordCandidate {
  word: string
  /** From 0 to 1; 1 is the word itself. */
  nearness: number
}

const meantMax = 6
const nearnessMin = 0.6
/** A short word shares too few trigrams with a word that differs in one letter. */
const shortMax = 6

/** Variants of a short word: one letter removed, or two adjacent letters swapped. */
function plainVariants(word: string): string[] {
  const letters = [...word]
  return letters.flatMap((letter, index) => {
    const without = letters.toSpliced(index, 1).join('')
    const next = letters[index + 1]
    return next === undefined ? [without] : [without, letters.toSpliced(index, 2, next, letter).join('')]
  })
}

/** Patterns with one letter added or replaced after the first letter: the index needs a fixed beginning. */
function patternVariants(word: string): string[] {
  const letters = [...word]
  const inside = letters
    .slice(1)
    .flatMap((_, index) => [
      letters.toSpliced(index + 1, 1, '_').join(''),
      letters.toSpliced(index + 1, 0, '_').join(''),
    ])
  return [...inside, `${word}_`]
}

/** Letters only, so that no character acts as a pattern. */
const wordForm = /^[\p{L}\p{M}]{3,40}$/u

/**
 * At most six candidates, nearest first. Returns only the word itself where correction makes no sense, such as for a
 * number.
 */
export async function findWordCandidates(db: Db, word: string): Promise<WordCandidate[]> {
  if (!wordForm.test(word)) return [{ word, nearness: 1 }]
  const isShort = [...word].length <= shortMax
  const [plain, open] = isShort ? [plainVariants(word), patternVariants(word)] : [[], []]
  const rows = await db<{ word: string }[]>`
    (select word from search_word where word % ${word} order by similarity(word, ${word}) desc limit 30)
    union select word from search_word where word = any(${plain}::text[])
    union select w.word from unnest(${open}::text[]) p (pattern)
      join search_word w on w.word like p.pattern and w.word ^@ left(p.pattern, 1)`
  return rows
    .map((row) => ({
      word: row.word,
      nearness: 1 - editDistance(row.word, word) / Math.max(row.word.length, word.length),
    }))
    .filter(({ nearness }) => nearness >= nearnessMin)
    .toSorted((a, b) => b.nearness - a.nearness || (a.word < b.word ? -1 : 1))
    .slice(0, meantMax)
}
