/** Payments on cases in an active plan: allocates them as the plan says and matches them to its payments. */
import type { AllocationOrderCode } from '../../core/ledger/allocation.ts'
import { shareOut } from '../../core/plans/debt-relief.ts'
import { allocatePlanPayment, type CaseParts } from '../../core/plans/plan-payment.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Origin } from '../platform/http/caller.ts'
import { holdPlans, writeHeldPlans } from './locked-plans.ts'
import { runPlan } from './run-plans.ts'

/** How an active plan shares an amount among its cases. */
export interface PayingPlan {
  planGuid: string
  planType: number
  /** The oldest first. */
  cases: { caseGuid: string; claim: number }[]
}

/** The allocation order of plan payments, the same that the schedule is computed with. */
export const planOrder: AllocationOrderCode = 'COST_INTEREST_PRINCIPAL'

/** The active plans of cases, the one that started first first. */
export const findPayingPlans = (db: Db, caseGuids: readonly string[]): Promise<PayingPlan[]> =>
  db<PayingPlan[]>`
    select pp.id as "planGuid", pp.plan_type as "planType",
      (select jsonb_agg(jsonb_build_object('caseGuid', pc.case_id, 'claim', pc.claim) order by pc.number)
        from payment_plan_case pc where pc.plan_id = pp.id and pc.active) as cases
    from payment_plan pp
    where pp.id in (select plan_id from payment_plan_case where case_id = any(${[...caseGuids]}::uuid[]) and active)
    order by pp.start_date, pp.id`

/**
 * Shares an amount among the plan's cases; `owed` is in their order. Debt relief shares by claim. Other plans
 * pay all costs, then all interest, then principal, the oldest case first. `left` is what exceeds the total
 * owed.
 */
export function sharePlanPayment(
  plan: PayingPlan,
  amount: bigint,
  owed: readonly CaseParts[],
): { shares: bigint[]; left: bigint } {
  if (plan.planType !== 5) {
    const { cases, surplus } = allocatePlanPayment(amount, owed)
    return {
      shares: cases.map(({ costs, interest, principal }) => costs + interest + principal),
      left: surplus,
    }
  }
  const sums = owed.map(({ costs, interest, principal }) => costs + interest + principal)
  const whole = sums.reduce((sum, one) => sum + one, 0n)
  const part = amount < whole ? amount : whole
  // A case with a balance gets a share, even if its claim was zero when debt relief was granted.
  const claims = plan.cases.map(({ claim }, index) => (sums[index]! > 0n && claim === 0 ? 1n : BigInt(claim)))
  return { shares: shareOut(part, claims, sums), left: amount - part }
}

/**
 * The plans that count payments of these cases: active plans, and completed plans whose payment is reversed.
 */
export async function findPaidPlans(
  db: Db,
  movements: readonly { caseGuid: string; movementGuid: string }[],
): Promise<string[]> {
  const rows = await db<{ planGuid: string }[]>`
    select distinct pc.plan_id as "planGuid"
    from payment_plan_case pc join movement m on m.case_id = pc.case_id and m.number > pc.movements_before
      and m.number <= coalesce(pc.movements_through, 2147483647)
    where m.id = any(${movements.map(({ movementGuid }) => movementGuid)}::uuid[])`
  return rows.map(({ planGuid }) => planGuid)
}

/**
 * Matches payments to the plans' payments and ends completed plans. Call it after the booking, in the same
 * transaction.
 */
export async function settlePlans(tx: Db, planGuids: readonly string[], origin: Origin): Promise<void> {
  if (planGuids.length === 0) return
  const plans = await holdPlans(tx, planGuids)
  for (const plan of plans) await runPlan(tx, plan, { steps: false })
  await writeHeldPlans(tx, plans, origin)
  // A revived plan counts payments made after its end.
  const revived = plans.flatMap(({ record, turns }) => (turns === 'revives' ? [record.planGuid!] : []))
  await settlePlans(tx, revived, origin)
}
