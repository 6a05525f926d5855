/** Computes the runs of a schedule: cron expressions of five fields, in a time zone. */
import { Cron } from 'croner'

/**
 * Refuses `?`, whose meaning depends on when it is read, and seconds. A run in an hour that daylight saving skips comes
 * right after it.
 */
const parseCron = (expression: string, timeZone: string): Cron => {
  if (expression.includes('?')) throw new Error('? is not supported')
  return new Cron(expression, { mode: '5-part', timezone: timeZone, fixedTimeRule: 'no-wildcard' })
}

/** The first run after a moment. Undefined when there is none, or when the expression is invalid. */
export function nextRun(expression: string, timeZone: string, after: Date): Date | undefined {
  return checkCron(expression) === undefined
    ? (parseCron(expression, timeZone).nextRun(after) ?? undefined)
    : undefined
}

const right =
  'must be a cron expression of five fields: minute, hour, day of the month, month, day of the week. For example, 30 4 * * 1-5 runs at 4:30 from Monday to Friday'

/** Says what is wrong with an expression whose fields are separated by one space each. Undefined when it is valid. */
export function checkCron(expression: string): string | undefined {
  if (expression.split(' ').length !== 5) return `${right}.`
  try {
    return parseCron(expression, 'UTC').nextRun() ? undefined : 'names a day that never comes.'
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^CronPattern: /, '').replace(/\.$/, '') : ''
    return `${right} (${why}).`
  }
}
