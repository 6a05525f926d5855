import { defineScope, type Bind, type Scope } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { anyParty } from '../scope/visible-rows.ts'
import { actOperations } from './acts.ts'

const client = 'coalesce(c.client_id, ap.client_id)'

/** Requests about allowed clients alone. Those of no client and no case concern the whole agency. */
function isAllowed(caller: Caller, bind: Bind): string {
  const allowed = anyParty(caller, bind)
  return `coalesce(${client} = ${allowed}, cardinality(ap.case_ids) > 0)
    and not exists (select from debt_case o where o.id = any(ap.case_ids) and not o.client_id = ${allowed})`
}

/**
 * Requests `ap` with their case `c`: for acts that the caller may do, and the caller's own. A restricted caller sees those
 * about allowed clients, and of those about several clients only own ones.
 */
export const visibleApprovals = (caller: Caller): Scope<'approval'> =>
  defineScope('approval', (bind) => {
    const acts = Object.entries(actOperations)
      .filter(([, { code }]) => caller.accessCodes.has(code))
      .map(([act]) => act)
    const isOwn = `ap.requested_by = ${bind(caller.userId, 'uuid')}`
    const mayDecide = `(ap.act = any(${bind(acts, 'text[]')}) or ${isOwn})`
    if (caller.partyIds === null) return mayDecide
    return `${mayDecide} and (${client} is not null or ${isOwn}) and ${isAllowed(caller, bind)}`
  })

/** Requests `ap` with their case `c` that the caller could make today. */
export const allowedApprovals = (caller: Caller): Scope<'approval'> =>
  defineScope('approval', (bind) => (caller.partyIds === null ? 'true' : isAllowed(caller, bind)))
