/** GET explain as a lawyer reads it: rules of fees, parts of rates, standstills, reversals and rounding. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CaseExplanation } from '../../../contract/cases/case-explanation.ts'
import { addInvoice } from '../../cases/movements.ts'
import { registerCase } from '../../cases/register-case.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { agencyCaller, contextOn, makeDebtor, setTerms } from '../../testing/records/cases.ts'
import { registerPayment } from '../payments.ts'
import { reversePayment } from '../reverse-payment.ts'

let api: TestApi
let client: string
before(async () => {
  api = await startApi()
  client = await api.addParty('CLIENT')
  await setTerms(api, client, {
    country_code: 'SE',
    interest_series: 'SE',
    interest_points: '8',
    reminder_fee_agreed: true,
  })
})
after(() => api.close())

const start = '2026-01-02'
async function open(input: object = {}) {
  await api.setDate(start)
  const debtorGuid = await makeDebtor(api)
  const whole = {
    clientGuid: client,
    debtorGuid,
    principal: 1000,
    currencyCode: 'SEK',
    dueDate: start,
    ...input,
  }
  return { debtorGuid, ...(await registerCase(api.sql, agencyCaller, whole, contextOn(start))) }
}
type Made = Awaited<ReturnType<typeof open>>
const explain = async ({ debtorGuid, caseGuid }: Made, language = 'en') =>
  (
    await api.call<CaseExplanation>('GET', `/debtors/${debtorGuid}/cases/${caseGuid}/explain`, {
      headers: { 'accept-language': language },
    })
  ).body
const readLines = (explained: CaseExplanation, figure: string) =>
  explained.figures.find((one) => one.figure === figure)!.lines
const form = async (type: string, { caseGuid }: Made, body: object, method: 'POST' | 'PATCH' = 'PATCH') => {
  const { status, text } = await api.call(method, `/system/forms/${type}?id=${caseGuid}`, { body })
  assert.ok(status < 300, text)
}

test('a fee names its kind, the rule that it was judged by, and where that is published', async () => {
  const made = await open()
  await api.setDate('2026-02-02')
  await form('fee/add', made, { feeType: 'reminder' }, 'POST')
  const [line] = readLines(await explain(made), 'accruedFee')
  assert.equal(line!.feeType, 'reminder')
  assert.equal(line!.lawRule, 'SE-REMINDER-CEILING')
  assert.match(line!.lawSource!, /1981:739/)
  assert.match(line!.note!, /Highest reminder fee/)
})

test('the rate is shown as reference rate and points, with the source of the reference rate', async () => {
  const made = await open()
  await api.setDate('2026-07-20')
  const lines = readLines(await explain(made), 'accruedInterest')
  const [row] = await api.sql<{ rate: number; source: string; unverified: boolean }[]>`
    select rate::float8 as rate, source, unverified from reference_rate
    where series = 'SE' and valid_from <= '2026-01-03' order by valid_from desc limit 1`
  const { referenceRate, ratePercent, note } = lines[0]!
  assert.deepEqual(
    [referenceRate!.series, referenceRate!.ratePercent, referenceRate!.marginPercent, referenceRate!.source],
    ['SE', row!.rate, 8, row!.source],
  )
  assert.equal(referenceRate!.verified, !row!.unverified)
  assert.equal(ratePercent, row!.rate + 8)
  assert.match(note!, /reference rate \(SE, from 1 J[a-z]+ 20/)
  const fixed = await open({ interestRate: 10 })
  await api.setDate('2026-02-02')
  assert.equal(readLines(await explain(fixed), 'accruedInterest')[0]!.referenceRate, undefined)
})

test('a line says by how much rounding takes it off its formula; others say nothing', async () => {
  const made = await open({ principal: 101, interestRate: 7 })
  for (const principal of [102, 103, 107])
    await addInvoice(
      api.sql,
      agencyCaller,
      { caseGuid: made.caseGuid, input: { principal, dueDate: start, interestRate: 7 } },
      contextOn(start),
    )
  await api.setDate('2026-01-09')
  const lines = readLines(await explain(made), 'accruedInterest')
  assert.equal(lines.length, 4)
  let off = 0
  for (const { principal, days, daysInYear, ratePercent, amount, rounding, note } of lines) {
    const formula = Math.round((principal! * ratePercent! * days!) / daysInYear!) / 100
    assert.equal(Math.round((amount - formula) * 100), Math.round((rounding ?? 0) * 100))
    if (rounding !== undefined) {
      off++
      assert.match(note!, /Rounded/)
    }
  }
  assert.ok(off > 0, 'the sum of these lines is rounded otherwise than each')
})

test('holds, closings, disputes and reversed payments are lines, in the caller’s language', async () => {
  const made = await open({ interestRate: 10 })
  await api.setDate('2026-01-05')
  await form('case/hold', made, { reason: 'HOLD_CLIENT' })
  await api.setDate('2026-01-08')
  await form('case/resume', made, {})
  await form('objection/create', made, { matter: 'OBJECTION', kind: 'PAID', reason: 'Paid.' }, 'POST')
  await api.setDate('2026-01-10')
  await form('case/close', made, { closureCode: 'RECALLED_BY_CLIENT' })
  await api.setDate('2026-01-12')
  await form('case/reopen', made, {})
  const { paymentGuid } = await registerPayment(
    api.sql,
    agencyCaller,
    { caseGuid: made.caseGuid, amount: 100, valueDate: '2026-01-12' },
    contextOn('2026-01-12'),
  )
  await api.setDate('2026-01-14')
  await reversePayment(
    api.sql,
    agencyCaller,
    { paymentGuid, input: { reason: 'Bounced', bounced: true } },
    contextOn('2026-01-14'),
  )
  const { standstills, reversals } = await explain(made)
  assert.deepEqual(
    standstills.map(({ kind, reason, fromDate, toDate, stopsInterest }) => [
      kind,
      reason,
      fromDate.slice(0, 10),
      toDate?.slice(0, 10) ?? null,
      stopsInterest,
    ]),
    [
      ['HOLD', 'HOLD_CLIENT', '2026-01-05', '2026-01-08', false],
      ['DISPUTE', 'PAID', '2026-01-08', null, false],
      ['CLOSED', 'RECALLED_BY_CLIENT', '2026-01-10', '2026-01-12', true],
    ],
  )
  assert.match(standstills[2]!.text, /^Closed from 10 Jan 2026 to 12 Jan 2026 \(.+\): interest stood still/)
  assert.deepEqual(
    reversals.map(({ kind, amount, paymentGuid: paid, date, reversedDate }) => [
      kind,
      amount,
      paid,
      date.slice(0, 10),
      reversedDate.slice(0, 10),
    ]),
    [['payment', 100, paymentGuid, '2026-01-12', '2026-01-14']],
  )
  assert.match(reversals[0]!.text, /Payment SEK.100\.00\. Value date 12 Jan 2026, reversed on 14 Jan 2026/)
})
