/** What an administrator does. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runJobs } from '../../server/testing/jobs.ts'
import { findViolations, password, skip, startConsole, type ConsoleTest } from './browser.ts'

const login = 'chef@agency.example'

describe('an administrator', { skip }, () => {
  let tested: ConsoleTest
  let runner: Awaited<ReturnType<typeof runJobs>>

  before(async () => {
    tested = await startConsole()
    await tested.api.addUser({ email: login, password, userRole: 2 })
    runner = await runJobs(tested.api)
  })
  after(async () => {
    await runner?.stop()
    await tested?.close()
  })

  test('has the chain of the audit trail checked', async () => {
    const { page, close } = await tested.open('/audit', { login })
    await page.getByRole('button', { name: 'Check the chain' }).click()
    await page.getByText('The trail is whole').waitFor()
    assert.deepEqual(await findViolations(page, 'chain check'), [])
    await close()
  })

  test('makes an access group out of codes, sees what it opens, and changes it', async () => {
    const { page, close } = await tested.open('/access', { login })
    await page.getByRole('button', { name: 'New access group' }).click()
    const dialog = page.getByRole('dialog', { name: 'New access group' })
    await dialog.getByRole('textbox', { name: 'Code', exact: true }).fill('WEBB')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Webb')
    await dialog.getByRole('combobox', { name: 'Access codes' }).click()
    await dialog.getByRole('combobox', { name: 'Access codes' }).fill('audit.read')
    await page.getByRole('option', { name: /audit\.read/ }).click()
    await page.keyboard.press('Tab')
    await dialog.getByRole('button', { name: 'Create' }).click()
    const matrix = page.getByRole('region', { name: 'Who may do what', exact: true })
    await matrix.getByRole('columnheader', { name: 'Group Webb' }).waitFor()
    await matrix.getByRole('textbox', { name: 'Find an operation' }).fill('audit entries')
    const row = matrix.getByRole('row', { name: /List audit entries/ })
    assert.equal(await row.getByRole('cell').last().innerText(), 'Yes')
    await matrix.getByRole('textbox', { name: 'Find an operation' }).fill('list webhooks')
    const other = matrix.getByRole('row', { name: /^List webhooks/ })
    assert.equal(await other.getByRole('cell').last().innerText(), 'No')
    await matrix.getByText('Forms', { exact: true }).click()
    await matrix.getByRole('textbox', { name: 'Find a form' }).fill('debtor/edit')
    const form = matrix.getByRole('row', { name: /^debtor\/edit/ })
    const cells = await form.getByRole('cell').allInnerTexts()
    // Administrator, case handler, other of the agency, creditor, field collector, the group.
    assert.deepEqual(cells.slice(1), [
      'open, store',
      'open, store',
      'open',
      'open',
      'open',
      'nothing',
    ])
    assert.deepEqual(await findViolations(page, 'matrix of forms'), [])
    await matrix.getByText('Operations', { exact: true }).click()
    await matrix.getByRole('textbox', { name: 'Find an operation' }).fill('list webhooks')
    await page.getByRole('button', { name: 'Edit WEBB' }).click()
    const editing = page.getByRole('dialog', { name: 'Edit WEBB' })
    await editing.getByText(/audit\.read/).waitFor()
    assert.deepEqual(await findViolations(page, 'access group'), [])
    await editing.getByRole('combobox', { name: 'Access codes' }).click()
    await editing.getByRole('combobox', { name: 'Access codes' }).fill('system.admin')
    await page.getByRole('option', { name: /system\.admin/ }).click()
    await page.keyboard.press('Tab')
    await editing.getByRole('button', { name: 'Save' }).click()
    await other.getByRole('cell').last().filter({ hasText: 'Yes' }).waitFor()
    await page.getByRole('button', { name: 'Delete WEBB' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No access groups', { exact: false }).waitFor()
    await close()
  })

  test('starts a command from the list of them', async () => {
    const { page, close } = await tested.open('/jobs/commands', { login })
    await page.getByRole('button', { name: 'Start: Rebuild the search' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Run a command' })
    assert.equal(await dialog.getByRole('combobox', { name: 'Command' }).inputValue(), 'Rebuild the search')
    await dialog.getByRole('button', { name: 'Start' }).click()
    await page.getByText('It is under way.').waitFor()
    await page.getByRole('link', { name: 'Jobs' }).click()
    await page.getByRole('cell', { name: 'Rebuild the search' }).waitFor()
    await close()
  })

  test('holds a user to clients, found by name', async () => {
    await tested.api.addParty('KRAFT')
    const userGuid = await tested.api.addUser({ email: 'hallen@agency.example', password })
    const { page, close } = await tested.open(`/users/${userGuid}`, { login })
    await page.getByRole('combobox', { name: 'Add a client' }).click()
    await page.getByRole('combobox', { name: 'Add a client' }).fill('kraf')
    await page.getByRole('option', { name: /KRAFT/ }).click()
    const below = page.getByRole('checkbox', { name: 'with those below it' })
    assert.equal(await below.isChecked(), true)
    assert.deepEqual(await findViolations(page, 'client restriction'), [])
    await below.uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    const { body } = await tested.api.call<{ clientRestriction: object[] }>('GET', `/users/${userGuid}`)
    assert.deepEqual(body.clientRestriction, [{ partyReferenceCode: 'KRAFT', includeSubParties: false }])
    await page.goto(`/users/${userGuid}`)
    await page.getByRole('button', { name: 'Remove KRAFT' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    const freed = await tested.api.call<{ clientRestriction: object[] }>('GET', `/users/${userGuid}`)
    assert.deepEqual(freed.body.clientRestriction, [])
    await close()
  })

  test('makes a webhook, is told its secret once, changes and deletes it', async () => {
    const { page, close } = await tested.open('/webhooks', { login })
    await page.getByRole('button', { name: 'New webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'New webhook' })
    await dialog.getByRole('textbox', { name: 'Address' }).fill('https://example.com/hook')
    await dialog.getByRole('combobox', { name: 'Types of events' }).fill('debtor.*')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await dialog.getByRole('button', { name: 'Create' }).click()
    const told = page.getByRole('dialog', { name: 'Secret' })
    const secret = await told.locator('.code').innerText()
    assert.match(secret, /^whsec_/)
    assert.deepEqual(await findViolations(page, 'webhook secret'), [])
    await told.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('link', { name: 'https://example.com/hook' }).click()
    await page.getByRole('heading', { level: 1, name: 'Webhook' }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    const editing = page.getByRole('dialog', { name: 'Edit the webhook' })
    await editing.getByText('debtor.*').waitFor()
    assert.ok(!(await page.content()).includes(secret))
    await editing.getByRole('textbox', { name: 'Description' }).fill('Till webben')
    await editing.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Till webben' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No webhooks.').waitFor()
    await close()
  })
})
