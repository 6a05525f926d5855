/** The Norwegian amounts of earlier years, as the notes of the act and the regulation name them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedFees } from '../ledger/statutory-fees.ts'
import { findOpeningCeiling, type NewLegalCase } from './opening-costs.ts'

const one: NewLegalCase = {
  country: 'NO',
  debtor: 'consumer',
  currency: 'NOK',
  principal: 400_00n,
  dueDate: '2017-02-01',
  reminderFeeAgreed: false,
}

const findHighest = (feeType: string, date: string, more: Partial<NewLegalCase> = {}) => {
  const ceiling = findOpeningCeiling({ ...one, ...more }, { feeType, date }, shippedFees)
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
        findHighest('compensation', `${year}-${day}`, { debtor: 'business' }),
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
    assert.equal(findHighest(feeType, date, more), amount, `${feeType} ${date}`)
})
