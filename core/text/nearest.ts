/** The word that was probably meant by a mistyped one. */
import { editDistance } from './edit-distance.ts'

/** Null when none is near: more than a third of the letters differ, or more than three. */
export function findNearest(given: string, words: readonly string[]): string | null {
  const most = Math.min(3, Math.max(1, Math.ceil(given.length / 3)))
  const near = words
    .map((word) => ({ word, errors: editDistance(given.toLowerCase(), word.toLowerCase()) }))
    .filter(({ errors }) => errors <= most)
    .toSorted((a, b) => a.errors - b.errors)
  return near[0]?.word ?? null
}
