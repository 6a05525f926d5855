import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkIdNumber } from '../../core/identity/id-number.ts'
import { formatDate, placeBirth } from './births.ts'
import type { CountryCode } from './country.ts'
import {
  makeCompanyNumber,
  makeCpr,
  makeFodselsnummer,
  makeHenkilotunnus,
  makePersonnummer,
  makeSteuerId,
  makeVatNumber,
} from './id-numbers.ts'

const today = '2026-01-01'
const sexes = ['male', 'female'] as const

/** Numbers of the country for the first `each` people of each sex born in the years. */
function* makeBirths(years: number[], each: number, firstDay: 0 | 1) {
  for (const year of years) {
    for (const sex of sexes) {
      for (let rank = 0; rank < each; rank++) yield placeBirth({ year, sex, rank, firstDay, hash: 99 })
    }
  }
}

describe('numbers of persons', () => {
  const makers = {
    SE: { make: (birth: Parameters<typeof makeCpr>[0]) => makePersonnummer(birth, false), each: 11 * 365 },
    NO: { make: makeFodselsnummer, each: 25 * 365 },
    DK: { make: makeCpr, each: 12 * 364 },
    FI: { make: makeHenkilotunnus, each: 50 * 365 },
  }
  for (const [country, { make, each }] of Object.entries(makers)) {
    it(`of ${country} are valid, unique and tell birth and sex up to the capacity of a year`, () => {
      const seen = new Set<string>()
      let count = 0
      for (const birth of makeBirths([1927, 1964, 1999, 2000, 2011], each, country === 'DK' ? 1 : 0)) {
        const idNumber = make(birth)
        const checked = checkIdNumber({ idNumber, countryCode: country, juridicalType: 0, today })
        assert.ok(checked.ok, idNumber)
        assert.equal(checked.dateOfBirth, formatDate(birth))
        assert.equal(checked.gender, birth.sex === 'male' ? 1 : 2)
        seen.add(idNumber)
        count++
      }
      assert.equal(seen.size, count)
    })
  }

  it('end with an error, not with a number that was there before', () => {
    const birth = { year: 1980, month: 5, day: 17, sex: 'male' } as const
    assert.throws(() => makePersonnummer({ ...birth, level: 11 }, false), RangeError)
    assert.throws(() => makeFodselsnummer({ ...birth, level: 25 }), RangeError)
    assert.throws(() => makeHenkilotunnus({ ...birth, level: 50 }), RangeError)
    assert.throws(() => makeCpr({ ...birth, level: 400 }), RangeError)
  })

  it('of Sweden may be coordination numbers, with the day plus 60', () => {
    const birth = { year: 1980, month: 5, day: 17, sex: 'female', level: 0 } as const
    const idNumber = makePersonnummer(birth, true)
    assert.match(idNumber, /^19800577-238\d$/)
    assert.ok(checkIdNumber({ idNumber, countryCode: 'SE', juridicalType: 0, today }).ok)
  })

  it('of Germany are valid and unique', () => {
    const seen = new Set<string>()
    for (let rank = 0; rank < 30_000; rank++) {
      const idNumber = makeSteuerId(rank, -123)
      assert.ok(checkIdNumber({ idNumber, countryCode: 'DE', juridicalType: 0, today }).ok, idNumber)
      seen.add(idNumber)
    }
    assert.equal(seen.size, 30_000)
  })
})

describe('numbers of companies', () => {
  const prefixes: Record<CountryCode, string> = { SE: '598', NO: '31', DK: '9', FI: '9', DE: '99' }
  for (const country of ['SE', 'NO', 'DK', 'FI', 'DE'] as const) {
    it(`of ${country} are valid and unique, and so are the VAT numbers made of them`, () => {
      const seen = new Set<string>()
      for (let rank = 0; rank < 30_000; rank++) {
        const idNumber = makeCompanyNumber(country, prefixes[country], rank, -5)
        const checked = checkIdNumber({ idNumber, countryCode: country, juridicalType: 1, today })
        assert.ok(checked.ok && checked.juridicalType === 1, idNumber)
        assert.equal(checked.idNumber, idNumber)
        seen.add(makeVatNumber(country, idNumber))
      }
      assert.equal(seen.size, 30_000)
    })
  }
})
