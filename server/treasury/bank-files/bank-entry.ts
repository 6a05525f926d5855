/** What the readers of bank files make of them: entries, whatever the format. */

/** Why an entry of a file is no payment to book. */
export const notBookedReasons = ['DEBIT', 'REVERSAL', 'PENDING', 'BATCH_WITHOUT_DETAILS', 'ZERO'] as const
export type NotBookedReason = (typeof notBookedReasons)[number]

export interface BankEntry {
  /**
   * What makes it the same entry in another file: the account, and the bank's own reference where it has one, else all
   * that is known of it. Two that are alike in one file are two.
   */
  identity: string
  /** Our account: an IBAN, a bankgiro number, a Norwegian account number. */
  account: string
  currencyCode: string
  /** Minor units. */
  amount: bigint
  /** YYYY-MM-DD; null where the file does not say. */
  bookingDate: string | null
  valueDate: string | null
  /** Meant as a reference by whoever paid: a field of its own. */
  references: string[]
  /** Words of a free text that may be one. */
  words: string[]
  payerName: string | null
  message: string | null
  notBooked: NotBookedReason | null
}

export interface FileHead {
  format: 'CAMT054' | 'CAMT053' | 'BGMAX' | 'OCRGIRO'
  /** What the sender calls the file; null where the format has no name for it. */
  messageId: string | null
}

/** Takes a file piece by piece. What comes out of `write` and `end` are the entries that are complete by then. */
export interface EntryReader {
  write(text: string): BankEntry[]
  /** Throws when the file ends too early, or when its sums are not those of its entries. */
  end(): { entries: BankEntry[]; head: FileHead }
}

/** A file that is not what it should be. The message says where, what is wrong, and what would be right; never what stood there. */
export class BadPaymentFile extends Error {
  override name = 'BadPaymentFile'
}

/** A real day of the calendar from its parts, or undefined. */
export function dayOf(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month}-${day}`
  const time = Date.parse(`${text}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(time)) return undefined
  return new Date(time).toISOString().startsWith(text) ? text : undefined
}

/** Words that could be a reference: from four characters on, with a digit, ten at most. */
export const referenceWords = (text: string): string[] =>
  [...new Set(text.toUpperCase().match(/[A-Z0-9-]{4,25}/g) ?? [])]
    .filter((word) => /\d/.test(word))
    .slice(0, 10)

/** One line without control characters, at most so long; null when nothing is left. */
export function tidyText(text: string, most: number): string | null {
  const tidy = text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
  return tidy === '' ? null : [...tidy].slice(0, most).join('').trim()
}
