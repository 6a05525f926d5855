/** What the amounts of a list and of selected rows are together. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findViolations, password, skip, startConsole, type ConsoleTest } from '../browser.ts'

const login = 'summa@agency.example'
const path = `/cases?filter=${encodeURIComponent(`startswith(mainDebtorName,'Summa')`)}&sort=caseNumber`

async function readFoot(page: Page): Promise<string[][]> {
  const rows = page.locator('tfoot tr')
  await rows.first().waitFor()
  const texts = await rows.evaluateAll((all) =>
    (all as HTMLTableRowElement[]).map((row) => [...row.cells].map(({ textContent }) => textContent)),
  )
  return texts.map((cells) => cells.map((text) => text.replaceAll('\u00a0', ' ')))
}

describe('the sums of a list', { skip }, () => {
  let tested: ConsoleTest

  before(async () => {
    tested = await startConsole()
    const { api } = tested
    await api.addUser({ email: login, password, userRole: 3 })
    const clientGuid = await api.addParty('KRAFT')
    const debtor = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Summa' } })
    const { debtorGuid } = debtor.body
    for (let index = 0; index < 27; index++) {
      const currencyCode = index % 9 === 0 ? 'NOK' : 'SEK'
      const body = { clientGuid, debtorGuid, principal: 1000.1, currencyCode }
      const made = await api.call('POST', '/system/forms/case/register', { body })
      assert.equal(made.status, 201, made.text)
    }
  })
  after(() => tested?.close())

  test('stand under the amounts, for all pages and each currency, and beside what is selected', async () => {
    const { page, close } = await tested.open(path, { login })
    assert.deepEqual(await readFoot(page), [
      ['Sum of 3 rows in NOK', 'NOK 3,000.30', 'NOK 3,000.30'],
      ['Sum of 24 rows in SEK', 'SEK 24,002.40', 'SEK 24,002.40'],
    ])
    assert.equal(await page.locator('tbody tr').count(), 25)
    const boxes = page.locator('tbody input[type=checkbox]')
    for (const index of [0, 1, 2]) await boxes.nth(index).check()
    await page.getByText('3 selected: NOK 1,000.10, SEK 2,000.20', { exact: true }).waitFor()
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
    await page.getByRole('button', { name: 'Select all 27 matching' }).click()
    await page.getByText('27 selected: NOK 3,000.30, SEK 24,002.40', { exact: true }).waitFor()
    assert.deepEqual(await findViolations(page, 'sums of a list'), [])
    await close()
  })

  test('are a card on a telephone, and printed once', async () => {
    const { page, close } = await tested.open(path, { login, width: 390, height: 844 })
    await readFoot(page)
    const cards = page.locator('tfoot tr')
    await cards.last().getByRole('rowheader', { name: 'Sum of 24 rows in SEK' }).waitFor()
    await cards.last().locator('[data-label="Sum, remaining"]').getByText('SEK 24,002.40').waitFor()
    assert.deepEqual(await findViolations(page, 'sums on a telephone'), [])
    await page.setViewportSize({ width: 1000, height: 800 })
    await page.emulateMedia({ media: 'print' })
    const display = await page.locator('tfoot').evaluate((foot) => getComputedStyle(foot).display)
    assert.equal(display, 'table-row-group')
    await close()
  })

  test('of very many rows are added up when asked for, and may be too many', async () => {
    const { page, close } = await tested.open('/payments', { login })
    const sums = null
    const asked: string[] = []
    // Three million cases are no matter for this test.
    await page.route(/\/api\/v1\/cases\?/, async (route) => {
      const isSum = route.request().url().includes('sums=')
      if (isSum) asked.push(route.request().url())
      const response = await route.fetch()
      const body = (await response.json()) as object
      await route.fulfill({ response, json: { ...body, total: 3_000_000, ...(isSum && { sums }) } })
    })
    await page.goto(path)
    await page.getByText('3,000,000 rows', { exact: true }).waitFor()
    const button = page.getByRole('button', { name: 'Add up the amounts' })
    await button.waitFor()
    assert.equal(asked.length, 0)
    await button.click()
    await page.getByText('3,000,000 rows · Too many rows to add up. Filter the list.').waitFor()
    assert.equal(await page.locator('tfoot').count(), 0)
    assert.ok(asked.every((url) => url.includes('%24top=0') || url.includes('$top=0')))
    // An answer that is still read when its page closes would fail whichever test comes next.
    await page.unrouteAll({ behavior: 'wait' })
    await close()
  })
})
