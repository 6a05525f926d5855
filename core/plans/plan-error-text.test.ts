/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFormats } from '../text/formats.ts'
import { describePlanError } from './plan-error-text.ts'
import type { PlanError } from './plan-terms.ts'

test('every error says what would be right, where, and of what kind it is', () => {
  const disorder = { code: 'dates-out-of-order', index: 2, paymentNo: 5, dueDate: '2026-03-01' } as const
  const table: [PlanError, kind: string, member: string, message: RegExp][] = [
    [{ code: 'wrong-combination', needs: 'one' }, 'invalid', 'amount', /either numberOfPayments or amount/],
    [{ code: 'wrong-combination', needs: 'both' }, 'invalid', 'numberOfPayments', /both/],
    [
      { code: 'out-of-range', member: 'numberOfPayments', least: 3, most: 600 },
      'invalid',
      'numberOfPayments',
      /from 3 to 600/,
    ],
    [{ code: 'out-of-range', member: 'amount', least: 1n }, 'invalid', 'amount', /at least SEK.0\.01/],
    [
      { code: 'out-of-range', member: 'registrationFee', least: 0n },
      'invalid',
      'registrationFee',
      /at least SEK.0\.00/,
    ],
    [
      { code: 'out-of-range', member: 'invoiceFee', least: 0n },
      'invalid',
      'invoiceFee',
      /at least SEK.0\.00/,
    ],
    [
      { code: 'out-of-range', member: 'deviation-amount', index: 1, least: 0n },
      'invalid',
      'payments[1].specifiedAmount',
      /at least SEK.0\.00/,
    ],
    [{ code: 'too-large' }, 'rule', 'amount', /below SEK.90,071,992,547,409\.92/],
    [{ code: 'nothing-owed' }, 'rule', 'cases', /something left to pay/],
    [{ code: 'never-repays', leastAmount: 14_386n }, 'rule', 'amount', /SEK.143\.86/],
    [
      { code: 'deviation-unknown', index: 0, paymentNo: 13, lastPaymentNo: 12 },
      'rule',
      'payments[0].paymentNo',
      /no payment 13.*1 to 12/,
    ],
    [
      { code: 'deviation-paid', index: 0, paymentNo: 2, paidThrough: 4 },
      'conflict',
      'payments[0].paymentNo',
      /Payment 2 is paid.*from 5 on/,
    ],
    [{ code: 'deviation-twice', index: 3, paymentNo: 2 }, 'rule', 'payments[3].paymentNo', /twice/],
    [
      { ...disorder, after: '2026-03-10', orOn: false, before: '2026-04-10' },
      'rule',
      'payments[2].specifiedDueDate',
      /payment 5 must be due after 10 Mar 2026, and before 10 Apr 2026\.$/,
    ],
    [
      { ...disorder, after: '2026-03-10', orOn: true, before: null },
      'rule',
      'payments[2].specifiedDueDate',
      /on 10 Mar 2026 or later\.$/,
    ],
  ]
  for (const [error, kind, member, message] of table) {
    const text = describePlanError(error, { currency: 'SEK', formats: findFormats('en-GB') })
    assert.equal(text.kind, kind, error.code)
    assert.ok(text.members.includes(member), `${error.code}: ${text.members.join()}`)
    assert.match(text.message, message)
  }
})
