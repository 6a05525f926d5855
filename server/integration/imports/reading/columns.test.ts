import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DebtorInput } from '../../../../contract/parties/debtors.ts'
import { matchColumns, readColumnNames } from './columns.ts'
import { ImportRefused } from './import-refused.ts'

const match = (headings: string[], mappings: string[] = []) =>
  matchColumns(headings, readColumnNames(DebtorInput, mappings)).map((column) => column?.name ?? null)
const refusal = (headings: string[], mappings: string[] = []): string => {
  try {
    match(headings, mappings)
  } catch (error) {
    assert.ok(error instanceof ImportRefused)
    return error.message
  }
  return assert.fail('was not refused')
}

describe('headings', () => {
  test('match members in any letter case', () => {
    assert.deepEqual(match(['SOURCEREFERENCE', ' lastName ', 'zipcode', 'idNumber']), [
      'sourceReference',
      'lastname',
      'zipCode',
      'idNumber',
    ])
  })

  test('can be mapped or left out', () => {
    assert.deepEqual(match(['Personnr', 'A=B', 'Notes'], ['personnr=IDNUMBER', 'A=B=lastname', 'Notes=']), [
      'idNumber',
      'lastname',
      null,
    ])
  })

  test('with another meaning can be mapped away', () => {
    assert.deepEqual(match(['city', 'Ort'], ['city=placeOfBirth', 'Ort=city']), ['placeOfBirth', 'city'])
  })

  test('that are unknown are all named, with suggestions', () => {
    const message = refusal(['id_number', 'lastnam', 'Kundnummer', 'phone', 'city'])
    assert.match(message, /'id_number' is no field\. Did you mean idNumber\?/)
    assert.match(message, /'lastnam' is no field\. Did you mean lastname\?/)
    assert.match(message, /'Kundnummer' is no field\.\n/)
    assert.match(message, /'phone' is no field\. Did you mean .*Phone/)
    assert.match(message, /The fields are sourceReference, idNumber, /)
    assert.match(message, /'Personnr=idNumber'/)
  })

  test('are refused when missing, or when two name one field', () => {
    assert.match(refusal(['city', 'City']), /'city' and 'City' are both city/)
    assert.match(refusal(['Ort', 'city'], ['Ort=city']), /'Ort' and 'city' are both city/)
    assert.match(refusal(['city', ' ']), /Column 2 has no heading/)
  })

  test('that are very long or have control characters are shortened in the message', () => {
    const message = refusal([`x\u0007${'y'.repeat(500)}`])
    assert.ok(!message.includes('\u0007'))
    assert.ok(message.split('\n')[1]!.length < 120)
  })
})

describe('mappings', () => {
  test('of a missing heading are refused', () => {
    assert.match(refusal(['city'], ['Ort=city']), /no heading 'Ort' to map\. The file has city/)
  })
  test('to an unknown field are refused', () => {
    assert.match(refusal(['Ort'], ['Ort=town']), /'Ort=town': 'town' is no field/)
    assert.match(refusal(['Ort'], ['Ort=citty']), /Did you mean city/)
  })
  test('that are malformed are refused', () => {
    assert.match(refusal(['Ort'], ['Ort']), /is not a mapping\. Write heading=field/)
    assert.match(refusal(['Ort'], ['=city']), /is not a mapping/)
  })
  test('that repeat a heading are refused', () => {
    assert.match(refusal(['Ort'], ['Ort=city', 'ort=street']), /mapped twice/)
  })
  test('with names of Object’s own members', () => {
    assert.match(refusal(['constructor', '__proto__']), /'constructor' is no field/)
  })
})
