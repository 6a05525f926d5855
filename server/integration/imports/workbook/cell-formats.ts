/** What the number formats of a workbook say of its cells: whether a number is a day, and its leading zeros. */

export interface CellFormat {
  isDate: boolean
  /** The least digits of a whole number, as in the format `0000` of zip codes. */
  digits: number
}

export const plainFormat: CellFormat = { isDate: false, digits: 0 }

/** Days and times among the formats that every program knows by number (ECMA-376, 18.8.30). */
const isDateNumber = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

export function toCellFormat(id: number, code: string | undefined): CellFormat {
  if (code === undefined) return { isDate: isDateNumber(id), digits: 0 }
  const signs = code.replace(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g, '').split(';')[0]!
  return { isDate: /[dmyhs]/i.test(signs), digits: /^0+$/.test(signs) ? signs.length : 0 }
}

const msInDay = 86_400_000
const dayZero = Date.UTC(1899, 11, 30)
const daysTo1904 = 1462

/** A number of a cell as text: a day as YYYY-MM-DD, a time after it, or a number with the decimal sign. */
export function formatNumberCell(
  value: number,
  { isDate, digits }: CellFormat,
  { from1904, decimals }: { from1904: boolean; decimals: '.' | ',' },
): string {
  if (isDate) return formatSerial(value + (from1904 ? daysTo1904 : 0))
  // Excel calculates with 15 digits; more are noise of binary fractions.
  const number = Number(value.toPrecision(15))
  if (Number.isInteger(number)) {
    const text = Math.abs(number) < 1e21 ? BigInt(number).toString() : String(number)
    return digits > 0 && number >= 0 ? text.padStart(digits, '0') : text
  }
  return String(number).replace('.', decimals)
}

function formatSerial(serial: number): string {
  const date = new Date(dayZero + Math.round(serial * 86_400) * 1000)
  if (Number.isNaN(date.getTime()) || serial < 0) return String(serial)
  const iso = date.toISOString()
  return date.getTime() % msInDay === 0 ? iso.slice(0, 10) : iso.slice(0, 19) + 'Z'
}
