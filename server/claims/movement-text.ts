import type { Component } from '../../core/ledger/allocation.ts'
import type { Language } from '../../contract/platform/languages.ts'
import type { MovementKind } from '../../core/ledger/case-movement.ts'
import { fillPlaceholders } from '../../core/text/fill-in.ts'
import { findText, texts as allTexts } from '../../core/text/texts.ts'
import { formatMinor } from '../../core/money/money.ts'

export interface DescribedMovement {
  kind: MovementKind
  /** In minor units. */
  amount: number
  invoiceNumber: string | null
  details: Record<string, unknown>
  reversed: boolean
}

/** A sentence that describes a movement with its amount. */
export function describeMovement(
  { kind, amount, invoiceNumber, details, reversed }: DescribedMovement,
  currency: string,
  language: Language,
): string {
  const texts = allTexts[language].ledger
  const { feeType, component } = details
  const parts = [texts[`movement.${kind}`]]
  // A fee of the client's own has no text: it is shown by its code.
  if (typeof feeType === 'string')
    parts.push(`(${findText(language, 'lookup', `feetype.${feeType}`) ?? feeType})`)
  if (typeof component === 'string')
    parts.push(fillPlaceholders(texts['movement.ofPart'], { part: texts[`part.${component as Component}`] }))
  if (amount !== 0) parts.push(`${formatMinor(BigInt(amount), currency)} ${currency}`)
  if (invoiceNumber !== null) {
    const invoice = fillPlaceholders(texts.invoice, { number: invoiceNumber })
    parts.push(fillPlaceholders(texts['movement.onInvoice'], { invoice }))
  }
  if (reversed) parts.push(texts['movement.reversed'])
  return `${parts.join(' ')}.`
}
