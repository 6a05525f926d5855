/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { checkPhone } from './phone.ts'

test('accepted numbers, those reserved for fiction among them', () => {
  const table: [string, string, string][] = [
    ['070-174 06 05', 'SE', '+46701740605'],
    ['+46 (0)70-174 06 05', 'NO', '+46701740605'],
    ['0046 70 174 06 05', 'SE', '+46701740605'],
    ['031-390 06 05', 'SE', '+46313900605'],
    ['08-465 004 05', 'SE', '+46846500405'],
    ['0980-319 205', 'SE', '+46980319205'],
    ['08-465 004 05 ext. 12', 'SE', '+46846500405 ext. 12'],
    ['40 00 00 01', 'NO', '+4740000001'],
    ['22 22 55 55', 'NO', '+4722225555'],
    ['50 12 34 56', 'DK', '+4550123456'],
    ['040 123 4567', 'FI', '+358401234567'],
    ['0457 123456', 'FI', '+358457123456'],
    ['030 23125 000', 'DE', '+493023125000'],
    ['069/90009-123', 'DE', '+496990009123'],
    ['0221 4710 123', 'DE', '+492214710123'],
    ['0171 3920012', 'DE', '+491713920012'],
    ['07700 900123', 'GB', '+447700900123'],
    ['(202) 555-0143', 'US', '+12025550143'],
    ['+46701740605', 'ZZ', '+46701740605'],
  ]
  for (const [text, country, phone] of table)
    assert.deepEqual(checkPhone(text, country), { ok: true, phone }, text)
})

test('refused texts', () => {
  const table: [string, string][] = [
    ['112', 'SE'],
    ['070-174 06', 'SE'],
    ['0701740605123', 'SE'],
    ['0701740605', 'ZZ'],
    ['1234 5678 9', 'NO'],
    ['ring 0701740605', 'SE'],
    ['', 'SE'],
    ['+', 'SE'],
    ['+999 123 456 789', 'SE'],
  ]
  for (const [text, country] of table) {
    const result = checkPhone(text, country)
    assert.ok(!result.ok, text)
    assert.ok(text.length < 3 || !result.message.includes(text))
  }
})

test('no text throws and the result is stable', () => {
  const countries = fc.constantFrom('SE', 'NO', 'DK', 'FI', 'DE', 'US', '', 'xx')
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^\+?\d[\d -]{4,14}( x\d{1,5})?$/))
  fc.assert(
    fc.property(texts, countries, (text, country) => {
      const result = checkPhone(text, country)
      if (result.ok) assert.deepEqual(checkPhone(result.phone, country), result)
    }),
    { numRuns: 1000 },
  )
})
