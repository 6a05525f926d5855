/** Why a row was rejected, in the language of the user who imports it. */
import { cellFaultTexts, type CellFault } from '../../../contract/integration/cell-faults.ts'
import type { ImportedKind } from '../../../contract/integration/imported-kinds.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import { fillPlaceholders } from '../../../core/text/fill-in.ts'
import { lastMember } from '../../../core/text/member-path.ts'
import { findRefusal } from '../../../core/text/refusals.ts'
import { texts } from '../../../core/text/texts.ts'
import { importLabel } from './inspection/kind-fields.ts'
import type { Fault } from './reading/row.ts'

/** A sentence with the label of the field. A reason without a text of its own stays as the service says it. */
export function writeRejection(
  { field, reason, cell }: Fault,
  { language, what }: { language: Language; what: ImportedKind },
): string {
  const said = cell ? writeCellFault(cell, language) : writeRefusal(reason, language)
  const label = importLabel(language, what, lastMember(field))
  if (said !== undefined) return field === '' ? said : `${label}: ${said}`
  return field === '' ? `The row ${reason}` : `${label} ${reason}`
}

function writeRefusal(reason: string, language: Language): string | undefined {
  const refusal = findRefusal(reason)
  return refusal && fillPlaceholders(texts[language].refusal[refusal.key], refusal.values)
}

function writeCellFault({ kind, value, example, last }: CellFault, language: Language): string {
  const words = texts[language].console
  const cell = value === null ? words['fault.theCell'] : fillPlaceholders(words['fault.quoted'], { value })
  return fillPlaceholders(words[cellFaultTexts[kind]], { cell, example, last: String(last) })
}
