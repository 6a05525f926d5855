/** Days, amounts and lists of names as the recipient's language writes them. */
import { locales, type Language } from '../../../contract/platform/languages.ts'
import { findFormats } from '../../../core/text/formats.ts'

const lists = new Map<string, Intl.ListFormat>()

export function listFormat(locale: string): Intl.ListFormat {
  const format = lists.get(locale) ?? new Intl.ListFormat(locale)
  lists.set(locale, format)
  return format
}

export const formatDay = (language: Language, day: string): string => findFormats(locales[language]).day(day)

export const formatAmount = (language: Language, minor: bigint, currency: string): string =>
  findFormats(locales[language]).amount(minor, currency)
