/** How a file writes days and amounts where that is not ISO 8601 and a decimal point. */

export const dateOrders = ['ymd', 'dmy', 'mdy'] as const
export type DateOrder = (typeof dateOrders)[number]
export const decimalSigns = ['.', ','] as const
export type DecimalSign = (typeof decimalSigns)[number]

export interface ValueStyle {
  dates?: DateOrder | undefined
  decimals?: DecimalSign | undefined
}

interface ValueType {
  isDate?: boolean | undefined
  type: string
}

/** A day as YYYY-MM-DD or a number; undefined for what is not written in the style. */
export function readStyled(
  text: string,
  { isDate, type }: ValueType,
  { dates, decimals }: ValueStyle,
): string | number | undefined {
  if (isDate) return dates && readDay(text, dates)
  return decimals !== undefined && type === 'number' ? readDecimal(text, decimals) : undefined
}

const yearFirst = /^(\d{4})([-./ ]?)(\d{1,2})\2(\d{1,2})$/
const yearLast = /^(\d{1,2})([-./ ])\s?(\d{1,2})\2\s?(\d{4})$/

/** `31.12.2025`, `12/31/2025`, `20251231` or `2025/12/31`. The year has four digits. */
export function readDay(text: string, order: DateOrder): string | undefined {
  const first = yearFirst.exec(text)
  if (first) {
    const isBare = first[2] === ''
    return isBare && text.length !== 8 ? undefined : toIso(first[1]!, first[3]!, first[4]!)
  }
  const last = yearLast.exec(text)
  if (!last || order === 'ymd') return undefined
  const [one, other] = [last[1]!, last[3]!]
  return order === 'dmy' ? toIso(last[4]!, other, one) : toIso(last[4]!, one, other)
}

function toIso(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined
}

const patterns: Record<DecimalSign, RegExp> = {
  ',': /^[-−]?(?:\d{1,3}(?:([ .'’\u00a0\u202f])\d{3})(?:\1\d{3})*|\d{1,15})(?:,\d{1,6})?$/,
  '.': /^[-−]?(?:\d{1,3}(?:([ ,'’\u00a0\u202f])\d{3})(?:\1\d{3})*|\d{1,15})(?:\.\d{1,6})?$/,
}

/** `1 234,50` or `1,234.50`, with groups of three digits or without. */
export function readDecimal(text: string, decimals: DecimalSign): number | undefined {
  if (!patterns[decimals].test(text)) return undefined
  const plain = text
    .replace('−', '-')
    .replace(decimals === ',' ? /[ .'’\u00a0\u202f]/g : /[ ,'’\u00a0\u202f]/g, '')
  return Number(plain.replace(',', '.'))
}
