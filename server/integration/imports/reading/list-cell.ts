/** Splits a CSV cell with a list: its elements are separated by `|`. */
export function splitCell(text: string): string[] {
  return text
    .split('|')
    .map((element) => element.trim())
    .filter((element) => element !== '')
}

/** Reads a cell with a list of records, written as JSON. What is none stays text, which the check refuses by name. */
export function readJsonCell(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
