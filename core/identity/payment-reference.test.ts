/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  makeCaseNumber,
  makeCaseReference,
  isCaseNumber,
  makeReference,
  possibleNumbers,
  readReference,
  referenceKinds,
  type ReferenceKind,
} from './payment-reference.ts'

test('references with their check digits', () => {
  const table: [ReferenceKind, string, string][] = [
    ['OCR', '12345678', '1234567806'],
    ['KID10', '123456789', '1234567897'],
    ['KID11', '123456789', '1234567892'],
    ['KID11', '6', '6-'],
    ['VIITE', '123456', '1234561'],
    ['VIITE', '1', '0013'],
    ['RF', '1234561', 'RF341234561'],
    ['RF', '539007547034', 'RF18539007547034'],
    ['FIK71', '00000000001234', '000000000012344'],
    ['FIK71', '1234', '000000000012344'],
  ]
  for (const [kind, digits, reference] of table) {
    assert.equal(makeReference(kind, digits), reference, kind)
    assert.ok(readReference(kind, reference).ok, kind)
  }
})

test('by country', () => {
  const number = makeCaseNumber(123456)
  assert.equal(number, '1234566')
  const table = {
    SE: 'OCR',
    NO: 'KID10',
    FI: 'VIITE',
    DK: 'FIK71',
    DE: 'RF',
    IS: 'RF',
    toString: 'RF',
  } as const
  for (const [country, kind] of Object.entries(table)) {
    const reference = makeCaseReference(number, country)
    assert.equal(reference, makeReference(kind, number), country)
    assert.ok(possibleNumbers(reference).includes(number), country)
  }
})

test('as a payer writes them', () => {
  const table: [ReferenceKind, string, string][] = [
    ['OCR', ' 12345 67806', '12345678'],
    ['RF', 'rf18 5390 0754 7034', '539007547034'],
    ['RF', 'RF18000000000539007547034', '539007547034'],
    ['VIITE', '00000 12345 61', '123456'],
    ['FIK71', '+71<000000000012344+12345678<', '1234'],
  ]
  for (const [kind, text, number] of table) {
    const result = readReference(kind, text)
    assert.ok(result.ok ? result.number === number : false, `${kind} ${text}`)
  }
  const wrong: [ReferenceKind, string, RegExp][] = [
    ['OCR', '1234567816', /length of the whole/],
    ['OCR', '1234567805', /check digit/],
    ['KID10', 'abc', /2 to 25 digits/],
    ['RF', 'RF19539007547034', /check digit/],
    ['FIK71', '12344', /15 digits/],
    ['VIITE', '', /4 to 20 digits/],
  ]
  for (const [kind, text, message] of wrong) {
    const result = readReference(kind, text)
    assert.match(result.ok ? '' : result.message, message, `${kind} ${text}`)
  }
  assert.throws(() => makeReference('OCR', '12a'), /at most 23 digits/)
  assert.throws(() => makeReference('FIK71', '1'.repeat(15)), /at most 14 digits/)
  assert.throws(() => makeCaseNumber(0), /from 1/)
  assert.equal(isCaseNumber('0123'), false)
})

test('every reference reads back, and none with one wrong digit', () => {
  const kind = fc.constantFrom(...referenceKinds)
  fc.assert(
    fc.property(
      kind,
      fc.integer({ min: 1, max: 1e11 - 1 }),
      fc.nat(30),
      fc.integer({ min: 1, max: 9 }),
      (...given) => {
        const [of, running, place, add] = given
        const number = makeCaseNumber(running)
        assert.ok(isCaseNumber(number))
        const reference = makeReference(of, number)
        const read = readReference(of, reference)
        assert.ok(read.ok && read.number === number, `${of} ${reference}`)
        const index = place % reference.length
        const digit = Number(reference[index])
        fc.pre(Number.isInteger(digit))
        const changed = `${reference.slice(0, index)}${(digit + add) % 10}${reference.slice(index + 1)}`
        assert.equal(readReference(of, changed).ok, false, `${of} ${changed}`)
      },
    ),
    { numRuns: 2000 },
  )
})
