import type { Caller } from '../http/caller.ts'
import type { SqlText } from '../odata/filter.ts'

/** The condition on `debt_case c` for the cases that a caller may see: those of the clients allowed. */
export function visibleTo(caller: Caller, firstParameter: number): SqlText {
  if (caller.partyIds === null) return { text: 'true', parameters: [], usesPattern: false }
  return {
    text: `c.client_id = any($${firstParameter}::uuid[])`,
    parameters: [[...caller.partyIds]],
    usesPattern: false,
  }
}
