/** The types whose payments have the same principal each, and fall with the interest. */
const linearTypes: readonly number[] = [3, 4]

/** The amount of each instalment. Those of a linear plan fall: the highest and the lowest. */
export function describeInstalments(
  payments: readonly { amount: number }[],
  { type, regular }: { type: number; regular: number },
  money: (amount: number) => string,
): string {
  const amounts = payments.map(({ amount }) => amount).filter((amount) => amount > 0)
  if (!linearTypes.includes(type) || amounts.length === 0) return money(regular)
  const [highest, lowest] = [Math.max(...amounts), Math.min(...amounts)]
  return highest === lowest ? money(highest) : `${money(highest)} – ${money(lowest)}`
}
