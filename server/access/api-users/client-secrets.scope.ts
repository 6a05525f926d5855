import { defineScope, type Scope } from '../../platform/database/row-scope.ts'

/** The secrets of a user; the caller has checked that the user may be managed. */
export const userSecrets = (userGuid: string): Scope<'clientsecret'> =>
  defineScope('clientsecret', (bind) => `s.user_id = ${bind(userGuid, 'uuid')}`)
