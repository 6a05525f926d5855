/** Every screen on a telephone, and the work that is done on one. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { CaseWork } from '../../../contract/work/work.ts'
import { findViolations, skip, startConsole, untilScreen, visitScreen, type ConsoleTest } from '../browser.ts'
import { walkScreens } from './all-screens.ts'
import { administrator as login, makeReference, type Reference } from './reference.ts'

const telephone = { width: 390, height: 844 }

describe('on a telephone', { skip }, () => {
  let tested: ConsoleTest
  let at: Reference

  before(async () => {
    tested = await startConsole()
    at = await makeReference(tested.api)
  })
  after(() => tested?.close())

  test('no screen moves sideways, no table is wider than it, and a thumb hits every target', async () => {
    const found = await walkScreens(tested, at, { login, ...telephone }, async (page, path, heading) => {
      await visitScreen(page, path, heading)
      return (await findMisfits(page)).map((about) => `${path}: ${about}`)
    })
    assert.deepEqual(found, [])
  })

  test('rows are cards that name their values, keep the order that is chosen, and open by a press', async () => {
    const { page, close } = await tested.open('/cases', { login, ...telephone })
    const names = page.locator('tbody [data-label="Main debtor"]')
    await names.first().waitFor()
    await page.getByRole('combobox', { name: 'Order' }).selectOption({ label: 'Main debtor ↑' })
    const { body } = await tested.api.call<{ value: { mainDebtorName: string }[] }>(
      'GET',
      '/cases?$orderby=mainDebtorName',
    )
    const expected = body.value.map(({ mainDebtorName }) => mainDebtorName)
    await page.waitForURL(/sort=mainDebtorName/)
    await names.first().filter({ hasText: expected[0]! }).waitFor()
    assert.deepEqual(await names.allTextContents(), expected)
    assert.deepEqual(await findViolations(page, 'cards'), [])
    await names.first().click()
    await untilScreen(page, /^Case /)
    const statement = page.getByRole('region', { name: 'Statement: rows' })
    const registration = statement.getByRole('row').filter({ hasText: 'Registration' })
    await registration.getByRole('cell', { name: /^Amount ?SEK/ }).waitFor()
    await registration.getByRole('cell', { name: /^Balance ?SEK/ }).waitFor()
    await close()
  })

  test('the next case is taken, a call is logged, and a payment registered, at the lower edge', async () => {
    const { page, close } = await tested.open('/', { login, ...telephone })
    await atLowerEdge(page, 'Take next')
    await page.getByRole('button', { name: 'Take next' }).click()
    await untilScreen(page, /^Case /)
    await atLowerEdge(page, 'Register a payment')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Change status' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Change status' }).count(), 0)
    await page.keyboard.press('Escape')
    await page.locator('.page-actions').getByRole('button', { name: 'Log a call' }).click()
    const call = page.getByRole('dialog', { name: 'Log a call' })
    await call.getByLabel('What was said').fill('Calls back')
    assert.deepEqual(await findMisfits(page), [])
    assert.deepEqual(await findViolations(page, 'a call'), [])
    await call.getByRole('button', { name: 'Save' }).click()
    await call.waitFor({ state: 'detached' })
    const panel = page.getByRole('region', { name: 'Calls', exact: true })
    await panel.getByText('Calls back').waitFor()
    const caseGuid = new URL(page.url()).pathname.split('/').at(-1)!
    const { body } = await tested.api.call<CaseWork>('GET', `/cases/${caseGuid}/work`)
    assert.equal(body.ownerName, login)
    await close()
  })
})

/** The button is where the thumb is: in the lowest tenth of the screen, whatever the page is scrolled to. */
async function atLowerEdge(page: Page, name: string): Promise<void> {
  const box = await page.locator('.page-actions').getByRole('button', { name }).boundingBox()
  assert.ok(box !== null && box.y > telephone.height * 0.9 && box.y + box.height <= telephone.height, name)
}

/**
 * What does not fit: a page or table wider than the screen, and targets of less than 44 px (an input counts with its
 * label). Left out are months of a chart, whose figures stand in a table, and what clears or shows an input's text.
 */
async function findMisfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    if (document.documentElement.scrollWidth > innerWidth) found.push('is wider than the screen')
    for (const table of document.querySelectorAll('table'))
      if (table.getBoundingClientRect().right > innerWidth)
        found.push(
          `table wider than the screen: ${table.closest('[aria-label]')?.getAttribute('aria-label')}`,
        )
    const small = 43.5
    const left = '.skip-link, .chart-column, .mantine-Pill-remove, .mantine-Input-section'
    const targets = 'button, a[href], input:not([type=hidden]), select, textarea, summary'
    for (const target of document.querySelectorAll<HTMLElement>(targets)) {
      if (target.closest(left) || !target.checkVisibility({ visibilityProperty: true })) continue
      const labels = [...((target as HTMLInputElement).labels ?? [])]
      const own = target.closest('td.select, .mantine-MultiSelect-root')
      const boxes = [target, ...labels, ...(own ? [own] : [])].map((one) => one.getBoundingClientRect())
      const width = Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map((box) => box.left))
      const height = Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top))
      const name = target.textContent || target.getAttribute('aria-label') || target.className
      if (width > 0 && (width < small || height < small))
        found.push(`small: ${target.tagName} ${name.slice(0, 40)} ${width.toFixed(0)}×${height.toFixed(0)}`)
    }
    return found
  })
}
