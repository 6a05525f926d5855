import { isDate } from '../../../../core/calendar/calendar.ts'
import { describeFormat, isMoment, writeDay, writeMoment, type DayReading } from '../../format/days.ts'
import { i18n } from '../../texts/languages.ts'

/** The reader's format in the letters of their language, such as DD/MM/YYYY. */
export const dayFormat = (culture: string): string =>
  describeFormat(culture, {
    year: i18n.t('day.letterYear'),
    month: i18n.t('day.letterMonth'),
    day: i18n.t('day.letterDay'),
  })

/** A day that leaves no doubt about the order of its numbers. */
const clearDay = (today: string) => `${today.slice(0, 4)}-12-31`

/** The format expected, with an example. */
export function sayFormat({ culture, today }: DayReading, withTime = false): string {
  const example = clearDay(today)
  return i18n.t(withTime ? 'fault.moment' : 'fault.day', {
    format: dayFormat(culture),
    example: withTime ? writeMoment(`${example}T14:30`, culture) : writeDay(example, culture),
  })
}

/** What is wrong with the text of a field. Empty text has no fault. */
export function findDayFault(
  value: string,
  { withTime, ...reading }: DayReading & { withTime: boolean },
): string | undefined {
  if (value === '') return undefined
  if (!(withTime ? isMoment : isDate)(value)) return sayFormat(reading, withTime)
  const { culture, min, max } = reading
  if (min !== undefined && value.slice(0, 10) < min)
    return i18n.t('fault.earliest', { day: writeDay(min, culture) })
  if (max !== undefined && value.slice(0, 10) > max)
    return i18n.t('fault.latest', { day: writeDay(max, culture) })
  return undefined
}
