/** Which payment reference belongs to whom. */
import { makeReference, numbersOfReference, referenceKindOf } from '../../core/identity/payment-reference.ts'

const countries: Record<string, string> = { SEK: 'SE', NOK: 'NO', DKK: 'DK', ISK: 'IS' }

/** The country whose banks carry payments in a currency, where one does; else none that has a reference of its own. */
export const countryOfCurrency = (currency: string): string => countries[currency] ?? 'DE'

/** No case number will ever be so long that it begins so: a debtor's reference is never taken for a case's. */
const debtorPrefix = '99000'

/** The reference for a payment on whatever a debtor owes. */
export function debtorReferenceNumberOf(debtor: {
  debtorReference: string
  countryCode: string | null
  currencyCode: string | null
}): string {
  const country = debtor.countryCode ?? countryOfCurrency(debtor.currencyCode ?? '')
  return makeReference(referenceKindOf(country), debtorPrefix + debtor.debtorReference)
}

/** The case numbers and the debtor references that a payer's reference may stand for; `reference` is without blanks. */
export function readPaymentReference(text: string): {
  reference: string
  caseNumbers: string[]
  debtorReferences: string[]
} {
  const caseNumbers = numbersOfReference(text)
  return {
    reference: text.replaceAll(/\s/g, '').toUpperCase(),
    caseNumbers,
    debtorReferences: caseNumbers
      .filter((number) => number.startsWith(debtorPrefix))
      .map((number) => number.slice(debtorPrefix.length)),
  }
}
