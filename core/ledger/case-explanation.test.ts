/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainCase, type FigureName } from './case-explanation.ts'
import type { InterestTerms } from '../interest/interest.ts'
import {
  creditNote,
  creditUse,
  fee,
  invoice,
  payment,
  play,
  refund,
  toThirdParty,
  writeOff,
} from '../testing/case-scenario.ts'

const swedish: InterestTerms = { kind: 'reference', series: 'SE', points: '8' }
const ledger = play(
  {
    registeredOn: '2024-12-05',
    claims: [
      ['A', 10_000, '2024-12-01'],
      ['B', 2000, '2025-01-15'],
    ],
    cost: 60,
    terms: swedish,
  },
  [
    ['2025-01-31', payment(1000), '11261.70', '0.00', '0.00', '11261.70'],
    ['2025-02-10', fee(180), '11261.70', '33.94', '180.00', '11475.64'],
    ['2025-02-10', toThirdParty(300), '11175.64', '0.00', '0.00', '11175.64'],
    ['2025-02-10', creditNote(1000, 'B'), '10175.64', '0.00', '0.00', '10175.64'],
    ['2025-03-01', null, '10175.64', '58.27', '0.00', '10233.91'],
  ],
)
const explained = explainCase(ledger, 'SEK', (claim) => `invoice ${claim}`)
const findLines = (name: FigureName) => explained.find(({ figure }) => figure === name)!.lines

test('interest says principal, rate and days', () => {
  assert.deepEqual(
    findLines('accruedInterest').map(({ text }) => text),
    [
      '98.63 SEK of interest on invoice A posted: 10000.00 SEK × 12 % × 30 / 365 days, after 2024-12-01 up to 2024-12-31',
      '93.43 SEK of interest on invoice A posted: 10000.00 SEK × 11 % × 31 / 365 days, after 2024-12-31 up to 2025-01-31',
      '9.64 SEK of interest on invoice B posted: 2000.00 SEK × 11 % × 16 / 365 days, after 2025-01-15 up to 2025-01-31',
      '27.91 SEK of interest on invoice A posted: 9261.70 SEK × 11 % × 10 / 365 days, after 2025-01-31 up to 2025-02-10',
      '6.03 SEK of interest on invoice B posted: 2000.00 SEK × 11 % × 10 / 365 days, after 2025-01-31 up to 2025-02-10',
      '52.54 SEK of interest on invoice A accrued: 9175.64 SEK × 11 % × 19 / 365 days, after 2025-02-10 up to 2025-03-01',
      '5.73 SEK of interest on invoice B accrued: 1000.00 SEK × 11 % × 19 / 365 days, after 2025-02-10 up to 2025-03-01',
    ],
  )
})

test('every figure has its lines, and they sum to it', () => {
  assert.equal(explained.length, 22)
  for (const { figure, amount, lines } of explained)
    assert.equal(
      lines.reduce((sum, line) => sum + line.amount, 0n),
      amount,
      figure,
    )
  assert.deepEqual(
    findLines('remainingFee').map(({ text, amount }) => [text, amount]),
    [
      ['60.00 SEK of costs registered with the case on 2024-12-05', 6000n],
      ['60.00 SEK of costs paid on 2025-01-31', -6000n],
      ['180.00 SEK of costs charged on 2025-02-10', 18_000n],
      ['180.00 SEK of costs paid to a third party on 2025-02-10', -18_000n],
    ],
  )
  assert.deepEqual(
    findLines('writtenOffPrincipal').map(({ text }) => text),
    ['1000.00 SEK of principal of invoice B credited on 2025-02-10'],
  )
})

/** One movement of each kind: its rule in the API, what it says, and what it adds to the remaining sum. */
test('each movement in words', () => {
  const scenario = play({ interestFrom: null, cost: 180 }, [
    ['2026-01-02', payment(180), '10000.00', '0.00', '0.00', '10000.00'],
    ['2026-01-03', fee(60), '10000.00', '0.00', '60.00', '10060.00'],
    ['2026-01-04', toThirdParty(60), '10000.00', '0.00', '0.00', '10000.00'],
    ['2026-01-05', creditNote(1000), '9000.00', '0.00', '0.00', '9000.00'],
    ['2026-01-06', writeOff(500), '8500.00', '0.00', '0.00', '8500.00'],
    ['2026-01-07', invoice('B', 7, null), '8507.00', '0.00', '0.00', '8507.00'],
    ['2026-01-08', payment(8508), '0.00', '0.00', '0.00', '0.00'],
    ['2026-01-09', fee(0.01), '0.00', '0.00', '0.01', '0.01'],
    ['2026-01-10', creditUse(0.01), '0.00', '0.00', '0.00', '0.00'],
    ['2026-01-11', refund(0.99), '0.00', '0.00', '0.00', '0.00'],
    ['2026-01-12', toThirdParty(3), '0.00', '0.00', '0.00', '0.00'],
  ])
  const figures = explainCase(scenario, 'SEK', (claim) => `invoice ${claim}`)
  const shown = (name: FigureName) =>
    figures
      .find(({ figure }) => figure === name)!
      .lines.map(({ rule, text, amount }) => `${rule} ${text}: ${scenario.show(amount)}`)
  assert.deepEqual(shown('remainingSum'), [
    'REGISTERED 10000.00 SEK of principal of invoice A registered with the case on 2026-01-01: 10000.00',
    'REGISTERED 180.00 SEK of costs registered with the case on 2026-01-01: 180.00',
    'PAID 180.00 SEK of costs paid on 2026-01-02: -180.00',
    'FEE 60.00 SEK of costs charged on 2026-01-03: 60.00',
    'PAID_TO_THIRD_PARTY 60.00 SEK of costs paid to a third party on 2026-01-04: -60.00',
    'CREDITED 1000.00 SEK of principal of invoice A credited on 2026-01-05: -1000.00',
    'WRITTEN_OFF 500.00 SEK of principal of invoice A written off on 2026-01-06: -500.00',
    'CLAIM_ADDED 7.00 SEK of principal of invoice B added to the case on 2026-01-07: 7.00',
    'PAID 8500.00 SEK of principal of invoice A paid on 2026-01-08: -8500.00',
    'PAID 7.00 SEK of principal of invoice B paid on 2026-01-08: -7.00',
    'FEE 0.01 SEK of costs charged on 2026-01-09: 0.01',
    'PAID_FROM_CREDIT 0.01 SEK of costs paid from the debtor’s credit on 2026-01-10: -0.01',
  ])
  assert.deepEqual(shown('credit'), [
    'SURPLUS 1.00 SEK paid above what was owed on 2026-01-08: 1.00',
    'CREDIT_USED 0.01 SEK of the debtor’s credit used on 2026-01-10: -0.01',
    'CREDIT_REFUNDED 0.99 SEK of the debtor’s credit paid back on 2026-01-11: -0.99',
  ])
  assert.deepEqual(shown('paidToThirdParty'), [
    'PAID_TO_THIRD_PARTY 60.00 SEK of costs paid to a third party on 2026-01-04: 60.00',
  ])
  const parts = ['Principal', 'Interest', 'Fee', 'Sum']
  assert.deepEqual(
    figures.map(({ figure }) => figure),
    [
      ...['original', 'accrued', 'paid', 'writtenOff', 'remaining'].flatMap((group) =>
        parts.map((part) => group + part),
      ),
      'paidToThirdParty',
      'credit',
    ],
  )
})

test('an öre of surplus is told, and interest by its rule', () => {
  const scenario = play({ interestFrom: null }, [
    ['2026-01-02', payment(10_000.01), '0.00', '0.00', '0.00', '0.00'],
    ['2026-01-03', refund(0.01), '0.00', '0.00', '0.00', '0.00'],
  ])
  const credit = explainCase(scenario, 'SEK').find(({ figure }) => figure === 'credit')!
  assert.deepEqual(
    credit.lines.map(({ text }) => text),
    [
      '0.01 SEK paid above what was owed on 2026-01-02',
      '0.01 SEK of the debtor’s credit paid back on 2026-01-03',
    ],
  )
  for (const { rule, interest } of findLines('accruedInterest')) {
    assert.equal(rule, 'INTEREST')
    assert.ok(interest!.days > 0)
  }
})
