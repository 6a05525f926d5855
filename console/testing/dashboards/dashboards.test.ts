/** Saved dashboards. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findViolations, password, skip, startConsole, type ConsoleTest } from '../browser.ts'

const administrator = 'chef@agency.example'
const creditor = 'ekonomi@client.example'

const findTiles = (page: Page) => page.getByRole('region', { name: 'Key figures of the last whole month' })
const titles = (page: Page) => findTiles(page).locator('.figure-tile > :first-child').allInnerTexts()

describe('saved dashboards', { skip }, () => {
  let tested: ConsoleTest

  before(async () => {
    tested = await startConsole()
    const client = await tested.api.addParty('KRAFT')
    await tested.api.addUser({ email: administrator, password, userRole: 2 })
    const userGuid = await tested.api.addUser({ email: creditor, password, userRole: 7 })
    await tested.api.sql`update app_user set party_id = ${client} where id = ${userGuid}`
  })
  after(() => tested?.close())

  test('are chosen tile by tile with the keyboard, shared, shown to whom they are for, and deleted', async () => {
    const { page, close } = await tested.open('/dashboard', { login: administrator })
    await page.getByRole('button', { name: 'New dashboard' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'New dashboard' })
    await dialog.getByLabel('Name').fill('For clients')
    for (const tile of [
      'Cost per case',
      'Cost of collection',
      'Promised',
      'Plan performance',
      'Liquidity forecast',
      'Plan payments in time',
      'Recovered within 90 days',
      'Recovery by age',
      'Recovery by client',
    ])
      await dialog.getByRole('checkbox', { name: tile, exact: true }).press('Space')
    await dialog.getByRole('button', { name: 'Move up: Promises kept' }).press('Enter')
    await dialog.getByRole('textbox', { name: 'Whole months shown' }).fill('6')
    await dialog.getByRole('combobox', { name: 'Share with roles' }).click()
    await page.getByRole('option', { name: 'Creditor, finance' }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('combobox', { name: 'Shown first to these roles' }).press('ArrowDown')
    await page.getByRole('option', { name: 'Creditor, finance' }).click()
    await page.keyboard.press('Escape')
    assert.deepEqual(await findViolations(page, 'dialog of a dashboard'), [])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await findTiles(page).getByText('Promises kept').waitFor()
    assert.deepEqual(await titles(page), ['Promises kept', 'Collected'])
    // The choice is remembered.
    await page.reload()
    await findTiles(page).getByText('Promises kept').waitFor()
    assert.deepEqual(await titles(page), ['Promises kept', 'Collected'])
    assert.deepEqual(await findViolations(page, 'saved dashboard'), [])
    await seenByCreditor()
    await page.getByRole('button', { name: 'Edit' }).click()
    const edited = page.getByRole('dialog', { name: 'Change the dashboard' })
    await edited.getByLabel('Name').fill('For clients and us')
    await edited.getByRole('button', { name: 'Move down: Promises kept' }).press('Enter')
    await edited.getByRole('button', { name: 'Save' }).click()
    await edited.waitFor({ state: 'detached' })
    assert.equal(
      await page.getByRole('combobox', { name: 'Saved dashboard' }).inputValue(),
      'For clients and us',
    )
    assert.deepEqual(await titles(page), ['Collected', 'Promises kept'])
    await page.getByRole('button', { name: 'Delete this dashboard' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await findTiles(page).getByText('Promised', { exact: true }).waitFor()
    assert.equal((await tested.api.sql`select from dashboard`).length, 0)
    await close()
  })

  async function seenByCreditor() {
    const { page, close } = await tested.open('/dashboard', { login: creditor })
    await findTiles(page).getByText('Promises kept').waitFor()
    assert.deepEqual(await titles(page), ['Promises kept', 'Collected'])
    assert.equal(await page.getByRole('button', { name: 'New dashboard' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Edit' }).count(), 0)
    // All figures, but for those of the agency alone.
    await page.getByRole('combobox', { name: 'Saved dashboard' }).click()
    await page.getByRole('option', { name: 'All figures' }).click()
    await findTiles(page).getByText('Promised', { exact: true }).waitFor()
    assert.equal(await page.getByText('Cost per case').count(), 0)
    await close()
  }
})
