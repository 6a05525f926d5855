/**
 * The ceiling of costs that a case brings with it: charged by the creditor or an earlier agency. How and when
 * is not on record, so waiting times, letters and circumstances are not asked; agreements, counts and amounts
 * are. Not legal advice.
 */
import type { ShippedFee } from '../../ledger/statutory-fees.ts'
import { findPack } from '../packs.ts'
import type { PackRule, RuleSubject } from '../pack.ts'
import type { LegalCase } from '../legal-case.ts'
import { judge } from '../permissions.ts'
import type { LegalReason } from '../verdict.ts'

/** What a case is before anything has happened on it. */
export type NewLegalCase = Pick<
  LegalCase,
  'country' | 'debtor' | 'currency' | 'principal' | 'dueDate' | 'reminderFeeAgreed'
>

export interface OpeningCeiling {
  /** The most that the law lets the debtor pay, in minor units. */
  highest: bigint
  reason: LegalReason
  rule: PackRule
}

const amountSubjects: ReadonlySet<RuleSubject> = new Set([
  'agreement',
  'count',
  'ceiling',
  'total',
  'scale',
  'offset',
  'others',
])

/**
 * The ceiling of opening costs on a day. Null when the law limits none: without a pack, and for costs that a court
 * set. Zero in a currency that the law does not name, as for a fee that is charged later. Costs of unstated kind may be
 * all kinds together.
 */
export function findOpeningCeiling(
  one: NewLegalCase,
  { feeType, date }: { feeType: string | null; date: string },
  fees: readonly ShippedFee[],
): OpeningCeiling | null {
  const pack = findPack(one.country)
  if (!pack) return null
  if (feeType !== null) return judgeCeiling(one, { feeType, date }, fees)
  const types = pack.rules.flatMap((rule) =>
    rule.subject === 'ceiling' || rule.subject === 'scale'
      ? rule.actions.flatMap((action) => (action.startsWith('fee:') ? action.slice('fee:'.length) : []))
      : [],
  )
  // The notices of a plan are no costs of before: what they cost is agreed with the plan.
  const kinds = new Set(types.filter((type) => type !== 'planInvoice'))
  let sum = 0n
  let named: PackRule | null = null
  let unnamed: PackRule | null = null
  const charged: { type: string; amount: bigint; date: string }[] = []
  for (const type of kinds) {
    const isCounted = pack.rules.some(
      (rule) => rule.subject === 'count' && rule.actions.includes(`fee:${type}`),
    )
    for (let times = 0; times < (isCounted ? mostTimes : 1); times++) {
      const verdict = ask(one, { type, date, charged }, fees)
      named ??= verdict.highest === null ? null : verdict.rule
      if (verdict.reason === 'noAmount') unnamed ??= verdict.rule
      if (!verdict.allowed) break
      if (verdict.highest === null) return null
      charged.push({ type, amount: verdict.highest, date })
      sum += verdict.highest
    }
  }
  if (named === null && unnamed !== null) return { highest: 0n, reason: 'noAmount', rule: unnamed }
  const others = pack.rules.find(({ subject }) => subject === 'others') ?? named
  return named === null || others === null ? null : { highest: sum, reason: 'ceiling', rule: others }
}

/** More than any law lets one kind of fee be charged. */
const mostTimes = 10

function judgeCeiling(
  one: NewLegalCase,
  { feeType, date }: { feeType: string; date: string },
  fees: readonly ShippedFee[],
): OpeningCeiling | null {
  const { allowed, reason, rule, highest } = ask(one, { type: feeType, date, charged: [] }, fees)
  if (rule === null) return null
  if (highest !== null) return { highest, reason: reason ?? 'ceiling', rule }
  return allowed ? null : { highest: 0n, reason: reason!, rule }
}

/** Letters are taken to have been sent when the claim fell due, so that the latest stage applies. */
const ask = (
  one: NewLegalCase,
  { type, date, charged }: { type: string; date: string; charged: LegalCase['fees'] },
  fees: readonly ShippedFee[],
) =>
  judge(
    {
      ...one,
      circumstances: [],
      isEnforceable: false,
      hasGuardian: false,
      noticeDeadline: null,
      fees: charged,
      openingCosts: null,
      letters: ['reminder', 'notice', 'demand'].map((kind) => ({
        kind,
        date: one.dueDate,
        due: one.dueDate,
      })),
    },
    { action: `fee:${type}`, date },
    fees,
    amountSubjects,
  )
