/** Reports on known data: each figure, its owner, and agreement with the ledger. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Report, ReportName } from '../../../contract/insight/reports.ts'
import { reportNames } from '../../../contract/insight/reports.ts'
import { languages, type Language } from '../../../contract/platform/languages.ts'
import { agencyCaller, contextOn, nowhere, openCases } from '../../testing/records/cases.ts'
import { refundCredit } from '../../payments/credit.ts'
import { addFee, registerWriteOff } from '../../cases/movements.ts'
import { registerPayment } from '../../payments/payments.ts'
import { reversePayment } from '../../payments/reverse-payment.ts'
import { makeBgMax } from '../../testing/records/files.ts'
import { postFile } from '../../treasury/bank-files/post-entries.ts'
import { receivePaymentFile } from '../../treasury/bank-files/receive-file.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { reports } from './report-definitions.ts'
import { buildSheet } from './report-files.ts'
import { columnTitle, reportTitle } from './report-texts.ts'

let api: TestApi
let cases: Awaited<ReturnType<typeof openCases>>

/**
 * Sets up April and June 2026 without interest.
 * CLIENT: 1,000 and costs of 60, of which 300 are paid in June and 100 are written off; 500, overpaid by 40
 * in April, of which 15 are refunded; 200 NOK with a reversed payment of 50. OTHER: 700 with a fee of 50, of
 * which 30 are paid to the agency and 20 to the client. 9 SEK are in suspense. CLIENT received one payout.
 */
before(async () => {
  api = await startApi()
  cases = await openCases(api)
  const pay = (day: string, input: object) => registerPayment(api.sql, agencyCaller, input, contextOn(day))
  await api.setDate('2026-04-01')
  const old = await cases.register({ principal: 500, dueDate: '2026-03-30' })
  await pay('2026-04-10', { caseGuid: old.caseGuid, amount: 540, valueDate: '2026-04-01' })
  await api.setDate('2026-06-15')
  const june = contextOn('2026-06-15')
  await refundCredit(api.sql, agencyCaller, { caseGuid: old.caseGuid, input: { amount: 15 } }, june)
  const first = await cases.register({ principal: 1000, fee: 60, dueDate: '2026-05-01' })
  await pay('2026-06-15', { caseGuid: first.caseGuid, amount: 300 })
  await registerWriteOff(api.sql, agencyCaller, { caseGuid: first.caseGuid, input: { amount: 100 } }, june)
  const norwegian = await cases.register({ principal: 200, currencyCode: 'NOK', dueDate: '2026-06-15' })
  const bounced = await pay('2026-06-15', { caseGuid: norwegian.caseGuid, amount: 50, currencyCode: 'NOK' })
  const reversal = { paymentGuid: bounced.paymentGuid, input: { reason: 'bounced' } }
  await reversePayment(api.sql, agencyCaller, reversal, june)
  const foreign = await cases.register({ principal: 700, clientGuid: cases.other })
  await addFee(
    api.sql,
    agencyCaller,
    { caseGuid: foreign.caseGuid, input: { feeType: 'reminder', amount: 50 } },
    june,
  )
  await pay('2026-06-15', { caseGuid: foreign.caseGuid, amount: 30 })
  await pay('2026-06-15', { caseGuid: foreign.caseGuid, amount: 20, toThirdParty: true })
  const file = [Buffer.from(makeBgMax([{ reference: null, amount: 900 }]))]
  const received = await receivePaymentFile(api.sql, file, { fileName: null, bytesMax: 1e6, ...june })
  await postFile(api.sql, received.fileGuid, june)
  await api.sql`update party set bank_account_no = '5805-6201' where parent_id is null or id = ${cases.client}`
  const { status } = await api.call('POST', '/payouts', { body: { currencyCode: 'SEK' } })
  assert.equal(status, 201)
})
after(() => api.close())

const report = async (name: ReportName, query = '', options: object = {}): Promise<Report> => {
  const { status, body } = await api.call<Report>('GET', `/reports/${name}${query}`, options)
  assert.equal(status, 200)
  return body
}
const rowValues = ({ rows, columns }: Report) => rows.map((row) => columns.map(({ code }) => row[code]))

describe('getReport', () => {
  test('portfolio: cases and amounts by client, currency and status', async () => {
    const { rows, totals } = await report('portfolio')
    assert.deepEqual(
      rows.map((row) => [
        row['client'],
        row['currencyCode'],
        row['status'],
        row['cases'],
        row['original'],
        row['sum'],
      ]),
      [
        ['CLIENT', 'NOK', 'NEW', 1, 200, 200],
        ['CLIENT', 'SEK', 'NEW', 1, 1060, 660],
        ['CLIENT', 'SEK', 'CLOSED', 1, 500, 0],
        ['OTHER', 'SEK', 'NEW', 1, 700, 700],
      ],
    )
    assert.deepEqual(
      totals.map((row) => [row['currencyCode'], row['cases'], row['paid'], row['writtenOff'], row['sum']]),
      [
        ['NOK', 1, 0, 0, 200],
        ['SEK', 3, 850, 100, 1360],
      ],
    )
  })

  test('aging: amounts by the earliest due date', async () => {
    const { rows } = await report('aging')
    assert.deepEqual(
      rows.map((row) => [
        row['client'],
        row['currencyCode'],
        row['notDue'],
        row['days60'],
        row['noDueDate'],
        row['sum'],
      ]),
      [
        ['CLIENT', 'NOK', 200, 0, 0, 200],
        ['CLIENT', 'SEK', 0, 660, 0, 660],
        ['OTHER', 'SEK', 0, 0, 700, 700],
      ],
    )
  })

  test('collected: by client and month without reversed payments, as in the ledger', async () => {
    const whole = await report('collected')
    assert.deepEqual(rowValues(whole), [
      ['CLIENT', 'NOK', '2026-06', 0, 0, 0, 0, 0],
      ['CLIENT', 'SEK', '2026-04', 500, 0, 0, 500, 0],
      ['CLIENT', 'SEK', '2026-06', 240, 0, 60, 300, 0],
      ['OTHER', 'SEK', '2026-06', 0, 0, 30, 30, 20],
    ])
    const [ledger] = await api.sql`
      select sum(paid_principal + paid_interest + paid_fee) as paid from debt_case where currency_code = 'SEK'`
    const total = whole.totals.find(({ currencyCode }) => currencyCode === 'SEK')!
    assert.equal(Number(ledger!['paid']) / 100, Number(total['sum']) + Number(total['thirdParty']))
    assert.deepEqual(rowValues(await report('collected', '?from=2026-04-01&to=2026-04-30')), [
      ['CLIENT', 'SEK', '2026-04', 500, 0, 0, 500, 0],
    ])
  })

  test('trust: the owner of the money, and the part still held', async () => {
    assert.deepEqual(rowValues(await report('trust')), [
      ['CLIENT', 'SEK', 800, 0, 800, 800, 0],
      ['OTHER', 'SEK', 30, 30, 0, 0, 0],
    ])
    assert.deepEqual(rowValues(await report('trust', '?to=2026-04-30')), [
      ['CLIENT', 'SEK', 500, 0, 500, 0, 500],
    ])
  })

  test('trust-balance: the bank account equals the money held, with no difference', async () => {
    // 540 + 300 + 30 + 9 came in, 15 were refunded and 800 paid out.
    assert.deepEqual(rowValues(await report('trust-balance')), [['SEK', 64, 0, 30, 25, 9, 0]])
    assert.deepEqual(rowValues(await report('trust-balance', '?to=2026-04-30')), [
      ['SEK', 540, 500, 0, 40, 0, 0],
    ])
  })

  test('plans: their states, and the paid share of due payments', async () => {
    const { debtorGuid, paymentReferenceNumber } = await cases.register({
      principal: 900,
      currencyCode: 'DKK',
    })
    const body = {
      paymentPlanType: 1,
      numberOfPayments: 3,
      payments: [{ paymentNo: 1, specifiedDueDate: '2026-06-16T00:00:00Z' }],
    }
    const made = await api.call<{ paymentPlanGuid: string }>('POST', `/debtors/${debtorGuid}/paymentplans`, {
      body,
    })
    const path = `/debtors/${debtorGuid}/paymentplans/${made.body.paymentPlanGuid}`
    assert.deepEqual(rowValues(await report('plans')), [['DKK', '1', 1, 0, 0, 0, 0, 0, 0, 0, null]])
    await api.call('POST', `${path}/activate`, { body: {} })
    await api.setDate('2026-06-16')
    await registerPayment(
      api.sql,
      agencyCaller,
      { paymentReferenceNumber, amount: 75, currencyCode: 'DKK' },
      contextOn('2026-06-16'),
    )
    const { rows } = await report('plans')
    const [row] = rows
    assert.deepEqual([row!['active'], row!['paid']], [1, 75])
    assert.equal(row!['paidPercent'], Math.round(75_000 / Number(row!['due'])) / 10)
    await api.setDate('2026-06-15')
  })

  test('of one client, and for a creditor only of their own clients', async () => {
    const own = await report('collected', `?clientGuid=${cases.other}`)
    assert.deepEqual(rowValues(own), [['OTHER', 'SEK', '2026-06', 0, 0, 30, 30, 20]])
    const token = await api.signIn(6, cases.other)
    for (const name of ['portfolio', 'aging', 'collected', 'trust'] as const) {
      const { rows } = await report(name, '', { token })
      assert.deepEqual([...new Set(rows.map(({ client }) => client))], ['OTHER'], name)
      assert.deepEqual((await report(name, `?clientGuid=${cases.client}`, { token })).rows, [], name)
    }
    for (const name of ['plans', 'trust-balance'] as const)
      assert.deepEqual((await report(name, '', { token })).rows, [], name)
    const mine = await api.signIn(6, cases.client)
    assert.equal((await report('plans', '', { token: mine })).rows.length, 1)
    assert.deepEqual((await report('portfolio', `?clientGuid=${nowhere}`)).rows, [])
  })

  test('as CSV that is safe in a spreadsheet, and as PDF', async () => {
    await api.sql`update party set name = '=1+1' where id = ${cases.other}`
    const csv = await api.call('GET', '/reports/collected?format=csv')
    assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.match(csv.headers.get('content-disposition')!, /filename="collected-2026-06-15.csv"/)
    const lines = csv.text.trim().split('\r\n')
    assert.equal(
      lines[0]!.replace('\ufeff', ''),
      'Client,Currency,Month,Principal,Interest,Costs,Sum,Paid by debtors directly to the client or others',
    )
    assert.ok(lines.includes("'=1+1,SEK,2026-06,0.00,0.00,30.00,30.00,20.00"), csv.text)
    for (const name of reportNames) {
      const pdf = await fetch(`${api.address}/api/v1/reports/${name}?format=pdf`, {
        headers: { authorization: `Bearer ${api.token}` },
      })
      assert.equal(pdf.headers.get('content-type'), 'application/pdf')
      assert.equal(
        Buffer.from(await pdf.arrayBuffer())
          .subarray(0, 5)
          .toString(),
        '%PDF-',
        name,
      )
    }
  })

  test('as PDF in the words of each language, and as CSV with codes', async () => {
    const portfolio = await report('portfolio')
    const words = (language: Language) =>
      new Set(buildSheet(portfolio, { language, agency: 'AGENCY' }).rows.map((row) => row[2]))
    const closed: Record<Language, string> = {
      en: 'Closed',
      sv: 'Avslutat',
      no: 'Avsluttet',
      da: 'Afsluttet',
      fi: 'Päätetty',
      de: 'Abgeschlossen',
    }
    for (const language of languages) {
      assert.ok(words(language).has(closed[language]), [...words(language)].join())
      assert.ok(![...words(language)].some((word) => /^[A-Z]+$/.test(word!)), language)
    }
    const collected = buildSheet(await report('collected'), { language: 'sv', agency: 'AGENCY' })
    assert.deepEqual([...new Set(collected.rows.map((row) => row[2]))], ['juni 2026', 'april 2026'])
    const plans = await report('plans')
    const types = buildSheet(plans, { language: 'de', agency: 'AGENCY' }).rows.map((row) => row[1])
    assert.deepEqual(types, ['Annuität'])
    const csv = await api.call('GET', '/reports/portfolio?format=csv')
    assert.match(csv.text, /,CLOSED,/)
    assert.doesNotMatch(csv.text, /Closed/)
  })

  test('an unknown report, or a period that ends before it begins, is refused', async () => {
    assertProblem(await api.call('GET', '/reports/other'), 'not-found', /no such report/)
    assertProblem(
      await api.call('GET', '/reports/collected?from=2026-05-01&to=2026-04-01'),
      'invalid',
      /must not be after/,
    )
    assertProblem(await api.call('GET', '/reports/collected?from=yesterday'), 'invalid', /date/)
    assertProblem(await api.call('GET', '/reports/collected?format=xls'), 'invalid', /json, csv, pdf/)
  })
})

test('every report and column has a title in every language', () => {
  for (const language of languages)
    for (const name of reportNames) {
      assert.ok(reportTitle(name, language))
      for (const [code] of reports[name].columns) assert.ok(columnTitle(code, language), code)
    }
})
