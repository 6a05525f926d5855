/** When a schedule runs: cron expressions of five fields, read in a time zone. */
import { Cron } from 'croner'

/** Nothing that depends on when it is read (`?`), and no seconds. Hours that a change of clocks skips come right after it. */
const read = (expression: string, timeZone: string): Cron => {
  if (expression.includes('?')) throw new Error('? stands for nothing here')
  return new Cron(expression, { mode: '5-part', timezone: timeZone, fixedTimeRule: 'no-wildcard' })
}

/** The first time after a moment; undefined when there is none, or this is no expression. */
export function nextRun(expression: string, timeZone: string, after: Date): Date | undefined {
  return faultOfCron(expression) === undefined
    ? (read(expression, timeZone).nextRun(after) ?? undefined)
    : undefined
}

const right =
  'must be a cron expression of five fields, minute, hour, day of the month, month and day of the week: 30 4 * * 1-5 is half past four from Monday to Friday'

/** What is wrong with an expression, its fields parted by one space each; undefined when it can be used. */
export function faultOfCron(expression: string): string | undefined {
  if (expression.split(' ').length !== 5) return `${right}.`
  try {
    return read(expression, 'UTC').nextRun() ? undefined : 'names a day that never comes.'
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^CronPattern: /, '').replace(/\.$/, '') : ''
    return `${right} (${why}).`
  }
}
