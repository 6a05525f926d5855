/**
 * One CSV cell. Text that a spreadsheet would read as a formula gets a leading apostrophe (OWASP, CSV injection).
 * Numbers and phone numbers do not: they begin with a sign but cannot call a function.
 */
export function csvCell(value: unknown, delimiter: string): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'object' ? formatValue(value) : String(value)
  const guarded = isFormula(text) ? `'${text}` : text
  const quoted = guarded.includes(delimiter) || /["\r\n]/.test(guarded) || guarded !== guarded.trim()
  return quoted ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

/** A list is joined by `|`, as the import reads it. Any other object becomes JSON. */
const formatValue = (value: object): string =>
  Array.isArray(value) && value.every((one) => typeof one !== 'object')
    ? value.join('|')
    : JSON.stringify(value)

const isFormula = (text: string) =>
  /^[=@\t\r]/.test(text) || (/^[+-]/.test(text) && !/^[+-][\d ()./-]*$/.test(text))
