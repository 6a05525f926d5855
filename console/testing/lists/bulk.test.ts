/** Many cases at once. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findViolations, password, skip, startConsole, type ConsoleTest } from '../browser.ts'

const login = 'manga@agency.example'

const buildListPath = (lastname: string) =>
  `/cases?filter=${encodeURIComponent(`startswith(mainDebtorName,'${lastname}')`)}&sort=caseNumber`

describe('many cases at once', { skip }, () => {
  let tested: ConsoleTest
  let clientGuid: string

  before(async () => {
    tested = await startConsole()
    await tested.api.addUser({ email: login, password, userRole: 3 })
    clientGuid = await tested.api.addParty('KRAFT')
  })
  after(() => tested?.close())

  const makeCase = async (lastname: string) => {
    const { api } = tested
    const debtor = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname } })
    const made = await api.call<{ caseGuid: string; caseNumber: string }>(
      'POST',
      '/system/forms/case/register',
      { body: { clientGuid, debtorGuid: debtor.body.debtorGuid, principal: 1200, currencyCode: 'SEK' } },
    )
    return made.body
  }
  const readStates = async (lastname: string) =>
    tested.api.sql<{ status: string; hold: string | null }[]>`
      select c.status, c.hold from debt_case c join debtor d on d.id = c.main_debtor_id
      where d.full_name like ${`${lastname}%`} order by c.running_number`

  test('are held by the keyboard alone, what fails is listed and tried again, and everything is undone', async () => {
    const first = await makeCase('Flera A')
    await makeCase('Flera B')
    await makeCase('Flera C')
    const { page, close } = await tested.open(buildListPath('Flera'), { login })
    const box = page.getByRole('checkbox', { name: `Select ${first.caseNumber}` })
    await box.focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('3 selected: SEK 3,600.00', { exact: true }).waitFor()
    // Somebody else holds one of them meanwhile, for another reason.
    await tested.api.call('PATCH', `/system/forms/case/hold?id=${first.caseGuid}`, {
      body: { reason: 'HOLD_FRAUD' },
    })
    await page.getByRole('button', { name: 'Put on hold' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Put on hold' })
    await dialog.getByRole('combobox', { name: 'Reason' }).press('Enter')
    await page.getByRole('option', { name: 'On hold: dispute' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Apply to 3' }).press('Enter')
    await dialog.getByText('2 of 3 done, 1 failed.').waitFor()
    await dialog.getByText(/Changed by somebody else/).waitFor()
    assert.deepEqual(await findViolations(page, 'results of a bulk action'), [])
    await dialog.getByRole('button', { name: 'Undo 2' }).press('Enter')
    await dialog.getByText('2 undone.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().press('Enter')
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(
      (await readStates('Flera')).map(({ hold }) => hold),
      ['HOLD_FRAUD', null, null],
    )
    await close()
  })

  test('are moved on, those that may not are named, and go back by the machine where it allows', async () => {
    const { caseGuid } = await makeCase('Stiger A')
    await makeCase('Stiger B')
    await tested.api.call('PATCH', `/system/forms/case/close?id=${caseGuid}`, {
      body: { closureCode: 'RECALLED_BY_CLIENT' },
    })
    const { page, close } = await tested.open(buildListPath('Stiger'), { login })
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
    await page.getByText(/^2 selected/).waitFor()
    await page.getByRole('button', { name: 'Change status' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change status' })
    await dialog.getByRole('combobox', { name: 'Status', exact: true }).click()
    await page.getByRole('option', { name: 'Amicable collection' }).click()
    await dialog.getByRole('button', { name: 'Apply to 2' }).click()
    await dialog.getByText('1 of 2 done, 1 failed.').waitFor()
    // Amicable collection never goes back to New.
    assert.equal(await dialog.getByRole('button', { name: /^Undo/ }).count(), 0)
    await dialog.getByRole('button', { name: 'Try 1 again' }).click()
    await dialog.getByText('1 of 2 done, 1 failed.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('cell', { name: 'Amicable collection' }).waitFor()
    assert.deepEqual(
      (await readStates('Stiger')).map(({ status }) => status),
      ['CLOSED', 'AMICABLE'],
    )
    await page.getByRole('button', { name: 'Clear selection' }).click()
    await page.getByText(/^2 selected/).waitFor({ state: 'detached' })
    await close()
  })

  test('are noted, and the notes are undone', async () => {
    const { caseGuid } = await makeCase('Antecknad A')
    await makeCase('Antecknad B')
    const { page, close } = await tested.open(buildListPath('Antecknad'), { login })
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
    await page.getByRole('button', { name: 'New note' }).click()
    const dialog = page.getByRole('dialog', { name: 'New note' })
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Ringde alla.')
    await dialog.getByRole('button', { name: 'Apply to 2' }).click()
    await dialog.getByText('2 of 2 done, 0 failed.').waitFor()
    const notes = async () =>
      (await tested.api.call<{ total: number }>('GET', `/cases/${caseGuid}/notes`)).body.total
    assert.equal(await notes(), 1)
    await dialog.getByRole('button', { name: 'Undo 2' }).click()
    await dialog.getByText('2 undone.').waitFor()
    assert.equal(await notes(), 0)
    await close()
  })

  test('are not offered to who may only read', async () => {
    await makeCase('Läst')
    const reader = 'laser@agency.example'
    await tested.api.addUser({ email: reader, password, userRole: 5 })
    const { page, close } = await tested.open(buildListPath('Läst'), { login: reader })
    await page.getByRole('cell', { name: 'Läst' }).waitFor()
    assert.equal(await page.getByRole('checkbox').count(), 0)
    await close()
  })
})
