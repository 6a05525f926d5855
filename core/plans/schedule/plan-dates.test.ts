/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import Holidays from 'date-holidays'
import { addDays, daysBetween, isoWeekday } from '../../calendar/calendar.ts'
import { buildRateSteps } from '../../interest/interest.ts'
import { computePlan } from '../plan.ts'
import type { PaymentPlan, PlanDeviation, PlanError, PlanTerms } from '../plan-terms.ts'

const terms: PlanTerms = {
  type: 1,
  startDate: '2026-01-15',
  firstDueDate: '2026-02-28',
  cases: [
    {
      invoices: [{ principal: 120_000n, rates: buildRateSteps({ kind: 'none' }, new Map()) }],
      interest: 0n,
      costs: 0n,
    },
  ],
  numberOfPayments: 4,
}

function makePlan(changes: Partial<PlanTerms>): PaymentPlan {
  const outcome = computePlan({ ...terms, ...changes })
  if (!outcome.ok) throw new Error(outcome.error.code)
  return outcome.plan
}
const formatDueDates = (changes: Partial<PlanTerms>): string =>
  makePlan(changes)
    .rows.map(({ dueDate }) => dueDate)
    .join(' ')
function expectError(changes: Partial<PlanTerms>): PlanError {
  const outcome = computePlan({ ...terms, ...changes })
  if (outcome.ok) throw new Error('There is a plan.')
  return outcome.error
}

test('due dates', () => {
  const relief: Partial<PlanTerms> = { type: 5, amount: 30_000n }
  const table: [string, Partial<PlanTerms>, string][] = [
    ['monthly', {}, '2026-02-28 2026-03-28 2026-04-28 2026-05-28'],
    ['clamped', { firstDueDate: '2026-01-31' }, '2026-01-31 2026-02-28 2026-03-31 2026-04-30'],
    ['of a leap year', { firstDueDate: '2028-01-30' }, '2028-01-30 2028-02-29 2028-03-30 2028-04-30'],
    ['over the new year', { firstDueDate: '2026-11-29' }, '2026-11-29 2026-12-29 2027-01-29 2027-02-28'],
    ['30 days after the start', { firstDueDate: undefined }, '2026-02-14 2026-03-14 2026-04-14 2026-05-14'],
    [
      'so many days after it',
      { firstDueDate: undefined, firstDueDays: 0 },
      '2026-01-15 2026-02-15 2026-03-15 2026-04-15',
    ],
    ['every second day', { interval: { type: 1, count: 2 } }, '2026-02-28 2026-03-02 2026-03-04 2026-03-06'],
    ['every third week', { interval: { type: 2, count: 3 } }, '2026-02-28 2026-03-21 2026-04-11 2026-05-02'],
    ['quarterly', { interval: { type: 3, count: 3 } }, '2026-02-28 2026-05-28 2026-08-28 2026-11-28'],
    [
      'yearly, from a leap day',
      { firstDueDate: '2028-02-29', interval: { type: 4, count: 1 } },
      '2028-02-29 2029-02-28 2030-02-28 2031-02-28',
    ],
    [
      'free months are those of debt relief',
      { freeMonths: [3, 4] },
      '2026-02-28 2026-03-28 2026-04-28 2026-05-28',
    ],
    ['debt relief', { ...relief, freeMonths: [3, 4] }, '2026-02-28 2026-05-28 2026-06-28 2026-07-28'],
    [
      'one month a year',
      { ...relief, freeMonths: [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] },
      '2026-02-28 2027-02-28 2028-02-28 2029-02-28',
    ],
    [
      'one moved, which moves no other',
      { deviations: [{ paymentNo: 2, dueDate: '2026-04-01' }] },
      '2026-02-28 2026-04-01 2026-04-28 2026-05-28',
    ],
    [
      'on a pay day, of which the first is at least 30 days after the start',
      { firstDueDate: undefined, payDay: 25 },
      '2026-02-25 2026-03-25 2026-04-25 2026-05-25',
    ],
    [
      'on a pay day that has passed in the month',
      { firstDueDate: undefined, payDay: 10 },
      '2026-03-10 2026-04-10 2026-05-10 2026-06-10',
    ],
    [
      'on the last of each month',
      { firstDueDate: undefined, payDay: 31 },
      '2026-02-28 2026-03-31 2026-04-30 2026-05-31',
    ],
    [
      'the first on a date of its own, the others on the pay day of the months that follow',
      { firstDueDate: '2026-02-02', payDay: 25, interval: { type: 3, count: 3 } },
      '2026-02-02 2026-05-25 2026-08-25 2026-11-25',
    ],
    [
      'on the business days of Germany: two Saturdays moved',
      { firstDueDate: '2026-02-28', dueCountry: 'DE' },
      '2026-03-02 2026-03-30 2026-04-28 2026-05-28',
    ],
    [
      'over Easter, in Norway from Maundy Thursday on',
      { firstDueDate: '2026-03-02', dueCountry: 'NO' },
      '2026-03-02 2026-04-07 2026-05-04 2026-06-02',
    ],
    [
      'every day is every business day',
      { firstDueDate: '2026-06-05', interval: { type: 1, count: 1 }, dueCountry: 'SE' },
      '2026-06-05 2026-06-08 2026-06-09 2026-06-10',
    ],
    [
      'a date that a person set stays, on a Sunday too',
      {
        firstDueDate: '2026-02-28',
        dueCountry: 'SE',
        deviations: [{ paymentNo: 2, dueDate: '2026-03-29' }],
      },
      '2026-03-02 2026-03-29 2026-04-28 2026-05-28',
    ],
    [
      'debt relief: not into a month without payment',
      { ...relief, firstDueDate: '2026-05-31', freeMonths: [6, 12], dueCountry: 'SE' },
      '2026-05-29 2026-07-31 2026-08-31 2026-09-30',
    ],
    [
      'the first moved, which the others follow',
      { firstDueDate: undefined, deviations: [{ paymentNo: 1, dueDate: '2026-02-03' }] },
      '2026-02-03 2026-03-03 2026-04-03 2026-05-03',
    ],
  ]
  for (const [what, changes, dates] of table) assert.equal(formatDueDates(changes), dates, what)
  assert.throws(
    () => formatDueDates({ ...relief, freeMonths: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] }),
    RangeError,
  )
  for (const count of [0, -1, 1.5])
    assert.throws(() => formatDueDates({ interval: { type: 3, count } }), RangeError)
})

test('payments stay in the order of their dates', () => {
  const table: [
    string,
    PlanDeviation[],
    Partial<Extract<PlanError, { code: 'dates-out-of-order' }>> | null,
  ][] = [
    ['on the start', [{ paymentNo: 1, dueDate: '2026-01-15' }], null],
    [
      'before the start',
      [{ paymentNo: 1, dueDate: '2026-01-14' }],
      { index: 0, paymentNo: 1, after: '2026-01-15', orOn: true, before: '2026-03-28' },
    ],
    ['the day after the one before', [{ paymentNo: 2, dueDate: '2026-03-01' }], null],
    [
      'on the day of the one before',
      [{ paymentNo: 2, dueDate: '2026-02-28' }],
      { index: 0, paymentNo: 2, after: '2026-02-28', orOn: false, before: '2026-04-28' },
    ],
    ['the day before the next', [{ paymentNo: 2, dueDate: '2026-04-27' }], null],
    [
      'on the day of the next',
      [{ paymentNo: 2, dueDate: '2026-04-28' }],
      { index: 0, paymentNo: 2, after: '2026-02-28', orOn: false, before: '2026-04-28' },
    ],
    ['the last, however late', [{ paymentNo: 4, dueDate: '2036-01-01' }], null],
    [
      'the last before the one before',
      [{ paymentNo: 4, dueDate: '2026-04-28' }],
      { index: 0, paymentNo: 4, after: '2026-04-28', orOn: false, before: null },
    ],
    [
      'before one whose amount alone deviates',
      [
        { paymentNo: 2, amount: 5n },
        { paymentNo: 3, dueDate: '2026-03-20' },
      ],
      { index: 1, paymentNo: 3, after: '2026-03-28', orOn: false, before: '2026-05-28' },
    ],
    [
      'two that pass each other: the first told',
      [
        { paymentNo: 3, dueDate: '2026-03-05' },
        { paymentNo: 2, dueDate: '2026-04-05' },
      ],
      { index: 0, paymentNo: 3, after: '2026-04-05', orOn: false, before: '2026-05-28' },
    ],
    [
      'two that move together',
      [
        { paymentNo: 2, dueDate: '2026-05-01' },
        { paymentNo: 3, dueDate: '2026-05-02' },
      ],
      null,
    ],
  ]
  for (const [what, deviations, expected] of table) {
    const outcome = computePlan({ ...terms, deviations })
    if (expected === null) assert.ok(outcome.ok, what)
    else {
      const dueDate = deviations[expected.index!]!.dueDate!
      const error = { code: 'dates-out-of-order', dueDate, ...expected }
      assert.deepEqual(outcome, { ok: false, error }, what)
    }
  }
})

test('the unpaid payments of a running plan stay after the last that is paid', () => {
  const tail = { paidThrough: 2, lastDueDate: '2026-03-28' }
  const on = (dueDate: string) => ({ startDate: '2026-03-20', tail, deviations: [{ paymentNo: 3, dueDate }] })
  assert.equal(formatDueDates(on('2026-03-29')), '2026-03-29 2026-05-28')
  assert.deepEqual(expectError(on('2026-03-28')), {
    code: 'dates-out-of-order',
    index: 0,
    paymentNo: 3,
    dueDate: '2026-03-28',
    after: '2026-03-28',
    orOn: false,
    before: '2026-05-28',
  })
  // The last paid one was moved itself.
  const moved = { ...on('2026-04-02'), tail: { paidThrough: 2, lastDueDate: '2026-04-02' } }
  assert.equal(expectError(moved).code, 'dates-out-of-order')
  assert.throws(() => formatDueDates({ tail, firstDueDate: undefined }), RangeError)
})

const formatInvoiceDates = (changes: Partial<PlanTerms>) =>
  makePlan(changes)
    .rows.map(({ invoiceDate, days }) => `${invoiceDate} ${days}`)
    .join(', ')

test('invoices are dated before the due date, not before the start', () => {
  const table: [string, Partial<PlanTerms>, string][] = [
    ['14 days before', {}, '2026-02-14 44, 2026-03-14 28, 2026-04-14 31, 2026-05-14 30'],
    [
      'so many days before',
      { invoiceDaysBefore: 30 },
      '2026-01-29 44, 2026-02-26 28, 2026-03-29 31, 2026-04-28 30',
    ],
    ['on the start', { invoiceDaysBefore: 45 }, '2026-01-15 44, 2026-02-11 28, 2026-03-14 31, 2026-04-13 30'],
    [
      'as it was sent',
      {
        startDate: '2026-03-20',
        numberOfPayments: 4,
        tail: { paidThrough: 1, lastDueDate: '2026-02-28', invoicedThrough: 2 },
      },
      '2026-03-14 8, 2026-04-14 31, 2026-05-14 30',
    ],
    [
      'not sent yet',
      { startDate: '2026-03-20', tail: { paidThrough: 1, lastDueDate: '2026-02-28', invoicedThrough: 1 } },
      '2026-03-20 8, 2026-04-14 31, 2026-05-14 30',
    ],
    [
      'overdue: on its due date, and no days of interest',
      { startDate: '2026-04-10', tail: { paidThrough: 1, lastDueDate: '2026-02-28' } },
      '2026-03-28 0, 2026-04-14 18, 2026-05-14 30',
    ],
  ]
  for (const [what, changes, rows] of table) assert.equal(formatInvoiceDates(changes), rows, what)
})

const rhythms = fc.record({
  firstDueDate: fc.option(
    fc.integer({ min: 0, max: 700 }).map((days) => addDays('2026-01-15', days)),
    { nil: undefined },
  ),
  firstDueDays: fc.integer({ min: 0, max: 60 }),
  interval: fc.constantFrom(
    { type: 1 as const, count: 1 },
    { type: 2 as const, count: 1 },
    { type: 2 as const, count: 4 },
    { type: 3 as const, count: 1 },
    { type: 3 as const, count: 3 },
    { type: 4 as const, count: 1 },
  ),
  payDay: fc.option(fc.integer({ min: 1, max: 31 }), { nil: null }),
  numberOfPayments: fc.integer({ min: 1, max: 80 }),
  dueCountry: fc.constantFrom('SE', 'NO', 'DK', 'FI', 'DE', 'IS', null),
})

/** Another implementation of the holidays. */
const isClosedElsewhere = (calendar: Holidays, date: string): boolean =>
  isoWeekday(date) > 5 || (calendar.isHoliday(`${date} 12:00:00`) || []).some(({ type }) => type === 'public')

test('dates strictly rise, fall on business days, and are the rhythm’s or the next open day', () => {
  const calendars = new Map(
    ['SE', 'NO', 'DK', 'FI', 'DE', 'IS'].map((country) => [country, new Holidays(country)]),
  )
  let moved = 0
  fc.assert(
    fc.property(rhythms, ({ payDay, ...rhythm }) => {
      const monthly = rhythm.interval.type > 2
      const shape = { ...rhythm, ...(monthly && { payDay }) }
      const dates = makePlan(shape).rows.map(({ dueDate }) => dueDate)
      const unmoved = makePlan({ ...shape, dueCountry: null }).rows.map(({ dueDate }) => dueDate)
      for (const [index, date] of dates.entries()) {
        if (index > 0) assert.ok(date > dates[index - 1]!, `${dates[index - 1]} ${date}`)
        if (index > 0) assert.ok(unmoved[index]! > unmoved[index - 1]!)
        assert.ok(date >= unmoved[index]!)
        if (rhythm.interval.type > 1) assert.ok(daysBetween(unmoved[index]!, date) <= 7)
        if (rhythm.dueCountry === null) assert.equal(date, unmoved[index])
        else assert.ok(!isClosedElsewhere(calendars.get(rhythm.dueCountry)!, date), date)
        if (date !== unmoved[index]) moved++
        if (!monthly || !payDay || (index === 0 && rhythm.firstDueDate)) continue
        const day = Number(unmoved[index]!.slice(8))
        const isLast = addDays(unmoved[index]!, 1).endsWith('-01')
        assert.ok(day === payDay || (day < payDay && isLast))
      }
    }),
    { numRuns: 50 },
  )
  assert.ok(moved > 100, `${moved} moved`)
})

test('a rhythm that cannot be is refused', () => {
  const table: [Partial<PlanTerms>, PlanError][] = [
    [{ interval: { type: 2, count: 2 }, payDay: 25 }, { code: 'pay-day-interval' }],
    [{ payDay: 32 }, { code: 'out-of-range', member: 'payDay', least: 1, most: 31 }],
    [{ payDay: 0 }, { code: 'out-of-range', member: 'payDay', least: 1, most: 31 }],
    [{ interval: { type: 3, count: 13 } }, { code: 'out-of-range', member: 'interval', least: 1, most: 12 }],
    [{ firstDueDate: '2026-01-14' }, { code: 'first-due-date', from: '2026-01-15', through: '2036-01-15' }],
    [{ firstDueDate: '2036-01-16' }, { code: 'first-due-date', from: '2026-01-15', through: '2036-01-15' }],
  ]
  for (const [changes, error] of table) assert.deepEqual(expectError(changes), error)
})
