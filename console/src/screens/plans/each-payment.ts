/** The types whose payments have the same principal each, and fall with the interest. */
const linearTypes: readonly number[] = [3, 4]

/** What each payment is: the regular amount, or from the highest to the lowest where they fall. */
export function describeEach(
  payments: readonly { amount: number }[],
  { type, regular }: { type: number; regular: number },
  money: (amount: number) => string,
): string {
  const amounts = payments.map(({ amount }) => amount).filter((amount) => amount > 0)
  if (!linearTypes.includes(type) || amounts.length === 0) return money(regular)
  const [highest, lowest] = [Math.max(...amounts), Math.min(...amounts)]
  return highest === lowest ? money(highest) : `${money(highest)} – ${money(lowest)}`
}
