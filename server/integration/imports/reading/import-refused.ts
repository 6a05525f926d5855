/**
 * An import refused for a reason that the user can correct. The message says what is wrong and what to do, and is shown
 * without a stack trace.
 */
export class ImportRefused extends Error {
  override name = 'ImportRefused'
}
