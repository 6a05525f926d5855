/** The limitation clock of a case over HTTP, and the warning when a barred claim is registered. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LimitationClock } from '../../../contract/cases/limitation.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { makeDebtor, openCases, setTerms } from '../../testing/records/cases.ts'

let api: TestApi
let at: Awaited<ReturnType<typeof openCases>>
before(async () => {
  api = await startApi()
  at = await openCases(api)
  await setTerms(api, at.client, { country_code: 'SE' })
  await setTerms(api, at.other, { country_code: 'DE' })
})
after(() => api.close())

/** getCaseLimitation */
const readClock = async (caseGuid: string, token = api.token) =>
  api.call<LimitationClock>('GET', `/cases/${caseGuid}/limitation`, { token })
const interrupt = (caseGuid: string, interruption: string, interruptedDate: string, more: object = {}) =>
  api.call('POST', `/system/forms/limitation/interrupt?id=${caseGuid}`, {
    body: { interruption, interruptedDate, ...more },
  })
const day = (text: string | null) => text?.slice(0, 10)

test('the clock tells its start, period, rule, interruptions and end (getCaseLimitation)', async () => {
  const { caseGuid } = await at.register({ invoiceDate: '2024-01-10', dueDate: '2024-02-10' })
  const first = (await readClock(caseGuid)).body
  assert.deepEqual(
    [first.country, first.claimKind, first.periodYears, first.interruptions.length, first.barred],
    ['SE', 'CONSUMER', 3, 0, false],
    'a private debtor’s claim of unstated kind takes the shorter period',
  )
  assert.deepEqual(
    [day(first.begins), day(first.firstDate), day(first.limitationDate)],
    ['2024-01-10', '2027-01-10', '2027-01-10'],
  )
  assert.match(first.rule!, /^SE-/)
  assert.match(first.source!, /1981:130/)
  assert.equal(first.daysLeft, 209)
  assert.equal((await interrupt(caseGuid, 'DEMAND', '2026-06-01')).status, 201)
  await at.pay({ caseGuid, amount: 10, valueDate: '2026-06-15' })
  const { body } = await readClock(caseGuid)
  assert.deepEqual(
    body.interruptions.map(({ interruption, date, counted, limitationDate }) => [
      interruption,
      day(date),
      counted,
      day(limitationDate),
    ]),
    [
      ['DEMAND', '2026-06-01', true, '2029-06-01'],
      ['PAYMENT', '2026-06-15', true, '2029-06-15'],
    ],
  )
  assert.deepEqual([day(body.firstDate), day(body.limitationDate)], ['2027-01-10', '2029-06-15'])
})

test('in Germany the period runs from the end of the year, and a demand does not count', async () => {
  const { caseGuid } = await at.register({
    clientGuid: at.other,
    currencyCode: 'EUR',
    dueDate: '2024-02-10',
  })
  await interrupt(caseGuid, 'DEMAND', '2026-06-01')
  const { body } = await readClock(caseGuid)
  assert.deepEqual(
    [day(body.begins), day(body.runsFrom), day(body.limitationDate)],
    ['2024-02-10', '2024-12-31', '2027-12-31'],
  )
  assert.deepEqual(
    body.interruptions.map(({ interruption, counted }) => [interruption, counted]),
    [['DEMAND', false]],
  )
})

test('a claim that is barred is said to be, and other clients’ cases are hidden', async () => {
  const { caseGuid } = await at.register({ invoiceDate: '2020-01-10', dueDate: '2020-02-10' })
  const { body } = await readClock(caseGuid)
  assert.equal(body.barred, true)
  assert.ok(body.daysLeft! < 0)
  const token = await api.signIn(6, at.other)
  assert.equal((await readClock(caseGuid, token)).status, 404)
})

test('registering a barred claim warns, in the answer and in the form’s recalculation; it is no refusal', async () => {
  const debtorGuid = await makeDebtor(api)
  const body = {
    clientGuid: at.client,
    debtorGuid,
    principal: 1000,
    currencyCode: 'SEK',
    invoiceDate: '2020-01-10',
    dueDate: '2020-02-10',
  }
  type Warned = { warnings: string | null; caseGuid: string }
  const path = '/system/forms/case/register'
  const preview = await api.call<Warned>('POST', `${path}/recalculate?recalc=totals`, { body })
  assert.equal(preview.status, 200, preview.text)
  assert.match(preview.body.warnings!, /time-barred on 10 Jan 2023/)
  const made = await api.call<Warned>('POST', path, { body })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.warnings, preview.body.warnings)
  const swedish = await api.call<Warned>('POST', path, { body, headers: { 'accept-language': 'sv' } })
  assert.match(swedish.body.warnings ?? '', /10 Jan 2023/)
  // A business has ten years, and so no warning.
  const company = await makeDebtor(api, { lastname: null, fullName: 'Bolaget AB', juridicalType: 1 })
  const other = { ...body, debtorGuid: company }
  for (const answer of [
    await api.call<Warned>('POST', `${path}/recalculate?recalc=totals`, { body: other }),
    await api.call<Warned>('POST', path, { body: other }),
  ])
    assert.equal(answer.body.warnings ?? null, null, answer.text)
})

/** A case that Danish law governs. */
async function registerDanish(): Promise<string> {
  const { caseGuid } = await at.register({ dueDate: '2024-02-10' })
  const law = { governingCountry: 'DK', countryReason: 'A Danish debtor.' }
  await api.call('PATCH', `/system/forms/case/law?id=${caseGuid}`, { body: law })
  return caseGuid
}

test('DK: only an acknowledgement in writing with the amount starts ten years; nothing else is in writing', async () => {
  const [oral, written] = [await registerDanish(), await registerDanish()]
  assert.equal((await interrupt(oral, 'ACKNOWLEDGEMENT', '2026-05-01')).status, 201)
  assert.equal((await interrupt(written, 'ACKNOWLEDGEMENT', '2026-05-01', { inWriting: true })).status, 201)
  for (const [caseGuid, inWriting, end] of [
    [oral, false, '2029-05-01'],
    [written, true, '2036-05-01'],
  ] as const) {
    const { body } = await readClock(caseGuid)
    assert.deepEqual([body.interruptions[0]!.inWriting, day(body.limitationDate)], [inWriting, end])
    assert.match(body.source!, /A\.A\.9\.5\.1\.2/)
  }
  const refused = await interrupt(oral, 'DEMAND', '2026-05-01', { inWriting: true })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /is of an acknowledgement alone/)
})
