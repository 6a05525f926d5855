import { creditorRoles } from '../../contract/access/access.ts'
import { caseCondition } from '../access/scope/visible-rows.ts'
import {
  defineScope,
  defineChildScope,
  type Bind,
  type Scope,
  type VisibleGuid,
} from '../platform/database/row-scope.ts'
import type { Caller } from '../platform/http/caller.ts'

/** Calls `k` on visible cases `c`; creditors see what is marked for them. */
const callCondition = (caller: Caller, bind: Bind): string =>
  `${caseCondition(caller, bind)} and ${creditorRoles.includes(caller.role) ? 'k.shown_to_client' : 'true'}`

export const visibleCaseCalls = (caller: Caller, caseGuid: string): Scope<'call'> =>
  defineChildScope('call', { column: 'k.case_id', guid: caseGuid }, (bind) => callCondition(caller, bind))

export const visibleDebtorCalls = (caller: Caller, debtor: VisibleGuid<'debtor'>): Scope<'call'> =>
  defineChildScope('call', { column: 'k.debtor_id', guid: debtor }, (bind) => callCondition(caller, bind))

/** Calls with a promise to pay, on all visible cases. */
export const visiblePromises = (caller: Caller): Scope<'call'> =>
  defineScope('call', (bind) => `k.promised_date is not null and ${callCondition(caller, bind)}`)
