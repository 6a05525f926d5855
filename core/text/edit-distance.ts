/**
 * The number of typing errors between two words: wrong, missing, extra or transposed letters (restricted
 * Damerau–Levenshtein distance).
 */
export function editDistance(a: string, b: string): number {
  const [from, to] = [[...a], [...b]]
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [row, letter] of from.entries()) {
    const next = [row + 1]
    for (const [column, other] of to.entries()) {
      const changed = last[column]! + (letter === other ? 0 : 1)
      const swapped =
        row > 0 && column > 0 && letter === to[column - 1] && from[row - 1] === other
          ? before[column - 1]! + 1
          : Infinity
      next.push(Math.min(changed, last[column + 1]! + 1, next[column]! + 1, swapped))
    }
    ;[before, last] = [last, next]
  }
  return last[to.length]!
}
