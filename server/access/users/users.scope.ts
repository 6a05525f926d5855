import { defineScope, type Scope } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** Users: all, or those of the caller's parties. */
export const visibleUsers = (caller: Caller): Scope<'user'> =>
  defineScope('user', (bind) => {
    const { partyIds } = caller
    return partyIds === null ? 'true' : `u.party_id = any(${bind([...partyIds], 'uuid[]')})`
  })

/** The caller, even if their client restriction excludes their own party. */
export const ownUser = (caller: Caller): Scope<'user'> =>
  defineScope('user', (bind) => `u.id = ${bind(caller.userId, 'uuid')}`)
