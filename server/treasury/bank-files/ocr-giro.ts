/**
 * Reads OCR giro files: payments with a KID to Norwegian accounts.
 *
 * Source: Nets (now Mastercard Payment Services), "Systemspesifikasjon OCR giro", record types 10, 20, 30 to
 * 32, 88 and 89 of service 09.
 * A transmission (NY0000) contains assignments (NY0900). An assignment contains transactions: amount item 1
 * (30), amount item 2 (31), sometimes a text item (32). Assignments of other services, such as AvtaleGiro
 * agreements (21), are skipped. Amounts are in øre, dates are DDMMYY, the KID is right-aligned.
 */
import { BadPaymentFile, referenceWords, tidyText, type BankEntry, type EntryReader } from './bank-entry.ts'
import { LineCutter, type FixedLine } from './fixed-lines.ts'

interface Assignment {
  account: string
  service: string
  records: number
  transactions: number
  sum: bigint
}

interface Totals {
  records: number
  transactions: number
  sum: bigint
}

const ourService = '09'
const currencyCode = 'NOK'

export function readOcrGiro(): EntryReader {
  const cutter = new LineCutter()
  const file = new OcrGiroFile()
  return {
    write: (text) => cutter.write(text).flatMap((line) => file.take(line)),
    end: () => {
      const entries = cutter.end().flatMap((line) => file.take(line))
      return { entries, head: { format: 'OCRGIRO', messageId: file.end() } }
    },
  }
}

class OcrGiroFile {
  #transmission: string | null = null
  #ended = false
  #assignment: Assignment | null = null
  #entry: BankEntry | null = null
  readonly #totals: Totals = { records: 0, transactions: 0, sum: 0n }

  take(line: FixedLine): BankEntry[] {
    if (this.#ended) throw line.bad('nothing may follow the end record of the transmission (89)')
    if (line.at(1, 2) !== 'NY') throw line.bad('every record begins with NY')
    const record = line.at(7, 8)
    if (this.#transmission === null && record !== '10')
      throw line.bad('the file must begin with the start record of a transmission (NY000010)')
    this.#totals.records++
    if (this.#assignment) this.#assignment.records++
    const ready = ['31', '32'].includes(record) || this.#entry === null ? [] : [this.#entry]
    if (ready.length > 0) this.#entry = null
    this.#record(record, line)
    return ready
  }

  end(): string | null {
    if (!this.#ended)
      throw new BadPaymentFile(
        'The file ends without the end record of the transmission (NY000089): it is truncated. Fetch it again.',
      )
    return this.#transmission
  }

  #record(record: string, line: FixedLine): void {
    if (record === '10') this.#startTransmission(line)
    else if (record === '20') this.#startAssignment(line)
    else if (record === '88') this.#endAssignment(line)
    else if (record === '89') this.#endTransmission(line)
    else if (!this.#assignment) throw line.bad('the record is outside of an assignment (20 to 88)')
    else if (this.#assignment.service !== ourService) {
      if (record === '30') this.#count(this.#assignment, line.amount(33, 49, currencyCode))
    } else if (record === '30') this.#amount(this.#assignment, line)
    else if (record === '31' || record === '32') this.#more(record, line)
  }

  #startTransmission(line: FixedLine): void {
    if (this.#transmission !== null)
      throw line.bad('there is a second start record (10). A file must contain one transmission')
    this.#transmission = String(line.whole(17, 23, "the transmission's number"))
  }

  #startAssignment(line: FixedLine): void {
    if (this.#assignment) throw line.bad('the previous assignment has no end record (88)')
    const account = line.at(25, 35)
    if (!/^\d{11}$/.test(account)) throw line.bad('columns 25 to 35 must be the account, 11 digits')
    this.#assignment = { account, service: line.at(3, 4), records: 1, transactions: 0, sum: 0n }
  }

  #count(assignment: Assignment, amount: bigint): void {
    assignment.transactions++
    assignment.sum += amount
    this.#totals.transactions++
    this.#totals.sum += amount
  }

  #amount(assignment: Assignment, line: FixedLine): void {
    const amount = line.amount(33, 49, currencyCode)
    const isNegative = line.at(32, 32) === '-'
    this.#count(assignment, isNegative ? -amount : amount)
    const date = line.shortDate(16, 'the day of settlement')
    const kid = line.trimmed(50, 74)
    // Centre, day code, partial settlement and serial number identify the settlement.
    const settlement = line.at(22, 31)
    this.#entry = {
      identity: ['ocr', assignment.account, date, settlement, kid, amount].join('|'),
      account: assignment.account,
      currencyCode,
      amount,
      bookingDate: date,
      valueDate: date,
      references: kid === '' ? [] : [kid],
      parts: [],
      words: [],
      payerName: null,
      message: null,
      notBooked: isNegative ? 'REVERSAL' : amount === 0n ? 'ZERO' : null,
      endToEndId: null,
      originals: [],
    }
  }

  #more(record: string, line: FixedLine): void {
    const entry = this.#entry
    if (!entry) throw line.bad(`amount item ${record === '31' ? 2 : 3} has no amount item 1 (30) before it`)
    if (record === '31') {
      // The form or archive reference and the payer's account distinguish payments with the same KID.
      entry.identity += `|${line.at(16, 34)}|${line.at(48, 58)}`
      return
    }
    entry.message = tidyText(line.at(16, 55), 500)
    entry.words = entry.message === null ? [] : referenceWords(entry.message)
  }

  #endAssignment(line: FixedLine): void {
    const assignment = this.#assignment
    if (!assignment) throw line.bad('the end record (88) has no start record (20)')
    this.#assignment = null
    // Agreements have no amounts.
    checkTotals(line, assignment, assignment.service === ourService)
  }

  #endTransmission(line: FixedLine): void {
    if (this.#assignment) throw line.bad('the last assignment has no end record (88)')
    checkTotals(line, this.#totals, true)
    this.#ended = true
  }
}

function checkTotals(line: FixedLine, { records, transactions, sum }: Totals, withSum: boolean): void {
  if (line.count(9, 16, 'the number of transactions') !== transactions)
    throw line.bad('the number of transactions does not match the preceding records')
  if (line.count(17, 24, 'the number of records') !== records)
    throw line.bad('the number of records does not match the preceding lines, including this one')
  if (withSum && line.whole(25, 41, 'the sum') !== (sum < 0n ? -sum : sum))
    throw line.bad('the sum is not the total of the preceding amounts')
}
