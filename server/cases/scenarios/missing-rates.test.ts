/** A half-year whose reference rate is not known: told in time, and its interest is provisional. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CaseExplanation } from '../../../contract/cases/case-explanation.ts'
import { rateSeries } from '../../../core/interest/reference-rates.ts'
import { listMissingRates, missingRatesWork } from '../../ledger/rates/missing-rates.ts'
import { runChunks } from '../../platform/jobs/chunked-work.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { agencyCaller, contextOn, makeDebtor, setTerms } from '../../testing/records/cases.ts'
import { registerCase } from '../register-case.ts'

let api: TestApi
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '' })
})
after(() => api.close())

const listSeries = (missing: readonly string[]) => missing.map((one) => one.split(' ')[0]).toSorted()

test('a half-year without a rate is told by the day-end a month before, and its interest is provisional', async () => {
  const missingOn = async (date: string) => {
    await api.setDate(date)
    return (await listMissingRates(api.sql)).map(({ series, from }) => `${series} ${from}`)
  }
  assert.ok((await missingOn('2026-12-01')).includes('NO 2027-01-01'))
  assert.ok(!(await missingOn('2026-11-30')).includes('NO 2027-01-01'))
  const ran = await runChunks(api.sql, missingRatesWork, contextOn('2026-12-01').origin)
  assert.ok(ran.missing.includes('NO 2027-01-01'))
  // Every shipped series is watched, the European one too. The monthly one of Iceland is, once a client follows it.
  const all = rateSeries.map(({ code }) => code).toSorted()
  assert.deepEqual(
    listSeries(ran.missing),
    all.filter((code) => code !== 'IS'),
  )
  const icelandic = await api.addParty('ICELAND')
  await setTerms(api, icelandic, { country_code: 'IS' })
  assert.deepEqual(listSeries(await missingOn('2026-12-01')), all)
  for (const [country, series, currencyCode] of [
    ['NO', 'NO', 'NOK'],
    ['DE', 'DE', 'EUR'],
    ['DE', 'EU', 'EUR'],
  ] as const)
    await checkProvisional({ country, series, currencyCode })
})

async function checkProvisional({
  country,
  series,
  currencyCode,
}: Record<'country' | 'series' | 'currencyCode', string>) {
  await api.setDate('2026-12-01')
  const client = await api.addParty(`${country} BY ${series}`)
  await setTerms(api, client, { country_code: country, interest_series: series, interest_points: 0 })
  const debtorGuid = await makeDebtor(api)
  const input = { clientGuid: client, debtorGuid, principal: 36_500, currencyCode }
  const { caseGuid } = await registerCase(api.sql, agencyCaller, input, contextOn('2026-12-01'))
  await api.setDate('2027-01-10')
  const { body } = await api.call<CaseExplanation>('GET', `/debtors/${debtorGuid}/cases/${caseGuid}/explain`)
  const lines = body.figures.find(({ figure }) => figure === 'accruedInterest')!.lines
  assert.deepEqual(
    lines.map(({ toDate, provisional }) => [toDate?.slice(0, 10), provisional ?? false]),
    [
      ['2026-12-31', false],
      ['2027-01-10', true],
    ],
    series,
  )
  assert.match(lines[1]!.text, /provisional: the rate from 1 Jan 2027 on is not known yet/)
}
