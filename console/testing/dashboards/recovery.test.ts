/** The recovery rate on the dashboard. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findViolations, password, skip, startConsole, type ConsoleTest } from '../browser.ts'

const login = 'chef@agency.example'

describe('the recovery rate', { skip }, () => {
  let tested: ConsoleTest
  before(async () => {
    tested = await startConsole()
    const { api } = tested
    await api.addUser({ email: login, password, userRole: 2 })
    const clientGuid = await api.addParty('KRAFT')
    const register = async (day: string, principal: number) => {
      await api.setDate(day)
      const debtor = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Ek' } })
      const body = { clientGuid, debtorGuid: debtor.body.debtorGuid, principal, currencyCode: 'SEK' }
      return api.call<{ caseGuid: string }>('POST', '/system/forms/case/register', { body })
    }
    const first = await register('2026-01-10', 1000)
    await api.setDate('2026-02-01')
    await api.call('POST', '/system/forms/payment/register', {
      body: { caseGuid: first.body.caseGuid, amount: 400 },
    })
    await register('2026-02-10', 500)
    await api.setDate('2026-06-15')
  })
  after(() => tested?.close())

  test('stands as a tile, by age and by client, each leading to its cases', async () => {
    const { page, close } = await tested.open('/dashboard', { login })
    const tile = page.getByRole('link', { name: /Recovered within 90 days/ })
    await tile.filter({ hasText: '0 %' }).filter({ hasText: 'January 2026: 40 %' }).waitFor()
    const byAge = page.getByRole('region', { name: 'Recovery by age', exact: true })
    await byAge.getByRole('row', { name: /Within 90 days February 2026 0 % 40 % −40 points/ }).waitFor()
    const byClient = page.getByRole('region', { name: 'Recovery by client', exact: true })
    await byClient.getByRole('row', { name: /KRAFT.*1,500.00.*400.00.*27 %/ }).waitFor()
    assert.deepEqual(await findViolations(page, 'recovery on the dashboard'), [])
    await byClient.getByRole('link', { name: 'KRAFT' }).click()
    await page.getByRole('heading', { level: 1, name: 'Cases' }).waitFor()
    await page.getByText('2 rows', { exact: true }).waitFor()
    await page.goBack()
    await tile.click()
    await page.getByText('1 row', { exact: true }).waitFor()
    await close()
  })
})
