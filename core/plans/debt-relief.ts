/**
 * Debt relief: no interest and no fees; each payment is shared between the cases in proportion to their claims at the
 * decision, by largest remainder, and what is left after the last is written off. Terms are those of the decision (in
 * Sweden by skuldsaneringslagen, 2016:675); which months are free of payments is configuration, and states no law.
 */
import { splitByWeight } from '../money/money.ts'

export interface ReliefPayment {
  amount: bigint
  /** What each claim gets. */
  shares: bigint[]
}

/**
 * The payments of the given amounts, at most what is owed: the last is smaller, and none follows it, where the claims
 * are paid before. No claim gets more than is outstanding of it (all, unless given); what it would have had goes to the others.
 */
export function sharePayments(
  claims: readonly bigint[],
  amounts: Iterable<bigint>,
  outstanding: readonly bigint[] = claims,
): ReliefPayment[] {
  const left = outstanding.slice()
  let owed = left.reduce((sum, one) => sum + one, 0n)
  const payments: ReliefPayment[] = []
  // Equal payments are shared equally, as long as no claim is paid before the others.
  let like: ReliefPayment | null = null
  for (const asked of amounts) {
    if (owed === 0n) break
    const amount = asked < owed ? asked : owed
    const known: bigint[] | null = like?.amount === amount ? like.shares : null
    const fits = known?.every((share, index) => share < left[index]!)
    const shares: bigint[] = known && fits ? known.slice() : shareOut(amount, claims, left)
    like = { amount, shares }
    for (const [index, share] of shares.entries()) left[index]! -= share
    owed -= amount
    payments.push({ amount, shares })
  }
  return payments
}

/** One payment, at most what is left, shared by claim. Nothing can be left of a claim of zero. */
export function shareOut(amount: bigint, claims: readonly bigint[], left: readonly bigint[]): bigint[] {
  const shares = claims.map(() => 0n)
  let rest = amount
  while (rest > 0n) {
    const open = claims.map((claim, index) => (left[index]! > shares[index]! ? claim : 0n))
    for (const [index, part] of splitByWeight(rest, open).entries()) {
      const room = left[index]! - shares[index]!
      const share = part < room ? part : room
      shares[index]! += share
      rest -= share
    }
  }
  return shares
}
