/// <reference types="node" />
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import addressFormatter from '@fragaria/address-formatter'
import * as fc from 'fast-check'
import { checkZipCode, formatAddress, parseAddress, type AddressParts } from './address.ts'

const none: AddressParts = {
  fullName: null,
  street: null,
  houseNo: null,
  houseNoExtension: null,
  city: null,
  zipCode: null,
  stateCode: null,
  countryCode: null,
}
const common = {
  ...none,
  street: "Stor'gatan & <Co>",
  houseNo: '12',
  houseNoExtension: 'B',
  city: 'Malmö',
  zipCode: '211 42',
}

describe('addresses', () => {
  test('by country', () => {
    const continental = "Stor'gatan & <Co> 12 B, 211 42 Malmö"
    for (const countryCode of ['SE', 'NO', 'DK', 'FI', 'DE', 'IS', 'NL', 'CH', 'PL']) {
      assert.equal(formatAddress({ ...common, countryCode }), continental, countryCode)
    }
    assert.equal(formatAddress({ ...common, countryCode: 'GB' }), "12 B Stor'gatan & <Co>, Malmö, 211 42")
    assert.equal(
      formatAddress({
        ...none,
        street: 'Main St',
        houseNo: '5',
        city: 'Albany',
        zipCode: '12207',
        stateCode: 'NY',
        countryCode: 'US',
      }),
      '5 Main St, Albany, NY 12207',
    )
  })

  test('what the templates would leave out is kept', () => {
    const kept = "Stor'gatan & <Co> 12 B, 211 42 Malmö, X"
    for (const countryCode of ['AQ', 'HK', 'ZZ', null]) {
      assert.equal(formatAddress({ ...common, stateCode: 'X', countryCode }), kept, String(countryCode))
    }
  })

  test('parts and separator', () => {
    assert.equal(formatAddress(none), null)
    assert.equal(formatAddress({ ...none, countryCode: 'US' }), null)
    assert.equal(formatAddress({ ...none, city: ' Malmö ', countryCode: 'se' }), 'Malmö')
    assert.equal(
      formatAddress({ ...common, fullName: 'c/o Berg', countryCode: 'SE' }, { separator: '\n' }),
      "c/o Berg\nStor'gatan & <Co> 12 B\n211 42 Malmö",
    )
  })

  test('our own lines are those of the templates', () => {
    const word = fc.stringMatching(/^[a-zåäöA-ZÅÄÖ]{3,9}$/)
    const digits = fc.stringMatching(/^[1-9]\d{4}$/)
    const countries = fc.constantFrom('SE', 'NO', 'DK', 'FI', 'DE', 'IS')
    fc.assert(
      fc.property(word, digits, digits, word, countries, (street, houseNo, zipCode, city, countryCode) => {
        const postcode = countryCode === 'SE' ? `${zipCode.slice(0, 3)} ${zipCode.slice(3)}` : zipCode
        const input = { road: street, houseNumber: houseNo, postcode, city, countryCode }
        const expected = addressFormatter.format(input, { output: 'array' }).join(', ')
        assert.equal(
          formatAddress({ ...none, street, houseNo, zipCode: postcode, city, countryCode }),
          expected,
        )
      }),
    )
  })

  test('no text throws or loses street, city and zip code', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.constant(null),
      fc.constantFrom('a || b', '{{x}}', 'a, a', 'http://x'),
    )
    const countries = fc.constantFrom('SE', 'US', 'GB', 'HK', 'BR', 'JP', 'PR', 'NL', 'ZZ', null)
    const parts = {
      street: text,
      houseNo: text,
      houseNoExtension: text,
      city: text,
      zipCode: text,
      stateCode: text,
    }
    fc.assert(
      fc.property(fc.record({ ...parts, countryCode: countries }), (address) => {
        const line = formatAddress(address) ?? ''
        for (const part of [address.street, address.city, address.zipCode]) {
          assert.ok(line.includes((part ?? '').replace(/\s+/g, ' ').trim()), JSON.stringify([address, line]))
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('an address in one line', () => {
  test('is split where its country lets the parts be told', () => {
    const table: [text: string, country: string, parts: Partial<AddressParts>][] = [
      [
        'Storgatan 12 B, 21142 Malmö',
        'SE',
        { street: 'Storgatan', houseNo: '12', houseNoExtension: 'B', zipCode: '211 42', city: 'Malmö' },
      ],
      [
        'Storgatan 12B,211 42 Malmö',
        'SE',
        { street: 'Storgatan', houseNo: '12B', zipCode: '211 42', city: 'Malmö' },
      ],
      ['Box 12\n103 11 Stockholm', 'SE', { street: 'Box 12', zipCode: '103 11', city: 'Stockholm' }],
      [
        'c/o Ek, Norra vägen 3, SE-262 34 Ängelholm, Sverige',
        'SE',
        {
          fullName: 'c/o Ek',
          street: 'Norra vägen',
          houseNo: '3',
          zipCode: '262 34',
          city: 'Ängelholm',
          countryCode: 'SE',
        },
      ],
      [
        'Kvarteret Eken, Storgatan 12, 211 42 Malmö',
        'SE',
        { street: 'Kvarteret Eken, Storgatan', houseNo: '12', zipCode: '211 42', city: 'Malmö' },
      ],
      [
        'Karl Johans gate 1, 0154 Oslo, Norway',
        'SE',
        { street: 'Karl Johans gate', houseNo: '1', zipCode: '0154', city: 'Oslo', countryCode: 'NO' },
      ],
      ['Damrak 1, 1012 LG Amsterdam', 'NL', { street: 'Damrak 1', zipCode: '1012 LG', city: 'Amsterdam' }],
      [
        '5 Main St, Albany, NY 12207',
        'US',
        { street: '5 Main St', city: 'Albany', stateCode: 'NY', zipCode: '12207' },
      ],
    ]
    for (const [text, countryCode, parts] of table)
      assert.deepEqual(parseAddress(text, { countryCode }), { ...none, ...parts }, text)
  })

  test('is kept whole otherwise', () => {
    for (const text of [
      'Gården bortom kyrkan, Visby',
      '211 42 Malmö',
      'Storgatan 12 211 42 Malmö',
      '',
      ',',
      'Sverige',
      'A, 00142 B',
    ])
      assert.equal(parseAddress(text, { countryCode: 'SE' }), null, text)
    assert.equal(parseAddress('Storgatan 12, 211 42 Malmö', { countryCode: 'ZZ' }), null)
  })

  test('gives the same line again when its parts are formatted', () => {
    const word = fc.stringMatching(/^[a-zåäöA-ZÅÄÖ]{3,9}$/)
    const house = fc.stringMatching(/^[1-9]\d{0,2}( ?[A-Z])?$/)
    const zip = fc.stringMatching(/^[1-9]\d{2} \d{2}$/)
    fc.assert(
      fc.property(word, house, zip, word, (street, houseNo, zipCode, city) => {
        const line = `${street} ${houseNo}, ${zipCode} ${city}`
        const parsed = parseAddress(line, { countryCode: 'SE' })
        assert.equal(formatAddress({ ...parsed!, countryCode: 'SE' }), line)
      }),
    )
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('SE', 'US', 'GB', '', 'constructor'),
        (text, countryCode) => {
          parseAddress(text, { countryCode })
        },
      ),
    )
  })
})

describe('zip codes', () => {
  test('accepted', () => {
    const table: [string, string, string][] = [
      ['21142', 'SE', '211 42'],
      ['SE-211 42', 'SE', '211 42'],
      ['0150', 'NO', '0150'],
      ['DK-1050', 'DK', '1050'],
      ['FIN-00100', 'FI', '00100'],
      ['D-20095', 'DE', '20095'],
      ['101', 'IS', '101'],
      ['sw1a1aa', 'GB', 'SW1A 1AA'],
      ['1012ab', 'NL', '1012 AB'],
      ['00950', 'PL', '00-950'],
      ['01234', 'LT', 'LT-01234'],
      ['d02x285', 'IE', 'D02 X285'],
      ['75001', 'FR', '75001'],
      ['12345-6789', 'US', '12345-6789'],
      ['x 1', 'ZZ', 'X 1'],
    ]
    for (const [text, country, zipCode] of table)
      assert.deepEqual(checkZipCode(text, country), { ok: true, zipCode })
  })

  test('refused', () => {
    const table = [
      ['2114', 'SE'],
      ['01142', 'SE'],
      ['015', 'NO'],
      ['10500', 'DK'],
      ['0010', 'FI'],
      ['2009X', 'DE'],
      ['1', 'US'],
      ['', 'ZZ'],
    ]
    for (const [text, country] of table)
      assert.equal(checkZipCode(text!, country!).ok, false, `${text} ${country}`)
  })

  test('no text throws and the result is stable', () => {
    const countries = fc.constantFrom(
      'SE',
      'NO',
      'GB',
      'LT',
      'LV',
      'PL',
      'NL',
      'JP',
      'US',
      'ZZ',
      '',
      'constructor',
    )
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^([A-Z]{2}-?)?\d{3}[ -]?[A-Z\d]{1,4}$/),
    )
    fc.assert(
      fc.property(texts, countries, (text, country) => {
        const result = checkZipCode(text, country)
        if (result.ok) assert.deepEqual(checkZipCode(result.zipCode, country), result)
      }),
      { numRuns: 2000 },
    )
  })
})
