import { defineScope, type Scope } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { anyParty } from '../scope/visible-rows.ts'
import { actOperations } from './acts.ts'

/**
 * Requests `ap` with their case `c`: for acts that the caller may do, and the caller's own. A restricted caller sees
 * those about allowed clients and their cases, and own requests about several cases.
 */
export const visibleApprovals = (caller: Caller): Scope<'approval'> =>
  defineScope('approval', (bind) => {
    const acts = Object.entries(actOperations)
      .filter(([, { code }]) => caller.accessCodes.has(code))
      .map(([act]) => act)
    const own = `(ap.act = any(${bind(acts, 'text[]')}) or ap.requested_by = ${bind(caller.userId, 'uuid')})`
    if (caller.partyIds === null) return own
    const about = 'coalesce(c.client_id, ap.client_id)'
    return `${own} and (${about} = ${anyParty(caller, bind)} or ${about} is null and ap.requested_by = ${bind(caller.userId, 'uuid')})`
  })

/**
 * Requests `ap` with their case `c` that the caller may still make: a restricted caller those about allowed clients alone.
 * An act of no client and no case is the agency's.
 */
export const ownApprovals = (caller: Caller): Scope<'approval'> =>
  defineScope('approval', (bind) => {
    if (caller.partyIds === null) return 'true'
    const allowed = anyParty(caller, bind)
    return `coalesce(coalesce(c.client_id, ap.client_id) = ${allowed}, cardinality(ap.case_ids) > 0)
      and not exists (select from debt_case o where o.id = any(ap.case_ids) and not o.client_id = ${allowed})`
  })
