import { debtorIsVisible } from '../../access/scope/visible-rows.ts'
import { defineScope, type Scope } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/**
 * Jobs that do what their user could do by hand, and that a caller restricted to clients may start. All other jobs work on
 * the whole installation: who retries one goes on in the place of its user.
 */
export const kindsOfUsers = ['service', 'bulk']

/**
 * Jobs: all for an administrator of the whole installation, otherwise those that the caller requested. A restricted caller
 * may have requested others before the restriction, whose results name records of all clients.
 */
export const visibleJobs = (caller: Caller): Scope<'job'> =>
  defineScope('job', (bind) => {
    if (caller.partyIds === null && caller.accessCodes.has('system.admin')) return 'true'
    const own = `j.asked_by = ${bind(caller.userId, 'uuid')}`
    return caller.partyIds === null ? own : `${own} and j.kind = any(${bind(kindsOfUsers, 'text[]')})`
  })

/** The debtor of a service's job. */
const jobDebtor = `(j.payload #>> '{item,guid}')::uuid`

/**
 * Jobs whose result the caller may still read. A service ran with the rights of its user at that time: who was restricted
 * to other clients since reads no result of before, nor one about a debtor that they no longer see.
 */
export const readableResults = (caller: Caller): Scope<'job'> =>
  defineScope('job', (bind) =>
    caller.partyIds === null
      ? 'true'
      : `(j.kind <> 'service' or (j.payload #>> '{item,type}' is distinct from 'debtor' or ${debtorIsVisible(caller, jobDebtor, bind)})
        and not exists (select from audit_entry a where a.subject = ${bind(caller.userId, 'uuid')} and a.entity = 'user'
          and a.changes ?| array['clientRestriction', 'userRole'] and a.occurred_at > j.created_at))`,
  )
