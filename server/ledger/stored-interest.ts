/**
 * Interest since the last posting, as the columns of a case keep it: over a twelfth of core's denominator, which is the unit of
 * every released version, so that nodes of two versions read the same amounts. Only months of 30 days need twelfths of
 * that unit: they are kept with 20 decimals, rounded up. Exact sums are whole twelfths, so none lies so little below one half
 * that this would round it up.
 */
import { interestDenominator } from '../../core/interest/interest.ts'
import { divideHalfUp } from '../../core/money/money.ts'

const parts = 12n
const decimals = 20
const scale = 10n ** BigInt(decimals)

export const keptDenominator = interestDenominator / parts

/** What is kept of a numerator over `interestDenominator`, zero or more. */
export function keepNumerator(numerator: bigint): string {
  if (numerator % parts === 0n) return String(numerator / parts)
  const scaled = (numerator * scale + parts - 1n) / parts
  return `${scaled / scale}.${String(scaled % scale).padStart(decimals, '0')}`
}

/** The numerator over `interestDenominator` of a kept value, or of a sum of kept values. */
export function readNumerator(kept: string): bigint {
  const [whole, fraction = ''] = kept.split('.') as [string, string?]
  return divideHalfUp(BigInt(whole + fraction.padEnd(decimals, '0')) * parts, scale)
}
