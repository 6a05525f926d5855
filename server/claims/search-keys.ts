/** Search keys of cases and invoices: each reference reduced to its letters and digits. */
import { compactText } from '../metadata/search/lexemes.ts'

const referenceKeys = (type: 1 | 5, references: readonly (string | null)[]): string[] =>
  references.flatMap((reference) => {
    const compact = reference === null ? '' : compactText(reference)
    return compact === '' ? [] : [`${type}r:${compact}`]
  })

export const caseSearchKeys = (one: {
  caseNumber: string
  paymentReferenceNumber: string
  clientReferenceNumber: string | null
}): string[] => referenceKeys(1, [one.caseNumber, one.paymentReferenceNumber, one.clientReferenceNumber])

export const invoiceSearchKeys = (invoiceNumber: string | null): string[] => referenceKeys(5, [invoiceNumber])
