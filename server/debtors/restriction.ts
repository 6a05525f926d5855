import type { SqlText } from '../odata/filter.ts'
import type { Caller } from '../http/caller.ts'

/**
 * The condition on `debtor d` that holds for the debtors a caller may see: all, or those with a case of a client that
 * is allowed, and those without any case that the caller's own party made. Every statement that starts from a request
 * asks for it. For one debtor it is two looks at an index; for a list the database can also begin with the cases.
 */
export function visibleTo(caller: Caller, firstParameter: number): SqlText {
  if (caller.partyIds === null) return { text: 'true', parameters: [], usesPattern: false }
  return {
    text: `d.id in (
      select seen.debtor_id from case_debtor seen where seen.client_id = any($${firstParameter}::uuid[])
      union all
      select own.id from debtor own where own.created_by_party_id = $${firstParameter + 1}::uuid
        and not exists (select from case_debtor other where other.debtor_id = own.id))`,
    parameters: [[...caller.partyIds], caller.partyId],
    usesPattern: false,
  }
}
