import { caseCondition } from '../../access/scope/visible-rows.ts'
import { defineScope, type Scope } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** The caller's own bulk actions `b`. */
export const ownBulkActions = (caller: Caller): Scope<'bulkaction'> =>
  defineScope('bulkaction', (bind) => `b.asked_by = ${bind(caller.userId, 'uuid')}`)

/** The rows `r` of an own bulk action `b`, with their case `c` or client `p`, that the caller may still see. */
export const visibleBulkRows = (caller: Caller, bulkActionGuid: string): Scope<'bulkrow'> =>
  defineScope('bulkrow', (bind) => {
    const own = `b.id = ${bind(bulkActionGuid, 'uuid')} and b.asked_by = ${bind(caller.userId, 'uuid')}`
    const clients = caller.partyIds === null ? 'true' : `p.id = any(${bind([...caller.partyIds], 'uuid[]')})`
    return `${own} and case when c.id is null then ${clients} else ${caseCondition(caller, bind)} end`
  })
