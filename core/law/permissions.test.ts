/** What the packs let be done, as tables that a lawyer can read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedFees } from '../ledger/statutory-fees.ts'
import { circumstances } from './pack.ts'
import { imagineCase, type LegalCase } from './legal-case.ts'
import { judge } from './permissions.ts'
import type { LegalQuestion, Verdict } from './verdict.ts'
import { judgeStep } from './judge-step.ts'

const base = imagineCase({
  country: 'SE',
  debtor: 'consumer',
  currency: 'SEK',
  principal: 100_000n,
  dueDate: '2026-03-01',
})
const currencies: Record<string, string> = {
  SE: 'SEK',
  NO: 'NOK',
  DK: 'DKK',
  FI: 'EUR',
  DE: 'EUR',
  IS: 'ISK',
}
const later = '2026-06-01'
const ask = (
  country: string,
  action: string,
  given: Partial<LegalCase> = {},
  question: Partial<LegalQuestion> = {},
): Verdict =>
  judge(
    { ...base, country, currency: currencies[country] ?? 'SEK', ...given },
    { action, date: later, ...question },
    shippedFees,
  )
const sum = ({ allowed, reason, rule, from, highest }: Verdict): string =>
  allowed
    ? `yes${highest === null ? '' : ` up to ${highest}`}`
    : [reason, rule?.code, from, highest].filter((part) => part !== null && part !== undefined).join(' ')

const fee = (type: string, amount: bigint, date = '2026-04-01') => ({ type, amount, date })
const letter = (kind: string, date: string, due: string | null = null) => ({ kind, date, due })

test('nothing before its time', () => {
  const table: [string, string, Partial<LegalCase>, string, string][] = [
    // Not due: 1981:739 presupposes a due debt.
    ['SE', 'letter:demand', {}, '2026-03-01', 'waiting SE-DUE 2026-03-02'],
    ['SE', 'letter:demand', {}, '2026-03-02', 'yes'],
    ['SE', 'letter:demand', { dueDate: '2026-12-01' }, later, 'waiting SE-DUE 2026-12-02'],
    // Inkassoforskriften § 1-2: the reminder at once, its fee from the fourteenth day.
    ['NO', 'letter:reminder', {}, '2026-03-02', 'yes'],
    ['NO', 'fee:reminder', {}, '2026-03-14', 'waiting NO-REMINDER-FEE-TIME 2026-03-15'],
    ['NO', 'fee:reminder', {}, '2026-03-15', 'yes up to 3800'],
    // Inkassoloven § 10: the demand after the deadline of the notice.
    ['NO', 'letter:demand', {}, later, 'missing NO-DEMAND-AFTER-NOTICE'],
    [
      'NO',
      'letter:demand',
      { noticeDeadline: '2026-06-01' },
      later,
      'waiting NO-DEMAND-AFTER-NOTICE 2026-06-02',
    ],
    ['NO', 'letter:demand', { noticeDeadline: '2026-05-31' }, later, 'yes'],
    [
      'NO',
      'letter:demand',
      { letters: [letter('notice', '2026-05-20', '2026-06-03')] },
      later,
      'waiting NO-DEMAND-AFTER-NOTICE 2026-06-04',
    ],
    // § 11: legal collection within six months of the demand.
    ['NO', 'status:LEGAL', { letters: [letter('demand', '2025-12-01', '2025-12-15')] }, later, 'yes'],
    [
      'NO',
      'status:LEGAL',
      { letters: [letter('demand', '2025-11-30', '2025-12-14')] },
      later,
      'missing NO-LEGAL-AFTER-DEMAND',
    ],
    // § 17: no collection fee within the deadline of the notice.
    ['NO', 'fee:collectionFee', {}, later, 'missing NO-COLLECTION-FEE-TIME'],
    // Inkassoloven (DK) § 10: other measures after the deadline of the demand.
    ['DK', 'letter:legal', {}, later, 'missing DK-LEGAL-AFTER-DEMAND'],
    ['DK', 'letter:legal', { letters: [letter('demand', '2026-05-20', '2026-05-31')] }, later, 'yes'],
    ['DK', 'fee:externalCollection', {}, later, 'missing DK-EXTERNAL-TIME'],
    // Renteloven § 9 b: ten days apart.
    [
      'DK',
      'fee:reminder',
      { fees: [fee('reminder', 10_000n, '2026-05-25')] },
      later,
      'spacing DK-TEN-DAYS 2026-06-04',
    ],
    ['DK', 'fee:reminder', { fees: [fee('reminder', 10_000n, '2026-05-22')] }, later, 'yes up to 10000'],
    // 513/1999 10 b §: 14 whole days between (KKV/378/14.08.01.05/2022).
    ['FI', 'fee:reminder', {}, '2026-03-10', 'waiting FI-REMINDER-TIME 2026-03-16'],
    [
      'FI',
      'fee:collectionDemand',
      { letters: [letter('reminder', '2026-05-25', '2026-06-08')] },
      later,
      'waiting FI-DEMAND-TIME 2026-06-09',
    ],
    // 95/2008, 7. and 11. gr.: the warning after the due date, the rest after its deadline.
    ['IS', 'letter:notice', {}, '2026-03-01', 'waiting IS-DUE 2026-03-02'],
    ['IS', 'letter:notice', {}, '2026-03-02', 'yes'],
    ['IS', 'letter:notice', { letters: [letter('notice', '2026-03-02')] }, later, 'count IS-NOTICE-ONCE'],
    ['IS', 'letter:demand', {}, later, 'missing IS-DEMAND-AFTER-NOTICE'],
    [
      'IS',
      'letter:legal',
      { letters: [letter('notice', '2026-05-25', '2026-06-04')] },
      later,
      'waiting IS-LEGAL-AFTER-NOTICE 2026-06-05',
    ],
    ['IS', 'letter:demand', { noticeDeadline: '2026-05-31' }, later, 'yes'],
    // 101/2010, 11. gr.
    ['IS', 'letter:notice', { circumstances: ['debtRelief'] }, later, 'debtRelief IS-DEBT-RELIEF'],
  ]
  for (const [country, action, given, date, answer] of table)
    assert.equal(sum(ask(country, action, given, { date })), answer, `${country} ${action} ${date}`)
  assert.equal(sum(ask('IS', 'letter:notice', {}, { dueDays: 9 })), 'deadline IS-NOTICE-DEADLINE')
  assert.equal(sum(ask('IS', 'letter:notice', {}, { dueDays: 10 })), 'yes')
})

test('no fee above its ceiling, and none too often', () => {
  const four = Array.from({ length: 4 }, () => fee('collectionDemand', 18_000n))
  const table: [string, string, Partial<LegalCase>, bigint | undefined, string][] = [
    ['SE', 'fee:collectionDemand', {}, 18_000n, 'yes up to 18000'],
    ['SE', 'fee:collectionDemand', {}, 18_001n, 'ceiling SE-DEMAND-CEILING 18000'],
    ['SE', 'fee:collectionDemand', { fees: four.slice(0, 1) }, 18_000n, 'count SE-ONCE'],
    ['SE', 'fee:reminder', {}, 500_000n, 'ceiling SE-REMINDER-CEILING 6000'],
    ['SE', 'fee:reminder', { reminderFeeAgreed: false }, 6_000n, 'agreement SE-REMINDER-AGREED'],
    ['SE', 'fee:handling', {}, 1n, 'others SE-OTHER-COSTS'],
    ['SE', 'fee:courtCost', {}, 500_000n, 'yes'],
    ['SE', 'fee:reminder', { currency: 'EUR' }, 500n, 'noAmount SE-REMINDER-CEILING'],
    [
      'NO',
      'fee:reminder',
      { fees: [fee('reminder', 3800n), fee('reminder', 3800n)] },
      3800n,
      'count NO-TWO-FEES',
    ],
    ['NO', 'fee:collectionNotice', { fees: [fee('collectionNotice', 3800n)] }, 3800n, 'count NO-ONE-NOTICE'],
    // The heavy fee 28 days after the deadline of the demand; light and heavy together are no more than the heavy one.
    ['NO', 'fee:collectionFee', { noticeDeadline: '2026-04-01' }, undefined, 'yes up to 26250'],
    [
      'NO',
      'fee:collectionFee',
      {
        noticeDeadline: '2026-04-01',
        letters: [letter('demand', '2026-04-02', '2026-05-04')],
        fees: [fee('collectionFee', 26_250n)],
      },
      undefined,
      'yes up to 26250',
    ],
    [
      'DK',
      'fee:reminder',
      { fees: [1, 2, 3].map(() => fee('reminder', 10_000n)) },
      10_000n,
      'count DK-THREE-REMINDERS',
    ],
    ['DK', 'fee:collectionDemand', {}, 10_001n, 'ceiling DK-COLLECTION-CEILING 10000'],
    // A consumer's claim of 90 euros: 14 for a demand, 7 for a second one, 60 in all.
    ['FI', 'fee:collectionDemand', { principal: 9_000n }, undefined, 'yes up to 1400'],
    [
      'FI',
      'fee:collectionDemand',
      { principal: 9_000n, fees: [fee('collectionDemand', 1400n)] },
      undefined,
      'yes up to 700',
    ],
    [
      'FI',
      'fee:collectionDemand',
      { principal: 9_000n, fees: [fee('collectionDemand', 1400n), fee('collectionDemand', 700n)] },
      undefined,
      'count FI-TWO-DEMANDS',
    ],
    [
      'FI',
      'fee:paymentPlan',
      { principal: 9_000n, fees: [fee('reminder', 5600n)] },
      500n,
      'total FI-TOTAL 400',
    ],
    ['FI', 'fee:collectionDemand', { principal: 9_000n, debtor: 'business' }, undefined, 'yes up to 5000'],
    // RVG § 13: half of 51.50 for a first demand, nine tenths once its deadline has passed; 15 at least.
    ['DE', 'fee:collectionDemand', { principal: 40_000n }, undefined, 'yes up to 2575'],
    [
      'DE',
      'fee:collectionDemand',
      { principal: 40_000n, letters: [letter('demand', '2026-05-01', '2026-05-15')] },
      undefined,
      'yes up to 4635',
    ],
    ['DE', 'fee:collectionDemand', { principal: 4_000n }, undefined, 'yes up to 1575'],
    // RVG § 60: the scale of the day on which the agency got the claim. Half of 49.00.
    [
      'DE',
      'fee:collectionDemand',
      { principal: 40_000n, orderDate: '2025-05-31' },
      undefined,
      'yes up to 2450',
    ],
    [
      'DE',
      'fee:collectionDemand',
      { principal: 40_000n, orderDate: '2025-06-01' },
      undefined,
      'yes up to 2575',
    ],
    // BGH VIII ZR 95/18: paper and postage. The first reminder only puts the debtor in default (BGB § 286).
    ['DE', 'fee:reminder', { principal: 40_000n }, undefined, 'ceiling DE-REMINDER-CEILING 0'],
    [
      'DE',
      'fee:reminder',
      { principal: 40_000n, letters: [letter('reminder', '2026-05-01', '2026-05-15')] },
      undefined,
      'yes up to 76',
    ],
    [
      'DE',
      'fee:reminder',
      { principal: 40_000n, letters: [letter('reminder', '2026-05-01', '2026-05-15')] },
      250n,
      'ceiling DE-REMINDER-CEILING 76',
    ],
    [
      'DE',
      'fee:collectionDemand',
      { principal: 40_000n, fees: [fee('collectionDemand', 2575n)] },
      1n,
      'scale DE-COLLECTION-SCALE 0',
    ],
  ]
  for (const [country, action, given, amount, answer] of table)
    assert.equal(
      sum(ask(country, action, given, amount === undefined ? {} : { amount })),
      answer,
      `${country} ${action}`,
    )
})

test('Denmark limits the fees for reminders, not the letters (renteloven § 9 b)', () => {
  const letters = ['2026-05-01', '2026-05-12', '2026-05-23', '2026-05-30'].map((day) =>
    letter('reminder', day),
  )
  const fees = ['2026-05-01', '2026-05-12', '2026-05-23'].map((day) => fee('reminder', 10_000n, day))
  assert.equal(sum(ask('DK', 'letter:reminder', { letters, fees })), 'yes')
  assert.equal(sum(ask('DK', 'fee:reminder', { letters, fees })), 'count DK-THREE-REMINDERS')
  assert.equal(
    sum(ask('DK', 'fee:reminder', { letters, fees: fees.slice(1) })),
    'spacing DK-TEN-DAYS 2026-06-02',
  )
})

test('nothing is demanded of a minor, of the dead, in debt relief, on a barred or a disputed claim', () => {
  for (const country of ['SE', 'NO', 'DK', 'FI', 'DE'])
    for (const circumstance of circumstances)
      for (const action of [
        'letter:reminder',
        'letter:demand',
        'letter:legal',
        'fee:reminder',
        'fee:collectionDemand',
      ]) {
        const { allowed, reason } = ask(country, action, { circumstances: [circumstance] })
        assert.deepEqual([allowed, reason], [false, circumstance], `${country} ${circumstance} ${action}`)
      }
  const guarded = ask('SE', 'letter:demand', { circumstances: ['minor'], hasGuardian: true })
  assert.deepEqual([guarded.allowed, guarded.recipient], [true, 'guardian'])
  assert.equal(
    sum(ask('SE', 'fee:reminder', { circumstances: ['minor'], hasGuardian: true })),
    'minor SE-MINOR',
  )
})

test('nothing goes to court before its time, nor what may not be demanded', () => {
  const demand = [letter('demand', '2026-05-20', '2026-06-03')]
  const table: [string, Partial<LegalCase>, string][] = [
    ['LEGAL', {}, 'missing XX-LEGAL-AFTER-DEMAND'],
    ['ENFORCEMENT', {}, 'missing XX-LEGAL-AFTER-DEMAND'],
    ['LEGAL', { letters: demand }, 'waiting XX-LEGAL-AFTER-DEMAND 2026-06-04'],
    ['LEGAL', { letters: [letter('demand', '2026-05-01', '2026-05-31')] }, 'yes'],
    ['LEGAL', { letters: demand, dueDate: '2026-12-01' }, 'waiting XX-DUE 2026-12-02'],
    ['ENFORCEMENT', { isEnforceable: true }, 'yes'],
    ['LEGAL', { isEnforceable: true, circumstances: ['minor'], hasGuardian: true }, 'yes'],
    // A court decides what is disputed.
    ['LEGAL', { isEnforceable: true, circumstances: ['disputed'] }, 'yes'],
  ]
  for (const country of ['SE', 'NO', 'DK', 'FI', 'DE']) {
    for (const [status, given, answer] of table)
      assert.equal(
        sum(ask(country, `status:${status}`, given)),
        answer.replace('XX', country),
        `${country} ${status} ${JSON.stringify(given)}`,
      )
    const refusing = [
      'minor',
      'minorClaim',
      'deceased',
      'debtRelief',
      'bankruptcy',
      'plan',
      'barred',
    ] as const
    for (const circumstance of refusing)
      assert.equal(
        ask(country, 'status:LEGAL', { isEnforceable: true, circumstances: [circumstance] }).reason,
        circumstance,
      )
  }
})

test('an override goes beyond what is left to agreement, and not beyond another rule', () => {
  const young: Partial<LegalCase> = { circumstances: ['minorClaim'] }
  const overrides = { overrides: true }
  assert.equal(sum(ask('SE', 'status:LEGAL', young)), 'minorClaim SE-MINOR-CLAIM')
  assert.equal(sum(ask('SE', 'status:LEGAL', young, overrides)), 'missing SE-LEGAL-AFTER-DEMAND')
  assert.equal(
    sum(ask('SE', 'fee:collectionDemand', young, { ...overrides, amount: 50_000n })),
    'ceiling SE-DEMAND-CEILING 18000',
  )
  assert.equal(sum(ask('SE', 'fee:tracing', {}, { ...overrides, amount: 50_000n })), 'yes')
})

test('a letter needs its deadline', () => {
  const table: [string, string, number | null, string][] = [
    ['SE', 'letter:demand', 9, 'deadline SE-DEMAND-TIME'],
    ['SE', 'letter:demand', 10, 'yes'],
    ['SE', 'letter:demand', null, 'deadline SE-DEMAND-TIME'],
    ['NO', 'letter:notice', 13, 'deadline NO-NOTICE-DEADLINE'],
    ['DK', 'letter:demand', 9, 'deadline DK-DEMAND-DEADLINE'],
    ['FI', 'letter:demand', 14, 'yes'],
  ]
  for (const [country, action, dueDays, answer] of table)
    assert.equal(sum(ask(country, action, {}, { dueDays })), answer, `${country} ${action} ${dueDays}`)
})

test('without a pack nothing is refused', () => {
  for (const country of [null, 'FR', 'US'])
    assert.equal(
      sum(
        judge(
          { ...base, country, circumstances: ['minor'] },
          { action: 'fee:reminder', date: later, amount: 10n ** 9n },
          shippedFees,
        ),
      ),
      'yes',
    )
})

const step = (one: Partial<LegalCase>, date: string) =>
  judgeStep(
    { ...base, ...one },
    [
      { kind: 'fee', feeType: 'reminder' },
      { kind: 'letter', letter: 'reminder', dueDays: 14 },
    ],
    {
      date,
      fees: shippedFees,
      amountOn: () => 9_000n,
    },
  )

test('FI: a plan of more than four instalments may cost more, by the principal (513/1999 10 a § 7)', () => {
  for (const [principal, instalments, isEnforceable, highest] of [
    [10_000n, 12, false, 2_000n],
    [10_001n, 4, false, 2_000n],
    [10_001n, 5, false, 3_000n],
    [100_000n, 5, false, 3_000n],
    [100_001n, 4, false, 2_000n],
    [100_001n, 5, false, 5_000n],
    [100_001n, 5, true, 2_000n],
    [100_001n, undefined, false, 2_000n],
  ] as const) {
    const question = instalments === undefined ? {} : { instalments }
    const told = sum(ask('FI', 'fee:paymentPlan', { principal, isEnforceable }, question))
    assert.equal(told, `yes up to ${highest}`, `${principal}, ${instalments} instalments`)
  }
})

test('DE: a plan costs seven tenths of a fee by half of what is left (RVG § 31b, VV 1000 Nr. 2)', () => {
  const told = { isToldOfCosts: true }
  for (const [given, highest] of [
    // Schneider/Volpert, AnwaltKommentar RVG, VV 3309, example 53: of 5,500.00 a fee of 155.40.
    [{ principal: 550_000n, orderDate: '2025-05-31' }, 15_540n],
    // Of 2,500.00 that are left, by 1,250.00: 0.7 × (49 + 2 × 39).
    [{ principal: 550_000n, remainingPrincipal: 250_000n, orderDate: '2025-05-31' }, 8_890n],
    // § 13(2) is for the fee of VV 2300 alone: 0.7 × 51.50.
    [{ principal: 4_000n }, 3_605n],
  ] as const)
    assert.equal(sum(ask('DE', 'fee:paymentPlan', given, told)), `yes up to ${highest}`)
  const once = { principal: 4_000n, fees: [fee('paymentPlan', 3_605n)] }
  assert.equal(sum(ask('DE', 'fee:paymentPlan', once, told)), 'count DE-PLAN-ONCE')
  assert.equal(sum(ask('DE', 'fee:paymentPlan', { principal: 4_000n })), 'untold DE-PLAN-TOLD')
  const business = { principal: 4_000n, debtor: 'business' } as const
  assert.equal(sum(ask('DE', 'fee:paymentPlan', business)), 'yes up to 3605')
})

test('a step leaves out a fee that is not owed, and waits for one that is not due yet', () => {
  const agreed = step({}, later)
  assert.deepEqual(
    [agreed.refused, agreed.fees.get('reminder')],
    [null, { amount: 6_000n, rule: 'SE-REMINDER-CEILING' }],
  )
  assert.deepEqual(agreed.after.letters, [{ kind: 'reminder', date: later, due: '2026-06-15' }])
  const unagreed = step({ reminderFeeAgreed: false }, later)
  assert.deepEqual(
    [unagreed.refused, unagreed.fees.size, unagreed.leftOut.map(({ reason }) => reason)],
    [null, 0, ['agreement']],
  )
  assert.equal(step({ country: 'NO', currency: 'NOK' }, '2026-03-05').refused?.from, '2026-03-15')
  assert.equal(step({ circumstances: ['minor'] }, later).refused?.reason, 'minor')
  for (const [country, rule] of [
    ['SE', 'SE-MINOR'],
    ['FR', undefined],
  ] as const) {
    const { refused } = step({ country, circumstances: ['minor'], hasGuardian: true }, later)
    assert.deepEqual([refused?.reason, refused?.rule?.code], ['guardian', rule])
  }
})
