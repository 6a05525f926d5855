export type QueryOption = '$filter' | '$orderby'

/**
 * An invalid `$filter` or `$orderby`. `position` counts UTF-16 units of the decoded text from 0. The message gives the
 * position, what was found and what would be right, but no values: a value may be a personal number.
 */
export class ODataError extends Error {
  readonly option: QueryOption
  readonly position: number

  constructor(option: QueryOption, position: number, found: string, right: string) {
    super(`At position ${position}: ${found}. ${right}.`)
    this.name = 'ODataError'
    this.option = option
    this.position = position
  }
}
