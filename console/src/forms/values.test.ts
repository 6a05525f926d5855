import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FormField } from './definition.ts'
import { changedValues, filledValues, findFault, toTyped, toValue } from './values.ts'

const field = (more: Partial<FormField>): FormField => ({
  code: 'x',
  editCode: 'x',
  displayCode: 'x',
  type: 'string',
  displayType: 'input',
  shortLabel: '',
  longLabel: '',
  description: '',
  lookupCode: '',
  minValue: '',
  maxValue: '',
  specificValues: '',
  length: 0,
  multiline: 1,
  required: false,
  mustMatchLookup: false,
  ...more,
})
const money = field({ code: 'm', editCode: 'm', type: 'money' })
const text = field({ code: 't', editCode: 't' })
const date = field({ code: 'd', editCode: 'd', type: 'date', displayType: 'date' })
const role = field({ code: 'r', editCode: 'r', type: 'integer', lookupCode: 'userrole' })
const tick = field({ code: 'b', editCode: 'b', type: 'boolean' })
const fields = [money, text, date, role, tick]
const empty = { m: '', t: '', d: '', r: '', b: false }

test('a value is shown as it is typed, and goes back as it was', () => {
  for (const [one, value, typed] of [
    [money, 1234.5, '1234,5'],
    [text, 'x', 'x'],
    [date, '2026-11-21T00:00:00Z', '2026-11-21'],
    [role, 3, '3'],
    [tick, true, true],
  ] as const) {
    assert.equal(toTyped(one, value, 'sv-SE'), typed)
    assert.equal(toValue(one, typed, 'sv-SE'), value === '2026-11-21T00:00:00Z' ? '2026-11-21' : value)
  }
})

test('a new record gets what is filled in, a changed one what is changed', () => {
  assert.deepEqual(filledValues(fields, { ...empty, m: '10', t: ' a ' }, 'sv-SE'), {
    m: 10,
    t: 'a',
    b: false,
  })
  const before = { m: '10', t: 'a', d: '2026-01-01', r: '3', b: true }
  assert.deepEqual(changedValues(fields, before, before, 'sv-SE'), {})
  // An emptied text or date is cleared by the empty string; a number has no such way and stays.
  assert.deepEqual(changedValues(fields, before, empty, 'sv-SE'), {
    m: null,
    t: '',
    d: '',
    r: null,
    b: false,
  })
})

test('what is only shown is never sent', () => {
  const shown = field({ code: 's', editCode: '', displayType: 'readonly' })
  assert.deepEqual(filledValues([shown], { s: 'x' }, 'sv-SE'), {})
  assert.deepEqual(changedValues([shown], { s: 'x' }, { s: 'y' }, 'sv-SE'), {})
})

test('limits are told', () => {
  const limited = { ...money, minValue: '1', maxValue: '10', required: true }
  assert.deepEqual(findFault(limited, '', 'sv-SE'), { key: 'fault.required' })
  assert.deepEqual(findFault(limited, 'tio', 'sv-SE'), { key: 'fault.number' })
  assert.deepEqual(findFault(limited, '0,99', 'sv-SE'), { key: 'fault.least', least: '1' })
  assert.deepEqual(findFault(limited, '10,01', 'sv-SE'), { key: 'fault.most', most: '10' })
  assert.equal(findFault(limited, '10', 'sv-SE'), undefined)
  assert.deepEqual(findFault(role, '1,5', 'sv-SE'), { key: 'fault.whole' })
  assert.deepEqual(findFault({ ...text, length: 3 }, 'fyra', 'sv-SE'), {
    key: 'fault.length',
    most: 3,
    count: 4,
  })
  assert.deepEqual(findFault({ ...date, minValue: '2026-01-02' }, '2026-01-01', 'sv-SE'), {
    key: 'fault.least',
    least: '2026-01-02',
  })
})
