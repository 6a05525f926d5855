/**
 * What a spreadsheet would calculate when it opens a CSV file (OWASP, "CSV Injection"). Full-width signs count: Excel reads
 * them like the plain ones where it is set to Chinese, Japanese or Korean.
 */
const formulaSigns = /^[=+\-@\t\r\n＝＋－＠]/
const plainNumber = /^[+-]\d+([.,]\d+)?$/
/** For files that programs read: an apostrophe would be part of the number. It begins with a sign but calls no function. */
export const numberOrPhone = /^[+-][\d ()./-]*$/

/** The text with an apostrophe before it where a spreadsheet would run it as a formula, or lose its sign. */
export const guardFormula = (text: string, kept: RegExp = plainNumber): string =>
  formulaSigns.test(text) && !kept.test(text) ? `'${text}` : text
