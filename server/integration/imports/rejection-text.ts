/** Why a row was rejected, in the language of the user who imports it. */
import { cellFaultTexts, type CellFault } from '../../../contract/integration/cell-faults.ts'
import type { ImportedKind } from '../../../contract/integration/imported-kinds.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import { fillRefusal, findRefusal } from '../../../core/text/refusals.ts'
import { texts } from '../../../core/text/texts.ts'
import { importLabel } from './inspection/kind-fields.ts'
import type { Fault } from './reading/row.ts'

/** A sentence with the label of the field. A reason without a text of its own stays as the service says it. */
export function writeRejection(
  { field, reason, cell }: Fault,
  { language, what }: { language: Language; what: ImportedKind },
): string {
  const refusal = findRefusal(reason)
  const said = cell
    ? writeCellFault(cell, language)
    : refusal && fillRefusal(texts[language].refusal[refusal.key], refusal.values)
  const label = importLabel(language, what, lastMember(field))
  if (said !== undefined) return field === '' ? said : `${label}: ${said}`
  return field === '' ? `The row ${reason}` : `${label} ${reason}`
}

/** Of a path such as `addresses[0].zipCode`. */
const lastMember = (path: string): string =>
  path
    .split('.')
    .at(-1)!
    .replace(/\[\d+\]$/, '')

function writeCellFault({ kind, value, example, last }: CellFault, language: Language): string {
  const words = texts[language].console
  const cell = value === null ? words['fault.theCell'] : fillRefusal(words['fault.quoted'], { value })
  return fillRefusal(words[cellFaultTexts[kind]], { cell, example, last: String(last) })
}
