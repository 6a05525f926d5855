/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { checkVatNumber } from './vat-number.ts'

test('accepted numbers, with their prefix and without', () => {
  const table: [string, string, string][] = [
    ['556036079301', 'SE', 'SE556036079301'],
    ['se 556036-0793-01', 'SE', 'SE556036079301'],
    ['NO 988 077 917 MVA', 'NO', 'NO988077917MVA'],
    ['988077917', 'NO', 'NO988077917MVA'],
    ['DK13585628', 'DK', 'DK13585628'],
    ['2077474-0', 'FI', 'FI20774740'],
    ['DE129273398', 'SE', 'DE129273398'],
    ['136695976', 'DE', 'DE136695976'],
    ['CHE-107.787.577 MWST', 'CH', 'CHE107787577MWST'],
    ['GR094259216', 'GR', 'EL094259216'],
    ['094259216', 'GR', 'EL094259216'],
    ['GB980780684', 'GB', 'GB980780684'],
    ['XI980780684', 'GB', 'XI980780684'],
    ['ATU13585627', 'AT', 'ATU13585627'],
    ['NL123456789B13', 'NL', 'NL123456789B13'],
    ['BE0428759497', 'BE', 'BE0428759497'],
    ['FR40303265045', 'FR', 'FR40303265045'],
    ['12-3456789', 'US', '123456789'],
  ]
  for (const [text, country, vatNumber] of table) {
    assert.deepEqual(checkVatNumber(text, country), { ok: true, vatNumber }, text)
  }
})

test('refused texts', () => {
  const table: [string, string][] = [
    ['556036079401', 'SE'],
    ['SE100000000001', 'SE'],
    ['SE556036079401', 'US'],
    ['NO988077918MVA', 'NO'],
    ['DE129273399', 'DE'],
    ['CHE100000000MWST', 'CH'],
    ['', 'SE'],
    ['12', 'US'],
  ]
  for (const [text, country] of table) {
    assert.equal(checkVatNumber(text, country).ok, false, `${text} ${country}`)
  }
})

test('no text throws and the result is stable', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^([A-Z]{2})?[A-Z]?\d{7,12}[A-Z\d]{0,3}$/),
  )
  const countries = fc.constantFrom(
    'SE',
    'NO',
    'CH',
    'GR',
    'GB',
    'IE',
    'NL',
    'ES',
    'FR',
    'US',
    '',
    'constructor',
  )
  fc.assert(
    fc.property(texts, countries, (text, country) => {
      const result = checkVatNumber(text, country)
      if (result.ok) assert.deepEqual(checkVatNumber(result.vatNumber, country), result)
    }),
    { numRuns: 2000 },
  )
})
