import { caseCondition } from '../access/scope/visible-rows.ts'
import { defineScope, defineChildScope, type Bind, type Scope } from '../platform/database/row-scope.ts'
import type { Caller } from '../platform/http/caller.ts'

export const visibleCases = (caller: Caller): Scope<'case'> =>
  defineScope('case', (bind) => caseCondition(caller, bind))

/** The visible cases of one debtor. The query joins the debtor's role as `cd`. */
export const visibleDebtorCases = (caller: Caller, debtorGuid: string): Scope<'debtorcase'> =>
  defineChildScope('debtorcase', { column: 'cd.debtor_id', guid: debtorGuid }, (bind) =>
    caseCondition(caller, bind),
  )

interface Past {
  asOf: string
  knownAt: string | null
}

/** The case was registered on the day, and recorded by then. */
const existed = ({ asOf, knownAt }: Past, bind: Bind): string => {
  const registered = `c.registration_date <= ${bind(asOf, 'date')}`
  if (knownAt === null) return registered
  return `${registered} and (select true from audit_entry a where a.subject = c.id and a.sequence = 1
    and a.business_date <= ${bind(knownAt, 'date')}) is true`
}

export const visibleCasesOn = (caller: Caller, past: Past): Scope<'case'> =>
  defineScope('case', (bind) => `${existed(past, bind)} and ${caseCondition(caller, bind)}`)

/** The visible cases of one debtor who was added to them by then. */
export const visibleDebtorCasesOn = (caller: Caller, debtorGuid: string, past: Past): Scope<'debtorcase'> =>
  defineScope(
    'debtorcase',
    (bind) =>
      `cd.debtor_id = ${bind(debtorGuid, 'uuid')} and ${existed(past, bind)} and ${caseCondition(caller, bind)}`,
  )

/** Payments among movements `m` of visible cases `c`. */
export const visiblePayments = (caller: Caller): Scope<'payment'> =>
  defineScope('payment', (bind) => `m.payment_id is not null and ${caseCondition(caller, bind)}`)
