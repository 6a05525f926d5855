/** Bank account numbers for payouts: an IBAN, a Swedish bankgiro number, or a domestic account number. */
import { isLuhn } from './check-digit.ts'

/** The form for comparison: upper case, without blanks. */
export const normaliseAccount = (text: string): string => text.replaceAll(/\s/g, '').toUpperCase()

/** Validates an IBAN without blanks (ISO 13616): check digits by modulus 97-10 of ISO/IEC 7064. */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false
  const digits = [...(text.slice(4) + text.slice(0, 4))].map((sign) => Number.parseInt(sign, 36)).join('')
  return BigInt(digits) % 97n === 1n
}

/**
 * The seven or eight digits of a bankgiro number such as `5805-6201` or `BG 5805-6201`. Null for any other
 * text.
 */
export const readBankgiro = (text: string): string | null =>
  /^(?:BG:?|BANKGIRO:?)?(\d{3,4}-\d{4})$/.exec(normaliseAccount(text))?.[1]?.replace('-', '') ?? null

/** The transmitted form of a domestic account number: letters and digits only, at most 34. */
export const formatNationalAccount = (text: string): string =>
  normaliseAccount(text)
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, 34)

/** Why no money could be sent to an account, as text after a member name. Null for a possible account. */
export function bankAccountFault(text: string): string | null {
  const plain = normaliseAccount(text)
  const giro = readBankgiro(plain)
  if (giro !== null)
    return isLuhn(giro) ? null : 'is no bankgiro number: its check digit, the last, does not fit the others.'
  if (/^[A-Z]{2}\d{2}/.test(plain))
    return isIban(plain) ? null : 'is no IBAN: its check digits do not fit the others.'
  if (/[^A-Z0-9./-]/.test(plain) || !/\d{4}/.test(formatNationalAccount(plain)))
    return 'must be an IBAN, a bankgiro number such as 5805-6201, or an account of the country in digits.'
  return null
}
