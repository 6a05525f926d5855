import { defineScope, type Scope } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** The caller's sessions that have not been ended. */
export const ownSessions = (caller: Caller): Scope<'session'> =>
  defineScope(
    'session',
    (bind) => `s.user_id = ${bind(caller.userId, 'uuid')} and s.revoked_at is null and s.ends_at > now()`,
  )
