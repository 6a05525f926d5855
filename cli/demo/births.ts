/**
 * Birth dates. A person's date and level together are theirs alone among those of one country and sex: the identity
 * number is made of them and so needs no memory to be unique.
 */
import type { Sex } from './country.ts'
import { hashKey, scatterRank } from './random.ts'

export interface Birth {
  year: number
  /** 1 to 12. */
  month: number
  /** 1 to 31. */
  day: number
  sex: Sex
  /** How many of this sex and country with this very date come before: 0, 1, 2, … */
  level: number
}

const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

const listDays = (february: number) =>
  [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].flatMap((length, month) =>
    Array.from({ length }, (_, day) => ({ month: month + 1, day: day + 1 })),
  )
const commonDays = listDays(28)
const leapDays = listDays(29)

/**
 * The birth of the `rank`-th person of a year and sex. `firstDay` 1 leaves out 1 January. A year is filled once with
 * every date before a date comes again.
 */
export function placeBirth(options: {
  year: number
  sex: Sex
  rank: number
  firstDay: 0 | 1
  hash: number
}): Birth {
  const { year, sex, rank, firstDay } = options
  const days = isLeap(year) ? leapDays : commonDays
  const size = days.length - firstDay
  const level = Math.floor(rank / size)
  const hash = hashKey(hashKey(options.hash, year * 2 + (sex === 'male' ? 1 : 0)), level)
  const { month, day } = days[scatterRank(rank % size, size, hash) + firstDay]!
  return { year, month, day, sex, level }
}

const twoDigits = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'))

/** `YYYY-MM-DD`. */
export const formatDate = (birth: Birth) =>
  `${birth.year}-${twoDigits[birth.month]!}-${twoDigits[birth.day]!}`

/** `YYYYMMDD`, with an addend to the day. */
export const formatYearMonthDay = (birth: Birth, addToDay = 0) =>
  String(birth.year) + twoDigits[birth.month]! + twoDigits[birth.day + addToDay]!

/** `DDMMYY`, with an addend to the month. */
export const formatDayMonthYear = (birth: Birth, addToMonth = 0) =>
  twoDigits[birth.day]! + twoDigits[birth.month + addToMonth]! + twoDigits[birth.year % 100]!
