/** Debt relief writes off what its payments leave, so it may need a second person, as a write-off does. */
import type { PaymentPlanInput } from '../../../contract/plans/payment-plan-inputs.ts'
import { splitByWeight } from '../../../core/money/money.ts'
import { requireSecondPerson } from '../../access/approvals/second-person.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { LockedPlan } from '../locked-plans.ts'

interface Relief {
  held: LockedPlan
  /** What the plan left before it changed. Zero for a plan that starts. */
  before: bigint
  /** What a request for a second person keeps, with the cases that it is about. */
  input?: PaymentPlanInput
}

/** Throws `ApprovalNeeded`, or a 409 when the plan is not what was approved. Plans of other types write nothing off. */
export async function requireTwoForRelief(
  tx: Db,
  caller: Caller,
  { held: { record }, before, input }: Relief,
  origin: Origin,
): Promise<void> {
  const amount = record.leftAmount - before
  if (record.planType !== 5 || amount <= 0n) return
  const weights = record.cases.map(({ claim }) => claim)
  const cases = record.cases.map(({ caseGuid }) => caseGuid)
  const shares = splitByWeight(amount, weights)
  await requireSecondPerson(tx, caller, origin, {
    act: 'DEBT_RELIEF',
    value: { amount, currencyCode: record.currencyCode },
    shares: cases.map((caseGuid, index) => ({ caseGuid, amount: shares[index]! })),
    // Without them the plan would have every case that is open when it is approved.
    ...(input && { pinned: { ...input, cases } }),
    grows: { leastPaid: record.rows.reduce((sum, row) => sum + row.amount, 0n) },
  })
}
