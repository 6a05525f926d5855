import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FormField } from './definition.ts'
import {
  changedValues,
  filledValues,
  findAmountFault,
  findCurrency,
  findFault,
  toTyped,
  toValue,
} from './values.ts'

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
    assert.equal(toTyped(one, value, { culture: 'sv-SE' }), typed)
    assert.equal(toValue(one, typed, 'sv-SE'), value === '2026-11-21T00:00:00Z' ? '2026-11-21' : value)
  }
})

test('a moment is shown by the reader’s clock and keeps its time', () => {
  const moment = field({ type: 'datetime', displayType: 'date' })
  const typed = String(toTyped(moment, '2026-07-01T10:30:00.000Z', { culture: 'sv-SE' }))
  const clock = new Date('2026-07-01T10:30:00Z')
  assert.equal(
    typed,
    `2026-07-01T${[clock.getHours(), clock.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')}`,
  )
  assert.equal(toValue(moment, typed, 'sv-SE'), '2026-07-01T10:30:00.000Z')
  assert.deepEqual(findFault(moment, '2026-07-01', { culture: 'sv-SE' }), { key: 'fault.moment' })
  const limited = { ...moment, minValue: '2026-07-01', maxValue: '2026-07-01' }
  assert.equal(findFault(limited, '2026-07-01T12:00', { culture: 'sv-SE' }), undefined)
  assert.equal(findFault(limited, '2026-07-03T12:00', { culture: 'sv-SE' })?.key, 'fault.most')
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
  assert.deepEqual(findFault(limited, '', { culture: 'sv-SE' }), { key: 'fault.required' })
  assert.deepEqual(findFault(limited, 'tio', { culture: 'sv-SE' }), { key: 'fault.number' })
  assert.deepEqual(findFault(limited, '0,99', { culture: 'sv-SE' }), { key: 'fault.least', least: '1' })
  assert.deepEqual(findFault(limited, '10,01', { culture: 'sv-SE' }), { key: 'fault.most', most: '10' })
  assert.equal(findFault(limited, '10', { culture: 'sv-SE' }), undefined)
  assert.deepEqual(findFault(role, '1,5', { culture: 'sv-SE' }), { key: 'fault.whole' })
  assert.deepEqual(findFault({ ...text, length: 3 }, 'fyra', { culture: 'sv-SE' }), {
    key: 'fault.length',
    most: 3,
    count: 4,
  })
  assert.deepEqual(findFault({ ...date, minValue: '2026-01-02' }, '2026-01-01', { culture: 'sv-SE' }), {
    key: 'fault.least',
    least: '2026-01-02',
  })
})

const writing = (currency: string) => ({ culture: 'sv-SE', currency })

test('an amount has the decimals of its currency', () => {
  assert.equal(toTyped(money, 1234.5, writing('SEK')), '1234,50')
  assert.equal(toTyped(money, 1234, writing('JPY')), '1234')
  assert.equal(toTyped(money, 1.5, writing('KWD')), '1,500')
  assert.equal(toTyped(money, 0.125, writing('SEK')), '0,125', 'nothing of a stored amount is hidden')
  assert.equal(findFault(money, '1,125', writing('KWD')), undefined)
  assert.deepEqual(findFault(money, '1,125', writing('SEK')), {
    key: 'fault.decimals',
    most: 2,
    currency: 'SEK',
  })
  assert.deepEqual(findFault(money, '1,5', writing('JPY')), { key: 'fault.whole' })
  assert.deepEqual(findAmountFault('1,5', writing('JPY')), { key: 'fault.whole' })
  assert.deepEqual(findAmountFault('en', writing('JPY')), { key: 'fault.number' })
  assert.deepEqual(findAmountFault('−5', writing('JPY')), { key: 'fault.least', least: '0' })
  assert.equal(findAmountFault(' ', writing('JPY')), undefined)
})

test('the currency of a form is that of its field, or of what it is about', () => {
  assert.equal(findCurrency({ currencyCode: 'EUR' }, 'SEK'), 'EUR')
  assert.equal(findCurrency({ currencyCode: '' }, 'SEK'), 'SEK')
  assert.equal(findCurrency({}), undefined)
})
