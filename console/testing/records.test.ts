/** What an administrator keeps by forms, listed. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findViolations, password, skip, startConsole, type ConsoleTest } from './browser.ts'

const login = 'admin@agency.example'

const rowWith = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const input = (page: Page, role: 'textbox' | 'combobox', name: string) =>
  page.getByRole('dialog').getByRole(role, { name, exact: true })
const save = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

describe('an administrator', { skip }, () => {
  let tested: ConsoleTest
  let clientGuid = ''
  before(async () => {
    tested = await startConsole()
    await tested.api.addUser({ email: login, password, userRole: 2 })
    const client = await tested.api.call<{ clientGuid: string }>('POST', '/system/forms/client/create', {
      body: { name: 'Kraftbolaget AB', partyReferenceCode: 'KRAFT' },
    })
    clientGuid = client.body.clientGuid
  })
  after(() => tested?.close())

  test('makes, changes and deletes a value of a lookup', async () => {
    const { page, close } = await tested.open('/lookups', { login })
    await page.getByText('No values have been added.').waitFor()
    await page.getByRole('button', { name: 'New lookup value' }).click()
    await input(page, 'combobox', 'Lookup').fill('munic')
    await page.getByRole('option', { name: /\(municipality\)$/ }).click()
    await input(page, 'textbox', 'Key').fill('1281')
    await input(page, 'textbox', 'English').fill('Lnud')
    await save(page, 'Create')
    await rowWith(page, 'Lnud').waitFor()
    await page.getByRole('button', { name: 'Edit municipality 1281' }).click()
    // What the field means belongs to its input.
    const english = input(page, 'textbox', 'English')
    const help = await english.getAttribute('aria-describedby')
    assert.match(await page.locator(`[id="${help}"]`).innerText(), /work in English/)
    await english.fill('Lund')
    await save(page, 'Save')
    await rowWith(page, 'Lund').waitFor()
    await page.getByRole('button', { name: 'Delete municipality 1281' }).click()
    assert.deepEqual(await findViolations(page, 'delete'), [])
    await save(page, 'Delete')
    await page.getByText('No values have been added.').waitFor()
    await close()
  })

  test('keeps what clients have, one kind at a time', async () => {
    const { page, close } = await tested.open('/holdings', { login })
    await page.getByText('Customers', { exact: true }).click()
    await page.waitForURL(/kind=customer/)
    await page.getByRole('button', { name: 'New customer' }).click()
    await input(page, 'combobox', 'Client').click()
    await page.getByRole('option', { name: /Kraftbolaget/ }).click()
    await input(page, 'textbox', 'Customer number').fill('K-17')
    await input(page, 'textbox', 'Name').fill('Bo Ek')
    await save(page, 'Create')
    await rowWith(page, 'Bo Ek').getByText('Kraftbolaget AB').waitFor()
    await page.getByRole('button', { name: 'Edit K-17' }).click()
    await input(page, 'textbox', 'City').fill('Lund')
    await save(page, 'Save')
    await rowWith(page, 'Bo Ek').getByText('Lund').waitFor()
    const purchase = { clientGuid, purchaseNumber: 'P-1', amount: 99.5, currencyCode: 'SEK' }
    await tested.api.call('POST', '/system/forms/purchase/create', { body: purchase })
    await page.getByText('Purchases', { exact: true }).click()
    await rowWith(page, 'P-1').getByText('99.50').waitFor()
    await close()
  })

  test('sees custom fields and overrides, and the form that they stand in', async () => {
    const { page, close } = await tested.open('/fields', { login })
    await page.getByRole('button', { name: 'New field' }).click()
    await input(page, 'textbox', 'Code').fill('boatName')
    await input(page, 'combobox', 'Record').click()
    await page.getByRole('option', { name: 'Debtor', exact: true }).click()
    await input(page, 'combobox', 'Type').click()
    await page.getByRole('option', { name: 'Line of text', exact: true }).click()
    await input(page, 'combobox', 'Lookup').fill('gender')
    await page.getByRole('option', { name: /Female.*\(gender\)$/ }).click()
    await input(page, 'combobox', 'Kind of personal data').click()
    await page.getByRole('option', { name: 'Contact details', exact: true }).click()
    await input(page, 'textbox', 'English').fill('Name of the boat')
    await save(page, 'Create')
    await rowWith(page, 'boatName').getByText('Line of text').waitFor()
    await page.locator('.preview').getByText('Name of the boat', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Delete debtor boatName' }).click()
    await save(page, 'Delete')
    await page.getByText('No custom fields yet.').waitFor()
    await close()
  })

  test('is told what uses an access group that is to be deleted', async () => {
    const { page, close } = await tested.open('/access', { login })
    await page.getByRole('button', { name: 'New access group' }).click()
    await input(page, 'textbox', 'Code').fill('READERS')
    await input(page, 'textbox', 'Name').fill('Readers')
    await save(page, 'Create')
    await rowWith(page, 'READERS').first().waitFor()
    await tested.api.sql`
      insert into user_access_group (user_id, access_group_id)
      select u.id, g.id from app_user u, access_group g where u.email = ${login}`
    await page.getByRole('button', { name: 'Delete READERS' }).click()
    await save(page, 'Delete')
    await page
      .getByRole('dialog')
      .getByText(/1 user/)
      .waitFor()
    await close()
  })

  test('corrects a reference rate', async () => {
    const { page, close } = await tested.open('/rates', { login })
    await page
      .getByRole('button', { name: /^Edit the rate: / })
      .first()
      .click()
    await input(page, 'textbox', 'Rate, percent per year').fill('7.77')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await rowWith(page, '7.77 %').getByText('Set here', { exact: true }).waitFor()
    await close()
  })
})
