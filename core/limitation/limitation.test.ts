/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addYears } from '../calendar/calendar.ts'
import {
  resolveClaimKind,
  claimKinds,
  interruptions,
  computeLimitation,
  findLimitationRule,
  limitationRules,
  type ClaimKind,
  type Interruption,
} from './limitation.ts'

test('until when a claim can be enforced', () => {
  const table: [string, ClaimKind, string, [Interruption, string][], string][] = [
    ['SE', 'GENERAL', '2016-03-01', [], '2026-03-01'],
    ['SE', 'GENERAL', '2016-03-01', [['DEMAND', '2020-05-05']], '2030-05-05'],
    ['SE', 'CONSUMER_CREDIT', '2024-02-29', [], '2027-02-28'],
    // Goods and services to a consumer: three years, and three once there is a title (1981:130 7 §, NJA 2022 s. 150).
    ['SE', 'CONSUMER', '2024-03-01', [], '2027-03-01'],
    ['SE', 'CONSUMER', '2024-03-01', [['DEMAND', '2026-05-05']], '2029-05-05'],
    ['SE', 'CONSUMER', '2024-03-01', [['TITLE', '2026-05-05']], '2029-05-05'],
    ['SE', 'GENERAL', '2024-03-01', [['TITLE', '2026-05-05']], '2036-05-05'],
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
    ['DK', 'GENERAL', '2023-06-15', [['ACKNOWLEDGEMENT', '2024-01-01']], '2027-01-01'],
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
      computeLimitation(country, claim, { dueDate: due }, given)?.date,
      date,
      `${country} ${claim} ${due}`,
    )
  }
  const invoiced = { dueDate: '2024-03-31', originDate: '2024-03-01' }
  assert.equal(computeLimitation('SE', 'CONSUMER', invoiced, [])?.date, '2027-03-01')
  assert.equal(computeLimitation('NO', 'CONSUMER', invoiced, [])?.date, '2027-03-31')
  assert.equal(findLimitationRule('FR', 'GENERAL'), null)
  assert.equal(computeLimitation('FR', 'GENERAL', { dueDate: '2026-01-01' }, []), null)
  const lost = computeLimitation('DE', 'GENERAL', { dueDate: '2023-02-01' }, [
    { kind: 'PAYMENT', date: '2023-05-01' },
  ])
  assert.equal(lost?.interruptedBy, null)
  assert.ok(limitationRules.every(({ source }) => source))
  assert.deepEqual(
    limitationRules.filter(({ unverified }) => unverified).map(({ country, claim }) => `${country} ${claim}`),
    ['FI GENERAL', 'FI CONSUMER', 'FI CONSUMER_CREDIT', 'DE CONSUMER_CREDIT'],
  )
})

/** What the acts in `source` say, country by country; a dash where the event does not interrupt. */
test('DK: an acknowledgement in any form starts three years, one in writing with the amount ten (forældelsesloven §§ 5, 15, 19)', () => {
  const dates = { dueDate: '2023-06-15' }
  const reckon = (claim: ClaimKind, ...events: [string, boolean][]) =>
    computeLimitation(
      'DK',
      claim,
      dates,
      events.map(([date, inWriting]) => ({ kind: 'ACKNOWLEDGEMENT', date, inWriting })),
    )!.date
  for (const claim of ['GENERAL', 'CONSUMER'] as const) {
    assert.equal(reckon(claim, ['2024-01-01', false]), '2027-01-01')
    assert.equal(reckon(claim, ['2024-01-01', true]), '2034-01-01')
    assert.equal(reckon(claim, ['2024-01-01', true], ['2025-01-01', false]), '2034-01-01')
    assert.equal(reckon(claim, ['2026-06-16', true]), '2026-06-15', 'too late in whatever form')
  }
  assert.equal(reckon('CONSUMER_CREDIT', ['2024-01-01', false]), '2034-01-01')
  const swedish = { kind: 'ACKNOWLEDGEMENT', date: '2024-01-01', inWriting: true } as const
  assert.equal(computeLimitation('SE', 'CONSUMER', dates, [swedish])!.date, '2027-01-01')
})

test('the periods and what starts them anew', () => {
  const header = ['ACKNOWLEDGEMENT', 'PAYMENT', 'DEMAND', 'CLAIM_FILED', 'TITLE']
  assert.deepEqual(interruptions, header)
  assert.deepEqual(claimKinds, ['GENERAL', 'CONSUMER', 'CONSUMER_CREDIT'])
  const table = `
    country claim            years  from      acknowledged  paid  demand  filed  title  source
    SE      GENERAL          10     origin    10            10    10      10     10     1981:130
    SE      CONSUMER          3     origin     3             3     3       3      3     1981:130
    SE      CONSUMER_CREDIT   3     origin     3             3     3       3      3     1981:130
    NO      GENERAL           3     due        3             3     -       3     10     foreldelsesloven
    NO      CONSUMER          3     due        3             3     -       3     10     foreldelsesloven
    NO      CONSUMER_CREDIT  10     due       10            10     -      10     10     foreldelsesloven
    DK      GENERAL           3     due        3             3     -       3     10     forældelsesloven
    DK      CONSUMER          3     due        3             3     -       3     10     forældelsesloven
    DK      CONSUMER_CREDIT  10     due       10            10     -      10     10     forældelsesloven
    FI      GENERAL           3     due        3             3     3       3      5     728/2003
    FI      CONSUMER          3     due        3             3     3       3      5     728/2003
    FI      CONSUMER_CREDIT   3     due        3             3     3       3      5     728/2003
    DE      GENERAL           3     year-end   3             3     -       -     30     BGB
    DE      CONSUMER          3     year-end   3             3     -       -     30     BGB
    DE      CONSUMER_CREDIT  10     due        3             3     -       -     30     BGB
    IS      GENERAL           4     due        4             4     -       4     10     150/2007
    IS      CONSUMER          4     due        4             4     -       4     10     150/2007
    IS      CONSUMER_CREDIT  10     due       10            10     -      10     10     150/2007`
  const rows = table.trim().split('\n').slice(1)
  assert.equal(rows.length, limitationRules.length)
  for (const row of rows) {
    const [country, claim, years, from, ...rest] = row.trim().split(/ +/)
    const rule = findLimitationRule(country!, claim as ClaimKind)!
    const starts = rule.fromOrigin ? 'origin' : rule.fromYearEnd ? 'year-end' : 'due'
    const anew: string[] = interruptions.map((kind) => String(rule.anew[kind] ?? '-'))
    assert.deepEqual([String(rule.years), starts, ...anew], [years, from, ...rest.slice(0, 5)], row)
    assert.ok(rule.source.toLowerCase().includes(rest[5]!.toLowerCase()), row)
    const isFinal = country === 'FI' && claim !== 'GENERAL'
    assert.deepEqual(rule.final, isFinal ? { years: 20, afterTitle: 15 } : null, row)
  }
})

test('the event that the period runs from', () => {
  const due = { dueDate: '2020-01-15' }
  const table: [string, [Interruption, string][], string | null][] = [
    ['nothing', [], null],
    ['one', [['PAYMENT', '2021-01-01']], '2021-01-01'],
    [
      'the last of two, in whatever order they are told',
      [
        ['PAYMENT', '2022-05-01'],
        ['PAYMENT', '2021-01-01'],
      ],
      '2022-05-01',
    ],
    ['one on the due date, whose period is as long', [['PAYMENT', '2020-01-15']], '2020-01-15'],
    ['one before the claim was due', [['PAYMENT', '2020-01-14']], null],
    [
      'the title, though money came afterwards: three years from then end before ten from the title',
      [
        ['TITLE', '2021-01-01'],
        ['PAYMENT', '2022-05-01'],
      ],
      '2021-01-01',
    ],
  ]
  for (const [why, events, date] of table) {
    const given = events.map(([kind, on]) => ({ kind, date: on }))
    assert.equal(computeLimitation('NO', 'GENERAL', due, given)?.interruptedBy?.date ?? null, date, why)
  }
  // Of two on one day the later told counts.
  const sameDay = [
    { kind: 'PAYMENT', date: '2021-01-01' },
    { kind: 'ACKNOWLEDGEMENT', date: '2021-01-01' },
  ] as const
  assert.equal(computeLimitation('NO', 'GENERAL', due, sameDay)?.interruptedBy?.kind, 'ACKNOWLEDGEMENT')
})

/** A demand every other year. */
const demands = (first: number, last: number): [Interruption, string][] =>
  Array.from({ length: Math.floor((last - first) / 2) + 1 }, (_, index) => [
    'DEMAND',
    `${first + 2 * index}-06-01`,
  ])

test('the final limit of claims against natural persons in Finland', () => {
  const table: [string, [Interruption, string][], string][] = [
    ['20 years after the due date', demands(2000, 2020), '2020-01-01'],
    [
      'a title in the last years does not move it',
      [...demands(2000, 2018), ['TITLE', '2019-01-01']],
      '2020-01-01',
    ],
    ['15 years after a title', [['TITLE', '2001-01-01'], ...demands(2003, 2016)], '2016-01-01'],
    ['a title on the due date', [['TITLE', '2000-01-01'], ...demands(2002, 2016)], '2015-01-01'],
    ['only a title counts, no demand', [['DEMAND', '2001-01-01'], ...demands(2003, 2019)], '2020-01-01'],
    // What is dated before the claim fell due cannot be a title of it.
    ['a title before the due date', [['TITLE', '1999-12-31'], ...demands(2000, 2020)], '2020-01-01'],
  ]
  for (const claim of ['CONSUMER', 'CONSUMER_CREDIT'] as const) {
    for (const [why, events, date] of table) {
      const given = events.map(([kind, on]) => ({ kind, date: on }))
      assert.equal(computeLimitation('FI', claim, { dueDate: '2000-01-01' }, given)?.date, date, why)
    }
  }
  const business = demands(2000, 2022).map(([kind, on]) => ({ kind, date: on }))
  assert.equal(computeLimitation('FI', 'GENERAL', { dueDate: '2000-01-01' }, business)?.date, '2025-06-01')
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
      const date = (list: typeof events) => computeLimitation(country, claim, { dueDate: due }, list)!.date
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
  assert.equal(resolveClaimKind(true, 'GENERAL'), 'GENERAL')
  assert.equal(resolveClaimKind(false, 'CONSUMER'), 'GENERAL')
  assert.equal(resolveClaimKind(false, null), 'GENERAL')
  // A kind that nobody gave takes the shorter period.
  assert.equal(resolveClaimKind(true, null), 'CONSUMER')
  for (const country of countries)
    assert.ok(
      findLimitationRule(country, 'CONSUMER')!.years <= findLimitationRule(country, 'GENERAL')!.years,
      country,
    )
})
