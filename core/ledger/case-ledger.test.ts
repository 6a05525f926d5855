/// <reference types="node" />
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sumComponents } from './case-transaction.ts'
import type { InterestTerms } from '../interest/interest.ts'
import {
  close,
  creditNote,
  creditUse,
  dated,
  fee,
  fixed,
  invoice,
  payment,
  play,
  refund,
  reopen,
  terms,
  writeOff,
  type Given,
  type Row,
} from '../testing/case-scenario.ts'

describe('interest on a case', () => {
  test('a payment takes interest first, and lowers what bears interest', () => {
    play({}, [
      ['2026-01-01', null, '10000.00', '0.00', '0.00', '10000.00'],
      ['2026-01-31', null, '10000.00', '82.19', '0.00', '10082.19'],
      ['2026-01-31', payment(1000), '9082.19', '0.00', '0.00', '9082.19'],
      ['2026-03-02', null, '9082.19', '74.65', '0.00', '9156.84'],
    ])
  })

  test('29 February counts, over 365', () => {
    play({ registeredOn: '2024-02-28', interestFrom: '2024-02-28' }, [
      ['2024-02-29', null, '10000.00', '2.74', '0.00', '10002.74'],
      ['2024-03-01', null, '10000.00', '5.48', '0.00', '10005.48'],
      ['2025-02-28', null, '10000.00', '1002.74', '0.00', '11002.74'],
    ])
  })

  test('the reference rate of SE falls from 4 to 3 at the new year', () => {
    const swedish: InterestTerms = { kind: 'reference', series: 'SE', points: '8' }
    play({ registeredOn: '2024-12-01', interestFrom: '2024-12-01', terms: swedish }, [
      ['2024-12-31', null, '10000.00', '98.63', '0.00', '10098.63'],
      ['2025-01-01', null, '10000.00', '101.64', '0.00', '10101.64'],
      ['2025-02-01', null, '10000.00', '195.07', '0.00', '10195.07'],
      ['2025-02-01', payment(195.07), '10000.00', '0.00', '0.00', '10000.00'],
    ])
  })

  test('a reference rate below zero lowers interest, which is never below zero', () => {
    const odd: InterestTerms = { kind: 'reference', series: 'XX', points: '8' }
    play({ registeredOn: '2025-12-01', interestFrom: '2025-12-01', terms: odd }, [
      ['2025-12-31', null, '10000.00', '61.64', '0.00', '10061.64'],
      ['2026-06-30', null, '10000.00', '557.53', '0.00', '10557.53'],
      ['2026-12-31', null, '10000.00', '557.53', '0.00', '10557.53'],
    ])
  })

  test('several invoices, each from its own day, rounded once', () => {
    const claims: Given['claims'] = [
      ['B', 2000, '2025-12-31'],
      ['A', 1000, '2025-11-30'],
    ]
    const { transactions, show } = play({ registeredOn: '2025-12-05', claims, cost: 180 }, [
      ['2025-12-20', null, '3000.00', '5.48', '180.00', '3185.48'],
      ['2026-01-31', null, '3000.00', '33.97', '180.00', '3213.97'],
      ['2026-01-31', payment(1200), '2013.97', '0.00', '0.00', '2013.97'],
      ['2026-03-02', null, '2013.97', '16.55', '0.00', '2030.52'],
    ])
    const lines = transactions
      .at(-1)!
      .lines.map((line) => `${line.claim} ${line.component} ${show(line.amount)}`)
    assert.deepEqual(lines, [
      'null cost 180.00',
      'A interest 16.98',
      'B interest 16.99',
      'A principal 986.03',
    ])
  })

  test('a claim with terms of its own, and one that bears none', () => {
    const claims: Given['claims'] = [
      ['A', 10_000, '2026-01-01', fixed('20')],
      ['B', 10_000, '2026-01-01'],
      ['C', 10_000, null],
    ]
    play({ claims }, [['2026-01-31', null, '30000.00', '246.58', '0.00', '30246.58']])
  })

  test('other terms from a day on, of the case or of one claim', () => {
    play({}, [
      ['2026-01-31', terms('20'), '10000.00', '82.19', '0.00', '10082.19'],
      ['2026-03-02', null, '10000.00', '246.57', '0.00', '10246.57'],
      ['2026-03-02', terms('0', 'A'), '10000.00', '246.57', '0.00', '10246.57'],
      ['2026-04-01', null, '10000.00', '246.57', '0.00', '10246.57'],
    ])
  })

  test('the terms of one claim are not those of others, nor its own changed by the case’s', () => {
    const claims: Given['claims'] = [
      ['A', 10_000, '2026-01-01', fixed('20')],
      ['B', 10_000, '2026-01-01'],
    ]
    play({ claims }, [
      // 30 days: A at 20 %, B at 10.
      ['2026-01-31', terms('5'), '20000.00', '246.58', '0.00', '20246.58'],
      // 30 days: A still at 20 %, B at 5.
      ['2026-03-02', terms('0', 'A'), '20000.00', '452.06', '0.00', '20452.06'],
      // 30 days: A at none, B still at 5, and a claim that comes then as well.
      ['2026-03-02', invoice('C', 10_000, '2026-03-02'), '30000.00', '452.06', '0.00', '30452.06'],
      ['2026-04-01', null, '30000.00', '534.25', '0.00', '30534.25'],
    ])
  })

  test('less than half an öre is no interest, half of one is', () => {
    const least = fixed('0.000001')
    play({ principal: 182_499_999.99, terms: least }, [
      ['2026-01-02', null, '182499999.99', '0.00', '0.00', '182499999.99'],
    ])
    play({ principal: 182_500_000, terms: least }, [
      ['2026-01-02', null, '182500000.00', '0.01', '0.00', '182500000.01'],
    ])
  })

  test('an invoice added later, with interest from before', () => {
    play({}, [
      ['2026-01-31', payment(82.19), '10000.00', '0.00', '0.00', '10000.00'],
      ['2026-02-10', invoice('B', 2000, '2026-01-15'), '12000.00', '41.64', '0.00', '12041.64'],
    ])
  })

  test('interest that starts after a payment', () => {
    play({ interestFrom: '2026-02-15' }, [
      ['2026-01-31', payment(4000), '6000.00', '0.00', '0.00', '6000.00'],
      ['2026-03-02', null, '6000.00', '24.66', '0.00', '6024.66'],
    ])
  })

  test('old interest and an old fee come with the case', () => {
    const { balances, show } = play({ interest: 250, cost: 180 }, [
      ['2026-01-01', null, '10000.00', '250.00', '180.00', '10430.00'],
      ['2026-01-31', payment(300), '10000.00', '212.19', '0.00', '10212.19'],
      ['2026-01-31', fee(60), '10000.00', '212.19', '60.00', '10272.19'],
    ])
    assert.equal(show(sumComponents(balances.original)), '10430.00')
    assert.deepEqual([show(balances.accrued.interest), show(balances.accrued.cost)], ['82.19', '60.00'])
  })

  test('yen have no decimals, dinars three', () => {
    play({ currency: 'JPY', principal: 100_000 }, [
      ['2026-01-31', payment(1000), '99822', '0', '0', '99822'],
      ['2026-03-02', null, '99822', '820', '0', '100642'],
    ])
    play({ currency: 'KWD', principal: 1000 }, [
      ['2026-01-31', payment(10), '998.219', '0.000', '0.000', '998.219'],
      ['2026-03-02', null, '998.219', '8.205', '0.000', '1006.424'],
    ])
  })

  test('the business date moved back shows the figures of that date', () => {
    play({}, [
      ['2026-03-02', payment(1000), '9164.38', '0.00', '0.00', '9164.38'],
      ['2026-01-31', null, '10000.00', '82.19', '0.00', '10082.19'],
      ['2026-03-02', null, '9164.38', '0.00', '0.00', '9164.38'],
    ])
  })
})

describe('what else lowers or stops a claim', () => {
  test('a credit note lowers the principal from its day on', () => {
    const { balances, show } = play({}, [
      ['2026-01-31', creditNote(4000), '6000.00', '82.19', '0.00', '6082.19'],
      ['2026-03-02', null, '6000.00', '131.51', '0.00', '6131.51'],
    ])
    assert.equal(show(balances.writtenOff.principal), '4000.00')
    assert.equal(show(balances.original.principal), '10000.00')
  })

  test('more than is owed is not credited, written off or taken from the credit', () => {
    const credited = play({ interestFrom: null }, [
      ['2026-01-31', creditNote(12_000), '0.00', '0.00', '0.00', '0.00'],
      ['2026-01-31', creditNote(5, 'Z'), '0.00', '0.00', '0.00', '0.00'],
      ['2026-01-31', writeOff(7), '0.00', '0.00', '0.00', '0.00'],
      ['2026-01-31', creditUse(9), '0.00', '0.00', '0.00', '0.00'],
    ])
    assert.deepEqual(
      credited.unapplied.map(({ movementId, amount }) => `${movementId} ${credited.show(amount)}`),
      ['row 1 2000.00', 'row 2 5.00', 'row 3 7.00', 'row 4 9.00'],
    )
    assert.equal(credited.closure, 'CREDITED')
    assert.equal(credited.transactions.length, 2)
  })

  test('written off: an amount, a component, all of it', () => {
    const { closure, balances, show } = play({ cost: 180 }, [
      ['2026-01-31', writeOff(100), '10000.00', '82.19', '80.00', '10162.19'],
      ['2026-01-31', writeOff(50, 'interest'), '10000.00', '32.19', '80.00', '10112.19'],
      ['2026-03-02', writeOff(null), '0.00', '0.00', '0.00', '0.00'],
    ])
    assert.equal(closure, 'WRITTEN_OFF')
    assert.equal(show(sumComponents(balances.writtenOff)), '10344.38')
  })

  test('what is written off or credited to the öre leaves nothing over', () => {
    const all = play({ interestFrom: null }, [
      ['2026-01-31', creditNote(4000), '6000.00', '0.00', '0.00', '6000.00'],
      ['2026-01-31', writeOff(1000), '5000.00', '0.00', '0.00', '5000.00'],
      ['2026-01-31', writeOff(null), '0.00', '0.00', '0.00', '0.00'],
    ])
    assert.deepEqual(all.unapplied, [])
    const more = play({ interestFrom: null }, [
      ['2026-01-31', creditNote(10_000.01), '0.00', '0.00', '0.00', '0.00'],
    ])
    assert.deepEqual(more.unapplied, [{ movementId: 'row 1', amount: 1n }])
  })

  test('one öre that is forgiven is a small balance', () => {
    const { closure } = play({ interestFrom: null, tolerance: 0.01 }, [
      ['2026-01-31', payment(9999.99), '0.01', '0.00', '0.00', '0.01'],
    ])
    assert.equal(closure, 'SMALL_BALANCE')
  })

  test('on a closed case the line of interest is flat', () => {
    const { line, pending } = play({}, [
      ['2026-01-31', close, '10000.00', '82.19', '0.00', '10082.19'],
      ['2026-03-02', null, '10000.00', '82.19', '0.00', '10082.19'],
    ])
    assert.deepEqual(line, { from: '2026-03-02', exact: 0n, perDay: 0n, until: null })
    assert.deepEqual(pending, [])
  })

  test('reopening a case that is open changes nothing', () => {
    const { transactions } = play({}, [
      ['2026-01-31', reopen, '10000.00', '82.19', '0.00', '10082.19'],
      ['2026-03-02', null, '10000.00', '164.38', '0.00', '10164.38'],
    ])
    assert.equal(transactions.length, 1)
  })

  test('a claim of one öre bears interest too', () => {
    play({ principal: 0.01 }, [
      ['2030-12-31', null, '0.01', '0.01', '0.00', '0.02'],
      ['2036-01-01', null, '0.01', '0.01', '0.00', '0.02'],
    ])
    const claims: Given['claims'] = [
      ['A', 10_000, '2026-01-01'],
      ['B', 0.01, '2026-01-01'],
    ]
    play({ claims }, [['2026-01-02', payment(2.74), '10000.01', '0.00', '0.00', '10000.01']])
  })

  test('neither a fee nor a new invoice posts interest', () => {
    const { transactions } = play({}, [
      ['2026-01-31', fee(60), '10000.00', '82.19', '60.00', '10142.19'],
      ['2026-01-31', invoice('B', 1000, '2026-01-31'), '11000.00', '82.19', '60.00', '11142.19'],
    ])
    assert.deepEqual(
      transactions.map(({ kind }) => kind),
      ['registration', 'fee', 'claim'],
    )
  })

  test('a refund posts no interest', () => {
    const { transactions } = play({}, [
      ['2026-01-31', payment(10_100), '0.00', '0.00', '0.00', '0.00'],
      ['2026-01-31', invoice('B', 1000, '2026-01-31'), '1000.00', '0.00', '0.00', '1000.00'],
      ['2026-03-02', refund(17.81), '1000.00', '8.22', '0.00', '1008.22'],
    ])
    assert.deepEqual(
      transactions.map(({ kind }) => kind),
      ['registration', 'interest', 'payment', 'claim', 'refund'],
    )
  })

  test('a case closed by hand bears no interest until it is reopened', () => {
    play({}, [
      ['2026-01-31', close, '10000.00', '82.19', '0.00', '10082.19'],
      ['2026-03-02', null, '10000.00', '82.19', '0.00', '10082.19'],
      ['2026-03-02', reopen, '10000.00', '82.19', '0.00', '10082.19'],
      ['2026-04-01', null, '10000.00', '164.38', '0.00', '10164.38'],
    ])
  })

  test('reopening starts no interest before its time', () => {
    play({ interestFrom: '2026-03-02' }, [
      ['2026-01-31', close, '10000.00', '0.00', '0.00', '10000.00'],
      ['2026-02-10', reopen, '10000.00', '0.00', '0.00', '10000.00'],
      ['2026-03-02', null, '10000.00', '0.00', '0.00', '10000.00'],
      ['2026-03-03', null, '10000.00', '2.74', '0.00', '10002.74'],
    ])
  })

  test('a fee on a covered case makes it owe again, interest and all', () => {
    const { closure } = play({ tolerance: 100 }, [
      ['2026-01-31', payment(10_000), '82.19', '0.00', '0.00', '82.19'],
      ['2026-06-30', fee(10), '82.19', '0.00', '10.00', '92.19'],
      ['2026-06-30', fee(60), '82.19', '0.00', '70.00', '152.19'],
      ['2026-12-31', null, '82.19', '4.14', '70.00', '156.33'],
    ])
    assert.equal(closure, null)
  })

  test('what comes up to the tolerance leaves a covered case covered', () => {
    const { closure } = play({ tolerance: 100 }, [
      ['2026-01-31', payment(10_000), '82.19', '0.00', '0.00', '82.19'],
      ['2026-06-30', fee(17.81), '82.19', '0.00', '17.81', '100.00'],
      ['2026-12-31', null, '82.19', '0.00', '17.81', '100.00'],
    ])
    assert.equal(closure, 'SMALL_BALANCE')
  })

  test('a new invoice on a covered case: the rest bears interest from then, the invoice from its own day', () => {
    play({ tolerance: 5 }, [
      ['2026-01-31', payment(10_080), '2.19', '0.00', '0.00', '2.19'],
      ['2026-03-02', invoice('B', 1000, '2026-01-31'), '1002.19', '8.22', '0.00', '1010.41'],
      ['2026-04-01', null, '1002.19', '16.46', '0.00', '1018.65'],
    ])
  })

  test('what no case may hold', () => {
    const look: Row = ['2026-01-31', null, '10000.00', '82.19', '0.00', '10082.19']
    assert.throws(() => play({}, [look, [...look].with(1, payment(0)) as Row]), /above zero/)
    assert.throws(
      () => play({}, [look, [...look].with(1, dated('2025-12-31', payment(1))) as Row]),
      /from 2026-01-01 on/,
    )
  })
})
