import { guardFormula, numberOrPhone } from '../../../core/spreadsheet/guard-formula.ts'

/** One CSV cell. Text that a spreadsheet would read as a formula gets a leading apostrophe. */
export function csvCell(value: unknown, delimiter: string): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'object' ? formatValue(value) : String(value)
  const guarded = guardFormula(text, numberOrPhone)
  const quoted = guarded.includes(delimiter) || /["\r\n]/.test(guarded) || guarded !== guarded.trim()
  return quoted ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

/** A list is joined by `|`, as the import reads it. Any other object becomes JSON. */
const formatValue = (value: object): string =>
  Array.isArray(value) && value.every((one) => typeof one !== 'object')
    ? value.join('|')
    : JSON.stringify(value)
