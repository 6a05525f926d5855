import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { idnr } from '@navikt/fnrvalidator'
import { stdnum } from 'stdnum'
import { assert as assertProperty, maxSafeInteger, nat, property } from 'fast-check'
import { debtorFields } from '../../contract/parties/debtors.ts'
import { checkEmail } from '../../core/identity/email.ts'
import { checkIdNumber } from '../../core/identity/id-number.ts'
import { checkPhone } from '../../core/identity/phone.ts'
import { checkVatNumber } from '../../core/identity/vat-number.ts'
import { checkZipCode, formatAddress } from '../../core/identity/address.ts'
import { isCountry, isCurrency, isLanguage } from '../../core/identity/codes.ts'
import { demoColumns, generateDebtors, mostDemoDebtors, type DemoDebtor } from './debtors.ts'

const today = '2026-01-01'
const makeList = (seed: number, count: number) => [...generateDebtors({ seed, count })]
const five = makeList(1, 5_000)
const hashDebtors = (debtors: DemoDebtor[]) =>
  createHash('sha256').update(JSON.stringify(debtors)).digest('hex')
const countBy = (debtors: DemoDebtor[], matches: (debtor: DemoDebtor) => boolean) =>
  debtors.filter(matches).length

describe('a run', () => {
  it('is the same today as it was when this was written', () => {
    // A change of the tables or the drawing changes it, and with it every measurement: say so in the changelog.
    assert.equal(
      hashDebtors(five.slice(0, 1_000)),
      '4a844c692f8c08ce0f7272607512d6a927f852fa8e273f02af3bac9dc6e54732',
    )
  })

  it('begins with the shorter one of its seed and differs from that of another seed', () => {
    assertProperty(
      property(maxSafeInteger(), nat(300), nat(300), (seed, some, more) => {
        assert.deepEqual(makeList(seed, some + more).slice(0, some), makeList(seed, some))
      }),
      { numRuns: 25 },
    )
    assert.notEqual(hashDebtors(makeList(2, 100)), hashDebtors(makeList(1, 100)))
    assert.notEqual(hashDebtors(makeList(1 + 2 ** 32, 100)), hashDebtors(makeList(1, 100)))
  })

  it('does not mix with another one going on', () => {
    const first = generateDebtors({ seed: 1, count: 50 })
    const second = generateDebtors({ seed: 2, count: 50 })
    const alternating = Array.from({ length: 50 }, () => [first.next().value, second.next().value])
    assert.deepEqual(
      alternating.map(([one]) => one),
      makeList(1, 50),
    )
  })

  it('refuses numbers out of range with words that say the range', () => {
    for (const options of [
      { seed: 1, count: -1 },
      { seed: 1, count: 1.5 },
      { seed: 1, count: mostDemoDebtors + 1 },
      { seed: 0.5, count: 1 },
      { seed: 1, count: 1, today: '1999-12-31' },
      { seed: 1, count: 1, today: 'soon' },
    ]) {
      assert.throws(() => generateDebtors(options).next(), { name: 'RangeError', message: /expected/ })
    }
  })
})

describe('identity numbers', () => {
  it('are unique among 300,000, whatever the seed', () => {
    for (const seed of [1, -7]) {
      const seen = new Set<string>()
      let numbered = 0
      for (const { idNumber } of generateDebtors({ seed, count: 300_000 })) {
        if (idNumber === undefined) continue
        numbered++
        seen.add(idNumber)
      }
      assert.equal(seen.size, numbered)
      assert.ok(numbered > 280_000)
    }
  })

  it('are valid by the libraries made for them', () => {
    const persons: Record<string, (number: string) => boolean> = {
      SE: (number) => stdnum.SE!.personnummer!.validate(number).isValid,
      NO: (number) => idnr(number).status === 'valid',
      DK: (number) => stdnum.DK!.cpr!.validate(number).isValid,
      FI: (number) => stdnum.FI!.hetu!.validate(number).isValid,
      DE: (number) => stdnum.DE!.idnr!.validate(number).isValid,
    }
    const companies: Record<string, (number: string) => boolean> = {
      SE: (number) => stdnum.SE!.orgnr!.validate(number).isValid,
      NO: (number) => stdnum.NO!.orgnr!.validate(number).isValid,
      DK: (number) => stdnum.DK!.cvr!.validate(number).isValid,
      FI: (number) => stdnum.FI!.ytunnus!.validate(number).isValid,
      DE: (number) => stdnum.DE!.vat!.validate(number).isValid,
    }
    for (const { idNumber, juridicalType, countryCode } of makeList(3, 20_000)) {
      if (idNumber === undefined) continue
      const isValid = (juridicalType === 0 ? persons : companies)[countryCode]!
      assert.ok(isValid(idNumber), `${countryCode} ${idNumber}`)
    }
  })

  it('come from numbers that no living person has', () => {
    const shapes: Record<string, RegExp> = {
      SE: /^\d{8}-23[89]\d$/,
      NO: /^\d\d[89]\d{8}$/,
      DK: /^(?!0101)\d{6}-\d{4}$/,
      FI: /^\d{6}[-A]9\d\d[0-9A-Y]$/,
      DE: /^\d*(\d)\1\1\d*$/,
    }
    for (const { idNumber, juridicalType, countryCode } of makeList(1, 20_000)) {
      if (idNumber === undefined || juridicalType === 1) continue
      assert.match(idNumber, shapes[countryCode]!)
      if (countryCode !== 'DK') continue
      const digits = idNumber.replace('-', '')
      const sum = [4, 3, 2, 7, 6, 5, 4, 3, 2, 1].reduce(
        (total, weight, at) => total + weight * Number(digits[at]),
        0,
      )
      assert.notEqual(sum % 11, 0)
    }
  })
})

describe('debtors', () => {
  it('are of the countries, kinds and ages they should be', () => {
    const shares = { SE: 450, NO: 200, DK: 150, FI: 120, DE: 80 }
    for (const [country, share] of Object.entries(shares)) {
      assert.equal(
        countBy(five, (debtor) => debtor.countryCode === country),
        share * 5,
      )
    }
    assert.equal(
      countBy(five, (debtor) => debtor.juridicalType === 1),
      600,
    )
    const bornIn = five.flatMap((debtor) =>
      debtor.dateOfBirth ? [Number(debtor.dateOfBirth.slice(0, 4))] : [],
    )
    assert.ok(bornIn.length > 300)
    assert.ok(bornIn.every((year) => year >= 1927 && year <= 2011))
  })

  it('pass the rules of the platform', () => {
    for (const debtor of five) {
      const { countryCode, juridicalType } = debtor
      const label = JSON.stringify(debtor)
      assert.ok(debtor.fullName !== undefined || debtor.lastname !== undefined, label)
      if (debtor.idNumber !== undefined) {
        const checked = checkIdNumber({
          idNumber: debtor.idNumber,
          countryCode,
          juridicalType: juridicalType === 1 ? 1 : 0,
          today,
        })
        assert.ok(checked.ok, label)
        assert.equal(checked.idNumber, debtor.idNumber)
        if (debtor.dateOfBirth && checked.dateOfBirth) assert.equal(checked.dateOfBirth, debtor.dateOfBirth)
      }
      for (const phone of [debtor.cellularPhone, debtor.homePhone, debtor.workPhone]) {
        if (phone !== undefined) assert.ok(checkPhone(phone, countryCode).ok, label)
      }
      if (debtor.email !== undefined) assert.ok(checkEmail(debtor.email).ok, label)
      if (debtor.vatNumber !== undefined) assert.ok(checkVatNumber(debtor.vatNumber, countryCode).ok, label)
      assert.deepEqual(checkZipCode(debtor.zipCode, countryCode), { ok: true, zipCode: debtor.zipCode })
      assert.ok(
        isCountry(countryCode) && isLanguage(debtor.languageCode) && isCurrency(debtor.currencyCode),
        label,
      )
      const parts = pickAddress(debtor)
      assert.match(formatAddress(parts) ?? '', new RegExp(`${debtor.city.replace(/[()]/g, '.')}$`))
    }
  })

  it('keep to the lengths of the contract', () => {
    for (const debtor of makeList(4, 30_000)) {
      for (const column of demoColumns) {
        const value = debtor[column]
        if (typeof value !== 'string' || column === 'dateOfBirth') continue
        const { maxLength } = debtorFields[column] as { maxLength?: number }
        assert.ok(
          maxLength !== undefined && value.length <= maxLength && value.trim() === value,
          `${column} ${value}`,
        )
        assert.ok(value !== '' && !/undefined|\s{2}|\{/.test(value), `${column} ${value}`)
      }
    }
  })

  it('can be reached at nobody', () => {
    const reserved = /@(?:(?:[a-z0-9-]+\.)?example|example\.(?:com|org|net))$/
    const phones: Record<string, RegExp> = {
      SE: /^(?:070-174 06 (?:0[5-9]|[1-9]\d)|08-465 004 \d\d|031-390 06 \d\d|040-628 04 \d\d|0980-31 92 \d\d)$/,
      NO: /^20 00 \d\d \d\d$/,
      DK: /^20 00 \d\d \d\d$/,
      FI: /^0490 000 \d{3}$/,
      DE: /^(?:0171 39200\d\d|0176 040690\d\d|(?:030 23125|040 66969|069 90009|0221 4710|089 99998)\d{3})$/,
    }
    for (const debtor of makeList(5, 20_000)) {
      if (debtor.email !== undefined) assert.match(debtor.email, reserved)
      for (const phone of [debtor.cellularPhone, debtor.homePhone, debtor.workPhone]) {
        if (phone !== undefined) assert.match(phone, phones[debtor.countryCode]!)
      }
    }
  })

  it('are told of only where they can be', () => {
    for (const { conversationNotificationChannel: channel, email, cellularPhone } of five) {
      if (channel === 1 || channel === 3) assert.ok(email)
      if (channel === 2 || channel === 3) assert.ok(cellularPhone)
    }
  })
})

function pickAddress(debtor: DemoDebtor) {
  const { street, houseNo, houseNoExtension = null, city, zipCode, stateCode = null, countryCode } = debtor
  return { street, houseNo, houseNoExtension, city, zipCode, stateCode, countryCode }
}
