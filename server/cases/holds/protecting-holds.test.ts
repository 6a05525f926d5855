/** A hold that protects the debtor is not replaced by another one unsaid: it is lifted first. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../../testing/api.ts'
import { openCases, type OpenedCases } from '../../testing/records/cases.ts'

let api: TestApi
let cases: OpenedCases
before(async () => {
  api = await startApi()
  cases = await openCases(api)
})
after(() => api.close())

const change = async (caseGuid: string, form: 'hold' | 'resume', body: object) =>
  (await api.call('PATCH', `/system/forms/case/${form}?id=${caseGuid}`, { body })).status

const readHold = async (caseGuid: string) =>
  (await api.sql<{ hold: string | null }[]>`select hold from debt_case where id = ${caseGuid}`)[0]!.hold

for (const [first, second, status] of [
  ['HOLD_DEBT_RELIEF', 'HOLD_DISPUTE', 409],
  ['HOLD_BANKRUPTCY', 'HOLD_CLIENT', 409],
  ['HOLD_DECEASED', 'HOLD_DEBT_RELIEF', 409],
  ['HOLD_DECEASED', 'HOLD_DECEASED', 200],
  ['HOLD_DEBT_RELIEF', 'HOLD_DECEASED', 200],
  ['HOLD_BANKRUPTCY', 'HOLD_DEBT_RELIEF', 200],
  ['HOLD_DISPUTE', 'HOLD_HARDSHIP', 200],
] as const)
  test(`${first} and then ${second}: ${status}`, async () => {
    const { caseGuid } = await cases.register()
    assert.equal(await change(caseGuid, 'hold', { reason: first }), 200)
    assert.equal(await change(caseGuid, 'hold', { reason: second }), status)
    assert.equal(await readHold(caseGuid), status === 200 ? second : first)
    assert.equal(await change(caseGuid, 'resume', {}), 200)
    assert.equal(await change(caseGuid, 'hold', { reason: second }), 200)
  })
