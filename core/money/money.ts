/**
 * Amounts of money: whole minor units of an ISO 4217 currency as bigint inside, JSON numbers on the wire.
 *
 * A JSON number is a double. A decimal number of at most 15 digits survives the way into a double and back (IEEE 754,
 * section 5.12.2), so an amount of at most 15 digits is exact, and one that would have more is refused.
 */
import { currencyDecimals } from '../identity/codes.ts'

/** No amount is above 10^13 in its currency, and none has more than 15 digits, decimals included. */
const largestAmount = 10n ** 13n
export const largestMinor = 10n ** 15n

export type AmountResult = { ok: true; minor: bigint } | { ok: false; message: string }

/** The number of decimals of a currency. Throws RangeError for a code that is none of ISO 4217. */
export function decimalsOf(currency: string): number {
  const decimals = currencyDecimals(currency)
  if (decimals === null) throw new RangeError('A currency is a code of ISO 4217, such as SEK or EUR.')
  return decimals
}

/** The largest amount a currency takes, in minor units: 10^13 in the currency itself, or 15 digits if that is less. */
export function largestMinorOf(currency: string): bigint {
  const most = largestAmount * 10n ** BigInt(decimalsOf(currency))
  return most < largestMinor ? most : largestMinor
}

/**
 * An amount from the wire in minor units, exactly: 10.1 SEK is 1010n. Refused with a sentence when it isn't a finite
 * number, has more decimals than the currency (`0.1 + 0.2` has seventeen), or is above the largest amount. The sign
 * is kept. Throws RangeError only for an unknown currency.
 */
export function readAmount(amount: number, currency: string): AmountResult {
  const decimals = decimalsOf(currency)
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(amount))
  if (!match) return { ok: false, message: 'An amount is a finite number.' }
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const shift = Number(exponent) + decimals - fraction.length
  if (shift < 0) return { ok: false, message: tooFine(currency, decimals) }
  const largest = largestMinorOf(currency)
  // No number is so long that this becomes dear: a double has at most 309 digits before the point.
  const minor = BigInt(whole + fraction) * 10n ** BigInt(shift)
  if (minor > largest) {
    return { ok: false, message: `An amount in ${currency} is at most ${formatMinor(largest, currency)}.` }
  }
  return { ok: true, minor: sign ? -minor : minor }
}

const tooFine = (currency: string, decimals: number): string =>
  decimals === 0
    ? `An amount in ${currency} is a whole number.`
    : `An amount in ${currency} has at most ${decimals} decimals.`

/** The same for an amount that was checked before. Throws RangeError with that sentence where `readAmount` refuses. */
export function toMinor(amount: number, currency: string): bigint {
  const result = readAmount(amount, currency)
  if (!result.ok) throw new RangeError(result.message)
  return result.minor
}

/** Minor units as the number for the wire: the double nearest to the amount, which prints with its own decimals. */
export const fromMinor = (minor: bigint, currency: string): number => Number(formatMinor(minor, currency))

/** Minor units as decimal text with all the currency's decimals and a point: 1010n SEK is `10.10`, 7n JPY is `7`. */
export function formatMinor(minor: bigint, currency: string): string {
  const decimals = decimalsOf(currency)
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, '0')
  const sign = minor < 0n ? '-' : ''
  if (decimals === 0) return sign + digits
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/**
 * A fraction as a whole number, rounded half up; below zero half goes away from zero, so that a reversal is rounded
 * as what it reverses. Throws RangeError unless the denominator is above zero.
 */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError('A fraction to round has a denominator above zero.')
  const half = numerator < 0n ? -denominator : denominator
  return (2n * numerator + half) / (2n * denominator)
}

/**
 * `total` (zero or above) split in proportion to the weights, by largest remainder: every share is its exact part
 * rounded down or up, the shares sum to the total, and of equal remainders the first gets the unit.
 * Throws RangeError for a total or weight below zero, or when all weights are zero and the total isn't.
 */
export function splitByWeight(total: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((whole, weight) => whole + weight, 0n)
  if (total < 0n || weights.some((weight) => weight < 0n))
    throw new RangeError('Only zero or more is split, by weights of zero or more.')
  if (sum === 0n) {
    if (total !== 0n) throw new RangeError('An amount is split by at least one weight above zero.')
    return weights.map(() => 0n)
  }
  const shares = weights.map((weight) => (total * weight) / sum)
  const left = total - shares.reduce((whole, share) => whole + share, 0n)
  weights
    .map((weight, index) => ({ index, remainder: (total * weight) % sum }))
    .toSorted((a, b) =>
      a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
    )
    .slice(0, Number(left))
    .forEach(({ index }) => (shares[index] = shares[index]! + 1n))
  return shares
}
