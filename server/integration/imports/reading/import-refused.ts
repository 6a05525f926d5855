/**
 * An import that cannot begin or go on as it was asked for, and the one who asked can do something about it. The
 * message says what is wrong and what would be right, so it is shown alone, without a stack.
 */
export class ImportRefused extends Error {
  override name = 'ImportRefused'
}
