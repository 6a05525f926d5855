/** The counters of `list_total` that move when names come or go which contain a text (`add_name_parts` in the database). */

/** The number of counters. */
const counters = 61
/** A filter's total is good while one of its counters stands still: more of them help little. */
const partsMax = 8

/** By three letters in a row; none for shorter texts. */
export function findNameParts(texts: readonly string[]): number[] {
  const parts = new Set(texts.flatMap(findParts))
  return [...parts].toSorted((a, b) => a - b).slice(0, partsMax)
}

function findParts(text: string): number[] {
  const codes = [...text].map((letter) => letter.codePointAt(0)!)
  return codes
    .slice(2)
    .map((last, index) => ((codes[index]! * 961 + codes[index + 1]! * 31 + last) % counters) + 1)
}

/** Counts of changes as a statement tells them: one number, or one for each of a filter's counters. */
export type Changes = number | string | null

export const selectNameParts = (entity: string, parts: readonly number[]): string =>
  `(select string_agg(moved::text, ' ' order by part) from (
    select part, sum(name_parts[part]) as moved
    from list_total, unnest('{${parts.join(',')}}'::int[]) part where entity = '${entity}' group by part) counted)`

/** Whether nothing that was counted can have changed. */
export function isUnchanged(before: Changes | undefined, now: Changes | undefined): boolean {
  if (typeof before !== 'string' || typeof now !== 'string') return before === now
  const known = before.split(' ')
  return now.split(' ').some((count, index) => count === known[index])
}
