import { defineScope, type Scope } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** Jobs: all for an administrator of the whole installation, otherwise those that the caller requested. */
export const visibleJobs = (caller: Caller): Scope<'job'> =>
  defineScope('job', (bind) =>
    caller.partyIds === null && caller.accessCodes.has('system.admin')
      ? 'true'
      : `j.asked_by = ${bind(caller.userId, 'uuid')}`,
  )
