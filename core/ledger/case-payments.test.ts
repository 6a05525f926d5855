/// <reference types="node" />
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allocationOrders, type AllocationOrderCode } from './allocation.ts'
import { deriveLedger } from './case-ledger.ts'
import type { MovementEffect } from './case-movement.ts'
import { accounts, sumComponents } from './case-transaction.ts'
import {
  creditNote,
  creditUse,
  dated,
  fee,
  fixed,
  invoice,
  payment,
  play,
  rates,
  refund,
  reversal,
  toThirdParty,
  writeOff,
  type Row,
} from '../testing/case-scenario.ts'

describe('payments', () => {
  test('dated back: everything from that day is reckoned anew', () => {
    play({}, [
      ['2026-03-02', payment(1000), '9164.38', '0.00', '0.00', '9164.38'],
      ['2026-03-10', dated('2026-01-31', payment(2000)), '7148.62', '15.67', '0.00', '7164.29'],
      ['2026-03-10', reversal(1), '8082.19', '84.14', '0.00', '8166.33'],
    ])
  })

  test('one that covers the case, and its reversal', () => {
    const covered = play({}, [
      ['2026-01-31', payment(10_082.19), '0.00', '0.00', '0.00', '0.00'],
      ['2026-02-15', null, '0.00', '0.00', '0.00', '0.00'],
    ])
    assert.deepEqual([covered.closure, covered.coveredOn], ['PAID_IN_FULL', '2026-01-31'])
    const again = play({}, [
      ['2026-01-31', payment(10_082.19), '0.00', '0.00', '0.00', '0.00'],
      ['2026-02-15', reversal(1), '10000.00', '123.29', '0.00', '10123.29'],
    ])
    assert.deepEqual([again.closure, again.coveredOn], [null, null])
    assert.equal(again.transactions.length, 1)
  })

  test('two of one day are paid in the order they were booked, with interest once', () => {
    const { transactions } = play({}, [
      ['2026-01-31', payment(50), '10000.00', '32.19', '0.00', '10032.19'],
      ['2026-01-31', payment(100), '9932.19', '0.00', '0.00', '9932.19'],
    ])
    assert.deepEqual(
      transactions.map(({ kind, movementId }) => movementId ?? kind),
      ['registration', 'interest', 'row 1', 'row 2'],
    )
  })

  test('to a third party: lowers what remains, is no money of ours', () => {
    const { balances, transactions, show } = play({}, [
      ['2026-01-31', toThirdParty(500), '9582.19', '0.00', '0.00', '9582.19'],
      ['2026-01-31', toThirdParty(9600), '0.00', '0.00', '0.00', '0.00'],
    ])
    assert.equal(show(balances.paidToThirdParty), '10082.19')
    assert.equal(show(sumComponents(balances.paid)), '10082.19')
    assert.equal(balances.credit, 0n)
    const used = new Set(transactions.flatMap(({ entries }) => entries.map(({ account }) => account)))
    assert.ok(!used.has('bank') && used.has('third-party-credit'))
  })

  test('a small balance is covered within the tolerance, and bears no more interest', () => {
    const { closure } = play({ tolerance: 5 }, [
      ['2026-01-31', payment(10_080), '2.19', '0.00', '0.00', '2.19'],
      ['2026-12-31', null, '2.19', '0.00', '0.00', '2.19'],
    ])
    assert.equal(closure, 'SMALL_BALANCE')
    assert.equal(
      play({ tolerance: 2 }, [
        ['2026-01-31', payment(10_080), '2.19', '0.00', '0.00', '2.19'],
        ['2026-12-31', null, '2.19', '0.20', '0.00', '2.39'],
      ]).closure,
      null,
    )
  })

  test('a surplus is credit, and no longer when the payment is reversed', () => {
    const surplus: Row = ['2026-01-31', payment(10_100), '0.00', '0.00', '0.00', '0.00']
    const paid = play({}, [surplus])
    assert.equal(paid.show(paid.balances.credit), '17.81')
    const back = play({}, [surplus, ['2026-01-31', reversal(1), '10000.00', '82.19', '0.00', '10082.19']])
    assert.equal(back.balances.credit, 0n)
  })

  test('what is paid too much is the debtor’s credit, to refund or to use', () => {
    const { balances, transactions, show, closure } = play({}, [
      ['2026-01-31', payment(10_100), '0.00', '0.00', '0.00', '0.00'],
      ['2026-02-01', refund(10), '0.00', '0.00', '0.00', '0.00'],
      ['2026-02-10', fee(60), '0.00', '0.00', '60.00', '60.00'],
      ['2026-02-10', creditUse(7.81), '0.00', '0.00', '52.19', '52.19'],
    ])
    assert.equal(show(balances.credit), '0.00')
    assert.equal(closure, null)
    const bank = transactions.flatMap(({ entries }) => entries).filter(({ account }) => account === 'bank')
    assert.equal(show(bank.reduce((sum, { amount }) => sum + amount, 0n)), '10090.00')
  })

  test('by another order of allocation', () => {
    play({ order: 'PRINCIPAL_INTEREST_COST', cost: 60 }, [
      ['2026-01-31', payment(1000), '9000.00', '82.19', '60.00', '9142.19'],
    ])
  })
})

/** Debit and credit of each kind of movement; `+` is debit. */
test('the accounts of every movement', () => {
  const scenario = play({ interest: 250, cost: 180 }, [
    ['2026-01-31', payment(430), '10000.00', '82.19', '0.00', '10082.19'],
    ['2026-01-31', fee(60), '10000.00', '82.19', '60.00', '10142.19'],
    ['2026-01-31', toThirdParty(142.19), '10000.00', '0.00', '0.00', '10000.00'],
    ['2026-01-31', creditNote(1000), '9000.00', '0.00', '0.00', '9000.00'],
    ['2026-01-31', writeOff(500), '8500.00', '0.00', '0.00', '8500.00'],
    ['2026-01-31', creditUse(500), '8000.00', '0.00', '0.00', '8000.00'],
    ['2026-01-31', payment(8001), '0.00', '0.00', '0.00', '0.00'],
    ['2026-01-31', refund(1), '0.00', '0.00', '0.00', '0.00'],
    ['2026-01-31', toThirdParty(2), '0.00', '0.00', '0.00', '0.00'],
    ['2026-01-31', invoice('B', 7, null), '7.00', '0.00', '0.00', '7.00'],
  ])
  const shown = scenario.transactions.map(({ kind, entries }) => {
    const parts = entries.map(
      ({ account, claim, amount }) =>
        `${account}${claim ? ` ${claim}` : ''} ${amount > 0n ? '+' : ''}${scenario.show(amount)}`,
    )
    return `${kind}: ${parts.toSorted().join(', ')}`
  })
  assert.deepEqual(shown, [
    'registration: claim:cost -180.00, claim:interest -250.00, claim:principal A -10000.00, ' +
      'receivable:cost +180.00, receivable:interest +250.00, receivable:principal A +10000.00',
    'interest: income:interest A -82.19, receivable:interest A +82.19',
    'payment: bank +430.00, receivable:cost -180.00, receivable:interest -250.00',
    'fee: income:fee -60.00, receivable:cost +60.00',
    'thirdPartyPayment: receivable:cost -60.00, receivable:interest A -82.19, third-party +142.19',
    'creditNote: claim:principal A +1000.00, receivable:principal A -1000.00',
    'writeOff: receivable:principal A -500.00, write-off +500.00',
    'creditUse: credit +500.00, receivable:principal A -500.00',
    'payment: bank +8001.00, credit -1.00, receivable:principal A -8000.00',
    'refund: bank -1.00, credit +1.00',
    'thirdPartyPayment: third-party +2.00, third-party-credit -2.00',
    'claim: claim:principal B -7.00, receivable:principal B +7.00',
  ])
  const used = new Set(scenario.transactions.flatMap(({ entries }) => entries.map(({ account }) => account)))
  assert.deepEqual([...used].toSorted(), accounts.toSorted())
})

function bookedUnder(
  order: AllocationOrderCode,
  tolerance: bigint,
  effect: MovementEffect = { kind: 'payment', amount: 1000n },
) {
  const ledger = deriveLedger(
    {
      opening: {
        registeredOn: '2026-01-01',
        claims: [{ id: 'A', principal: 1000n, dueDate: null, interestFrom: null, terms: null }],
        interest: 0n,
        cost: 100n,
        terms: fixed('10'),
      },
      movements: [
        {
          id: 'm',
          ...effect,
          valueDate: '2026-02-01',
          booking: 1,
          order: allocationOrders[order],
          tolerance,
        },
      ],
      order: allocationOrders.COST_INTEREST_PRINCIPAL,
      tolerance: 0n,
      rates,
    },
    '2026-03-01',
  )
  return [ledger.balances.remaining.principal, ledger.balances.remaining.cost, ledger.closure]
}

test('a payment keeps the order and the tolerance it was booked under', () => {
  assert.deepEqual(bookedUnder('COST_INTEREST_PRINCIPAL', 0n), [100n, 0n, null])
  assert.deepEqual(bookedUnder('PRINCIPAL_INTEREST_COST', 0n), [0n, 100n, null])
  assert.deepEqual(bookedUnder('COST_INTEREST_PRINCIPAL', 100n), [100n, 0n, 'SMALL_BALANCE'])
})

test('so does what is written off', () => {
  const effect: MovementEffect = { kind: 'writeOff', amount: 1000n, component: null }
  assert.deepEqual(bookedUnder('COST_INTEREST_PRINCIPAL', 0n, effect), [100n, 0n, null])
  assert.deepEqual(bookedUnder('PRINCIPAL_INTEREST_COST', 0n, effect), [0n, 100n, null])
  assert.deepEqual(bookedUnder('PRINCIPAL_INTEREST_COST', 100n, effect), [0n, 100n, 'WRITTEN_OFF'])
})
