/**
 * What a spreadsheet would calculate when it opens a CSV file (OWASP, "CSV Injection"). Full-width signs count: Excel reads
 * them like the plain ones where it is set to Chinese, Japanese or Korean. The rule of the package `csv-stringify` is the same.
 */
const formulaSigns = /^[=+\-@\t\r\n＝＋－＠]/
/** Numbers and phone numbers begin with a sign but cannot call a function. */
const number = /^[+-][\d ()./,-]*$/

/** The text with an apostrophe before it where a spreadsheet would run it as a formula. */
export const guardFormula = (text: string): string =>
  formulaSigns.test(text) && !number.test(text) ? `'${text}` : text
