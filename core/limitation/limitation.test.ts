/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addYears } from '../calendar/calendar.ts'
import {
  claimKindOf,
  claimKinds,
  interruptions,
  limitationOf,
  limitationRules,
  type ClaimKind,
  type Interruption,
} from './limitation.ts'

test('until when a claim can be enforced', () => {
  const table: [string, ClaimKind, string, [Interruption, string][], string][] = [
    ['SE', 'GENERAL', '2016-03-01', [], '2026-03-01'],
    ['SE', 'GENERAL', '2016-03-01', [['DEMAND', '2020-05-05']], '2030-05-05'],
    ['SE', 'CONSUMER_CREDIT', '2024-02-29', [], '2027-02-28'],
    // Goods and services to a consumer: three years, and ten once there is a title.
    ['SE', 'CONSUMER', '2024-03-01', [], '2027-03-01'],
    ['SE', 'CONSUMER', '2024-03-01', [['DEMAND', '2026-05-05']], '2029-05-05'],
    ['SE', 'CONSUMER', '2024-03-01', [['TITLE', '2026-05-05']], '2036-05-05'],
    // Loans.
    ['NO', 'CONSUMER', '2023-06-15', [], '2026-06-15'],
    ['NO', 'CONSUMER_CREDIT', '2023-06-15', [], '2033-06-15'],
    ['DK', 'CONSUMER_CREDIT', '2023-06-15', [['PAYMENT', '2024-01-01']], '2034-01-01'],
    ['DK', 'CONSUMER', '2023-06-15', [['PAYMENT', '2024-01-01']], '2027-01-01'],
    ['DE', 'CONSUMER_CREDIT', '2023-02-01', [], '2033-02-01'],
    ['DE', 'CONSUMER_CREDIT', '2023-02-01', [['TITLE', '2024-05-01']], '2054-05-01'],
    ['IS', 'CONSUMER_CREDIT', '2022-02-01', [], '2032-02-01'],
    ['NO', 'GENERAL', '2023-06-15', [['DEMAND', '2024-01-01']], '2026-06-15'],
    ['NO', 'GENERAL', '2023-06-15', [['TITLE', '2024-01-01']], '2034-01-01'],
    ['DK', 'GENERAL', '2023-06-15', [['ACKNOWLEDGEMENT', '2024-01-01']], '2034-01-01'],
    [
      'FI',
      'CONSUMER_CREDIT',
      '2010-01-01',
      [
        ['TITLE', '2012-01-01'],
        ['PAYMENT', '2016-12-01'],
      ],
      '2019-12-01',
    ],
    [
      'FI',
      'CONSUMER_CREDIT',
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
    ['DE', 'GENERAL', '2023-02-01', [], '2026-12-31'],
    ['DE', 'GENERAL', '2023-02-01', [['TITLE', '2024-05-01']], '2054-05-01'],
    ['DE', 'GENERAL', '2023-02-01', [['PAYMENT', '2023-05-01']], '2026-12-31'],
    ['IS', 'GENERAL', '2022-02-01', [], '2026-02-01'],
    ['IS', 'GENERAL', '2022-02-01', [['PAYMENT', '2026-02-01']], '2030-02-01'],
    ['IS', 'GENERAL', '2022-02-01', [['TITLE', '2022-02-01']], '2032-02-01'],
    ['IS', 'GENERAL', '2022-02-01', [['TITLE', '2022-01-31']], '2026-02-01'],
    ['IS', 'GENERAL', '2022-02-01', [['PAYMENT', '2026-02-02']], '2026-02-01'],
  ]
  for (const [country, claim, due, events, date] of table) {
    const given = events.map(([kind, on]) => ({ kind, date: on }))
    assert.equal(
      limitationOf(country, claim, { dueDate: due }, given)?.date,
      date,
      `${country} ${claim} ${due}`,
    )
  }
  const invoiced = { dueDate: '2024-03-31', originDate: '2024-03-01' }
  assert.equal(limitationOf('SE', 'CONSUMER', invoiced, [])?.date, '2027-03-01')
  assert.equal(limitationOf('NO', 'CONSUMER', invoiced, [])?.date, '2027-03-31')
  assert.equal(limitationOf('FR', 'GENERAL', { dueDate: '2026-01-01' }, []), null)
  const lost = limitationOf('DE', 'GENERAL', { dueDate: '2023-02-01' }, [
    { kind: 'PAYMENT', date: '2023-05-01' },
  ])
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
      const date = (list: typeof events) => limitationOf(country, claim, { dueDate: due }, list)!.date
      assert.ok(date([...events, more]) >= date(events))
      assert.equal(date(events.toReversed()), date(events))
      assert.ok(date(events) >= addYears(due, 3))
    }),
  )
})

test('each country has a rule of its own for each kind, and a business no consumer’s', () => {
  const countries = new Set(limitationRules.map(({ country }) => country))
  assert.deepEqual([...countries].toSorted(), ['DE', 'DK', 'FI', 'IS', 'NO', 'SE'])
  assert.equal(limitationRules.length, countries.size * claimKinds.length)
  assert.equal(claimKindOf('SE', true, 'CONSUMER'), 'CONSUMER')
  assert.equal(claimKindOf('SE', false, 'CONSUMER'), 'GENERAL')
  assert.equal(claimKindOf('SE', true, null), 'GENERAL')
  assert.equal(claimKindOf('FI', true, null), 'CONSUMER')
  assert.equal(claimKindOf('FI', false, null), 'GENERAL')
})
