import { caseCondition } from '../../access/scope/visible-rows.ts'
import { defineScope, type Scope } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** Objections `b` to visible cases `c`. */
export const visibleObjections = (caller: Caller): Scope<'objection'> =>
  defineScope('objection', (bind) => caseCondition(caller, bind))
