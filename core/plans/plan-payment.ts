/** How money for a plan goes to its cases: costs of all, interest of all, then principal, of each the oldest case first. */

/** Zero or more, in minor units. */
export interface CaseParts {
  costs: bigint
  interest: bigint
  principal: bigint
}

/**
 * What each case (oldest first) gets of an amount for what it owes. The parts and the surplus sum to the amount. Debt
 * relief shares otherwise: see `shareOut`. Throws RangeError for an amount below zero.
 */
export function allocatePlanPayment(
  amount: bigint,
  owed: readonly CaseParts[],
): { cases: CaseParts[]; surplus: bigint } {
  if (amount < 0n) throw new RangeError('A payment is zero or more.')
  let surplus = amount
  const cases = owed.map((): CaseParts => ({ costs: 0n, interest: 0n, principal: 0n }))
  for (const part of ['costs', 'interest', 'principal'] as const) {
    for (const [index, one] of owed.entries()) {
      const paid = surplus < one[part] ? surplus : one[part]
      cases[index]![part] = paid
      surplus -= paid
    }
  }
  return { cases, surplus }
}
