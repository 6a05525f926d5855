/** Entries of bank files, independent of the format. */

/** Why an entry is not booked as a payment. */
export const notBookedReasons = ['DEBIT', 'REVERSAL', 'PENDING', 'BATCH_WITHOUT_DETAILS', 'ZERO'] as const
export type NotBookedReason = (typeof notBookedReasons)[number]

export interface BankEntry {
  /**
   * Identifies the same entry in another file: the account with the bank's own reference, or with all other
   * data when there is none. Entries with equal identity within one file are different payments.
   */
  identity: string
  /** The agency's account: an IBAN, a bankgiro number or a Norwegian account number. */
  account: string
  currencyCode: string
  /** Minor units. */
  amount: bigint
  /** YYYY-MM-DD. Null when the file has no such date. */
  bookingDate: string | null
  valueDate: string | null
  /** Values of reference fields. */
  references: string[]
  /** Words of the free text that may be a reference. */
  words: string[]
  payerName: string | null
  message: string | null
  notBooked: NotBookedReason | null
}

export interface FileHead {
  format: 'CAMT054' | 'CAMT053' | 'BGMAX' | 'OCRGIRO'
  /** The sender's identifier of the file. Null when the format has none. */
  messageId: string | null
}

/** Reads a file piece by piece. `write` and `end` return the entries completed so far. */
export interface EntryReader {
  write(text: string): BankEntry[]
  /** Throws when the file is truncated, or when its totals do not match its entries. */
  end(): { entries: BankEntry[]; head: FileHead }
}

/**
 * An invalid bank file. The message says where, what is wrong and what is expected. It never quotes the file,
 * which contains personal data.
 */
export class BadPaymentFile extends Error {
  override name = 'BadPaymentFile'
}

/** The date of the given parts. Undefined when the calendar has no such day. */
export function makeDay(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month}-${day}`
  const time = Date.parse(`${text}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(time)) return undefined
  return new Date(time).toISOString().startsWith(text) ? text : undefined
}

/** Words that may be a reference: 4 to 25 characters with a digit. At most ten. */
export const referenceWords = (text: string): string[] =>
  [...new Set(text.toUpperCase().match(/[A-Z0-9-]{4,25}/g) ?? [])]
    .filter((word) => /\d/.test(word))
    .slice(0, 10)

/** The text as one line without control characters, cut to `most` characters. Null when empty. */
export function tidyText(text: string, most: number): string | null {
  const tidy = text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
  return tidy === '' ? null : [...tidy].slice(0, most).join('').trim()
}
