/** Selected rows are exported. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findViolations, password, skip, startConsole, type ConsoleTest } from '../browser.ts'

const login = 'manga@agency.example'
const rowsOfPage = 25
const count = rowsOfPage + 3

/** The lines of the exported file without the heading. */
async function exportCsv(page: Page): Promise<number> {
  await page.getByRole('button', { name: 'Export selected' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV' }).click(),
  ])
  return (
    readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n').length - 1
  )
}

describe('an export of selected rows', { skip }, () => {
  let tested: ConsoleTest
  before(async () => {
    tested = await startConsole()
    const { api } = tested
    await api.addUser({ email: login, password, userRole: 3 })
    const clientGuid = await api.addParty('KRAFT')
    for (let number = 0; number < count; number++) {
      const debtor = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Ek' } })
      const body = { clientGuid, debtorGuid: debtor.body.debtorGuid, principal: 100, currencyCode: 'SEK' }
      await api.call('POST', '/system/forms/case/register', { body })
    }
  })
  after(() => tested?.close())

  test('has the chosen rows, or all that the filter matches', async () => {
    const { page, close } = await tested.open('/cases?sort=caseNumber', { login })
    const boxes = page.locator('tbody').getByRole('checkbox')
    await boxes.nth(0).check()
    await boxes.nth(1).check()
    await page.getByText(/^2 selected/).waitFor()
    assert.equal(await exportCsv(page), 2)
    assert.deepEqual(await findViolations(page, 'the actions on selected rows'), [])
    await page.locator('thead').getByRole('checkbox').check()
    await page.getByRole('button', { name: `Select all ${count}` }).click()
    await page.getByText(`${count} selected`).first().waitFor()
    assert.equal(await exportCsv(page), count)
    await close()
  })
})
