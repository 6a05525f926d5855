import type { SqlText } from '../odata/filter.ts'
import type { Caller } from '../http/caller.ts'

/**
 * The condition on `debtor d` that holds for the debtors a caller may see: all, or those without a case that their own
 * party made. Every statement of this slice that starts from a request asks for it.
 */
export function visibleTo(caller: Caller, firstParameter: number): SqlText {
  if (caller.partyIds === null) return { text: 'true', parameters: [], usesPattern: false }
  return {
    text: `d.created_by_party_id = $${firstParameter}::uuid`,
    parameters: [caller.partyId],
    usesPattern: false,
  }
}
