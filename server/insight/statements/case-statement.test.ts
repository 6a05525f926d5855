/** The statement of a case over HTTP: lines and balance, period and kinds, pages, the past, PDF, and who may see it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CaseStatement } from '../../../contract/cases/case-statement.ts'
import { languages } from '../../../contract/platform/languages.ts'
import { addFee } from '../../cases/movements.ts'
import { refundCredit } from '../../payments/credit.ts'
import { registerPayment } from '../../payments/payments.ts'
import { reversePayment } from '../../payments/reverse-payment.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { agencyCaller, contextOn, openCases } from '../../testing/records/cases.ts'
import { findReader } from '../../platform/dictionary/reader.ts'
import { buildStatementSheet } from './statement-sheet.ts'

let api: TestApi
let cases: Awaited<ReturnType<typeof openCases>>
let caseGuid = ''

/** 1,000 without interest: 300 paid and bounced, a fee of 60, 1,100 paid, of which 40 are too much and 15 refunded. */
before(async () => {
  api = await startApi()
  cases = await openCases(api)
  const pay = (day: string, amount: number) =>
    registerPayment(api.sql, agencyCaller, { caseGuid, amount }, contextOn(day))
  const made = await cases.register({ principal: 1000 })
  caseGuid = made.caseGuid
  await api.setDate('2026-06-20')
  const bounced = await pay('2026-06-20', 300)
  await api.setDate('2026-06-25')
  const input = { reason: 'bounced' }
  const later = contextOn('2026-06-25')
  await reversePayment(api.sql, agencyCaller, { paymentGuid: bounced.paymentGuid, input }, later)
  await addFee(api.sql, agencyCaller, { caseGuid, input: { feeType: 'reminder', amount: 60 } }, later)
  await api.setDate('2026-07-01')
  await pay('2026-07-01', 1100)
  const july = contextOn('2026-07-01')
  await refundCredit(api.sql, agencyCaller, { caseGuid, input: { amount: 15 } }, july)
})
after(() => api.close())

const path = (query = '') => `/cases/${caseGuid}/statement${query}`
const read = async (query = '', options: object = {}): Promise<CaseStatement> => {
  const { status, body, text } = await api.call<CaseStatement>('GET', path(query), options)
  assert.equal(status, 200, text)
  return body
}
const rows = ({ lines }: CaseStatement) =>
  lines.map(({ text, amount, balance, surplus }) => [text, amount, balance, surplus])

const refused = async (query: string, field: string, about: RegExp) => {
  const answer = await api.call('GET', path(query))
  assertProblem(answer, 'invalid', about)
  const { errors } = JSON.parse(answer.text) as { errors: Record<string, string[]> }
  assert.deepEqual(Object.keys(errors), [field], answer.text)
}
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll('\u2212', '-')

describe('getCaseStatement', () => {
  test('signed amounts, reversals with theirs, a running balance, and credit apart', async () => {
    const statement = await read()
    assert.deepEqual(rows(statement), [
      ['Registration', 1000, 1000, 0],
      ['Payment', -300, 700, 0],
      ['Reversal of no. 2: payment', 300, 1000, 0],
      ['Fee', 60, 1060, 0],
      ['Payment', -1060, 0, 40],
      ['Refund', 0, 0, -15],
    ])
    const { lines, openingBalance, closingBalance, unbookedInterest, owed, debit, credit } = statement
    assert.deepEqual([openingBalance, closingBalance, unbookedInterest, owed], [0, 0, 0, 0])
    assert.deepEqual([debit, credit], [1360, -1360])
    assert.deepEqual(
      lines.map(({ reversed, reversesNumber }) => [reversed, reversesNumber]),
      [
        [false, null],
        [true, null],
        [false, 2],
        [false, null],
        [false, null],
        [false, null],
      ],
    )
    for (const { entries } of lines)
      assert.equal(
        entries.reduce((sum, { amount }) => sum + amount, 0),
        0,
      )
  })

  test('says what a fee is for, which payment a line books, and what happened without an amount', async () => {
    const made = await cases.register({ principal: 500, invoiceNumber: 'F-9' })
    const { sql } = api
    const on = contextOn('2026-07-01')
    await addFee(
      sql,
      agencyCaller,
      { caseGuid: made.caseGuid, input: { feeType: 'reminder', amount: 60 } },
      on,
    )
    const paid = await registerPayment(sql, agencyCaller, { caseGuid: made.caseGuid, amount: 100 }, on)
    const closing = { closureCode: 'RECALLED_BY_CLIENT' }
    const closed = await api.call('PATCH', `/system/forms/case/close?id=${made.caseGuid}`, { body: closing })
    assert.equal(closed.status, 200, closed.text)
    const { body } = await api.call<CaseStatement>('GET', `/cases/${made.caseGuid}/statement`)
    const shown = body.lines.filter(({ kind }) => kind !== 'interest')
    assert.deepEqual(
      shown.map(({ kind, detail, paymentGuid }) => [kind, detail, paymentGuid]),
      [
        ['registration', '', null],
        ['fee', 'Reminder', null],
        ['payment', 'Entered by hand', paid.paymentGuid],
      ],
    )
    assert.deepEqual(
      body.events.map(({ kind, text, reversed }) => [kind, text, reversed]),
      [['close', 'Closed manually: interest stops.', false]],
    )
    const fees = await api.call<CaseStatement>('GET', `/cases/${made.caseGuid}/statement?kind=fee&$top=0`)
    assert.deepEqual(fees.body.events, body.events)
  })

  test('of a period with its opening balance, and of kinds with the balance of all', async () => {
    const period = await read('?from=2026-06-25&to=2026-06-30')
    assert.deepEqual([period.openingBalance, period.closingBalance, period.owed], [1000, 1060, 1060])
    assert.deepEqual(rows(period), [['Fee', 60, 1060, 0]])
    const fees = await read('?kind=fee,registration')
    assert.deepEqual(rows(fees), [
      ['Registration', 1000, 1000, 0],
      ['Fee', 60, 1060, 0],
    ])
    assert.deepEqual([fees.debit, fees.credit, fees.closingBalance], [1060, 0, 0])
    assert.deepEqual(fees.kinds.toSorted(), ['fee', 'payment', 'refund', 'registration'])
    assert.deepEqual(rows(await read('?kind=Fee,REGISTRATION')), rows(fees))
  })

  test('in pages, the earliest or the latest first, with sums of all pages', async () => {
    const [first, second, none] = [
      await read('?$top=4'),
      await read('?$top=4&$skip=4'),
      await read('?$top=4&$skip=9'),
    ]
    assert.deepEqual([...rows(first), ...rows(second)], rows(await read()))
    assert.deepEqual([first.count, first.skip, first.total], [4, 0, 6])
    assert.deepEqual([second.count, second.skip, second.debit], [2, 4, 1360])
    assert.deepEqual([none.count, none.total], [0, 6])
    const latest = await read('?$orderby=valueDate desc&$top=1')
    assert.deepEqual(rows(latest), [['Refund', 0, 0, -15]])
  })

  test('as of a day, and as it was known on a day', async () => {
    const then = await read('?asOf=2026-06-20&knownAt=2026-06-20')
    assert.deepEqual([then.owed, then.closingBalance, then.lines.at(-1)?.reversed], [700, 700, false])
    const now = await read('?asOf=2026-06-20')
    assert.deepEqual([now.owed, now.total], [1000, 3])
  })

  test('refuses days that the case does not have, and what is no kind', async () => {
    await refused('?to=2026-07-02', 'to', /must not be after 1 Jul 2026/)
    await refused('?to=2026-06-01', 'to', /before the case was registered, 15 Jun 2026/)
    await refused('?from=2026-06-30&to=2026-06-20', 'from', /must not be after the last day/)
    await refused('?kind=payments', 'kind', /payments, which is no kind of transaction. Kinds are .*payment/)
    await refused('?culture=xx_1', 'culture', /./)
    await refused('?culture=en-aa-bb', 'culture', /must be a culture such as sv-SE/)
    await refused('?$top=501', '$top', /500/)
  })

  test('as PDF, for who may see the case alone', async () => {
    const print = (token: string) =>
      fetch(`${api.address}/api/v1${path('?format=pdf&culture=sv-FI')}`, {
        headers: { authorization: `Bearer ${token}` },
      })
    const owner = await api.signIn(6, cases.client)
    for (const token of [api.token, owner]) {
      const pdf = await print(token)
      assert.equal(pdf.headers.get('content-type'), 'application/pdf')
      assert.match(pdf.headers.get('content-disposition')!, /filename="\d+-2026-07-01.pdf"/)
      const bytes = Buffer.from(await pdf.arrayBuffer())
      assert.equal(bytes.subarray(0, 5).toString(), '%PDF-')
    }
    const token = await api.signIn(6, cases.other)
    assert.equal((await print(token)).status, 404)
    assertProblem(await api.call('GET', path(), { token }), 'not-found', /no such case/i)
    assert.deepEqual(rows(await read('', { token: owner })), rows(await read()))
  })
})

test('the sheet has the format of the reader, and the currency once', async () => {
  const statement = await read('?from=2026-06-16')
  for (const language of languages) {
    const sheet = buildStatementSheet(statement, { ...findReader(language), agency: 'AGENCY' })
    const cells = [...sheet.rows, ...sheet.totals].flat()
    assert.ok(!cells.some((cell) => /SEK|kr/.test(cell)), language)
    assert.ok(sheet.subtitle.endsWith('SEK'), sheet.subtitle)
    assert.ok(sheet.rows.every((row) => row.length === sheet.columns.length))
  }
  const amounts = (culture?: string) => {
    const sheet = buildStatementSheet(statement, { ...findReader('sv', culture), agency: 'AGENCY' })
    return [...sheet.rows, ...sheet.totals].map((row) => row.slice(3).map(plain))
  }
  assert.deepEqual(amounts(), [
    ['', '', '1 000,00'],
    ['', '-300,00', '700,00'],
    ['+300,00', '', '1 000,00'],
    ['+60,00', '', '1 060,00'],
    ['', '-1 060,00', '0,00'],
    ['', '', '0,00'],
    ['+360,00', '-1 360,00', '0,00'],
  ])
  assert.deepEqual(amounts('en-GB')[0], ['', '', '1,000.00'])
})
