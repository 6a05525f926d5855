/**
 * The Luhn check digit (modulus 10) of ISO/IEC 7812-1 annex B, used in Swedish identity numbers and OCR
 * references, and in Norwegian and Danish payment references.
 */

/** The digit sum with every second digit doubled, counted from the right. */
function luhnSum(digits: string, doubleLast: boolean): number {
  let sum = 0
  let double = doubleLast
  for (let index = digits.length - 1; index >= 0; index--) {
    const digit = digits.charCodeAt(index) - 48
    sum += double ? (digit < 5 ? digit * 2 : digit * 2 - 9) : digit
    double = !double
  }
  return sum
}

/**
 * The digit (0 to 9) that completes `digits` to a Luhn number. Throws RangeError unless `digits` is one or
 * more of 0 to 9.
 */
export function luhnDigit(digits: string): number {
  if (!/^[0-9]+$/.test(digits))
    throw new RangeError('luhnDigit takes one or more digits 0 to 9 and nothing else.')
  return (10 - (luhnSum(digits, true) % 10)) % 10
}

/**
 * Returns whether the last digit is the Luhn digit of the preceding ones. False for anything but two or more
 * digits.
 */
export function isLuhn(digits: string): boolean {
  return /^[0-9]{2,}$/.test(digits) && luhnSum(digits, false) % 10 === 0
}

/**
 * The reference of a debtor: the debtor's number followed by its Luhn digit, so `1` becomes `18`. Throws
 * RangeError unless `n` is a positive safe integer.
 */
export function makeDebtorReference(n: number): string {
  if (!Number.isSafeInteger(n) || n < 1) {
    throw new RangeError('A debtor reference is made of a whole number from 1 to 9007199254740991.')
  }
  return `${n}${luhnDigit(String(n))}`
}
