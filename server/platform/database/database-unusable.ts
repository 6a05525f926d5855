/**
 * The database cannot be used as it stands, and an operator can do something about it. The message is written for
 * that operator (what is wrong, what would be right), so the commands print it alone, without a stack.
 */
export class DatabaseUnusable extends Error {
  override name = 'DatabaseUnusable'
}
