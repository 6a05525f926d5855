/** Shares a payment among locked cases. Pure. */
import type { AllocationOrderCode } from '../../core/ledger/allocation.ts'
import { deriveLedger } from '../../core/ledger/case-ledger.ts'
import { sumComponents } from '../../core/ledger/case-transaction.ts'
import type { Caller } from '../platform/http/caller.ts'
import { ApiError } from '../platform/http/errors.ts'
import { planOrder, sharePlanPayment, type PayingPlan } from '../plans/plan-payments.ts'
import { requireNotBefore } from '../ledger/book-on-case.ts'
import { toBookedCase } from '../ledger/booked-case.ts'
import type { BookedCase } from '../ledger/booking.ts'
import type { CaseRow } from '../claims/case-lock.ts'
import type { CaseHistory } from '../ledger/ledger.store.ts'
import type { Target } from './payment-target.ts'

export interface ReadPayment {
  currencyCode: string
  amount: bigint
  valueDate: string
  payerReference: string | null
  toThirdParty: boolean
}

/**
 * The cases that a payment may go to, the one registered first first. Excludes cases in another currency and
 * cases registered after its value date. Throws a 422 when that excludes the named case, or all cases.
 */
export function findPaidCases(
  { rows, histories }: { rows: readonly CaseRow[]; histories: readonly CaseHistory[] },
  payment: ReadPayment,
  target: Target,
  caller: Pick<Caller, 'language'>,
): OpenCase[] {
  const payable = rows
    .map((row, index) => ({ row, found: toBookedCase(row, histories[index]!) }))
    .filter(({ row }) => row.currencyCode === payment.currencyCode)
    // A payment to a third party stays on the case it was made for.
    .filter(({ row }) => !payment.toThirdParty || target.caseGuids.includes(row.caseGuid))
    .toSorted((a, b) => isLast(a, target) - isLast(b, target) || byCaseNumber(a, b))
  const cases = payable.filter(({ row }) => row.registrationDate <= payment.valueDate)
  const first = payable.find(({ row }) => row.caseGuid === target.caseGuid) ?? cases[0] ?? payable[0]
  if (first) requireNotBefore(first.row, payment.valueDate, caller)
  return cases
}

const isLast = ({ row }: OpenCase, { paidLast }: Target) => Number(paidLast?.has(row.caseGuid) ?? false)

/** Orders cases by registration, the first one first. */
const byCaseNumber = ({ row: a }: OpenCase, { row: b }: OpenCase) =>
  a.caseNumber.length - b.caseNumber.length || (a.caseNumber < b.caseNumber ? -1 : 1)

export interface OpenCase {
  row: CaseRow
  found: BookedCase
}

export type Share = OpenCase & { amount: bigint; order?: AllocationOrderCode }

/**
 * Shares the amount: plans first, as each plan says, then the other cases up to their balance on the value
 * date, oldest first. An overpayment goes to the last case that received a share.
 */
export function shareOut(
  cases: readonly OpenCase[],
  { amount, valueDate, toThirdParty }: ReadPayment,
  plans: readonly PayingPlan[],
): Share[] {
  if (cases.length === 0) {
    const message = 'is not the currency of the case. Enter the payment in the currency of the case.'
    throw new ApiError('unprocessable', `currencyCode ${message}`, { errors: { currencyCode: [message] } })
  }
  const owedBy = ({ found }: OpenCase) => deriveLedger(found.input, valueDate).balances.remaining
  const byGuid = new Map(cases.map((one) => [one.row.caseGuid, one]))
  const shares: Share[] = []
  let left = amount
  for (const plan of toThirdParty ? [] : plans) {
    const own = plan.cases.filter(({ caseGuid }) => byGuid.has(caseGuid))
    const under = own.map(({ caseGuid }) => byGuid.get(caseGuid)!)
    const owed = under
      .map(owedBy)
      .map(({ principal, interest, cost }) => ({ principal, interest, costs: cost }))
    const shared = sharePlanPayment({ ...plan, cases: own }, left, owed)
    for (const [index, share] of shared.shares.entries()) {
      if (share > 0n) shares.push({ ...under[index]!, amount: share, order: planOrder })
    }
    left = shared.left
  }
  const planned = new Set(toThirdParty ? [] : casesInPlans(plans))
  const others = cases.filter(({ row }) => !planned.has(row.caseGuid))
  if (shares.length === 0 && others.length === 1) return [{ ...others[0]!, amount: left }]
  for (const one of others) {
    const owed = sumComponents(owedBy(one))
    const share = owed < left ? owed : left
    if (share > 0n) shares.push({ ...one, amount: share })
    left -= share > 0n ? share : 0n
  }
  if (shares.length === 0) return [{ ...cases[0]!, amount }]
  shares.at(-1)!.amount += left
  return shares
}

const casesInPlans = (plans: readonly PayingPlan[]) =>
  plans.flatMap(({ cases }) => cases.map(({ caseGuid }) => caseGuid))
