/**
 * Judges what was done to a case, act by act, as the law stood on its day and as the case was then. Pure.
 * Circumstances of the debtor are not asked: since when they hold is not on record. Not legal advice.
 */
import { daysBetween, latest } from '../calendar/calendar.ts'
import type { ShippedFee } from '../ledger/statutory-fees.ts'
import type { RuleSubject } from './pack.ts'
import type { LegalCase } from './legal-case.ts'
import { judge } from './permissions.ts'
import type { Verdict } from './verdict.ts'

export interface ReviewedFee {
  id: string
  type: string
  /** Minor units. */
  amount: bigint
  date: string
  /** True if an administrator went beyond the rule, with a reason. */
  isOverridden: boolean
  /** The principal of all claims that it was charged for together, where the law judged it by that. */
  jointPrincipal: bigint | null
  /** The demand group for which it was charged. Null for a fee of one claim. */
  demandGroup: string | null
  /** True if the same fee was charged on an older claim of the same parties on that day. */
  isRepeated: boolean
}
export interface ReviewedLetter {
  id: string
  kind: string
  date: string
  due: string | null
}
export interface ReviewedActs {
  fees: readonly ReviewedFee[]
  letters: readonly ReviewedLetter[]
  /** The due date of each invoice, from the day on which it came to the case. */
  invoices: readonly { since: string; due: string | null }[]
}

export interface ActFinding {
  act: 'fee' | 'letter'
  id: string
  date: string
  verdict: Verdict
  /** Null for a letter. */
  charged: bigint | null
  /** What the law lets stand of a fee. Null for a letter. */
  lawful: bigint | null
}

const feeSubjects: ReadonlySet<RuleSubject> = new Set([
  'waiting',
  'spacing',
  'count',
  'agreement',
  'ceiling',
  'total',
  'scale',
  'offset',
  'others',
])
/** How long the plan was and what its debtor was told is not asked of the past. */
const ofPlan = { instalments: Infinity, isToldOfCosts: true }
const letterSubjects: ReadonlySet<RuleSubject> = new Set(['waiting', 'spacing', 'count', 'deadline'])

/**
 * The acts that the law did not allow, in the order of their days; on one day letters come before fees. A fee
 * counts for later ones with what the law lets stand of it. `fees` is the fee table of all days concerned.
 */
export function reviewActs(one: LegalCase, acts: ReviewedActs, fees: readonly ShippedFee[]): ActFinding[] {
  const found: ActFinding[] = []
  let then: LegalCase = {
    ...one,
    jointPrincipal: undefined,
    remainingPrincipal: undefined,
    fees: [],
    letters: [],
  }
  const inOrder = [
    ...acts.letters.map((letter) => ({ act: 'letter' as const, letter, date: letter.date })),
    ...acts.fees.map((fee) => ({ act: 'fee' as const, fee, date: fee.date })),
  ].toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  for (const each of inOrder) {
    const { date } = each
    then = { ...then, dueDate: findDueDate(one, acts.invoices, date) }
    if (each.act === 'letter') {
      const { id, kind, due } = each.letter
      const asked = { action: `letter:${kind}`, date, dueDays: due === null ? null : daysBetween(date, due) }
      const verdict = judge(then, asked, fees, letterSubjects)
      if (!verdict.allowed) found.push({ act: 'letter', id, date, verdict, charged: null, lawful: null })
      then = { ...then, letters: [...then.letters, { kind, date, due }] }
      continue
    }
    const { id, type, amount, isOverridden, jointPrincipal } = each.fee
    const charged = { ...then, jointPrincipal: jointPrincipal ?? undefined }
    const verdict = judge(charged, { ...ofPlan, action: `fee:${type}`, date, amount }, fees, feeSubjects)
    const isWrong = !verdict.allowed && !isOverridden
    const lawful = isWrong ? (verdict.highest ?? 0n) : amount
    if (isWrong) found.push({ act: 'fee', id, date, verdict, charged: amount, lawful })
    if (lawful > 0n) then = { ...then, fees: [...then.fees, { type, amount: lawful, date }] }
  }
  return found
}

/** The last due date of the invoices that were on the case then. */
function findDueDate(one: LegalCase, invoices: ReviewedActs['invoices'], date: string): string {
  const due = invoices.flatMap((invoice) => (invoice.since <= date && invoice.due ? invoice.due : []))
  return due.length === 0 ? one.dueDate : due.reduce(latest)
}
