import { caseCondition } from '../access/scope/visible-rows.ts'
import { defineScope, type Scope } from '../platform/database/row-scope.ts'
import type { Caller } from '../platform/http/caller.ts'

export const visibleCases = (caller: Caller): Scope<'case'> =>
  defineScope('case', (bind) => caseCondition(caller, bind))

/** Of these, the ones in which a debtor has a part `cd`. */
export const visibleDebtorCases = (caller: Caller, debtorGuid: string): Scope<'debtorcase'> =>
  defineScope(
    'debtorcase',
    (bind) => `cd.debtor_id = ${bind(debtorGuid, 'uuid')} and ${caseCondition(caller, bind)}`,
  )

/** Movements `m` that are payments on a case `c`. */
export const visiblePayments = (caller: Caller): Scope<'payment'> =>
  defineScope('payment', (bind) => `m.payment_id is not null and ${caseCondition(caller, bind)}`)
