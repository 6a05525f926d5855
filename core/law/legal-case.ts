/** A case as the rules of a law pack see it. */
import { latest } from '../calendar/calendar.ts'
import type { Anchor, Circumstance } from './pack.ts'
import type { ClaimKind, DebtorKind } from './terms.ts'

export interface ChargedFee {
  id?: string
  type: string
  amount: bigint
  date: string
}

/**
 * The type of costs whose kind is not on record. They count towards every sum of fees, because they may be any of
 * them. How many fees they were is not known, so they count towards no number.
 */
export const unstatedFee = '*'

export interface LegalLetter {
  id?: string
  kind: string
  date: string
  due: string | null
  /** True while it is held in the outbox: it counts, but no time runs from it. */
  isHeld?: boolean
}

/** What the law needs to know of a case. Amounts in minor units of `currency`, days as YYYY-MM-DD. */
export interface LegalCase {
  /** The governing country. Null when it is unknown: then no pack applies. */
  country: string | null
  debtor: DebtorKind
  currency: string
  /** The original principal. */
  principal: bigint
  /** What is left of it today. Left out, all of it. */
  remainingPrincipal?: bigint | undefined
  /** The principal of all claims of its demand group, where the law judges a fee by it. */
  jointPrincipal?: bigint | undefined
  /** The day on which the last invoice fell due. Where none is known, the day of the registration. */
  dueDate: string
  /** The day on which the agency got the claim. Left out, the law of the fee's own day counts. */
  orderDate?: string
  circumstances: readonly Circumstance[]
  claimKind?: ClaimKind
  /** True if forbearance has been assessed: a hardship on the case was decided. */
  isHardshipAssessed?: boolean
  /** True if the claim has a title. */
  isEnforceable: boolean
  /** True if a guardian of the debtor belongs to the case. */
  hasGuardian: boolean
  reminderFeeAgreed: boolean
  /** The deadline of the collection notice that the creditor has sent. Null when there was none. */
  noticeDeadline: string | null
  /** Fees charged and not reversed, in any order, with those of the demand group. `id` tells them apart. */
  fees: readonly ChargedFee[]
  /** Costs that the case brought with it and that are demanded. Those of unstated kind have the type `unstatedFee`. */
  openingCosts?: ChargedFee | null
  /** Letters sent, in any order, with those of the demand group. `due` is the deadline. */
  letters: readonly LegalLetter[]
}

/**
 * A claim of which only this is known: without fees and letters so far, and with all that the law wants agreed. For
 * questions about no case on record.
 */
export const imagineCase = (
  given: Pick<LegalCase, 'country' | 'debtor' | 'currency' | 'principal' | 'dueDate'>,
): LegalCase => ({
  ...given,
  circumstances: [],
  isEnforceable: false,
  hasGuardian: false,
  reminderFeeAgreed: true,
  noticeDeadline: null,
  fees: [],
  letters: [],
})

const letterAnchors: Record<Exclude<Anchor, 'dueDate'>, string> = {
  reminder: 'reminder',
  reminderDeadline: 'reminder',
  noticeDeadline: 'notice',
  demandDeadline: 'demand',
}

/** The day that a waiting time counts from. Null when it has not come about. */
export function findAnchor(one: LegalCase, anchor: Anchor): string | null {
  if (anchor === 'dueDate') return one.dueDate
  const kind = letterAnchors[anchor]
  let last = anchor === 'noticeDeadline' ? one.noticeDeadline : null
  for (const letter of one.letters) {
    if (letter.kind !== kind || letter.isHeld) continue
    const day = anchor === 'reminder' ? letter.date : (letter.due ?? letter.date)
    last = last === null ? day : latest(last, day)
  }
  return last
}
