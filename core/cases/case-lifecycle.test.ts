/// <reference types="node" />
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import {
  allowedClosureCodes,
  allowedTransitions,
  caseStatusCodes,
  caseStatuses,
  changeStatus,
  closeCase,
  closureByBalance,
  closureCodeList,
  closureCodes,
  debtorRoles,
  endPlan,
  holdCase,
  holds,
  isOpenStatus,
  hasSubStatus,
  newCase,
  owingRoles,
  reopenCase,
  resumeCase,
  services,
  shownStatus,
  startPlan,
  type BalanceCondition,
  type CaseLifecycle,
  type CaseStatus,
  type LifecycleResult,
  type OpenStatus,
  type SubStatus,
} from './case-lifecycle.ts'

const at = (status: OpenStatus, subStatus: SubStatus): CaseLifecycle => ({
  ...newCase,
  place: { status, subStatus },
})
function expectLifecycle(result: LifecycleResult): CaseLifecycle {
  assert.ok(result.ok, result.ok ? '' : result.message)
  return result.life
}
const none = { remaining: 0n, tolerance: 0n }

const byCode = (a: { code: string }, b: { code: string }) => (a.code < b.code ? -1 : 1)

describe('the codes', () => {
  test('services, and who owes', () => {
    assert.deepEqual(services, ['PRECOLLECTION', 'COLLECTION', 'SURVEILLANCE'])
    const owes = ['MAIN_DEBTOR', 'CO_DEBTOR', 'GUARANTOR', 'ESTATE']
    assert.deepEqual(owingRoles, owes)
    assert.deepEqual(debtorRoles, [...owes, 'GUARDIAN', 'REPRESENTATIVE', 'PAYER'])
  })

  test('each status has its subStatuses', () => {
    const table: [CaseStatus, string][] = [
      ['NEW', 'REGISTERED VALIDATING AWAITING_CLIENT'],
      ['PRECOLLECTION', 'REMINDER_SENT'],
      ['AMICABLE', 'DEMAND_SENT DEMAND_EXPIRED CONTACT PROMISE PAYMENT_PLAN SETTLEMENT_OFFER'],
      ['LEGAL', 'PAYMENT_ORDER_APPLIED SERVED CONTESTED COURT TITLE_OBTAINED'],
      ['ENFORCEMENT', 'APPLIED ATTACHMENT NO_ASSETS'],
      ['SURVEILLANCE', 'DORMANT REACTIVATION_CHECK PAYMENT_PLAN'],
      ['CLOSED', 'PAID SETTLED RECALLED WRITTEN_OFF INVALID'],
    ]
    assert.deepEqual(
      table.map(([status]) => status),
      caseStatusCodes,
    )
    for (const [status, subStatuses] of table)
      assert.equal(caseStatuses[status].subStatuses.join(' '), subStatuses, status)
  })

  test('each closure code has its subStatus and what it says of the balance', () => {
    const table: [SubStatus, BalanceCondition, string][] = [
      ['PAID', 'covered', 'PAID_IN_FULL PAID_TO_CLIENT'],
      ['PAID', 'small', 'SMALL_BALANCE'],
      ['SETTLED', 'any', 'SETTLED'],
      ['RECALLED', 'covered', 'CREDITED'],
      ['RECALLED', 'any', 'RECALLED_BY_CLIENT CLIENT_UNRESPONSIVE'],
      ['RECALLED', 'owing', 'SOLD'],
      ['INVALID', 'any', 'DISPUTE_UPHELD INVALID_DATA DUPLICATE FRAUD MINOR MERGED'],
      ['WRITTEN_OFF', 'any', 'DECEASED DEBT_RELIEF WRITTEN_OFF OTHER'],
      ['WRITTEN_OFF', 'owing', 'INSOLVENT UNTRACEABLE ABROAD TIME_BARRED UNECONOMICAL'],
    ]
    const listed = table.flatMap(([subStatus, balance, codes]) =>
      codes.split(' ').map((code) => ({ code, subStatus, balance })),
    )
    assert.deepEqual(
      listed.toSorted(byCode),
      closureCodeList.map((code) => ({ code, ...closureCodes[code] })).toSorted(byCode),
    )
  })
})

/** What a case handler reads when something cannot be done. */
test('a refusal says why', () => {
  const open = at('AMICABLE', 'CONTACT')
  const held = expectLifecycle(holdCase(open, 'HOLD_DISPUTE'))
  const planned = expectLifecycle(startPlan(open))
  const closed = expectLifecycle(closeCase(open, 'OTHER', none))
  const table: [LifecycleResult, string][] = [
    [changeStatus(closed, 'AMICABLE'), 'The case is closed. Reopen it first; it then returns to AMICABLE.'],
    [changeStatus(open, 'CLOSED'), 'A status change cannot close a case. Close it with a closure code.'],
    [
      changeStatus(held, 'LEGAL', null, { automatic: true }),
      'The case is on hold (HOLD_DISPUTE), which stops automatic steps. End the hold first.',
    ],
    [
      changeStatus(open, 'NEW'),
      'A case in AMICABLE cannot become NEW. Choose one of AMICABLE, LEGAL, SURVEILLANCE, CLOSED.',
    ],
    [
      changeStatus(at('LEGAL', 'COURT'), 'ENFORCEMENT'),
      'A case can change from LEGAL to ENFORCEMENT only from TITLE_OBTAINED.',
    ],
    [
      changeStatus(open, 'ENFORCEMENT'),
      'A case in AMICABLE cannot become ENFORCEMENT. Choose one of AMICABLE, LEGAL, SURVEILLANCE, CLOSED.',
    ],
    [
      changeStatus(at('SURVEILLANCE', 'DORMANT'), 'ENFORCEMENT', 'COURT'),
      'The subStatus of ENFORCEMENT must be one of APPLIED, ATTACHMENT, NO_ASSETS.',
    ],
    [
      changeStatus(open, 'AMICABLE', 'PAYMENT_PLAN'),
      'A case has the subStatus PAYMENT_PLAN only while a payment plan is active. Activate a plan instead.',
    ],
    [holdCase(closed, 'HOLD_FRAUD'), 'The case is closed. Only an open case can be put on hold.'],
    [resumeCase(closed), 'The case is closed and has no hold.'],
    [resumeCase(open), 'The case is not on hold.'],
    [closeCase(closed, 'OTHER', none), 'The case is already closed.'],
    [
      closeCase(open, 'PAID_IN_FULL', { remaining: 2n, tolerance: 1n }),
      'The case still has more outstanding than the tolerance, so it cannot be closed as PAID_IN_FULL. Choose another closure code.',
    ],
    [
      closeCase(open, 'SMALL_BALANCE', none),
      'The outstanding amount is zero or above the tolerance, so it cannot be closed as SMALL_BALANCE. Choose another closure code.',
    ],
    [
      closeCase(open, 'INSOLVENT', none),
      'The case has nothing outstanding, so it cannot be closed as INSOLVENT. Choose another closure code.',
    ],
    [reopenCase(open), 'The case is open. Only a closed case can be reopened.'],
    [startPlan(closed), 'The case is closed. Only an open case can be part of an active payment plan.'],
    [startPlan(planned), 'The case is already part of an active payment plan.'],
    [endPlan(open), 'The case is not part of an active payment plan.'],
  ]
  for (const [result, message] of table) assert.equal(result.ok ? 'not refused' : result.message, message)
})

describe('status', () => {
  test('who may go where', () => {
    const table: [OpenStatus, SubStatus, string][] = [
      ['NEW', 'REGISTERED', 'NEW PRECOLLECTION AMICABLE CLOSED'],
      ['NEW', 'AWAITING_CLIENT', 'NEW PRECOLLECTION AMICABLE CLOSED'],
      ['PRECOLLECTION', 'REMINDER_SENT', 'AMICABLE CLOSED'],
      ['AMICABLE', 'CONTACT', 'AMICABLE LEGAL SURVEILLANCE CLOSED'],
      ['LEGAL', 'SERVED', 'LEGAL AMICABLE SURVEILLANCE CLOSED'],
      ['LEGAL', 'TITLE_OBTAINED', 'LEGAL ENFORCEMENT AMICABLE SURVEILLANCE CLOSED'],
      ['ENFORCEMENT', 'APPLIED', 'ENFORCEMENT SURVEILLANCE AMICABLE CLOSED'],
      ['SURVEILLANCE', 'DORMANT', 'SURVEILLANCE AMICABLE LEGAL ENFORCEMENT CLOSED'],
    ]
    for (const [status, subStatus, allowed] of table) {
      const life = at(status, subStatus)
      assert.equal(allowedTransitions(life).join(' '), allowed, `${status} ${subStatus}`)
      for (const target of caseStatusCodes) {
        const result = changeStatus(life, target)
        const may = target === status || (target !== 'CLOSED' && allowed.split(' ').includes(target))
        assert.equal(result.ok, may, `${status} to ${target}`)
        if (!result.ok) assert.deepEqual(result.allowedTransitions, allowed.split(' '))
      }
    }
  })

  test('every status is open but CLOSED', () => {
    assert.deepEqual(
      caseStatusCodes.filter((code) => !isOpenStatus(code)),
      ['CLOSED'],
    )
    for (const text of ['', 'new', 'toString', 'PAYMENT_PLAN']) assert.equal(isOpenStatus(text), false, text)
  })
  test('a subStatus belongs to its status; without one the case enters by the first', () => {
    const life = at('AMICABLE', 'CONTACT')
    assert.deepEqual(expectLifecycle(changeStatus(life, 'LEGAL')).place, {
      status: 'LEGAL',
      subStatus: 'PAYMENT_ORDER_APPLIED',
    })
    assert.equal(expectLifecycle(changeStatus(life, 'LEGAL', 'COURT')).place.subStatus, 'COURT')
    assert.equal(expectLifecycle(changeStatus(life, 'AMICABLE')).place.subStatus, 'CONTACT')
    const wrong = changeStatus(life, 'LEGAL', 'PROMISE')
    assert.ok(!wrong.ok && /one of PAYMENT_ORDER_APPLIED, SERVED/.test(wrong.message))
    const title = changeStatus(at('LEGAL', 'COURT'), 'ENFORCEMENT')
    assert.ok(!title.ok && /only from TITLE_OBTAINED/.test(title.message))
    const byHand = changeStatus(life, 'AMICABLE', 'PAYMENT_PLAN')
    assert.ok(!byHand.ok && /while a payment plan is active/.test(byHand.message))
  })
})

describe('holds', () => {
  test('lie over the subStatus, stop automatic steps and give it back', () => {
    for (const hold of holds) {
      const held = expectLifecycle(holdCase(at('LEGAL', 'SERVED'), hold))
      assert.deepEqual(shownStatus(held), { status: 'LEGAL', subStatus: hold })
      assert.equal(changeStatus(held, 'AMICABLE', null, { automatic: true }).ok, false)
      const moved = expectLifecycle(changeStatus(held, 'SURVEILLANCE'))
      assert.deepEqual(shownStatus(moved), { status: 'SURVEILLANCE', subStatus: hold })
      assert.deepEqual(shownStatus(expectLifecycle(resumeCase(moved))), {
        status: 'SURVEILLANCE',
        subStatus: 'DORMANT',
      })
    }
    assert.equal(resumeCase(newCase).ok, false)
  })
})

describe('closing and reopening', () => {
  test('each code against each balance', () => {
    const all = closureCodeList.length
    const table: [bigint, bigint, string[], number][] = [
      [0n, 0n, ['SMALL_BALANCE', 'INSOLVENT', 'SOLD', 'TIME_BARRED'], all - 7],
      [1n, 0n, ['PAID_IN_FULL', 'PAID_TO_CLIENT', 'SMALL_BALANCE', 'CREDITED'], all - 4],
      [1n, 1n, [], all],
      [500n, 500n, [], all],
      [501n, 500n, ['PAID_IN_FULL', 'PAID_TO_CLIENT', 'SMALL_BALANCE', 'CREDITED'], all - 4],
    ]
    for (const [remaining, tolerance, refused, count] of table) {
      const allowed = allowedClosureCodes({ remaining, tolerance })
      assert.equal(allowed.length, count, `${remaining} against ${tolerance}`)
      for (const code of closureCodeList) {
        const result = closeCase(newCase, code, { remaining, tolerance })
        assert.equal(result.ok, allowed.includes(code))
        if (result.ok)
          assert.deepEqual(shownStatus(result.life), {
            status: 'CLOSED',
            subStatus: closureCodes[code].subStatus,
          })
      }
      for (const code of refused) assert.ok(!allowed.some((one) => one === code), code)
    }
    assert.equal(closureByBalance({ remaining: 0n, tolerance: 9n }), 'PAID_IN_FULL')
    assert.equal(closureByBalance({ remaining: 1n, tolerance: 0n }), null)
    assert.equal(closureByBalance({ remaining: 9n, tolerance: 9n }), 'SMALL_BALANCE')
    assert.equal(closureByBalance({ remaining: 10n, tolerance: 9n }), null)
  })

  test('a closed case does nothing but reopen, as it was', () => {
    const held = expectLifecycle(holdCase(at('ENFORCEMENT', 'ATTACHMENT'), 'HOLD_DISPUTE'))
    const closed = expectLifecycle(closeCase(held, 'PAID_IN_FULL', none))
    assert.deepEqual(allowedTransitions(closed), ['ENFORCEMENT'])
    const refused = [
      changeStatus(closed, 'LEGAL'),
      holdCase(closed, 'HOLD_FRAUD'),
      resumeCase(closed),
      startPlan(closed),
      closeCase(closed, 'OTHER', none),
      reopenCase(held),
    ]
    for (const result of refused) assert.equal(result.ok, false)
    assert.deepEqual(expectLifecycle(reopenCase(closed)), held)
  })
})

test('payment plans', () => {
  const planned = expectLifecycle(startPlan(at('LEGAL', 'SERVED')))
  assert.deepEqual(planned.place, { status: 'AMICABLE', subStatus: 'PAYMENT_PLAN' })
  assert.equal(startPlan(planned).ok, false)
  assert.deepEqual(expectLifecycle(endPlan(planned)), at('LEGAL', 'SERVED'))
  const moved = expectLifecycle(changeStatus(planned, 'SURVEILLANCE'))
  assert.deepEqual(expectLifecycle(endPlan(moved)).place, { status: 'SURVEILLANCE', subStatus: 'DORMANT' })
  assert.equal(expectLifecycle(startPlan(at('SURVEILLANCE', 'DORMANT'))).place.status, 'SURVEILLANCE')
  assert.equal(endPlan(newCase).ok, false)
})

test('whatever is done, the place is one of the table, and closing then reopening changes nothing', () => {
  const step = fc.oneof(
    fc.constantFrom(...caseStatusCodes).map((status) => (life: CaseLifecycle) => changeStatus(life, status)),
    fc.constantFrom(...holds).map((hold) => (life: CaseLifecycle) => holdCase(life, hold)),
    fc
      .constantFrom(...closureCodeList)
      .map((code) => (life: CaseLifecycle) => closeCase(life, code, { remaining: 1n, tolerance: 1n })),
    fc.constantFrom(resumeCase, reopenCase, startPlan, endPlan),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let life = newCase
      for (const take of steps) {
        const result = take(life)
        if (result.ok) life = result.life
        else for (const status of result.allowedTransitions) assert.ok(status in caseStatuses)
        assert.ok(hasSubStatus(life.place.status, life.place.subStatus))
        const closed = closeCase(life, 'OTHER', none)
        if (closed.ok) assert.deepEqual(expectLifecycle(reopenCase(closed.life)), life)
      }
    }),
  )
})
