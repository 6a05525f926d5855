import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeFormat, findFirstWeekday, readDay, readMoment, writeDay, writeMoment } from './days.ts'

const today = '2026-11-28'
const at = (text: string, culture: string) => readMoment(text, { culture, today })
const read = (text: string, culture: string, more: { today?: string; min?: string; max?: string } = {}) =>
  readDay(text, { culture, today, ...more })

describe('a day', () => {
  test('is written in numbers as the culture writes it', () => {
    const written = ['sv-SE', 'de-DE', 'nb-NO', 'fi-FI', 'en-GB', 'en-US', 'en-SE', 'ar-EG', 'th-TH'].map(
      (culture) => writeDay('2026-12-03', culture),
    )
    assert.deepEqual(written, [
      '2026-12-03',
      '03.12.2026',
      '03.12.2026',
      '03.12.2026',
      '03/12/2026',
      '12/03/2026',
      '2026-12-03',
      '03/12/2026',
      '03/12/2026',
    ])
    assert.equal(writeDay('3.1', 'de-DE'), '3.1')
  })

  test('is read as it is written, and as ISO 8601, in every culture', () => {
    for (const culture of ['sv-SE', 'de-DE', 'da-DK', 'fi-FI', 'en-GB', 'en-US', 'en-SE', 'ar-EG', 'hu-HU'])
      for (const day of ['2026-12-03', '2027-01-31', '2024-02-29', '1954-07-08'])
        for (const text of [day, writeDay(day, culture), ` ${day.replaceAll('-', '')} `])
          assert.equal(read(text, culture), day, `${text} in ${culture}`)
  })

  for (const [culture, text, day] of [
    ['de-DE', '3.12.', '2026-12-03'],
    ['de-DE', '3.12', '2026-12-03'],
    ['de-DE', '0312', '2026-12-03'],
    ['de-DE', '031226', '2026-12-03'],
    ['de-DE', '3.12.26', '2026-12-03'],
    ['de-DE', '3/12/2026', '2026-12-03'],
    ['sv-SE', '3/12', '2026-12-03'],
    ['sv-SE', '3/12 2026', '2026-12-03'],
    ['sv-SE', '1203', '2026-12-03'],
    ['sv-SE', '261203', '2026-12-03'],
    ['sv-SE', '26-12-03', '2026-12-03'],
    ['en-GB', '03/12', '2026-12-03'],
    ['en-US', '12/3', '2026-12-03'],
    ['en-US', '1203', '2026-12-03'],
    ['en-SE', '3/12', '2026-12-03'],
    ['de-DE', '1.2.54', '1954-02-01'],
    ['de-DE', '+14', '2026-12-12'],
    ['de-DE', '-1', '2026-11-27'],
  ] as const)
    test(`in ${culture} ${text} is ${day}`, () => assert.equal(read(text, culture), day))

  test('without a year is the nearest one that the field takes', () => {
    assert.equal(read('3.1.', 'de-DE'), '2027-01-03')
    assert.equal(read('27.11.', 'de-DE'), '2026-11-27')
    assert.equal(read('27.11.', 'de-DE', { min: today }), '2027-11-27')
    assert.equal(read('3.1.', 'de-DE', { max: today }), '2026-01-03')
    assert.equal(read('28.12.', 'de-DE', { today: '2027-01-02' }), '2026-12-28')
    // It takes neither: it is read all the same, to say that it is too early.
    assert.equal(read('27.11.', 'de-DE', { min: '2030-01-01' }), '2026-11-27')
  })

  test('is not read out of anything else', () => {
    for (const text of [
      '',
      'tomorrow',
      '3',
      '31.2.2026',
      '2026-13-01',
      '12.2026.',
      '1.2.3.4',
      '99',
      '123456789',
    ])
      assert.equal(read(text, 'de-DE'), undefined, text)
    assert.equal(read('13/13', 'en-US'), undefined)
    assert.equal(read('03.12.0026', 'de-DE'), undefined)
  })

  test('has its format in the letters of the language', () => {
    assert.equal(describeFormat('de-DE', { year: 'J', month: 'M', day: 'T' }), 'TT.MM.JJJJ')
    assert.equal(describeFormat('sv-SE', { year: 'å', month: 'm', day: 'd' }), 'åååå-mm-dd')
  })

  test('is in a week that begins as in the country', () => {
    assert.deepEqual(['sv-SE', 'en-US', 'en-SE', 'ar-EG'].map(findFirstWeekday), [1, 7, 1, 6])
  })
})

describe('a moment', () => {
  test('is read as it is written', () => {
    for (const culture of ['sv-SE', 'de-DE', 'da-DK', 'fi-FI', 'en-GB', 'en-US'])
      for (const moment of ['2026-12-03T14:05', '2026-12-03T00:00', '2026-12-03T12:30'])
        for (const text of [moment, writeMoment(moment, culture)])
          assert.equal(at(text, culture), moment, `${text} in ${culture}`)
  })

  test('is the beginning of a day without a time, and none with a wrong one', () => {
    assert.equal(at('3.12.', 'de-DE'), '2026-12-03T00:00')
    assert.equal(at('3.12. 7:05', 'de-DE'), '2026-12-03T07:05')
    assert.equal(at('3.12. 24:00', 'de-DE'), undefined)
    assert.equal(at('soon 12:00', 'de-DE'), undefined)
  })
})
