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
  const parts = readDayParts(text, order)
  return parts && toIso(parts)
}

/** Year, month and day as they are written, which the calendar may not have. */
export function readDayParts(text: string, order: DateOrder): [number, number, number] | undefined {
  const first = yearFirst.exec(text)
  if (first)
    return first[2] === '' && text.length !== 8
      ? undefined
      : [Number(first[1]), Number(first[3]), Number(first[4])]
  const last = yearLast.exec(text)
  if (!last || order === 'ymd') return undefined
  const [one, other] = [Number(last[1]), Number(last[3])]
  return order === 'dmy' ? [Number(last[4]), other, one] : [Number(last[4]), one, other]
}

function toIso([year, month, day]: [number, number, number]): string | undefined {
  const text = [
    String(year).padStart(4, '0'),
    String(month).padStart(2, '0'),
    String(day).padStart(2, '0'),
  ].join('-')
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
