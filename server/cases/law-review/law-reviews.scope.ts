import { caseCondition } from '../../access/scope/visible-rows.ts'
import { defineScope, unrestricted, type Scope } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** Findings `f` on visible cases `c`. */
export const visibleFindings = (caller: Caller): Scope<'lawfinding'> =>
  defineScope('lawfinding', (bind) => caseCondition(caller, bind))

export const allReviews = unrestricted(
  'lawreview',
  'Reviews concern the whole installation; the operation refuses callers who are restricted to clients.',
)
