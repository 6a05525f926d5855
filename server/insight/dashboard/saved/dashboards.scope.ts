import { anyParty } from '../../../access/scope/visible-rows.ts'
import { defineScope, type Scope } from '../../../platform/database/row-scope.ts'
import type { Caller } from '../../../platform/http/caller.ts'

/** True for callers who may share dashboards, and change shared ones, which belong to the agency. */
export const mayShareDashboards = (caller: Caller): boolean =>
  caller.partyIds === null && caller.accessCodes.has('report.admin')

/**
 * Dashboards `d`: the caller's own, and those shared with the caller (all shared ones for callers who may share). A dashboard
 * of a client that the caller may not see is left out.
 */
export const visibleDashboards = (caller: Caller): Scope<'dashboard'> =>
  defineScope('dashboard', (bind) => {
    const user = bind(caller.userId, 'uuid')
    const sharedCondition = mayShareDashboards(caller)
      ? 'd.user_id is null'
      : `d.user_id is null and (
          exists (select from dashboard_role s where s.dashboard_id = d.id and s.user_role = ${bind(caller.role, 'int')})
          or exists (select from dashboard_group s join user_access_group u on u.access_group_id = s.access_group_id
            where s.dashboard_id = d.id and u.user_id = ${user}))`
    const clientCondition =
      caller.partyIds === null ? 'true' : `(d.client_id is null or d.client_id = ${anyParty(caller, bind)})`
    return `(d.user_id = ${user} or ${sharedCondition}) and ${clientCondition}`
  })
