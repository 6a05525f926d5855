/** Entries of bank files, independent of the format. */
import { readReference } from '../../../core/identity/payment-reference.ts'

/** Why an entry is not booked as a payment. */
const notBookedReasons = ['DEBIT', 'REVERSAL', 'PENDING', 'BATCH_WITHOUT_DETAILS', 'ZERO'] as const
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
  /** The amounts given for several references, in minor units; empty where the file does not tell them apart. */
  parts: ReferencePart[]
  /** Words of the free text that may be a reference. */
  words: string[]
  payerName: string | null
  message: string | null
  notBooked: NotBookedReason | null
  /** The payer's identification of the payment, from end to end. */
  endToEndId: string | null
  /** Of a return: the identities that the entry of the returned payment may have. */
  originals: string[]
}

/** A part of a payment, for one reference. Minor units. */
export interface ReferencePart {
  reference: string
  amount: bigint
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
  /** Where the file is wrong; null where no single line is. */
  readonly line: number | null

  constructor(message: string, line?: number) {
    super(line === undefined ? message : `Line ${line}: ${message}.`)
    this.line = line ?? null
  }
}

/** The date of the given parts. Undefined when the calendar has no such day. */
export function makeDay(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month}-${day}`
  const time = Date.parse(`${text}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(time)) return undefined
  return new Date(time).toISOString().startsWith(text) ? text : undefined
}

/**
 * The parts of a payment that names several references with amounts: one for each reference, with what was deducted for it
 * taken off. Empty when that is not what was paid: an amount is missing, is not above zero, or they exceed the payment.
 */
export function sumParts(
  given: readonly { reference: string; amount: bigint | null }[],
  whole: bigint,
): ReferencePart[] {
  const sums = new Map<string, bigint>()
  for (const { reference, amount } of given) {
    if (amount === null) return []
    sums.set(reference, (sums.get(reference) ?? 0n) + amount)
  }
  const parts = [...sums].map(([reference, amount]) => ({ reference, amount }))
  const total = parts.reduce((all, { amount }) => all + amount, 0n)
  return parts.length > 1 && parts.every(({ amount }) => amount > 0n) && total <= whole ? parts : []
}

/** A reference of ISO 11649 as it is printed: in groups of four with blanks between. */
const printedReference = /\bRF\d{2}(?: ?[A-Z0-9]{1,4}){1,6}/g

/** Words that may be a reference: 4 to 25 characters with a digit, or a printed RF reference. At most ten. */
export function referenceWords(text: string): string[] {
  const printed: string[] = []
  const rest = text.toUpperCase().replaceAll(printedReference, (found) => {
    const groups = found.split(' ')
    for (let count = groups.length; count > 0; count--) {
      // Where words follow, the longest with right check digits is the reference.
      const read = readReference('RF', groups.slice(0, count).join(''))
      if (!read.ok) continue
      printed.push(read.reference)
      return ` ${groups.slice(count).join(' ')}`
    }
    return found
  })
  const words = [...printed, ...(rest.match(/[A-Z0-9-]{4,25}/g) ?? [])]
  return [...new Set(words)].filter((word) => /\d/.test(word)).slice(0, 10)
}

/** The text as one line without control characters, cut to `most` characters. Null when empty. */
export function tidyText(text: string, most: number): string | null {
  const tidy = text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
  return tidy === '' ? null : [...tidy].slice(0, most).join('').trim()
}
