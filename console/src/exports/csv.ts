/** Rows as CSV for spreadsheets of the reader's country: its decimal sign and separator, and formulas escaped. */
import { guardFormula } from '../../../core/spreadsheet/guard-formula.ts'
import type { Cell } from '../../../core/spreadsheet/workbook.ts'

const mark = '\uFEFF'

export interface CsvStyle {
  decimals: '.' | ','
  /** Spreadsheets separate by semicolons where the comma is the decimal sign. */
  delimiter: ',' | ';'
}

export function csvStyle(locale: string): CsvStyle {
  const sign = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value
  return sign === ',' ? { decimals: ',', delimiter: ';' } : { decimals: '.', delimiter: ',' }
}

function writeCell(cell: Cell, { decimals, delimiter }: CsvStyle): string {
  if (cell === null) return ''
  if (typeof cell === 'object') return cell.value.toFixed(cell.decimals).replace('.', decimals)
  if (typeof cell === 'number') return String(cell).replace('.', decimals)
  // Spreadsheets know `2026-12-31 13:45` as a time, but not with a T.
  const text = guardFormula(String(cell).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)$/, '$1 $2'))
  return text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const writeCsvLine = (cells: readonly Cell[], style: CsvStyle): string =>
  `${cells.map((cell) => writeCell(cell, style)).join(style.delimiter)}\r\n`

export const startCsv = (headings: readonly string[], style: CsvStyle): string =>
  mark + writeCsvLine(headings, style)
