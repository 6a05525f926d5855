/** Fields that are edited in the rows of lists. Skipped without a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findViolations, password, skip, startConsole, type ConsoleTest } from '../browser.ts'

const login = 'rad@agency.example'
const reader = 'las@agency.example'

interface Debtor {
  debtorGuid: string
  cellularPhone: string | null
  email: string | null
  version: string
}

const pencil = (page: Page, field: string, name: string) =>
  page.getByRole('button', { name: `Edit ${field} of ${name}` })
const input = (page: Page, field: string) => page.locator('.cell-editor').getByLabel(field)

describe('rows that are edited in lists', { skip }, () => {
  let tested: ConsoleTest
  before(async () => {
    tested = await startConsole()
    await tested.api.addUser({ email: login, password, userRole: 3 })
    await tested.api.addUser({ email: reader, password, userRole: 6 })
  })
  after(() => tested?.close())

  const addDebtor = async (lastname: string): Promise<string> => {
    const { body, text } = await tested.api.call<{ debtorGuid: string }>('POST', '/debtors', {
      body: { lastname, cellularPhone: '+46701740605', email: 'fore@example.com' },
    })
    assert.ok(body.debtorGuid, text)
    return body.debtorGuid
  }
  const read = async (guid: string) => (await tested.api.call<Debtor>('GET', `/debtors/${guid}`)).body
  const openList = async (lastname: string, options: object = {}) => {
    const opened = await tested.open(
      `/debtors?filter=${encodeURIComponent(`contains(fullName,'${lastname}')`)}`,
      {
        login,
        ...options,
      },
    )
    await opened.page.getByRole('link', { name: lastname }).waitFor()
    return opened
  }

  test('a cell is edited by keys alone: F2, Tab to the next, Enter stores, Escape leaves', async () => {
    const guid = await addDebtor('Radberg')
    const { page, close } = await openList('Radberg')
    await page.keyboard.press('j')
    await page.keyboard.press('F2')
    await input(page, 'Mobile phone').fill('+46701740606')
    assert.deepEqual(await findViolations(page, 'a cell being edited'), [])
    await page.keyboard.press('Tab')
    await input(page, 'E-mail').fill('efter@example.com')
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: 'efter@example.com' }).waitFor()
    const { cellularPhone, email } = await read(guid)
    assert.deepEqual({ cellularPhone, email }, { cellularPhone: '+46701740606', email: 'efter@example.com' })
    assert.ok(await pencil(page, 'E-mail', 'Radberg').evaluate((own) => own === document.activeElement))
    await page.keyboard.press('Enter')
    await input(page, 'E-mail').fill('aldrig@example.com')
    await page.keyboard.press('Escape')
    await page.getByRole('cell', { name: 'efter@example.com' }).waitFor()
    assert.equal((await read(guid)).email, 'efter@example.com')
    await close()
  })

  test('what is wrong stands in the cell with what was typed, and the record stays', async () => {
    const guid = await addDebtor('Felgren')
    const { page, close } = await openList('Felgren')
    await pencil(page, 'E-mail', 'Felgren').click()
    await input(page, 'E-mail').fill('ingen adress')
    await page.keyboard.press('Enter')
    const cell = page.locator('td.edited')
    await cell
      .getByText(/not an e-mail address/)
      .first()
      .waitFor()
    assert.equal(await input(page, 'E-mail').inputValue(), 'ingen adress')
    assert.equal(await input(page, 'E-mail').getAttribute('aria-invalid'), 'true')
    assert.deepEqual(await findViolations(page, 'a cell with an error'), [])
    assert.equal((await read(guid)).email, 'fore@example.com')
    await page.keyboard.press('Escape')
    await close()
  })

  test('a change is undone from its notice, unless somebody has changed the field since', async () => {
    const guid = await addDebtor('Ångerström')
    const { page, close } = await openList('Ångerström')
    await pencil(page, 'Mobile phone', 'Ångerström').click()
    await input(page, 'Mobile phone').fill('+46701740607')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    assert.equal((await read(guid)).cellularPhone, '+46701740605')
    await pencil(page, 'Mobile phone', 'Ångerström').click()
    await input(page, 'Mobile phone').fill('+46701740608')
    await page.keyboard.press('Enter')
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    await tested.api.call('PATCH', `/debtors/${guid}`, { body: { cellularPhone: '+46701740609' } })
    await undo.click()
    await page.getByText('Not undone: somebody has changed it since.').waitFor()
    assert.equal((await read(guid)).cellularPhone, '+46701740609')
    await close()
  })

  test('a change by somebody else meanwhile is told, and both are kept where they differ in field', async () => {
    const guid = await addDebtor('Krockman')
    const { page, close } = await openList('Krockman')
    await pencil(page, 'E-mail', 'Krockman').click()
    await input(page, 'E-mail').fill('min@example.com')
    await tested.api.call('PATCH', `/debtors/${guid}`, { body: { cellularPhone: '+46701740601' } })
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save both changes' }).click()
    await page.getByRole('cell', { name: 'min@example.com' }).waitFor()
    const { cellularPhone, email } = await read(guid)
    assert.deepEqual({ cellularPhone, email }, { cellularPhone: '+46701740601', email: 'min@example.com' })
    await close()
  })

  test('what is typed survives a closed tab', async () => {
    await addDebtor('Kvarsson')
    const { page, context, close } = await openList('Kvarsson')
    await pencil(page, 'E-mail', 'Kvarsson').click()
    await input(page, 'E-mail').fill('halv@example.com')
    await page.waitForFunction(() => Object.values(localStorage).join().includes('halv@example.com'))
    const address = page.url()
    await page.close()
    const again = await context.newPage()
    await again.goto(address)
    await pencil(again, 'E-mail', 'Kvarsson').click()
    await again.getByRole('button', { name: 'Restore it' }).click()
    assert.equal(await input(again, 'E-mail').inputValue(), 'halv@example.com')
    await again.keyboard.press('Escape')
    await close()
  })

  test('the handler of a case is chosen in the row of its work', async () => {
    const { api } = tested
    await api.setDate('2026-06-15')
    const clientGuid = await api.addParty('RADKRAFT')
    const debtorGuid = await addDebtor('Handlund')
    const body = { clientGuid, debtorGuid, principal: 100, currencyCode: 'SEK', dueDate: '2026-02-28' }
    const made = await api.call<{ caseGuid: string; caseNumber: string }>(
      'POST',
      '/system/forms/case/register',
      { body },
    )
    assert.ok(made.status < 300, made.text)
    const { caseGuid, caseNumber } = made.body
    const next = { nextAction: 'Ring Handlund', nextActionDate: '2026-06-15T00:00:00Z' }
    await api.call('PUT', `/cases/${caseGuid}/nextaction`, { body: next })
    const { page, close } = await tested.open('/', { login })
    await page.getByRole('button', { name: /^Everybody's/ }).click()
    await pencil(page, 'Handler', caseNumber).click()
    const editor = page.locator('.cell-editor')
    await editor.getByRole('combobox').fill('rad@')
    await page.getByRole('option', { name: login }).click()
    assert.deepEqual(await findViolations(page, 'a handler being chosen'), [])
    await editor.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: `${login} Edit Handler` }).waitFor()
    const { ownerName } = (await api.call<{ ownerName: string }>('GET', `/cases/${caseGuid}/work`)).body
    assert.equal(ownerName, login)
    await close()
  })

  test('without the right there is no pencil', async () => {
    await addDebtor('Läsby')
    const { page, close } = await openList('Läsby', { login: reader })
    assert.equal(await page.locator('[data-edits]').count(), 0)
    await close()
  })

  test('on a telephone the card has an action instead', async () => {
    const guid = await addDebtor('Kortsten')
    const { page, close } = await openList('Kortsten', { width: 390, height: 844 })
    assert.equal(await page.locator('[data-edits]').count(), 0)
    await page.getByRole('button', { name: /^Edit .*E-mail of Kortsten$/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail', { exact: true }).fill('kort@example.com')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('kort@example.com').waitFor()
    assert.deepEqual(await findViolations(page, 'cards with an action'), [])
    assert.equal((await read(guid)).email, 'kort@example.com')
    await close()
  })
})
