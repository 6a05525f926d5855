/** Rows as CSV for spreadsheets: semicolons, a byte order mark, and formulas escaped. */

const mark = '\uFEFF'

/** A spreadsheet calculates such a cell, so it gets an apostrophe (OWASP, "CSV Injection"). Plain numbers stay. */
function guardFormula(text: string): string {
  if (/^[+-]?\d+([.,]\d+)?$/.test(text)) return text
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

function writeCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = guardFormula(typeof value === 'object' ? JSON.stringify(value) : String(value))
  return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const writeCsvLine = (cells: readonly unknown[]): string => `${cells.map(writeCell).join(';')}\r\n`

export const startCsv = (headings: readonly string[]): string => mark + writeCsvLine(headings)
