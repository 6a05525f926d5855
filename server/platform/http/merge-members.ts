import { cleanText } from '../../../core/identity/person-name.ts'

export interface MergeOptions {
  /** Has the members that may be given; all may unless said. */
  known?: object
  /** The one text that is kept as it was written. */
  verbatim?: string
}

/**
 * The record that an input makes of the one before: omitted and null members stay, the empty text clears, texts lose
 * blanks that say nothing. What the members are worth is for the caller to check.
 */
export function mergeMembers<R extends object>(
  before: R,
  input: object,
  { known, verbatim }: MergeOptions = {},
): R {
  const given: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    if (value === null || value === undefined || (known && !(name in known))) continue
    const kept = typeof value === 'string' && name !== verbatim ? cleanText(value) : value
    given[name] = kept === '' ? null : kept
  }
  return { ...before, ...given }
}

/** A record with every field of a dictionary, each without a value. */
export const noMembers = <P extends object>(fields: P): Record<keyof P & string, null> =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, null])) as Record<keyof P & string, null>
