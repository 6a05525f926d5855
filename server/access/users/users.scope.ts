import { creditorRoles } from '../../../contract/access/access.ts'
import { defineScope, type Bind, type Scope } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** Users: all, or those of the caller's parties. */
export const visibleUsers = (caller: Caller): Scope<'user'> =>
  defineScope('user', (bind) => inParties(caller, bind))

const inParties = ({ partyIds }: Caller, bind: Bind): string =>
  partyIds === null ? 'true' : `u.party_id = any(${bind([...partyIds], 'uuid[]')})`

/** Visible users `u` of the agency who can work on cases. The caller is one of them in spite of a client restriction. */
export const visibleHandlers = (caller: Caller): Scope<'user'> =>
  defineScope(
    'user',
    (bind) =>
      `not u.disabled and not u.api_user and u.user_role <> all(${bind([1, ...creditorRoles], 'int[]')})
       and (${inParties(caller, bind)} or u.id = ${bind(caller.userId, 'uuid')})`,
  )

/** The caller, even if their client restriction excludes their own party. */
export const ownUser = (caller: Caller): Scope<'user'> =>
  defineScope('user', (bind) => `u.id = ${bind(caller.userId, 'uuid')}`)
