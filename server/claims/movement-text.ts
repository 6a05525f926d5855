import type { Component } from '../../core/ledger/allocation.ts'
import type { Language } from '../../contract/platform/languages.ts'
import type { MovementKind } from '../../core/ledger/case-movement.ts'
import { fillPlaceholders } from '../../core/text/fill-in.ts'
import { findText, texts as allTexts } from '../../core/text/texts.ts'
import type { Reader } from '../platform/dictionary/reader.ts'

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
  { language, formats }: Reader,
): string {
  const texts = allTexts[language].ledger
  const { feeType, part, invoice, why } = findDetails({ invoiceNumber, details }, language)
  const parts = [texts[`movement.${kind}`]]
  if (feeType !== undefined) parts.push(`(${feeType})`)
  if (part !== undefined) parts.push(fillPlaceholders(texts['movement.ofPart'], { part }))
  if (amount !== 0) parts.push(formats.money(BigInt(amount), currency))
  if (invoice !== undefined) parts.push(fillPlaceholders(texts['movement.onInvoice'], { invoice }))
  if (why !== undefined) parts.push(why)
  if (reversed) parts.push(texts['movement.reversed'])
  return `${parts.join(' ')}.`
}

type Detailed = Pick<DescribedMovement, 'invoiceNumber' | 'details'>

/** How a payment came to the books. */
export const paymentWays = ['bankFile', 'suspense', 'import', 'hand'] as const
export type PaymentWay = (typeof paymentWays)[number]

/** By the reference that each way gives its payments. `payment` is a row of the table. */
export const paymentWay = (payment: string) => `case when ${payment}.id is null then null
  when ${payment}.source_reference is null then 'hand' when ${payment}.source_reference like 'payment-file/%' then 'bankFile'
  when ${payment}.source_reference like 'suspense/%' then 'suspense' else 'import' end`

/** Way of payment, fee type, component and invoice: `Reminder · invoice F-9`. Empty where it has none. */
export function describeDetail(
  { way, ...movement }: Detailed & { way: PaymentWay | null },
  language: Language,
): string {
  const { feeType, part, invoice } = findDetails(movement, language)
  const how = way === null ? undefined : allTexts[language].ledger[`way.${way}`]
  return [how, feeType, part, invoice].filter((one) => one !== undefined).join(' · ')
}

/** Why the fee of a letter was reversed. */
function describeHold(letterHeld: unknown, language: Language): string | undefined {
  if (typeof letterHeld !== 'string') return undefined
  const texts = allTexts[language].ledger
  if (letterHeld === 'withdrawn') return texts['movement.letterWithdrawn']
  const reason = findText(language, 'lookup', `contactreason.${letterHeld}`) ?? letterHeld
  return fillPlaceholders(texts['movement.letterHeld'], { reason })
}

function findDetails(
  { invoiceNumber, details: { feeType, component, letterHeld } }: Detailed,
  language: Language,
) {
  const texts = allTexts[language].ledger
  return {
    // A fee of the client's own has no text: it is shown by its code.
    feeType:
      typeof feeType === 'string'
        ? (findText(language, 'lookup', `feetype.${feeType}`) ?? feeType)
        : undefined,
    part: typeof component === 'string' ? texts[`part.${component as Component}`] : undefined,
    why: describeHold(letterHeld, language),
    invoice: invoiceNumber === null ? undefined : fillPlaceholders(texts.invoice, { number: invoiceNumber }),
  }
}
