/** Something asked for a day that is out of range. The message names the day as ISO 8601 does. */
export class DayRangeError extends RangeError {
  /** The message with the day as its reader writes it. */
  readonly write: (writeDay: (day: string) => string) => string

  /** `message` takes the day as text; `day` is YYYY-MM-DD. */
  constructor(message: (day: string) => string, day: string) {
    super(message(day))
    this.write = (writeDay) => message(writeDay(day))
  }
}
