import { caseCondition } from '../access/scope/visible-rows.ts'
import { defineScope, type Scope } from '../platform/database/row-scope.ts'
import type { Caller } from '../platform/http/caller.ts'

export const visibleCases = (caller: Caller): Scope<'case'> =>
  defineScope('case', (bind) => caseCondition(caller, bind))

/** The visible cases of one debtor. The query joins the debtor's role as `cd`. */
export const visibleDebtorCases = (caller: Caller, debtorGuid: string): Scope<'debtorcase'> =>
  defineScope(
    'debtorcase',
    (bind) => `cd.debtor_id = ${bind(debtorGuid, 'uuid')} and ${caseCondition(caller, bind)}`,
  )

/** Payments among movements `m` of visible cases `c`. */
export const visiblePayments = (caller: Caller): Scope<'payment'> =>
  defineScope('payment', (bind) => `m.payment_id is not null and ${caseCondition(caller, bind)}`)
