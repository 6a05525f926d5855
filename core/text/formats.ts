/** Amounts, days and rates as a culture writes them, such as `sv-SE`. */
import { countDecimals, formatMinor } from '../money/money.ts'

export interface Formats {
  /** With the currency: 1 234,50 kr. Exact: takes decimal text, no float. */
  money: (minor: bigint, currency: string) => string
  /** Without the currency. */
  amount: (minor: bigint, currency: string) => string
  /** Takes YYYY-MM-DD. */
  day: (day: string) => string
  /** Takes decimal text of up to six decimals; without a percent sign. */
  rate: (rate: string) => string
}

const known = new Map<string, Formats>()
/** Cultures come from users, so their number is limited. */
const knownMax = 100

/** The formats of a culture. Throws RangeError for text that is no language tag. */
export function findFormats(culture: string): Formats {
  const found = known.get(culture) ?? makeFormats(culture)
  if (!known.has(culture) && known.size >= knownMax) known.clear()
  known.set(culture, found)
  return found
}

function makeFormats(culture: string): Formats {
  const days = new Intl.DateTimeFormat(culture, { dateStyle: 'medium', timeZone: 'UTC' })
  const rates = new Intl.NumberFormat(culture, { maximumFractionDigits: 6 })
  const moneyIn = memoize(
    (currency) => new Intl.NumberFormat(culture, { style: 'currency', currency, ...decimalsIn(currency) }),
  )
  const amountIn = memoize((currency) => new Intl.NumberFormat(culture, decimalsIn(currency)))
  return {
    money: formatWith(moneyIn),
    amount: formatWith(amountIn),
    day: memoize((day) => days.format(new Date(`${day}T00:00:00Z`))),
    rate: (rate) => rates.format(rate as `${number}`),
  }
}

/** Formats the decimal text itself: a number would lose digits of large amounts. */
const formatWith =
  (formatIn: (currency: string) => Intl.NumberFormat) =>
  (minor: bigint, currency: string): string =>
    formatIn(currency).format(formatMinor(minor, currency) as `${number}`)

function decimalsIn(currency: string): Intl.NumberFormatOptions {
  const decimals = countDecimals(currency)
  return { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
}

const keptMax = 1000

/**
 * Remembers up to `keptMax` results. Creating a format takes longer than the rest of a letter, and the letters of a night name
 * the same days.
 */
function memoize<Value>(make: (key: string) => Value): (key: string) => Value {
  const kept = new Map<string, Value>()
  return (key) => {
    const value = kept.get(key) ?? make(key)
    if (!kept.has(key) && kept.size >= keptMax) kept.clear()
    kept.set(key, value)
    return value
  }
}
