import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { AuditEntry } from '../../../contract/insight/audit.ts'
import { DebtorListItem } from '../../../contract/parties/debtors.ts'
import { Message } from '../../../contract/platform/messages.ts'
import {
  listOperators,
  readFilter,
  takesValue,
  writeFilter,
  type Condition,
  type Filter,
} from './filter-text.ts'
import { readListFields } from './list-fields.ts'

const fields = readListFields(DebtorListItem)

test('conditions become the text of a filter', () => {
  const conditions: Condition[] = [
    { member: 'fullName', operator: 'contains', value: "O'Brien" },
    { member: 'dateOfBirth', operator: 'lt', value: '1990-01-01' },
    { member: 'juridicalType', operator: 'eq', value: '0' },
    { member: 'underAged', operator: 'eq', value: 'true' },
    { member: 'email', operator: 'empty', value: '' },
    { member: 'city', operator: 'eq', value: '' },
  ]
  assert.equal(
    writeFilter({ any: false, conditions }, fields),
    "contains(fullName,'O''Brien') and dateOfBirth lt 1990-01-01 and juridicalType eq 0 and underAged eq true and email eq null",
  )
})

test('what was built is read back as it was', () => {
  const filterable = fields.filter(({ filterable: can }) => can)
  const condition = fc.constantFrom(...filterable).chain((field) =>
    fc.constantFrom(...listOperators(field.kind)).chain((operator) => {
      const value = takesValue(operator) ? valueFor(field) : fc.constant('')
      return value.map((text): Condition => ({ member: field.name, operator, value: text }))
    }),
  )
  fc.assert(
    fc.property(fc.array(condition, { minLength: 1, maxLength: 5 }), fc.boolean(), (conditions, any) => {
      const filter: Filter = { any: any && conditions.length > 1, conditions }
      assert.deepEqual(readFilter(writeFilter(filter, fields), fields), filter)
    }),
  )
})

function valueFor({ kind, choices }: (typeof fields)[number]): fc.Arbitrary<string> {
  switch (kind) {
    case 'choice':
      return fc.constantFrom(...choices.map(({ value }) => value))
    case 'boolean':
      return fc.constantFrom('true', 'false')
    case 'date':
      return fc.constantFrom('2026-11-21', '1990-01-01')
    case 'number':
      return fc.integer().map(String)
    case 'guid':
      return fc.uuid()
    default:
      return fc.oneof(
        fc.string({ minLength: 1 }),
        fc.constantFrom(" and city eq 'x", "'", "a' or 'b", ') or ('),
      )
  }
}

test('a filter that is more than flat is left as it is', () => {
  for (const text of [
    "not contains(city,'x')",
    "(city eq 'a') or email eq 'b'",
    "city eq 'a' and email eq 'b' or zipCode eq 'c'",
    'nothing eq 1',
    'year(dateOfBirth) eq 1990',
  ]) {
    assert.equal(readFilter(text, fields), undefined, text)
  }
})

test('names and keywords are read in any case', () => {
  const read = readFilter("FULLNAME Eq 'x' AND city ne null", fields)
  assert.deepEqual(
    read?.conditions.map(({ member, operator }) => [member, operator]),
    [
      ['fullName', 'eq'],
      ['city', 'filled'],
    ],
  )
})

test('texts of a fixed set are chosen, and what is no single value is no column', () => {
  const channel = readListFields(Message).find(({ name }) => name === 'channel')
  assert.deepEqual(channel?.choices, [
    { value: "'email'", title: 'email' },
    { value: "'sms'", title: 'sms' },
    { value: "'letter'", title: 'letter' },
  ])
  assert.equal(
    readListFields(AuditEntry).some(({ name }) => name === 'changes'),
    false,
  )
})
