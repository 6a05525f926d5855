/**
 * Reads BgMax files: payments to Swedish bankgiro numbers.
 *
 * Source: Bankgirot, "Bankgiro Inbetalningar, Technical Manual", November 2019, section 3 (transaction codes
 * and columns).
 * A file has a start record (01), sections and an end record (70). A section has an opening record (05),
 * payments (20), deductions (21), their extra references (22, 23), information (25), payer (26 to 29), and a
 * deposit record (15). The manual requires readers to skip unknown record codes.
 */
import {
  BadPaymentFile,
  referenceWords,
  sumParts,
  tidyText,
  type BankEntry,
  type EntryReader,
} from './bank-entry.ts'
import { LineCutter, type FixedLine } from './fixed-lines.ts'

interface PendingPayment {
  line: FixedLine
  isDeduction: boolean
  amount: bigint
  references: string[]
  /** The references of the records 22 and 23, with their amounts. */
  parts: { reference: string; amount: bigint | null }[]
  texts: string[]
  names: string[]
}

interface Section {
  account: string
  currencyCode: string
  waiting: PendingPayment[]
}

export function readBgMax(): EntryReader {
  const cutter = new LineCutter()
  const file = new BgMaxFile()
  return {
    write: (text) => cutter.write(text).flatMap((line) => file.take(line)),
    end: () => {
      const entries = cutter.end().flatMap((line) => file.take(line))
      return { entries, head: { format: 'BGMAX', messageId: file.end() } }
    },
  }
}

class BgMaxFile {
  #stamp: string | null = null
  #ended = false
  #section: Section | null = null
  readonly #counts = { payments: 0, deductions: 0, references: 0, deposits: 0 }

  take(line: FixedLine): BankEntry[] {
    const code = line.at(1, 2)
    if (this.#ended) throw line.bad('nothing may follow the end record (70)')
    if (this.#stamp === null && code !== '01')
      throw line.bad('a BgMax file must begin with the start record (01)')
    switch (code) {
      case '01':
        this.#start(line)
        return []
      case '05':
        this.#open(line)
        return []
      case '15':
        return this.#deposit(line)
      case '70':
        this.#finish(line)
        return []
      default:
        this.#payment(code, line)
        return []
    }
  }

  end(): string | null {
    if (!this.#ended)
      throw new BadPaymentFile('The file ends without the end record (70): it is truncated. Fetch it again.')
    return this.#stamp
  }

  #start(line: FixedLine): void {
    if (this.#stamp !== null) throw line.bad('there is a second start record (01). A file must have one')
    if (line.trimmed(3, 22) !== 'BGMAX') throw line.bad('columns 3 to 22 must be BGMAX')
    if (line.at(23, 24) !== '01') throw line.bad('columns 23 and 24 must be the version 01')
    if (line.at(45, 45) === 'T')
      throw line.bad('the file is marked as a test (T in column 45). Production files have P')
    if (line.at(45, 45) !== 'P') throw line.bad('column 45 must be P for production')
    line.date(25, 'the day on which the file was written')
    this.#stamp = line.trimmed(25, 44)
  }

  #open(line: FixedLine): void {
    if (this.#section) throw line.bad('the previous section has no deposit record (15)')
    const currencyCode = line.trimmed(23, 25)
    if (currencyCode !== 'SEK' && currencyCode !== 'EUR')
      throw line.bad('columns 23 to 25 must be the currency, SEK or EUR')
    const account = String(line.whole(3, 12, "the payee's bankgiro number"))
    this.#section = { account, currencyCode, waiting: [] }
  }

  #payment(code: string, line: FixedLine): void {
    const section = this.#section
    if (!section) throw line.bad('the record is outside of a section. An opening record (05) must come first')
    if (code === '20' || code === '21') {
      const isDeduction = code === '21'
      this.#counts[isDeduction ? 'deductions' : 'payments']++
      section.waiting.push({
        line,
        isDeduction,
        amount: line.amount(38, 55, section.currencyCode),
        references: readReference(line),
        parts: [],
        texts: [],
        names: [],
      })
      return
    }
    const last = section.waiting.at(-1)
    const isMore = ['22', '23', '25', '26', '27', '28', '29'].includes(code)
    if (isMore && !last)
      throw line.bad('the record belongs to a payment (20) or deduction (21), which must come first')
    if (code === '22' || code === '23') {
      this.#counts.references++
      for (const reference of readReference(line)) {
        last!.references.push(reference)
        last!.parts.push({ reference, amount: readPart(code, line, section.currencyCode) })
      }
    } else if (code === '25') last!.texts.push(line.trimmed(3, 52))
    else if (code === '26') last!.names.push(line.trimmed(3, 37), line.trimmed(38, 72))
  }

  #deposit(line: FixedLine): BankEntry[] {
    const section = this.#section
    if (!section) throw line.bad('the deposit record (15) has no opening record (05)')
    this.#section = null
    this.#counts.deposits++
    const { waiting } = section
    const sum = waiting.reduce((all, { amount, isDeduction }) => all + (isDeduction ? -amount : amount), 0n)
    if (line.whole(51, 68, 'the amount of the deposit') !== (sum < 0n ? -sum : sum))
      throw line.bad('the amount of the deposit is not the sum of the payments and deductions of its section')
    if (line.trimmed(69, 71) !== section.currencyCode)
      throw line.bad('the currency of the deposit differs from that of its section')
    if (line.count(72, 79, 'the number of payments') !== waiting.length)
      throw line.bad('the number of payments does not match the section')
    const date = line.date(38, 'the day of the deposit')
    const serial = line.trimmed(46, 50)
    return waiting.map((one, index) =>
      toEntry(section, one, { date, place: `${date}|${serial}|${index + 1}` }),
    )
  }

  #finish(line: FixedLine): void {
    if (this.#section) throw line.bad('the last section has no deposit record (15)')
    const { payments, deductions, references, deposits } = this.#counts
    const told = [
      line.count(3, 10, 'the number of payment records'),
      line.count(11, 18, 'the number of deduction records'),
      line.count(19, 26, 'the number of extra references'),
      line.count(27, 34, 'the number of deposits'),
    ]
    const counted = [payments, deductions, references, deposits]
    if (told.some((count, index) => count !== counted[index]))
      throw line.bad(
        'the end record (70) counts other records than the file has. Payments, deductions, extra references and deposits must match',
      )
    this.#ended = true
  }
}

/** The amount of an extra reference: a deduction in record 23. Null for none. */
function readPart(code: string, line: FixedLine, currencyCode: string): bigint | null {
  const amount = /^0*$/.test(line.trimmed(38, 55)) ? 0n : line.amount(38, 55, currencyCode)
  if (amount === 0n) return null
  return code === '23' ? -amount : amount
}

/** The reference, unless its code (column 56) is 0 or 1, which means that there is none. */
const readReference = (line: FixedLine): string[] => {
  const reference = line.trimmed(13, 37)
  return reference === '' || ['0', '1'].includes(line.at(56, 56)) ? [] : [reference]
}

function toEntry(
  { account, currencyCode }: Section,
  { line, isDeduction, amount, references, parts, texts, names }: PendingPayment,
  { date, place }: { date: string; place: string },
): BankEntry {
  // Bankgirot numbers its payments. Payments by form and through some channels have no number.
  const serial = line.trimmed(58, 69)
  const known = /^0*$/.test(serial) ? place : `${date}|${serial}`
  const message = tidyText(texts.join(' '), 500)
  const notBooked = isDeduction ? ('REVERSAL' as const) : amount === 0n ? ('ZERO' as const) : null
  return {
    identity: ['bgmax', account, known, amount].join('|'),
    account,
    currencyCode,
    amount,
    bookingDate: date,
    valueDate: date,
    references: [...new Set(references)],
    parts: notBooked === null ? sumParts(parts, amount) : [],
    words: message === null ? [] : referenceWords(message),
    payerName: tidyText(names.join(' '), 140),
    message,
    notBooked,
    endToEndId: null,
    originals: [],
  }
}
