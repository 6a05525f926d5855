/**
 * The database cannot be used, for a reason that an operator can correct. The message says what is wrong and what to
 * do, and is printed without a stack trace.
 */
export class DatabaseUnusable extends Error {
  override name = 'DatabaseUnusable'
}
