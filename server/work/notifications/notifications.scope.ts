import { actOperations } from '../../access/approvals/acts.ts'
import { anyParty, debtorIsVisible } from '../../access/scope/visible-rows.ts'
import { defineScope, type Scope } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** The caller's own notifications `nt`, of what the caller may still see and decide. */
export const ownNotifications = (caller: Caller): Scope<'notification'> =>
  defineScope('notification', (bind) => {
    const acts = Object.entries(actOperations)
      .filter(([, { code }]) => caller.accessCodes.has(code))
      .map(([act]) => act)
    const conditions = [
      `nt.user_id = ${bind(caller.userId, 'uuid')}`,
      `(nt.kind <> 'APPROVAL_WAITING' or nt.name = any(${bind(acts, 'text[]')}))`,
    ]
    if (!caller.accessCodes.has('case.read')) conditions.push('nt.case_id is null')
    if (!caller.accessCodes.has('debtor.read')) conditions.push('nt.debtor_id is null')
    if (caller.partyIds !== null)
      conditions.push(
        `(nt.client_id is null or nt.client_id = ${anyParty(caller, bind)})`,
        `(nt.debtor_id is null or ${debtorIsVisible(caller, 'nt.debtor_id', bind)})`,
      )
    return conditions.join(' and ')
  })
