/**
 * Case numbers and payment references, by the country whose banks carry the payment.
 *
 * Sources: SE Bankgirot's OCR reference (Luhn check digit, preceded by the total length modulo 10); NO Finans
 * Norge's KID (2 to 25 characters, modulus 10 or 11); FI viitenumero (weights 7, 3, 1 from the right, 4 to 20
 * digits); DK FIK card type 71 (15 digits, Luhn); elsewhere the ISO 11649 RF creditor reference (modulus
 * 97-10 of ISO/IEC 7064).
 */
import { isLuhn, luhnDigit } from './check-digit.ts'

export const referenceKinds = ['OCR', 'KID10', 'KID11', 'VIITE', 'FIK71', 'RF'] as const
export type ReferenceKind = (typeof referenceKinds)[number]

/**
 * The case number of a running number: its digits and a Luhn digit. Throws RangeError unless it is 1 to 10^11
 * − 1.
 */
export function makeCaseNumber(running: number): string {
  if (!Number.isSafeInteger(running) || running < 1 || running >= 1e11)
    throw new RangeError('A case number is made of a whole number from 1 to 99999999999.')
  return `${running}${luhnDigit(String(running))}`
}

/** Returns whether a text has the form and check digit of a case number. */
export const isCaseNumber = (text: string): boolean => /^[1-9]\d{1,11}$/.test(text) && isLuhn(text)

/** The kind of payment reference used in a country. */
export function countryReferenceKind(country: string): ReferenceKind {
  const kinds: Record<string, ReferenceKind> = { SE: 'OCR', NO: 'KID10', FI: 'VIITE', DK: 'FIK71' }
  return Object.hasOwn(kinds, country) ? kinds[country]! : 'RF'
}

function weighted(digits: string, weights: readonly number[]): number {
  let sum = 0
  for (let index = 0; index < digits.length; index++)
    sum += Number(digits[digits.length - 1 - index]) * weights[index % weights.length]!
  return sum
}

const kid11Digit = (digits: string): string => {
  const digit = (11 - (weighted(digits, [2, 3, 4, 5, 6, 7]) % 11)) % 11
  return digit === 10 ? '-' : String(digit)
}
const viiteDigit = (digits: string): string => String((10 - (weighted(digits, [7, 3, 1]) % 10)) % 10)

/** The remainder modulo 97 of digits and upper-case letters, where letters count 10 to 35. */
function modulo97(text: string): number {
  let rest = 0
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}

const lengths: Record<ReferenceKind, [least: number, most: number]> = {
  OCR: [1, 23],
  KID10: [1, 24],
  KID11: [1, 24],
  VIITE: [3, 19],
  FIK71: [1, 14],
  RF: [1, 21],
}

/**
 * Makes a payment reference from a number: 12345678 is `1234567806` as OCR, and `RF` with two check digits as
 * RF. Short numbers get leading zeros (VIITE to 3 digits, FIK71 to 14). Throws RangeError for anything but
 * digits, or too many of them.
 */
export function makeReference(kind: ReferenceKind, digits: string): string {
  const [least, most] = lengths[kind]
  if (!/^\d+$/.test(digits) || digits.length > most)
    throw new RangeError(`A ${kind} reference is made of at most ${most} digits.`)
  const number = digits.padStart(least, '0')
  switch (kind) {
    case 'OCR': {
      const counted = `${number}${(number.length + 2) % 10}`
      return counted + luhnDigit(counted)
    }
    case 'KID10':
      return number + luhnDigit(number)
    case 'KID11':
      return number + kid11Digit(number)
    case 'VIITE':
      return number + viiteDigit(number)
    case 'FIK71': {
      const filled = number.padStart(14, '0')
      return filled + luhnDigit(filled)
    }
    case 'RF':
      return `RF${String(98 - modulo97(`${number}RF00`)).padStart(2, '0')}${number}`
  }
}

/** The payment reference of a case, for payers in a country. */
export const makeCaseReference = (caseNumber: string, country: string): string =>
  makeReference(countryReferenceKind(country), caseNumber)

export type ReferenceResult =
  /**
   * `reference` has no blanks. `number` is the number it was made from, without leading zeros that were
   * added.
   */
  { ok: true; kind: ReferenceKind; reference: string; number: string } | { ok: false; message: string }

/** Reads a reference as a payer wrote it. Tolerates blanks, the `+71<` of a Danish card, and lower case. */
export function readReference(kind: ReferenceKind, text: string): ReferenceResult {
  const reference = clean(kind, text)
  const number = readNumber(kind, reference)
  if (number === null) return { ok: false, message: `A ${kind} reference ${shapes[kind]}.` }
  if (makeCheck(kind, number) !== reference)
    return {
      ok: false,
      message: `The check digit of the ${kind} reference is wrong. Copy it digit by digit.`,
    }
  const filled = kind === 'VIITE' || kind === 'FIK71' || kind === 'RF'
  return { ok: true, kind, reference, number: filled ? number.replace(/^0+(?=\d)/, '') : number }
}

const shapes: Record<ReferenceKind, string> = {
  OCR: 'is 3 to 25 digits, the last but one the length of the whole',
  KID10: 'is 2 to 25 digits',
  KID11: 'is 2 to 25 digits, the last of which may be a -',
  VIITE: 'is 4 to 20 digits',
  FIK71: 'is 15 digits',
  RF: 'is RF, two digits, and 1 to 21 letters and digits',
}

const clean = (kind: ReferenceKind, text: string): string => {
  const plain = text.replace(/\s/g, '').toUpperCase()
  if (kind === 'FIK71') return plain.replace(/^\+?71</, '').replace(/\+.*$/, '')
  return kind === 'VIITE' ? plain.replace(/^0+(?=\d{4})/, '') : plain
}

const forms: Record<ReferenceKind, RegExp> = {
  OCR: /^(\d{1,23})\d\d$/,
  KID10: /^(\d{1,24})\d$/,
  KID11: /^(\d{1,24})[\d-]$/,
  VIITE: /^(\d{3,19})\d$/,
  FIK71: /^(\d{14})\d$/,
  RF: /^RF\d\d([\dA-Z]{1,21})$/,
}

const readNumber = (kind: ReferenceKind, reference: string): string | null => {
  const number = forms[kind].exec(reference)?.[1] ?? null
  if (number === null || kind !== 'OCR') return number
  return Number(reference.at(-2)) === reference.length % 10 ? number : null
}

/** The reference of a number with letters or digits. Only RF has letters. */
const makeCheck = (kind: ReferenceKind, number: string): string =>
  kind === 'RF'
    ? `RF${String(98 - modulo97(`${number}RF00`)).padStart(2, '0')}${number}`
    : makeReference(kind, number)

/**
 * Every number that a payer's reference may stand for, of any country's kind, each once. Used to find the
 * case of a payment. Empty when no check digit fits.
 */
export function possibleNumbers(text: string): string[] {
  const numbers = referenceKinds.flatMap((kind) => {
    const result = readReference(kind, text)
    return result.ok ? result.number : []
  })
  return [...new Set(numbers)]
}
