/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Holidays from 'date-holidays'
import { addDays, isoWeekday } from './calendar.ts'
import {
  easterSunday,
  holidayCountries,
  listHolidays,
  isBusinessDay,
  nextBusinessDay,
} from './public-holidays.ts'

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
  for (const sunday of table) assert.equal(easterSunday(Number(sunday.slice(0, 4))), sunday)
})

test('Easter as Knuth reckons it (The Art of Computer Programming, 1.3.2, exercise 14)', () => {
  for (let year = 1583; year <= 9999; year++) {
    const golden = (year % 19) + 1
    const century = Math.floor(year / 100) + 1
    const dropped = Math.floor((3 * century) / 4) - 12
    const moon = Math.floor((8 * century + 5) / 25) - 5
    const sunday = Math.floor((5 * year) / 4) - dropped - 10
    const rest = (((11 * golden + 20 + moon - dropped) % 30) + 30) % 30
    const epact = (rest === 25 && golden > 11) || rest === 24 ? rest + 1 : rest
    const full = 44 - epact < 21 ? 74 - epact : 44 - epact
    const march = full + 7 - ((sunday + full) % 7)
    assert.equal(easterSunday(year), addDays(`${year}-03-01`, march - 1))
  }
})

/** The year 2026 as calendars have it; closed days, on which no payment falls due, in brackets. */
test('the holidays of 2026 by name', () => {
  const table: Record<string, string> = {
    SE: `01-01 New Year's Day; 01-06 Epiphany; 04-03 Good Friday; 04-05 Easter Sunday; 04-06 Easter Monday;
      05-01 Labour Day; 05-14 Ascension Day; 05-24 Whit Sunday; 06-06 National Day; [06-19 Midsummer Eve];
      06-20 Midsummer Day; 10-31 All Saints' Day; [12-24 Christmas Eve]; 12-25 Christmas Day;
      12-26 Second Day of Christmas; [12-31 New Year's Eve]`,
    NO: `01-01 New Year's Day; 04-02 Maundy Thursday; 04-03 Good Friday; 04-05 Easter Sunday; 04-06 Easter Monday;
      05-01 Labour Day; 05-14 Ascension Day; 05-17 Constitution Day; 05-24 Whit Sunday; 05-25 Whit Monday;
      12-25 Christmas Day; 12-26 Second Day of Christmas`,
    DK: `01-01 New Year's Day; 04-02 Maundy Thursday; 04-03 Good Friday; 04-05 Easter Sunday; 04-06 Easter Monday;
      05-14 Ascension Day; 05-24 Whit Sunday; 05-25 Whit Monday; [06-05 Constitution Day]; [12-24 Christmas Eve];
      12-25 Christmas Day; 12-26 Second Day of Christmas`,
    FI: `01-01 New Year's Day; 01-06 Epiphany; 04-03 Good Friday; 04-05 Easter Sunday; 04-06 Easter Monday;
      05-01 Labour Day; 05-14 Ascension Day; 05-24 Whit Sunday; [06-19 Midsummer Eve]; 06-20 Midsummer Day;
      10-31 All Saints' Day; 12-06 Independence Day; [12-24 Christmas Eve]; 12-25 Christmas Day;
      12-26 Second Day of Christmas`,
    DE: `01-01 New Year's Day; 04-03 Good Friday; 04-06 Easter Monday; 05-01 Labour Day; 05-14 Ascension Day;
      05-25 Whit Monday; 10-03 Day of German Unity; 12-25 Christmas Day; 12-26 Second Day of Christmas`,
    IS: `01-01 New Year's Day; 04-02 Maundy Thursday; 04-03 Good Friday; 04-05 Easter Sunday; 04-06 Easter Monday;
      04-23 First Day of Summer; 05-01 Labour Day; 05-14 Ascension Day; 05-24 Whit Sunday; 05-25 Whit Monday;
      06-17 National Day; 08-03 Commerce Day; 12-24 Christmas Eve; 12-25 Christmas Day;
      12-26 Second Day of Christmas; 12-31 New Year's Eve`,
  }
  assert.deepEqual(Object.keys(table), holidayCountries)
  for (const [country, days] of Object.entries(table)) {
    const shown = listHolidays(country, 2026).map(({ date, name, kind }) => {
      const text = `${date.slice(5)} ${name}`
      return kind === 'closed' ? `[${text}]` : text
    })
    assert.equal(shown.join('; '), days.replaceAll(/\s+/g, ' '), country)
  }
  assert.deepEqual(listHolidays('FR', 2026), [])
  assert.equal(listHolidays('SE', 999)[0]!.date, '0999-01-01')
})

test('holidays that came and went', () => {
  const table: [string, string, string, number][] = [
    ['SE', 'Whit Monday', '05-31', 2004],
    ['SE', 'Whit Monday', '', 2005],
    ['SE', 'National Day', '06-06', 2005],
    ['SE', 'National Day', '', 2004],
    ['DK', 'Great Prayer Day', '05-05', 2023],
    ['DK', 'Great Prayer Day', '', 2024],
    ['DE', 'Day of German Unity', '10-03', 1990],
    ['DE', 'Day of German Unity', '', 1989],
    ['DE', 'Reformation Day 2017', '', 2016],
    ['DE', 'Reformation Day 2017', '10-31', 2017],
    ['DE', 'Reformation Day 2017', '', 2018],
  ]
  for (const [country, name, day, year] of table) {
    const found = listHolidays(country, year).find((holiday) => holiday.name === name)
    assert.equal(found?.date.slice(5) ?? '', day, `${country} ${name} ${year}`)
  }
  // The Thursday of 19 to 25 April, the Saturday of 31 October to 6 November, the Friday of 19 to 25 June.
  const moving: [string, string, string][] = [
    ['IS', 'First Day of Summer', '2018-04-19 2019-04-25 2024-04-25 2025-04-24'],
    ['SE', "All Saints' Day", '2020-10-31 2021-11-06 2024-11-02 2025-11-01'],
    ['FI', 'Midsummer Eve', '2020-06-19 2021-06-25 2024-06-21 2025-06-20'],
  ]
  for (const [country, name, dates] of moving) {
    for (const date of dates.split(' ')) {
      const found = listHolidays(country, Number(date.slice(0, 4))).find((holiday) => holiday.name === name)
      assert.equal(found?.date, date, name)
    }
  }
})

/**
 * Sumardagurinn fyrsti is the Thursday of 19 to 25 April; the package has the 18th when that is a Thursday, though it
 * was the 25th in 2013.
 */
const isFirstSummerDay = (country: string, date: string) =>
  country === 'IS' && isoWeekday(`${date.slice(0, 4)}-04-18`) === 4 && /-04-(18|25)$/.test(date)

for (const country of holidayCountries) {
  test(`the public holidays of ${country} are those of the package, 2006 to 2060`, () => {
    const reference = new Holidays(country)
    for (let year = 2006; year <= 2060; year++) {
      const weekdays = (dates: string[]) =>
        [...new Set(dates)]
          .filter((date) => isoWeekday(date) < 7 && !isFirstSummerDay(country, date))
          .toSorted()
      const expected = reference
        .getHolidays(year)
        .filter(({ type }) => type === 'public')
        .map(({ date }) => date.slice(0, 10))
      const ours = listHolidays(country, year).filter(({ kind }) => kind === 'public')
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
