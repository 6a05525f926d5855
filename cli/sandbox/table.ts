import { countDecimals } from '../../core/money/money.ts'

/** A table of text: the first columns are left-aligned, the others right-aligned as numbers are. */
export function drawTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  left = 2,
): string[] {
  const all = [heads, ...rows]
  const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  const draw = (row: readonly string[]) =>
    row
      .map((cell, column) => (column < left ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd()
  return [draw(heads), draw(widths.map((width) => '-'.repeat(width))), ...rows.map(draw)]
}

/** With the decimals of the currency. */
export const writeMoney = (amount: number, currencyCode: string): string =>
  amount.toFixed(countDecimals(currencyCode))
