/** Parses numbers as users type them: with the separators of their culture, or with a point. */
import { decimalOptions, hasPartUnits } from './decimals.ts'

interface Separators {
  group: string
  decimal: string
}

function findSeparators(culture: string): Separators {
  const parts = new Intl.NumberFormat(culture).formatToParts(-1234567.8)
  const find = (type: string, otherwise: string) =>
    parts.find((part) => part.type === type)?.value ?? otherwise
  return { group: find('group', ''), decimal: find('decimal', '.') }
}

/**
 * Parses a number; undefined when it is invalid. Spaces and the culture's group separator are ignored before three
 * digits. A point is also a decimal separator, unless the culture groups by it.
 */
export function readNumber(text: string, culture: string): number | undefined {
  const { group, decimal } = findSeparators(culture)
  let plain = text
    .trim()
    .replaceAll(/[\s\u00a0\u202f'’]/g, '')
    .replace(/^[−–]/, '-')
  if (group !== '' && /[.,]/.test(group)) {
    const grouped = new RegExp(`^[-+]?\\d{1,3}(\\${group}\\d{3})+(\\${decimal}\\d*)?$`)
    if (grouped.test(plain)) plain = plain.replaceAll(group, '')
  }
  if (decimal !== '.') plain = plain.replace(decimal, '.')
  return /^[-+]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : undefined
}

/** A number as text for a field: without group separators, so that it parses to the same number. */
export const writeNumber = (value: number, culture: string): string =>
  new Intl.NumberFormat(culture, { useGrouping: false, maximumFractionDigits: 10 }).format(value)

/** An amount as text for a field, with the decimals of its currency. More than those are kept. */
export function writeAmount(value: number, currency: string, culture: string): string {
  if (hasPartUnits(value, currency)) return writeNumber(value, culture)
  return new Intl.NumberFormat(culture, { useGrouping: false, ...decimalOptions(currency) }).format(value)
}
