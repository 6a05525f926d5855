/** Payment references: which debtor, case or demand group a reference identifies. */
import {
  makeReference,
  possibleNumbers,
  countryReferenceKind,
} from '../../core/identity/payment-reference.ts'

const countries: Record<string, string> = { SEK: 'SE', NOK: 'NO', DKK: 'DK', ISK: 'IS' }

/**
 * The country whose payment references are used for a currency. Germany (ISO 11649) for any other currency.
 */
export const referenceCountry = (currency: string): string => countries[currency] ?? 'DE'

/**
 * Distinguishes debtor references from case references: no case number gets long enough to start like this.
 */
const debtorPrefix = '99000'

/** The payment reference for everything that a debtor owes. */
export function makeDebtorPaymentReference(debtor: {
  debtorReference: string
  countryCode: string | null
  currencyCode: string | null
}): string {
  const country = debtor.countryCode ?? referenceCountry(debtor.currencyCode ?? '')
  return makeReference(countryReferenceKind(country), debtorPrefix + debtor.debtorReference)
}

/** Distinguishes references of demand groups in the same way. With nine digits they fit every kind of reference. */
const groupPrefix = '99001'
const groupDigits = 9

/** The payment reference for all claims of a demand group, as banks of its currency read it. */
export const makeGroupPaymentReference = (number: number, currency: string): string =>
  makeReference(
    countryReferenceKind(referenceCountry(currency)),
    groupPrefix + String(number).padStart(groupDigits, '0'),
  )

/** The case numbers, debtor references and numbers of demand groups that a payer's text may stand for. `reference` has no blanks. */
export function readPaymentReference(text: string): {
  reference: string
  caseNumbers: string[]
  debtorReferences: string[]
  groupNumbers: string[]
} {
  const caseNumbers = possibleNumbers(text)
  return {
    reference: text.replaceAll(/\s/g, '').toUpperCase(),
    caseNumbers,
    debtorReferences: caseNumbers
      .filter((number) => number.startsWith(debtorPrefix))
      .map((number) => number.slice(debtorPrefix.length)),
    groupNumbers: caseNumbers
      .filter(
        (number) => number.startsWith(groupPrefix) && number.length === groupPrefix.length + groupDigits,
      )
      .map((number) => number.slice(groupPrefix.length)),
  }
}
