/** A list in a cell of CSV: its elements with `|` in between. */
export function splitCell(text: string): string[] {
  return text
    .split('|')
    .map((element) => element.trim())
    .filter((element) => element !== '')
}
