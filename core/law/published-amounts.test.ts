/** What authorities published that a debtor may be charged: the engine allows it to the cent, and no cent more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedFees } from '../ledger/statutory-fees.ts'
import type { LegalCase } from './legal-case.ts'
import { judge } from './permissions.ts'
import vectors from './vectors/published-amounts.json' with { type: 'json' }

const date = '2026-06-01'

for (const { code, action, highest, remark, source, ...given } of vectors.vectors)
  test(`${code}: ${remark} (${source})`, () => {
    const one: LegalCase = {
      country: given.country,
      debtor: 'consumer',
      currency: given.currency,
      principal: BigInt(given.principal),
      dueDate: '2026-03-01',
      circumstances: [],
      isEnforceable: given.isEnforceable,
      hasGuardian: false,
      reminderFeeAgreed: true,
      noticeDeadline: null,
      fees: given.fees.map((fee) => ({ ...fee, amount: BigInt(fee.amount) })),
      letters: given.letters,
    }
    const ask = (amount: bigint) => judge(one, { action, date, amount }, shippedFees)
    if (highest === null) assert.equal(ask(1n).allowed, false)
    else {
      const allowed = ask(BigInt(highest))
      assert.deepEqual([allowed.allowed, allowed.highest], [true, BigInt(highest)], allowed.reason ?? '')
      assert.equal(ask(BigInt(highest) + 1n).allowed, false)
    }
  })
