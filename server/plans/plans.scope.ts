import { defineScope, type Bind, type Scope, type VisibleGuid } from '../platform/database/row-scope.ts'
import type { Caller } from '../platform/http/caller.ts'

/** Visible payment plans. A restricted caller sees a plan only if all its cases belong to allowed clients. */
export const planCondition = (caller: Caller, bind: Bind): string =>
  caller.partyIds === null
    ? 'true'
    : `not exists (select from payment_plan_case pc where pc.plan_id = pp.id and pc.client_id <> all(${bind([...caller.partyIds], 'uuid[]')}))`

/** Payments `n` of plans `pp` that are active, or were active on the due date. */
const inForceCondition = (caller: Caller, bind: Bind): string =>
  `(pp.active = 1 or (pp.active = 0 and n.due_date <= pp.end_date
    and exists (select from payment_plan_case begun where begun.plan_id = pp.id and begun.movements_before is not null)))
    and ${planCondition(caller, bind)}`

/** The plans of a debtor that the caller may see. */
export const visibleDebtorPlans = (caller: Caller, debtor: VisibleGuid<'debtor'>): Scope<'paymentplan'> =>
  defineScope(
    'paymentplan',
    (bind) => `pp.debtor_id = ${bind(debtor, 'uuid')} and ${planCondition(caller, bind)}`,
  )

/** The plans of all visible debtors. A restricted caller sees only plans with cases of allowed clients. */
export const visiblePlans = (caller: Caller): Scope<'paymentplan'> =>
  defineScope('paymentplan', (bind) =>
    caller.partyIds === null
      ? 'true'
      : `exists (select from payment_plan_case pc where pc.plan_id = pp.id) and ${planCondition(caller, bind)}`,
  )

export const visiblePlanPayments = (caller: Caller): Scope<'planpayment'> =>
  defineScope('planpayment', (bind) => inForceCondition(caller, bind))
