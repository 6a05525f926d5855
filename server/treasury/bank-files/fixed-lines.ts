/** Reads files of lines with fields in fixed columns, for BgMax and OCR giro. */
import { formatMinor, findLargestMinor } from '../../../core/money/money.ts'
import { BadPaymentFile, makeDay } from './bank-entry.ts'

const columns = 80

/** Limit in characters of a padded line, because an unfinished line is held in memory. */
const paddedMax = 1000

/** A line of the file. Columns count from 1, as in the specifications. */
export class FixedLine {
  readonly number: number
  readonly text: string

  constructor(number: number, text: string) {
    this.number = number
    this.text = text.padEnd(columns)
  }

  /** The characters of the columns `from` to `to`, inclusive. */
  at(from: number, to: number): string {
    return this.text.slice(from - 1, to)
  }

  /** The columns without surrounding blanks. */
  trimmed(from: number, to: number): string {
    return this.at(from, to).trim()
  }

  /** A whole number. Throws when the columns contain anything but digits. */
  whole(from: number, to: number, what: string): bigint {
    const digits = this.trimmed(from, to)
    if (!/^\d+$/.test(digits)) throw this.bad(`columns ${from} to ${to} must be ${what} in digits`)
    return BigInt(digits)
  }

  /** An amount in minor units. Throws above the largest amount of a payment. */
  amount(from: number, to: number, currencyCode: string): bigint {
    const minor = this.whole(from, to, 'the amount')
    const most = findLargestMinor(currencyCode)
    if (minor > most)
      throw this.bad(
        `columns ${from} to ${to} must be an amount in ${currencyCode} of at most ${formatMinor(most, currencyCode)}`,
      )
    return minor
  }

  count(from: number, to: number, what: string): number {
    return Number(this.whole(from, to, what))
  }

  /** A date in the form YYYYMMDD. */
  date(from: number, what: string): string {
    const [year, month, day] = [
      this.at(from, from + 3),
      this.at(from + 4, from + 5),
      this.at(from + 6, from + 7),
    ]
    return this.requireDay(makeDay(year, month, day), from, from + 7, `${what} as YYYYMMDD`)
  }

  /** A date in the form DDMMYY, in this century. */
  shortDate(from: number, what: string): string {
    const [day, month, year] = [
      this.at(from, from + 1),
      this.at(from + 2, from + 3),
      this.at(from + 4, from + 5),
    ]
    return this.requireDay(makeDay(`20${year}`, month, day), from, from + 5, `${what} as DDMMYY`)
  }

  bad(message: string): BadPaymentFile {
    return new BadPaymentFile(message, this.number)
  }

  private requireDay(day: string | undefined, from: number, to: number, what: string): string {
    if (day === undefined) throw this.bad(`columns ${from} to ${to} must be ${what}`)
    return day
  }
}

/** Splits text into lines. An oversized line is refused before it fills the memory. */
export class LineCutter {
  #rest = ''
  #count = 0

  write(text: string): FixedLine[] {
    const parts = (this.#rest + text).split('\n')
    this.#rest = parts.pop()!
    const lines = parts.map((part) => this.#readLine(part))
    if (this.#rest.length > paddedMax) this.#readLine(this.#rest)
    return lines.filter(({ text: line }) => line.trim() !== '')
  }

  end(): FixedLine[] {
    const rest = this.#rest
    this.#rest = ''
    return rest.trim() === '' ? [] : [this.#readLine(rest)]
  }

  #readLine(part: string): FixedLine {
    // A regular expression would rescan each run of blanks from every position.
    const text = part.trimEnd()
    const line = new FixedLine(++this.#count, text)
    if (text.length > columns || part.length > paddedMax)
      throw line.bad(`a line has at most ${columns} characters`)
    // PostgreSQL cannot store NUL in text.
    if (text.includes('\0')) throw line.bad('a line has no NUL characters. Unused columns must be blank')
    return line
  }
}
