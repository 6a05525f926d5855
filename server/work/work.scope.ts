import { caseCondition } from '../access/scope/visible-rows.ts'
import { defineScope, defineChildScope, type Scope } from '../platform/database/row-scope.ts'
import type { Caller } from '../platform/http/caller.ts'

/** The work on visible cases `c`. */
export const visibleWork = (caller: Caller): Scope<'work'> =>
  defineScope('work', (bind) => caseCondition(caller, bind))

/** The work on one visible case. */
export const visibleCaseWork = (caller: Caller, caseGuid: string): Scope<'work'> =>
  defineChildScope('work', { column: 'w.case_id', guid: caseGuid }, (bind) => caseCondition(caller, bind))
