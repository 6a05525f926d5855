/** Reports in the console: chosen by keyboard, of a period and a client, drawn, in numbers, and as files. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { reportNames } from '../../contract/insight/reports.ts'
import { reportKinds } from '../src/screens/reports/report-search.ts'
import { findViolations, password, skip, startConsole, type ConsoleTest } from './browser.ts'
import { collect } from './collect.ts'

test('every report can be chosen', () => {
  assert.deepEqual(
    reportKinds.map(({ name }) => name),
    [...reportNames],
  )
})

const rows = (page: Page, report: string) =>
  page.getByRole('region', { name: `${report}: rows`, exact: true }).locator('tbody tr')

describe('reports', { skip }, () => {
  const login = 'rapport@agency.example'
  const creditor = 'borgenar@kraft.example'
  let tested: ConsoleTest

  before(async () => {
    tested = await startConsole()
    const { api } = tested
    await api.setDate('2026-03-10')
    await api.addUser({ email: login, password, userRole: 3 })
    const [own, other] = [await api.addParty('KRAFT'), await api.addParty('VATTEN')]
    const userGuid = await api.addUser({ email: creditor, password, userRole: 6 })
    await api.sql`update app_user set party_id = ${own} where id = ${userGuid}`
    await collect(api, own, 300)
    await collect(api, other, 200)
    await collect(api, own, 70, 'EUR')
    await api.setDate('2026-04-15')
    await collect(api, own, 50)
  })
  after(() => tested?.close())

  test('are chosen by keyboard, narrowed to a client and a period, and saved', async () => {
    const { page, close } = await tested.open('/', { login })
    await page.getByRole('link', { name: 'Reports' }).press('Enter')
    await rows(page, 'Portfolio').filter({ hasText: 'VATTEN' }).waitFor()
    assert.deepEqual(await findViolations(page, 'portfolio'), [])
    await page.getByRole('button', { name: 'Collected', exact: true }).press('Enter')
    const collected = rows(page, 'Collected')
    await collected.filter({ hasText: /KRAFT.*SEK.*April 2026.*50\.00/ }).waitFor()
    await page.getByText('1 Jan 2026 to 15 Apr 2026').waitFor()
    await page.getByRole('combobox', { name: 'Client' }).fill('kraf')
    await page.getByRole('option', { name: /KRAFT/ }).click()
    await collected.filter({ hasText: 'VATTEN' }).waitFor({ state: 'detached' })
    await page.getByLabel('From', { exact: true }).fill('2026-04-01')
    await page.keyboard.press('Enter')
    await collected.filter({ hasText: 'March 2026' }).first().waitFor({ state: 'detached' })
    await collected.filter({ hasText: 'Sum in SEK' }).filter({ hasText: '50.00' }).waitFor()
    assert.deepEqual(await findViolations(page, 'collected'), [])
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).press('Enter'),
    ])
    assert.equal(csv.suggestedFilename(), 'collected.csv')
    const text = readFileSync(await csv.path(), 'utf8')
    assert.match(text, /KRAFT[^]*2026-04[^]*50\.00/)
    assert.doesNotMatch(text, /VATTEN|2026-03/)
    const [pdf] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as PDF' }).press('Enter'),
    ])
    assert.equal(
      readFileSync(await pdf.path())
        .subarray(0, 5)
        .toString(),
      '%PDF-',
    )
    // What was chosen is in the address: the same after it is loaded anew.
    await page.reload()
    await collected.filter({ hasText: /KRAFT.*April 2026/ }).waitFor()
    assert.equal(await page.getByLabel('From', { exact: true }).inputValue(), '01/04/2026')
    await page.locator('.chart-column').last().click()
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    await page.getByText('1 row', { exact: true }).waitFor()
    await close()
  })

  test('that cannot be made say why, and those without rows say so', async () => {
    const { page, close } = await tested.open('/reports?report=collected&from="2027-01-01"', { login })
    await page
      .getByRole('alert')
      .getByText(/The last day is before the first/)
      .waitFor()
    await page.getByRole('button', { name: 'Payment plans', exact: true }).click()
    await page.getByText('Nothing to report.').waitFor()
    for (const name of ['Age of claims', 'Client money', 'Client money against the bank account']) {
      await page.getByRole('button', { name, exact: true }).click()
      await rows(page, name).first().waitFor()
      assert.deepEqual(await findViolations(page, name), [])
    }
    await close()
  })

  test('show a creditor their own alone', async () => {
    const { page, close } = await tested.open('/reports', { login: creditor })
    await rows(page, 'Portfolio').filter({ hasText: 'KRAFT' }).first().waitFor()
    assert.equal(await rows(page, 'Portfolio').filter({ hasText: 'VATTEN' }).count(), 0)
    await page.getByRole('combobox', { name: 'Client' }).fill('vatt')
    await page.getByText('Nothing found').waitFor()
    await page.getByRole('button', { name: 'Client money against the bank account' }).click()
    await page.getByText('Nothing to report.').waitFor()
    await close()
  })
})
