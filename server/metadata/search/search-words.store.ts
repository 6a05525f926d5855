/** Finds the words that a mistyped word may stand for. */
import { editDistance } from '../../../core/text/edit-distance.ts'
import { runStatement } from '../../platform/database/statement.ts'
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
 * For each word at most six candidates, nearest first; only the word itself where correction makes no sense, such as for a
 * number. One statement for all words, whose plan is kept: it takes less time than the planning would.
 */
export async function findWordCandidates(db: Db, words: readonly string[]): Promise<WordCandidate[][]> {
  const wanted = words.filter((word) => wordForm.test(word))
  const variants = wanted.flatMap((word, index) => {
    if ([...word].length > shortMax) return []
    const plain = plainVariants(word).map((text) => ({ index, text, isPattern: false }))
    return [...plain, ...patternVariants(word).map((text) => ({ index, text, isPattern: true }))]
  })
  const rows =
    wanted.length === 0
      ? []
      : await runStatement<{ index: number; word: string }>(
          db,
          candidatesText,
          [
            wanted,
            variants.map(({ index }) => index),
            variants.map(({ text }) => text),
            variants.map(({ isPattern }) => isPattern),
          ],
          { prepare: true },
        )
  return words.map((word) => {
    const index = wanted.indexOf(word)
    const found = rows.filter((row) => row.index === index).map((row) => row.word)
    return index < 0 ? [{ word, nearness: 1 }] : rankNearest(word, found)
  })
}

const candidatesText = `
  with variant as materialized (
    select * from unnest((select $2::int[]), (select $3::text[]), (select $4::boolean[])) v (index, text, is_pattern)
  )
  select (given.position - 1)::int as index, near.word
    from unnest((select $1::text[])) with ordinality given (word, position), lateral (
      select word from search_word w where w.word % given.word order by similarity(w.word, given.word) desc limit 30) near
  union select v.index, w.word from variant v join search_word w on w.word = v.text where not v.is_pattern
  union select v.index, w.word from variant v
    join search_word w on w.word like v.text and w.word ^@ left(v.text, 1) where v.is_pattern`

const rankNearest = (typed: string, found: readonly string[]): WordCandidate[] =>
  found
    .map((word) => ({
      word,
      nearness: 1 - editDistance(word, typed) / Math.max(word.length, typed.length),
    }))
    .filter(({ nearness }) => nearness >= nearnessMin)
    .toSorted((a, b) => b.nearness - a.nearness || (a.word < b.word ? -1 : 1))
    .slice(0, meantMax)
