import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { shippedFees } from '../../ledger/statutory-fees.ts'
import { findOpeningCeiling, type NewLegalCase } from './opening-costs.ts'
import { lawPacks } from '../packs.ts'

const consumer = (
  country: string | null,
  currency: string,
  more: Partial<NewLegalCase> = {},
): NewLegalCase => ({
  country,
  debtor: 'consumer',
  currency,
  principal: 100_000n,
  dueDate: '2026-01-10',
  reminderFeeAgreed: true,
  ...more,
})
const find = (one: NewLegalCase, feeType: string | null, date = '2026-06-15') => {
  const found = findOpeningCeiling(one, { feeType, date }, shippedFees)
  return found === null ? null : [found.highest, found.rule.code]
}

test('costs of a named kind have the ceiling of their day', () => {
  assert.deepEqual(find(consumer('SE', 'SEK'), 'reminder'), [60_00n, 'SE-REMINDER-CEILING'])
  assert.deepEqual(find(consumer('SE', 'SEK'), 'collectionDemand'), [180_00n, 'SE-DEMAND-CEILING'])
  assert.deepEqual(find(consumer('SE', 'SEK', { reminderFeeAgreed: false }), 'reminder'), [
    0n,
    'SE-REMINDER-AGREED',
  ])
  assert.deepEqual(find(consumer('SE', 'SEK', { debtor: 'business' }), 'compensation'), [
    450_00n,
    'SE-COMPENSATION-CEILING',
  ])
})

test('costs that a court set have none, nor have those without a pack', () => {
  assert.equal(find(consumer('SE', 'SEK'), 'courtCost'), null)
  assert.equal(find(consumer('FR', 'EUR'), null), null)
  assert.equal(find(consumer(null, 'SEK'), null), null)
  assert.equal(find(consumer('FR', 'EUR'), null), null)
})

test('in a currency that the law does not name nothing is owed, as of a fee that is charged later', () => {
  assert.deepEqual(find(consumer('SE', 'EUR'), 'reminder'), [0n, 'SE-REMINDER-CEILING'])
  for (const [country, currency] of [
    ['SE', 'EUR'],
    ['NO', 'SEK'],
    ['DK', 'NOK'],
    ['FI', 'SEK'],
    ['DE', 'SEK'],
  ] as const)
    for (const feeType of ['reminder', 'collectionDemand', null]) {
      const found = findOpeningCeiling(
        consumer(country, currency),
        { feeType, date: '2026-06-15' },
        shippedFees,
      )
      assert.equal(found?.highest, 0n, `${country} ${currency} ${feeType}`)
    }
  assert.equal(find(consumer('SE', 'EUR'), 'courtCost'), null)
})

test('costs of unstated kind may be all kinds together, and each country stays far below 5,000', () => {
  const found = find(consumer('SE', 'SEK'), null)!
  assert.ok((found[0] as bigint) >= 60_00n + 180_00n && (found[0] as bigint) < 1000_00n, String(found))
  for (const [country, currency] of [
    ['NO', 'NOK'],
    ['DK', 'DKK'],
    ['FI', 'EUR'],
    ['DE', 'EUR'],
  ] as const) {
    const [highest] = find(consumer(country, currency), null)!
    assert.ok((highest as bigint) > 0n && (highest as bigint) < 5000_00n, `${country} ${String(highest)}`)
  }
})

test('no kind alone is above all kinds together, in any country', () => {
  const types = lawPacks.flatMap(({ rules }) =>
    rules.flatMap((rule) =>
      rule.subject === 'ceiling' ? rule.actions.map((action) => action.slice('fee:'.length)) : [],
    ),
  )
  fc.assert(
    fc.property(
      fc.constantFrom<[string, string]>(
        ['SE', 'SEK'],
        ['NO', 'NOK'],
        ['DK', 'DKK'],
        ['FI', 'EUR'],
        ['DE', 'EUR'],
      ),
      fc.constantFrom(...types),
      fc.record({
        debtor: fc.constantFrom('consumer' as const, 'business' as const),
        principal: fc.bigInt(1n, 10n ** 9n),
        reminderFeeAgreed: fc.boolean(),
      }),
      ([country, currency], type, more) => {
        const one = consumer(country, currency, more)
        const alone = findOpeningCeiling(one, { feeType: type, date: '2026-06-15' }, shippedFees)
        const all = findOpeningCeiling(one, { feeType: null, date: '2026-06-15' }, shippedFees)
        if (alone !== null && all !== null) assert.ok(alone.highest <= all.highest, `${country} ${type}`)
      },
    ),
  )
})

const norwegian: NewLegalCase = {
  country: 'NO',
  debtor: 'consumer',
  currency: 'NOK',
  principal: 400_00n,
  dueDate: '2017-02-01',
  reminderFeeAgreed: false,
}

const findNorwegian = (feeType: string, date: string, more: Partial<NewLegalCase> = {}) => {
  const ceiling = findOpeningCeiling({ ...norwegian, ...more }, { feeType, date }, shippedFees)
  return Number(ceiling!.highest) / 100
}

/** Forsinkelsesrenteloven § 3 a, note 1: from the first half of 2014 to the first half of 2026. */
const compensations = [
  320, 320, 330, 330, 370, 370, 360, 370, 380, 380, 380, 390, 400, 430, 420, 400, 390, 400, 410, 460, 470,
  460, 470, 460, 460,
]

test('the compensation of each half-year is that of its regulation', () => {
  for (const [index, amount] of compensations.entries()) {
    const year = 2014 + Math.floor(index / 2)
    for (const day of index % 2 === 0 ? ['01-01', '06-30'] : ['07-01', '12-31'])
      assert.equal(
        findNorwegian('compensation', `${year}-${day}`, { debtor: 'business' }),
        amount,
        `${year}-${day}`,
      )
  }
})

test('costs of before 2026 have the ceilings of their day', () => {
  for (const [feeType, date, amount, more] of [
    ['reminder', '2020-09-30', 70, {}],
    ['reminder', '2020-10-01', 35, {}],
    ['reminder', '2025-12-31', 35, {}],
    ['reminder', '2026-01-01', 38, {}],
    ['collectionNotice', '2025-12-31', 35, {}],
    ['ownCollectionDemand', '2025-12-31', 105, {}],
    // The heavy fee: costs of before are taken to be of the latest stage.
    ['collectionFee', '2020-09-30', 700, {}],
    ['collectionFee', '2025-12-31', 350, {}],
    ['collectionFee', '2026-01-01', 375, {}],
    ['collectionFee', '2025-12-31', 5040, { principal: 250_000_00n }],
    ['collectionFee', '2025-12-31', 15_120, { principal: 250_001_00n, debtor: 'business' }],
  ] as const)
    assert.equal(findNorwegian(feeType, date, more), amount, `${feeType} ${date}`)
})
