/** A quarter of an agency, drawn anew each time. The whole year is `npm run law-year`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runLawYear } from './year.ts'
import type { Country, Facts } from './facts.ts'
import { interestFor, judgeCase, lastDay } from './statutes.ts'

const seed = Number(process.env['FORDRA_LAW_SEED'] ?? Math.ceil(Math.random() * 1_000_000))

test(`no letter, fee or interest of an agency breaks the law (FORDRA_LAW_SEED=${seed})`, async () => {
  const year = await runLawYear({ cases: 16, days: 75, seed })
  try {
    assert.deepEqual(year.faults, [])
    assert.ok(year.letters > 60 && year.fees > 20 && year.interests > 15, JSON.stringify(year))
  } finally {
    await year.close()
  }
})

const facts: Facts = {
  country: 'SE',
  isBusiness: false,
  principal: 1000,
  dueDate: '2026-01-31',
  isMinor: false,
  isReminderFeeAgreed: true,
  barredAfter: '2029-01-31',
  deadSince: null,
  reliefSince: null,
  disputes: [],
  courtDays: [],
  planDays: [],
}
const fee = (type: string, amount: number, date = '2026-03-20') => ({ type, amount, date })
const letter = (kind: string, date: string, due: string | null = null) => ({ kind, date, due })

// Each row breaks one rule of the statutes: the judge must find it.
for (const [name, given, letters, fees] of [
  ['SE: 61 SEK for a reminder', {}, [], [fee('reminder', 61)]],
  ['SE: a reminder that was not agreed', { isReminderFeeAgreed: false }, [], [fee('reminder', 60)]],
  ['SE: a demand with a week', {}, [letter('demand', '2026-03-20', '2026-03-27')], []],
  ['NO: a fee on the 13th day', { country: 'NO' }, [], [fee('reminder', 35, '2026-02-13')]],
  ['NO: a demand without a notice', { country: 'NO' }, [letter('demand', '2026-03-20', '2026-04-10')], []],
  [
    'DK: four reminders',
    { country: 'DK' },
    [],
    [1, 11, 21, 31].map((day) => fee('reminder', 100, `2026-03-${String(day).padStart(2, '0')}`)),
  ],
  [
    'DK: nine days between two',
    { country: 'DK' },
    [],
    [fee('reminder', 100, '2026-03-01'), fee('reminder', 100, '2026-03-10')],
  ],
  ['FI: 25 EUR for a demand of 1,000', { country: 'FI' }, [], [fee('collectionDemand', 25)]],
  [
    'FI: the second demand as dear as the first',
    { country: 'FI' },
    [],
    [fee('collectionDemand', 24, '2026-03-01'), fee('collectionDemand', 24, '2026-03-20')],
  ],
  [
    'DE: a flat 2.50 for a reminder',
    { country: 'DE' },
    [letter('reminder', '2026-02-10')],
    [fee('reminder', 2.5)],
  ],
  ['DE: the first reminder', { country: 'DE' }, [], [fee('reminder', 0.5)]],
  ['DE: a notice of an instalment', { country: 'DE' }, [], [fee('planInvoice', 1)]],
  ['NO: 470 NOK of compensation', { country: 'NO', isBusiness: true }, [], [fee('compensation', 470)]],
  ['IS: a warning with nine days', { country: 'IS' }, [letter('notice', '2026-03-20', '2026-03-29')], []],
  [
    'IS: two warnings',
    { country: 'IS' },
    [letter('notice', '2026-02-10', '2026-02-24'), letter('notice', '2026-03-20', '2026-04-10')],
    [],
  ],
  ['IS: a letter without a warning', { country: 'IS' }, [letter('demand', '2026-03-20', '2026-04-10')], []],
  [
    'IS: a fee for a letter before the warning has run out',
    { country: 'IS' },
    [],
    [fee('collectionDemand', 1300)],
  ],
  [
    'IS: 1,301 ISK for a letter of 2,999',
    { country: 'IS', principal: 2999 },
    [letter('notice', '2026-02-10', '2026-02-24')],
    [fee('collectionDemand', 1301)],
  ],
  [
    'IS: four letters',
    { country: 'IS' },
    [letter('notice', '2026-02-10', '2026-02-24')],
    [1, 11, 21, 31].map((day) => fee('collectionDemand', 1300, `2026-03-${String(day).padStart(2, '0')}`)),
  ],
  [
    'IS: two calls',
    { country: 'IS' },
    [letter('notice', '2026-02-10', '2026-02-24')],
    [fee('collectionCall', 550), fee('collectionCall', 550, '2026-03-25')],
  ],
  ['a minor', { isMinor: true }, [letter('reminder', '2026-03-20')], []],
  ['a barred claim', { barredAfter: '2026-03-19' }, [letter('reminder', '2026-03-20')], []],
  [
    'a disputed claim',
    { disputes: [{ from: '2026-03-01', to: null }] },
    [letter('demand', '2026-03-20', '2026-04-10')],
    [],
  ],
  ['a court without a demand', { courtDays: ['2026-03-20'] }, [], []],
  ['a fee for a plan that was not made', {}, [], [fee('paymentPlan', 170)]],
  ['before the due date', {}, [letter('reminder', '2026-01-31')], []],
] as const)
  test(`the judge finds: ${name}`, () => {
    const found = judgeCase({ ...facts, ...(given as Partial<Facts>) }, letters, fees)
    assert.ok(found.length > 0)
  })

test('the judge reckons interest and limitation by the statutes', () => {
  const interest = (country: Country, isBusiness = false) =>
    interestFor({ ...facts, principal: 10_000, country, isBusiness }, '2026-01-31', '2026-03-02').toFixed(2)
  assert.deepEqual(
    [interest('SE'), interest('NO'), interest('DK'), interest('FI'), interest('FI', true), interest('DE')],
    ['82.19', '98.63', '80.14', '78.08', '86.30', '51.53'],
  )
  // One day of January, thirty of February and one of March: 32 of 360 at 15 %, between businesses at 16 %.
  assert.deepEqual([interest('IS'), interest('IS', true)], ['133.33', '142.22'])
  assert.deepEqual(
    [
      lastDay({ country: 'DE', isBusiness: false, dueDate: '2023-02-01' }),
      lastDay({ ...facts, isBusiness: true }),
    ],
    ['2026-12-31', '2036-01-31'],
  )
})
