/** Formats dates and numbers by the user's culture. */
import { i18n } from '../texts/languages.ts'
import { session } from '../session/session.ts'
import { decimalOptions } from './decimals.ts'

/**
 * The culture, such as `sv-SE`, from the user's settings, or else of the agency's country. A tag that the browser does
 * not know falls back to the language.
 */
export function userCulture(): string {
  const { user } = session.get()
  const language = i18n.language === 'no' ? 'nb' : i18n.language
  const country = user?.countryFormat || user?.systemCountryCode
  const chosen = country ? `${language}-${country}` : undefined
  const browsers = navigator.languages.find((tag) => tag.startsWith(`${language}-`))
  const wanted = user?.cultureCode ?? chosen ?? browsers ?? language
  try {
    return Intl.getCanonicalLocales(wanted)[0] ?? language
  } catch {
    return language
  }
}

/** The culture in which the service writes its texts, without extensions such as `-u-nu-latn`, which it does not take. */
export const textCulture = (): string => new Intl.Locale(userCulture()).baseName

const isMidnight = (text: string) => /T00:00:00(\.0+)?Z$/.test(text) || text.length === 10

/** A date without time as a date; anything else with its local time. */
export function formatDateTime(text: string | null): string {
  if (!text) return ''
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) return text
  return isMidnight(text)
    ? new Intl.DateTimeFormat(userCulture(), { dateStyle: 'medium', timeZone: 'UTC' }).format(date)
    : new Intl.DateTimeFormat(userCulture(), { dateStyle: 'medium', timeStyle: 'short' }).format(date)
}

export const formatNumber = (value: number, decimalsMost = 3): string =>
  new Intl.NumberFormat(userCulture(), { maximumFractionDigits: decimalsMost }).format(value)

/** An amount in main units with its currency: 1 234,50 kr. */
export function formatMoney(amount: number, currency: string | null | undefined): string {
  if (!currency) return formatAmount(amount, currency)
  const options = { style: 'currency', currency, ...decimalOptions(currency) } as const
  try {
    return new Intl.NumberFormat(userCulture(), options).format(amount)
  } catch {
    return `${formatAmount(amount, currency)} ${currency}`
  }
}

/** The same without the currency, for columns that show it in their heading. */
export const formatAmount = (amount: number, currency: string | null | undefined): string =>
  new Intl.NumberFormat(userCulture(), decimalOptions(currency)).format(amount)
