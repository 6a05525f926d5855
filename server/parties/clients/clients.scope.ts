import { anyParty } from '../../access/scope/visible-rows.ts'
import { defineScope, type Scope } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** Clients: the anyParty below the agency, or those of them that are allowed. */
export const visibleClients = (caller: Caller): Scope<'client'> =>
  defineScope('client', (bind) =>
    caller.partyIds === null
      ? 'p.parent_id is not null'
      : `p.parent_id is not null and p.id = ${anyParty(caller, bind)}`,
  )
