/// <reference types="node" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainCase, type FigureName } from './case-explanation.ts'
import type { InterestTerms } from '../interest/interest.ts'
import { creditNote, fee, payment, play, toThirdParty } from '../testing/case-scenario.ts'

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
const linesOf = (name: FigureName) => explained.find(({ figure }) => figure === name)!.lines

test('interest says principal, rate and days', () => {
  assert.deepEqual(
    linesOf('accruedInterest').map(({ text }) => text),
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
    linesOf('remainingFee').map(({ text, amount }) => [text, amount]),
    [
      ['60.00 SEK of costs registered with the case on 2024-12-05', 6000n],
      ['60.00 SEK of costs paid on 2025-01-31', -6000n],
      ['180.00 SEK of costs charged on 2025-02-10', 18_000n],
      ['180.00 SEK of costs paid to a third party on 2025-02-10', -18_000n],
    ],
  )
  assert.deepEqual(
    linesOf('writtenOffPrincipal').map(({ text }) => text),
    ['1000.00 SEK of principal of invoice B credited on 2025-02-10'],
  )
})
