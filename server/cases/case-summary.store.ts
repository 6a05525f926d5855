/** What a case handler reads beside the money: how to reach the debtor, and how far the plan is paid. */
import type { CaseContact, CasePlan } from '../../contract/cases/all-cases.ts'
import { visiblePlans } from '../plans/plans.scope.ts'
import { runStatement } from '../platform/database/statement.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Caller } from '../platform/http/caller.ts'

/** How to reach the main debtor of a case that the caller may see. */
export async function findCaseContact(db: Db, debtorGuid: string): Promise<CaseContact> {
  const [row] = await db<CaseContact[]>`
    select d.cellular_phone as "cellularPhone", d.home_phone as "homePhone", d.work_phone as "workPhone", d.email,
      (select a.full_address from address a where a.debtor_id = d.id
       order by a.default_address desc, a.id desc limit 1) as address,
      d.language_code as "languageCode", d.preferred_channel as "preferredChannel", d.under_aged as "underAged",
      d.protected_identity as "protectedIdentity"
    from debtor d where d.id = ${debtorGuid}`
  return row!
}

/** The active plan of a case, else the latest proposal, if the caller may see all of it. */
export async function findCasePlan(db: Db, caller: Caller, caseGuid: string): Promise<CasePlan | null> {
  const scope = visiblePlans(caller).at(2)
  const [row] = await runStatement<CasePlan>(
    db,
    `select pp.id as "paymentPlanGuid", pp.active, pp.currency_code as "currencyCode",
       pp.number_of_payments as "numberOfPayments", n.settled as "paidPayments", n.late as "latePayments",
       next.due_date::timestamptz as "nextDueDate", (next.amount - next.paid) / pp.minor_per_unit::float8 as "nextAmount",
       n.planned / pp.minor_per_unit::float8 as planned, n.paid / pp.minor_per_unit::float8 as paid
     from payment_plan_case mine join payment_plan pp on pp.id = mine.plan_id
       cross join lateral (
         select count(*) filter (where p.paid >= p.amount)::int as settled, sum(p.amount)::float8 as planned,
           sum(p.paid)::float8 as paid,
           count(*) filter (where p.paid < p.amount and p.due_date < (select business_date from business_clock))::int as late
         from payment_plan_payment p where p.plan_id = pp.id) n
       left join lateral (
         select p.due_date, p.amount, p.paid from payment_plan_payment p
         where p.plan_id = pp.id and p.paid < p.amount order by p.payment_no limit 1) next on true
     where mine.case_id = $1 and pp.active in (1, 2) and ${scope.text}
     order by pp.active, pp.registration_date desc, pp.id desc limit 1`,
    [caseGuid, ...scope.parameters],
    { prepare: true },
  )
  return row ?? null
}
