/** A value as the text of a cell that the import reads back: a list of texts by `|`, any other object as JSON. */
export function readCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join('|')
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean)
}
