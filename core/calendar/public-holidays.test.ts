/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Holidays from 'date-holidays'
import { weekdayOf } from './calendar.ts'
import { easterOf, holidayCountries, holidaysOf, isBusinessDay, nextBusinessDay } from './public-holidays.ts'

test('Easter', () => {
  const table = [
    '1954-04-18',
    '2000-04-23',
    '2024-03-31',
    '2025-04-20',
    '2026-04-05',
    '2038-04-25',
    '2049-04-18',
  ]
  for (const sunday of table) assert.equal(easterOf(Number(sunday.slice(0, 4))), sunday)
})

/**
 * Sumardagurinn fyrsti is the Thursday of 19 to 25 April; the package has the 18th when that is a Thursday, though it
 * was the 25th in 2013.
 */
const isFirstSummerDay = (country: string, date: string) =>
  country === 'IS' && weekdayOf(`${date.slice(0, 4)}-04-18`) === 4 && /-04-(18|25)$/.test(date)

for (const country of holidayCountries) {
  test(`the public holidays of ${country} are those of the package, 2006 to 2060`, () => {
    const reference = new Holidays(country)
    for (let year = 2006; year <= 2060; year++) {
      const weekdays = (dates: string[]) =>
        [...new Set(dates)]
          .filter((date) => weekdayOf(date) < 7 && !isFirstSummerDay(country, date))
          .toSorted()
      const expected = reference
        .getHolidays(year)
        .filter(({ type }) => type === 'public')
        .map(({ date }) => date.slice(0, 10))
      const ours = holidaysOf(country, year).filter(({ kind }) => kind === 'public')
      assert.deepEqual(weekdays(ours.map(({ date }) => date)), weekdays(expected), `${country} ${year}`)
    }
  })
}

test('days on which no payment falls due', () => {
  const table: [string, string, string][] = [
    ['SE', '2026-06-19', '2026-06-22'],
    ['SE', '2026-12-24', '2026-12-28'],
    ['SE', '2026-12-31', '2027-01-04'],
    ['SE', '2026-06-05', '2026-06-05'],
    ['SE', '2004-05-31', '2004-06-01'],
    ['NO', '2026-04-02', '2026-04-07'],
    ['NO', '2027-05-17', '2027-05-18'],
    ['DK', '2023-05-05', '2023-05-08'],
    ['DK', '2024-04-26', '2024-04-26'],
    ['DK', '2026-06-05', '2026-06-08'],
    ['FI', '2026-12-24', '2026-12-28'],
    ['DE', '2026-10-03', '2026-10-05'],
    ['DE', '2026-12-24', '2026-12-24'],
    ['IS', '2026-08-03', '2026-08-04'],
    ['IS', '2013-04-25', '2013-04-26'],
    ['FR', '2026-07-14', '2026-07-14'],
    ['FR', '2026-07-18', '2026-07-20'],
  ]
  for (const [country, date, next] of table) {
    assert.equal(nextBusinessDay(date, country), next, `${country} ${date}`)
    assert.equal(isBusinessDay(date, country), date === next)
  }
})
