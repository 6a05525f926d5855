import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guardFormula, numberOrPhone } from './guard-formula.ts'

for (const text of [
  '=1+1',
  '+cmd|calc',
  '-2+3+cmd',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '\n=1+1',
  '＝1+1',
  '＋cmd',
  '－cmd',
  '＠SUM(A1)',
])
  test(`${JSON.stringify(text)} is not run as a formula`, () => assert.equal(guardFormula(text), `'${text}`))

for (const text of ['Ek', '', '-12.5', '-1250,00', '+1', 'a=b', 'Å, =b'])
  test(`${JSON.stringify(text)} stays as it is`, () => assert.equal(guardFormula(text), text))

test('a phone number keeps its sign for a program, and for a spreadsheet', () => {
  const phone = '+46 70-174 06 05'
  assert.equal(guardFormula(phone, numberOrPhone), phone)
  assert.equal(guardFormula(phone), `'${phone}`)
})
