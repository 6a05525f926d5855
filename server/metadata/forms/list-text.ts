/** An array of texts as one text and back. A backslash escapes separators inside elements. */
import type { ListSeparator } from '../../../contract/metadata/forms/form.ts'

const written = { ',': ',', '\n': 'n' } as const

export const joinList = (elements: readonly string[], separator: ListSeparator): string =>
  elements
    .map((element) => element.replaceAll('\\', '\\\\').replaceAll(separator, () => `\\${written[separator]}`))
    .join(separator)

/** The empty text has no elements. In a text line, spaces around elements are ignored. */
export function splitList(text: string, separator: ListSeparator): string[] {
  const elements = ['']
  const add = (part: string) => (elements[elements.length - 1] += part)
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!
    const next = text[at + 1]
    if (letter === '\\' && (next === '\\' || next === written[separator])) {
      add(next === '\\' ? '\\' : separator)
      at += 1
    } else if (letter === separator) elements.push('')
    else if (separator !== '\n' || letter !== '\r' || next !== '\n') add(letter)
  }
  if (text === '') return []
  return separator === ',' ? elements.map((one) => one.trim()).filter((one) => one !== '') : elements
}
