/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addYears } from './calendar.ts'
import {
  interruptions,
  limitationOf,
  limitationRules,
  type ClaimKind,
  type Interruption,
} from './limitation.ts'

test('until when a claim can be enforced', () => {
  const table: [string, ClaimKind, string, [Interruption, string][], string][] = [
    ['SE', 'general', '2016-03-01', [], '2026-03-01'],
    ['SE', 'general', '2016-03-01', [['DEMAND', '2020-05-05']], '2030-05-05'],
    ['SE', 'consumerCredit', '2024-02-29', [], '2027-02-28'],
    ['NO', 'general', '2023-06-15', [['DEMAND', '2024-01-01']], '2026-06-15'],
    ['NO', 'general', '2023-06-15', [['TITLE', '2024-01-01']], '2034-01-01'],
    ['DK', 'general', '2023-06-15', [['ACKNOWLEDGEMENT', '2024-01-01']], '2034-01-01'],
    [
      'FI',
      'consumerCredit',
      '2010-01-01',
      [
        ['TITLE', '2012-01-01'],
        ['PAYMENT', '2016-12-01'],
      ],
      '2019-12-01',
    ],
    [
      'FI',
      'consumerCredit',
      '2000-01-01',
      [
        ['TITLE', '2002-01-01'],
        ['TITLE', '2006-01-01'],
        ['TITLE', '2010-01-01'],
        ['TITLE', '2014-01-01'],
        ['TITLE', '2018-01-01'],
      ],
      '2017-01-01',
    ],
    ['DE', 'general', '2023-02-01', [], '2026-12-31'],
    ['DE', 'general', '2023-02-01', [['TITLE', '2024-05-01']], '2054-05-01'],
    ['DE', 'general', '2023-02-01', [['PAYMENT', '2023-05-01']], '2026-12-31'],
    ['IS', 'general', '2022-02-01', [], '2026-02-01'],
    ['IS', 'general', '2022-02-01', [['PAYMENT', '2026-02-01']], '2030-02-01'],
    ['IS', 'general', '2022-02-01', [['TITLE', '2022-02-01']], '2032-02-01'],
    ['IS', 'general', '2022-02-01', [['TITLE', '2022-01-31']], '2026-02-01'],
    ['IS', 'general', '2022-02-01', [['PAYMENT', '2026-02-02']], '2026-02-01'],
  ]
  for (const [country, claim, due, events, date] of table) {
    const given = events.map(([kind, on]) => ({ kind, date: on }))
    assert.equal(limitationOf(country, claim, due, given)?.date, date, `${country} ${claim} ${due}`)
  }
  assert.equal(limitationOf('FR', 'general', '2026-01-01', []), null)
  const lost = limitationOf('DE', 'general', '2023-02-01', [{ kind: 'PAYMENT', date: '2023-05-01' }])
  assert.equal(lost?.interruptedBy, null)
  assert.ok(limitationRules.every(({ source, unverified }) => source && unverified))
})

test('without a final limit an event never shortens the period, nor does the order in which events are told matter', () => {
  const event = fc.record({
    kind: fc.constantFrom(...interruptions),
    date: fc.integer({ min: 2000, max: 2060 }).map((year) => `${year}-05-17`),
  })
  const one = fc.constantFrom(...limitationRules.filter(({ final }) => !final))
  fc.assert(
    fc.property(one, fc.array(event, { maxLength: 6 }), event, ({ country, claim }, events, more) => {
      const due = '2001-02-03'
      const date = (list: typeof events) => limitationOf(country, claim, due, list)!.date
      assert.ok(date([...events, more]) >= date(events))
      assert.equal(date(events.toReversed()), date(events))
      assert.ok(date(events) >= addYears(due, 3))
    }),
  )
})
