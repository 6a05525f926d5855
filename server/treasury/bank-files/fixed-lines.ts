/** Files of lines with fields at fixed columns: what BgMax and OCR giro have in common. */
import { formatMinor, largestMinorOf } from '../../../core/money/money.ts'
import { BadPaymentFile, dayOf } from './bank-entry.ts'

const columns = 80

/** Lines may be padded, but not without end: what is no line yet is held in memory. */
const paddedMax = 1000

/** A line of the file; columns are counted from 1, as the specifications do. */
export class FixedLine {
  readonly number: number
  readonly text: string

  constructor(number: number, text: string) {
    this.number = number
    this.text = text.padEnd(columns)
  }

  /** The characters of the columns `from` to `to`. */
  at(from: number, to: number): string {
    return this.text.slice(from - 1, to)
  }

  /** The columns without blanks around. */
  trimmed(from: number, to: number): string {
    return this.at(from, to).trim()
  }

  /** A whole number; throws when the columns hold anything but digits. */
  whole(from: number, to: number, what: string): bigint {
    const digits = this.trimmed(from, to)
    if (!/^\d+$/.test(digits)) throw this.bad(`columns ${from} to ${to} must be ${what} in digits`)
    return BigInt(digits)
  }

  /** An amount in minor units; throws also when it is more than any payment may be. */
  amount(from: number, to: number, currencyCode: string): bigint {
    const minor = this.whole(from, to, 'the amount')
    const most = largestMinorOf(currencyCode)
    if (minor > most)
      throw this.bad(
        `columns ${from} to ${to} must be an amount in ${currencyCode} of at most ${formatMinor(most, currencyCode)}`,
      )
    return minor
  }

  count(from: number, to: number, what: string): number {
    return Number(this.whole(from, to, what))
  }

  /** YYYYMMDD. */
  date(from: number, what: string): string {
    const [year, month, day] = [
      this.at(from, from + 3),
      this.at(from + 4, from + 5),
      this.at(from + 6, from + 7),
    ]
    return this.requireDay(dayOf(year, month, day), from, from + 7, `${what} as YYYYMMDD`)
  }

  /** DDMMYY of this century. */
  shortDate(from: number, what: string): string {
    const [day, month, year] = [
      this.at(from, from + 1),
      this.at(from + 2, from + 3),
      this.at(from + 4, from + 5),
    ]
    return this.requireDay(dayOf(`20${year}`, month, day), from, from + 5, `${what} as DDMMYY`)
  }

  bad(message: string): BadPaymentFile {
    return new BadPaymentFile(`Line ${this.number}: ${message}.`)
  }

  private requireDay(day: string | undefined, from: number, to: number, what: string): string {
    if (day === undefined) throw this.bad(`columns ${from} to ${to} must be ${what}`)
    return day
  }
}

/** Cuts text into lines as it comes. A line that is longer than it may be is refused before it has filled the memory. */
export class LineCutter {
  #rest = ''
  #count = 0

  write(text: string): FixedLine[] {
    const parts = (this.#rest + text).split('\n')
    this.#rest = parts.pop()!
    const lines = parts.map((part) => this.#lineOf(part))
    if (this.#rest.length > paddedMax) this.#lineOf(this.#rest)
    return lines.filter(({ text: line }) => line.trim() !== '')
  }

  end(): FixedLine[] {
    const rest = this.#rest
    this.#rest = ''
    return rest.trim() === '' ? [] : [this.#lineOf(rest)]
  }

  #lineOf(part: string): FixedLine {
    // Not by a pattern: that would look at each blank of a run once for every one before it.
    const text = part.trimEnd()
    const line = new FixedLine(++this.#count, text)
    if (text.length > columns || part.length > paddedMax)
      throw line.bad(`a line has at most ${columns} characters`)
    // The database holds no such character, in a reference or anywhere else.
    if (text.includes('\0')) throw line.bad('a line has no NUL characters; blanks fill it up')
    return line
  }
}
