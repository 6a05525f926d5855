/**
 * Debt relief: no interest and no fees. Each payment is shared among the cases in proportion to their claims
 * when it was granted, by largest remainder. The remainder after the last payment is written off. The
 * authority or court sets the terms (in Sweden by skuldsaneringslagen, 2016:675). Months without payments are
 * configuration, not law.
 */
import { splitByWeight } from '../money/money.ts'

export interface ReliefPayment {
  amount: bigint
  /** The share of each claim. */
  shares: bigint[]
}

/**
 * Shares payments of the given amounts among the claims. When the claims are repaid earlier, the last payment
 * is smaller and none follows. No claim gets more than its outstanding part (default: all of it); the others
 * get the excess.
 */
export function sharePayments(
  claims: readonly bigint[],
  amounts: Iterable<bigint>,
  outstanding: readonly bigint[] = claims,
): ReliefPayment[] {
  const left = outstanding.slice()
  let owed = left.reduce((sum, one) => sum + one, 0n)
  const payments: ReliefPayment[] = []
  // Equal payments have equal shares until a claim is repaid.
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

/** Shares one payment by claim, at most what is left. `left` must be zero for a claim of zero. */
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
