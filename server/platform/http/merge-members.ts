import { toMidnight } from '../../../core/calendar/date-time.ts'
import { cleanText } from '../../../core/identity/person-name.ts'

export interface MergeOptions {
  /** The allowed members. Default: all. */
  known?: object
  /** The one text that is stored exactly as given. */
  verbatim?: string
  /** The members that are calendar dates, which are stored as midnight UTC. */
  days?: readonly string[]
}

/**
 * Applies an input to a record: omitted and null members stay, the empty text clears, and texts lose surrounding
 * spaces. The caller checks the values.
 */
export function mergeMembers<R extends object>(
  before: R,
  input: object,
  { known, verbatim, days = [] }: MergeOptions = {},
): R {
  const given: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    if (value === null || value === undefined || (known && !(name in known))) continue
    const kept = typeof value === 'string' && name !== verbatim ? cleanText(value) : value
    if (kept === '') given[name] = null
    else given[name] = typeof kept === 'string' && days.includes(name) ? toMidnight(kept) : kept
  }
  return { ...before, ...given }
}

/** A record with every field of a dictionary, each without a value. */
export const noMembers = <P extends object>(fields: P): Record<keyof P & string, null> =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, null])) as Record<keyof P & string, null>
