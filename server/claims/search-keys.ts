/** Search keys of cases and invoices: each reference reduced to its letters and digits. */
import { compactOf } from '../metadata/search/lexemes.ts'

const keysOf = (type: 1 | 5, references: readonly (string | null)[]): string[] =>
  references.flatMap((reference) => {
    const compact = reference === null ? '' : compactOf(reference)
    return compact === '' ? [] : [`${type}r:${compact}`]
  })

export const searchKeysOfCase = (one: {
  caseNumber: string
  paymentReferenceNumber: string
  clientReferenceNumber: string | null
}): string[] => keysOf(1, [one.caseNumber, one.paymentReferenceNumber, one.clientReferenceNumber])

export const searchKeysOfInvoice = (invoiceNumber: string | null): string[] => keysOf(5, [invoiceNumber])
