export type QueryOption = '$filter' | '$orderby'

/**
 * A `$filter` or `$orderby` that can't be served. `position` counts UTF-16 units of the decoded text from 0. The message
 * names the position, what stood there and what would be right, and repeats no value: a value may be a personal number.
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
