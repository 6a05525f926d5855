/**
 * One cell of CSV. Text that a spreadsheet would take for a formula gets an apostrophe in front (OWASP, CSV injection);
 * numbers and phones do not, which begin with a sign and cannot call anything.
 */
export function csvCell(value: unknown, delimiter: string): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'object' ? textOf(value) : String(value)
  const guarded = isFormula(text) ? `'${text}` : text
  const quoted = guarded.includes(delimiter) || /["\r\n]/.test(guarded) || guarded !== guarded.trim()
  return quoted ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

/** A list is written with `|` between, as the import reads it; what is no list as JSON. */
const textOf = (value: object): string =>
  Array.isArray(value) && value.every((one) => typeof one !== 'object')
    ? value.join('|')
    : JSON.stringify(value)

const isFormula = (text: string) =>
  /^[=@\t\r]/.test(text) || (/^[+-]/.test(text) && !/^[+-][\d ()./-]*$/.test(text))
