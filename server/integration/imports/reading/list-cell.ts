/** Splits a CSV cell with a list: its elements are separated by `|`. */
export function splitCell(text: string): string[] {
  return text
    .split('|')
    .map((element) => element.trim())
    .filter((element) => element !== '')
}
