/** A question about a case by the law, and its answer. */
import { circumstances, type PackRule } from './pack.ts'

export interface LegalQuestion {
  /** `fee:<type>`, `letter:<kind>` or `status:<status>`. */
  action: string
  date: string
  /** The fee to charge. Left out: is any fee allowed? */
  amount?: bigint
  /** Days from the letter to its deadline; null for a letter without one. Left out: not asked. */
  dueDays?: number | null
  /** The number of instalments of the plan that the fee is for. Left out: not asked. */
  instalments?: number
  /** True: the debtor was told what the plan costs before it is made. */
  isToldOfCosts?: boolean
  /** True: an administrator goes beyond every rule that leaves it to agreement. The others still hold. */
  overrides?: boolean
}

/** `guardian`: a strategy leaves it to a person, because the debtor is a minor with a guardian. */
export const legalReasons = [
  ...circumstances,
  'guardian',
  'agreement',
  'untold',
  'assessment',
  'count',
  'waiting',
  'spacing',
  'missing',
  'deadline',
  'ceiling',
  'total',
  'scale',
  'others',
  'noAmount',
] as const
export type LegalReason = (typeof legalReasons)[number]

export interface Verdict {
  action: string
  allowed: boolean
  /** Null when it is allowed. */
  reason: LegalReason | null
  /** The rule that refuses, or the one that sets `highest`. */
  rule: PackRule | null
  /** The first day on which it would be allowed, when only time is missing. */
  from: string | null
  /** The most that the fee may be, in minor units. Null when no rule limits it. */
  highest: bigint | null
  /** Who gets the letter. */
  recipient: 'debtor' | 'guardian'
}
