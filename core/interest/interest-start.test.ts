/** When interest begins without an agreed due date: the vectors of docs/domain/interest.md. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findInterestStart, type UnagreedClaim } from './interest-start.ts'

const claim: UnagreedClaim = {
  country: 'SE',
  debtor: 'consumer',
  invoiceDate: '2026-03-02',
  dueDate: '2026-03-17',
  registeredOn: '2026-06-01',
}
const find = (change: Partial<UnagreedClaim>) => {
  const found = findInterestStart({ ...claim, ...change })
  return found && [found.from, found.rule.code]
}

for (const country of ['SE', 'NO', 'DK', 'FI'])
  test(`${country}: 30 days after the invoice, and not before the due date`, () => {
    const rule = `${country}-INTEREST-START`
    for (const debtor of ['consumer', 'business'] as const) {
      assert.deepEqual(find({ country, debtor }), ['2026-04-01', rule])
      assert.deepEqual(find({ country, debtor, dueDate: '2026-04-20' }), ['2026-04-20', rule])
      assert.deepEqual(find({ country, debtor, dueDate: null }), ['2026-04-01', rule])
      // Without an invoice date the claim was demanded with the registration at the latest.
      assert.deepEqual(find({ country, debtor, invoiceDate: null }), ['2026-07-01', rule])
      assert.deepEqual(find({ country, debtor, invoiceDate: '2028-01-31', dueDate: null }), [
        '2028-03-01',
        rule,
      ])
    }
  })

test('IS: a month after the invoice, at the last day of a shorter month, and not before the due date (38/2001, 5. gr.)', () => {
  const rule = 'IS-INTEREST-START'
  assert.deepEqual(find({ country: 'IS' }), ['2026-04-02', rule])
  assert.deepEqual(find({ country: 'IS', dueDate: '2026-04-20' }), ['2026-04-20', rule])
  assert.deepEqual(find({ country: 'IS', invoiceDate: '2027-01-31', dueDate: null }), ['2027-02-28', rule])
})

test('DE: a business owes interest 30 days after invoice and due date, a consumer from a reminder alone', () => {
  const business = { country: 'DE', debtor: 'business' } as const
  assert.deepEqual(find(business), ['2026-04-16', 'DE-INTEREST-START'])
  assert.deepEqual(find({ ...business, dueDate: '2026-02-01' }), ['2026-04-01', 'DE-INTEREST-START'])
  assert.deepEqual(find({ ...business, dueDate: null }), ['2026-04-01', 'DE-INTEREST-START'])
  assert.deepEqual(find({ country: 'DE' }), [null, 'DE-INTEREST-REMINDER'])
})

test('without a law the due date stands', () => {
  assert.equal(find({ country: null }), null)
  assert.equal(find({ country: 'FR' }), null)
})
