/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  currencyDecimals,
  isCountry,
  isCulture,
  isCurrency,
  isLanguage,
  isNace,
  normaliseCountry,
  normaliseCulture,
  normaliseCurrency,
  normaliseLanguage,
} from './codes.ts'

test('countries, languages and currencies', () => {
  for (const code of ['SE', 'NO', 'DK', 'FI', 'DE', 'GB', 'US', 'AX']) assert.ok(isCountry(code), code)
  for (const code of ['UK', 'EU', 'se', 'SWE', '', 'XX']) assert.equal(isCountry(code), false, code)
  for (const code of ['sv', 'nb', 'nn', 'no', 'da', 'fi', 'de', 'en', 'se']) assert.ok(isLanguage(code), code)
  for (const code of ['SV', 'swe', 'xx', '']) assert.equal(isLanguage(code), false, code)
  for (const code of ['SEK', 'NOK', 'DKK', 'EUR', 'GBP', 'USD']) assert.ok(isCurrency(code), code)
  for (const code of ['sek', 'DEM', 'KR', '']) assert.equal(isCurrency(code), false, code)
  assert.equal(isCountry(normaliseCountry(' se')), true)
  assert.equal(isLanguage(normaliseLanguage('SV ')), true)
  assert.equal(isCurrency(normaliseCurrency('sek')), true)
})

test('decimals of currencies', () => {
  const decimals = { SEK: 2, EUR: 2, ISK: 0, JPY: 0, KWD: 3, CLF: 4, ABC: null }
  for (const [code, expected] of Object.entries(decimals))
    assert.equal(currencyDecimals(code), expected, code)
})

test('cultures', () => {
  for (const code of ['sv-SE', 'nb-NO', 'en', 'zh-Hant-TW']) assert.ok(isCulture(code), code)
  for (const code of ['SV-se', 'sv_SE', 'xx-SE', 'sv-', '', 'swe']) assert.equal(isCulture(code), false, code)
  assert.equal(normaliseCulture('SV-se'), 'sv-SE')
  assert.equal(normaliseCulture('sv-SE-SE'), null)
  assert.equal(normaliseCulture('tl'), null, 'whose canonical form is fil, a language of three letters')
})

test('the shape of NACE codes', () => {
  for (const code of ['62', '62.0', '62.01', '6201', '62010', '62.010', '01.11'])
    assert.ok(isNace(code), code)
  for (const code of ['', '6', '00', '62.', '62.0.', '6.201', 'J62', '62.01.0001'])
    assert.equal(isNace(code), false, code)
})

test('no text throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[A-Za-z]{2}(-[A-Za-z\d]{1,8}){0,4}$/)), (text) => {
      const culture = normaliseCulture(text)
      if (culture !== null) assert.ok(isCulture(culture))
      for (const check of [isCountry, isLanguage, isCurrency, isCulture, isNace])
        assert.equal(typeof check(text), 'boolean')
    }),
  )
})
