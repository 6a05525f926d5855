/** Which cases are proposed for money in suspense, and in which order. Amounts are minor units. */
import type { ProposalReason } from '../../../contract/treasury/suspense.ts'

export interface OpenCase {
  caseGuid: string
  caseNumber: string
  debtorGuid: string
  debtorName: string
  clientName: string
  remaining: number
}

/** A case and why it was looked at. */
export interface Candidate extends OpenCase {
  reasons: readonly ProposalReason[]
}

export interface Proposal {
  reasons: ProposalReason[]
  parts: (OpenCase & { amount: number })[]
}

/** A reference says more than an amount, and an amount more than a name. */
const weights: Record<ProposalReason, number> = {
  REFERENCE: 100,
  REFERENCE_NEAR: 60,
  AMOUNT: 50,
  AMOUNT_OF_ALL: 45,
  PAYER_BEFORE: 40,
  PAYER_NAME: 30,
}
const proposalsMax = 5
const partsMax = 100

const weigh = (reasons: readonly ProposalReason[]) =>
  reasons.reduce((sum, reason) => sum + weights[reason], 0)

const inOrder = (reasons: Iterable<ProposalReason>): ProposalReason[] =>
  [...new Set(reasons)].toSorted((a, b) => weights[b] - weights[a])

/**
 * Each candidate for the whole amount, and all open cases of a debtor whose sum is the amount. `amount` is that of the
 * money. The oldest case comes first where two are equal: candidates are given in that order.
 */
export function proposeCases(candidates: readonly Candidate[], amount: number): Proposal[] {
  const single = candidates.map((one): Proposal => {
    const { reasons, ...part } = one
    const found = one.remaining === amount ? [...reasons, 'AMOUNT' as const] : reasons
    return { reasons: inOrder(found), parts: [{ ...part, amount }] }
  })
  const byDebtor = Map.groupBy(candidates, ({ debtorGuid }) => debtorGuid)
  const together = [...byDebtor.values()].flatMap((own): Proposal[] => {
    const sum = own.reduce((all, { remaining }) => all + remaining, 0)
    if (own.length < 2 || own.length > partsMax || sum !== amount) return []
    const reasons = inOrder([...own.flatMap((one) => one.reasons), 'AMOUNT_OF_ALL'])
    return [
      { reasons, parts: own.map(({ reasons: _why, ...part }) => ({ ...part, amount: part.remaining })) },
    ]
  })
  return [...together, ...single]
    .toSorted((a, b) => weigh(b.reasons) - weigh(a.reasons))
    .slice(0, proposalsMax)
}

const nearMin = 6
const nearMax = 20

/** Numbers that differ from a typed one by one digit, or by two neighbours exchanged. Shorter and longer ones have none. */
export function nearNumbers(typed: string): string[] {
  if (!/^\d+$/.test(typed) || typed.length < nearMin || typed.length > nearMax) return []
  const found = new Set<string>()
  for (let at = 0; at < typed.length; at++) {
    for (let digit = 0; digit < 10; digit++) found.add(`${typed.slice(0, at)}${digit}${typed.slice(at + 1)}`)
    if (at + 1 < typed.length)
      found.add(`${typed.slice(0, at)}${typed[at + 1]!}${typed[at]!}${typed.slice(at + 2)}`)
  }
  found.delete(typed)
  return [...found]
}

const wordMin = 4
const wordsMax = 8

/** What of references and message may be a number of a case: words with a digit, reduced to letters and digits. */
export function readNumbers(texts: readonly (string | null)[]): string[] {
  const words = texts
    .flatMap((text) => (text ?? '').split(/[\s,;:]+/))
    .map((word) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
  return [...new Set(words.filter((word) => word.length >= wordMin && /\d/.test(word)))].slice(0, wordsMax)
}
