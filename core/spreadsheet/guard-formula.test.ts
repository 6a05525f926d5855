import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guardFormula } from './guard-formula.ts'

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

for (const text of ['Ek', '', '+46 70-174 06 05', '-12.5', '-1 250,00', 'a=b', '+', 'Å, =b'])
  test(`${JSON.stringify(text)} stays as it is`, () => assert.equal(guardFormula(text), text))
