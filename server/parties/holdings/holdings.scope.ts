import { anyParty } from '../../access/scope/visible-rows.ts'
import { defineScope, type Scope } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** What clients have besides cases: that of the clients that are allowed. */
export const visibleHoldings = (caller: Caller): Scope<'holding'> =>
  defineScope('holding', (bind) =>
    caller.partyIds === null ? 'true' : `h.client_id = ${anyParty(caller, bind)}`,
  )
