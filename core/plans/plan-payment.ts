/**
 * Allocates money for a plan among its cases: all costs, all interest, then principal; each part in the order
 * of the cases.
 */

/** Minor units, zero or more. */
export interface CaseParts {
  costs: bigint
  interest: bigint
  principal: bigint
}

/**
 * Shares an amount (minor units) among cases, the oldest first, up to what they owe. Parts and surplus sum to
 * the amount. Debt relief uses `shareOut` instead. Throws RangeError for a negative amount.
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
