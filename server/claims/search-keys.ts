/** What cases and invoices are found by besides their first line: each reference by its letters and digits alone. */
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
