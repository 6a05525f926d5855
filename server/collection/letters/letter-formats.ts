/** Days, amounts and lists of names as the recipient's language writes them. */
import { locales, type Language } from '../../../contract/platform/languages.ts'
import { formatMinor } from '../../../core/money/money.ts'

/** Caches Intl formats by locale: creating one is slower than everything else in a letter. */
function cacheFormats<F>(make: (locale: string, decimals: number) => F) {
  const known = new Map<string, F>()
  return (locale: string, decimals = 0): F => {
    const key = `${locale} ${decimals}`
    const found = known.get(key) ?? make(locale, decimals)
    known.set(key, found)
    return found
  }
}
const dayFormat = cacheFormats(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }),
)
const amountFormat = cacheFormats(
  (locale, decimals) =>
    new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
)
export const listFormat = cacheFormats((locale) => new Intl.ListFormat(locale))

export const formatDay = (language: Language, day: string): string =>
  dayFormat(locales[language]).format(new Date(`${day}T00:00:00Z`))

/** Exact: the decimal text is grouped and its point replaced, no float in between. */
export function formatAmount(language: Language, minor: bigint, currency: string): string {
  const text = formatMinor(minor, currency)
  const decimals = text.split('.')[1]?.length ?? 0
  return amountFormat(locales[language], decimals).format(text as `${number}`)
}
