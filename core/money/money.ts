/**
 * Money amounts: bigint minor units of an ISO 4217 currency inside, JSON numbers in the API.
 *
 * A JSON number is a double, which represents every decimal number of up to 15 digits exactly enough to
 * convert back (IEEE 754, section 5.12.2). Amounts with more digits are refused.
 */
import { currencyDecimals } from '../identity/codes.ts'

/** The largest amount is 10^13 units of the currency, and at most 15 digits including decimals. */
const largestAmount = 10n ** 13n
export const largestMinor = 10n ** 15n

/** `most`: the largest amount in minor units, when the amount is larger. */
export type AmountResult = { ok: true; minor: bigint } | { ok: false; message: string; most?: bigint }

/** The number of decimals of a currency. Throws RangeError for a code that is not in ISO 4217. */
export function countDecimals(currency: string): number {
  const decimals = currencyDecimals(currency)
  if (decimals === null) throw new RangeError('A currency is a code of ISO 4217, such as SEK or EUR.')
  return decimals
}

/**
 * The largest amount of a currency in minor units: 10^13 units of the currency, or 15 digits if that is less.
 */
export function findLargestMinor(currency: string): bigint {
  const most = largestAmount * 10n ** BigInt(countDecimals(currency))
  return most < largestMinor ? most : largestMinor
}

/**
 * Converts an API amount to minor units, exactly: 10.1 SEK is 1010n. Keeps the sign. Returns an error message
 * for a number that is not finite, has too many decimals (`0.1 + 0.2` has seventeen), or exceeds the largest
 * amount. Throws RangeError only for an unknown currency.
 */
export function readAmount(amount: number, currency: string): AmountResult {
  const decimals = countDecimals(currency)
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(amount))
  if (!match) return { ok: false, message: 'An amount is a finite number.' }
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const shift = Number(exponent) + decimals - fraction.length
  if (shift < 0) return { ok: false, message: describeDecimals(currency, decimals) }
  const largest = findLargestMinor(currency)
  // A double has at most 309 digits before the point, so this stays cheap.
  const minor = BigInt(whole + fraction) * 10n ** BigInt(shift)
  if (minor > largest) {
    return {
      ok: false,
      message: `An amount in ${currency} is at most ${formatMinor(largest, currency)}.`,
      most: largest,
    }
  }
  return { ok: true, minor: sign ? -minor : minor }
}

const describeDecimals = (currency: string, decimals: number): string =>
  decimals === 0
    ? `An amount in ${currency} is a whole number.`
    : `An amount in ${currency} has at most ${decimals} decimals.`

/** Converts an amount that is already validated. Throws RangeError where `readAmount` returns an error. */
export function toMinor(amount: number, currency: string): bigint {
  const result = readAmount(amount, currency)
  if (!result.ok) throw new RangeError(result.message)
  return result.minor
}

const readTexts = new Map<string, bigint>()
const readTextsMax = 1000

/** Converts a table's amount, which is decimal text. Kept, because tables are read anew for each case. Throws like `toMinor`. */
export function textToMinor(text: string, currency: string): bigint {
  const key = `${currency} ${text}`
  const known = readTexts.get(key)
  if (known !== undefined) return known
  const minor = toMinor(Number(text), currency)
  if (readTexts.size >= readTextsMax) readTexts.clear()
  readTexts.set(key, minor)
  return minor
}

/**
 * Converts minor units to the API number: the double nearest to the amount, which prints with the currency's
 * decimals.
 */
export const fromMinor = (minor: bigint, currency: string): number => Number(formatMinor(minor, currency))

/**
 * Formats minor units as decimal text with all decimals of the currency: 1010n SEK is `10.10`, 7n JPY is `7`.
 */
export function formatMinor(minor: bigint, currency: string): string {
  const decimals = countDecimals(currency)
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, '0')
  const sign = minor < 0n ? '-' : ''
  if (decimals === 0) return sign + digits
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/**
 * Divides and rounds half up to a whole number. Negative halves round away from zero, so that a reversal
 * rounds like the original. Throws RangeError unless the denominator is above zero.
 */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError('A fraction to round has a denominator above zero.')
  const half = numerator < 0n ? -denominator : denominator
  return (2n * numerator + half) / (2n * denominator)
}

/**
 * Splits `total` in proportion to the weights by largest remainder. Each share is its exact part rounded down
 * or up, and the shares sum to the total. Among equal remainders the first gets the unit. Throws RangeError
 * for a negative total or weight, or when all weights are zero and the total is not.
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
