/** Letters of a case handler. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findViolations, password, skip, startConsole, type ConsoleTest } from './browser.ts'

const login = 'brev@agency.example'

describe('letters', { skip }, () => {
  let tested: ConsoleTest
  let clientGuid: string

  before(async () => {
    tested = await startConsole()
    await tested.api.addUser({ email: login, password, userRole: 3 })
    clientGuid = await tested.api.addParty('KRAFT')
    await tested.api.sql`update party set country_code = 'SE', bank_account_no = '5050-1055'`
  })
  after(() => tested?.close())

  const makeDebtor = async (lastname: string) => {
    const body = { lastname, cellularPhone: '+46701740605', languageCode: 'en' }
    const debtor = await tested.api.call<{ debtorGuid: string }>('POST', '/debtors', { body })
    return debtor.body.debtorGuid
  }
  const makeCase = async (lastname: string, known?: string) => {
    const { api } = tested
    const debtorGuid = known ?? (await makeDebtor(lastname))
    const made = await api.call<{ caseGuid: string; caseNumber: string }>(
      'POST',
      '/system/forms/case/register',
      {
        body: {
          clientGuid,
          debtorGuid,
          principal: 1200,
          currencyCode: 'SEK',
          dueDate: '2026-01-15T00:00:00Z',
        },
      },
    )
    return { debtorGuid, ...made.body }
  }

  test('are written with a preview beside the refusals, sent, shown in the page and withdrawn', async () => {
    const { caseGuid, debtorGuid } = await makeCase('Brevlös')
    await tested.api.sql`update debt_case set governing_country = 'NO' where id = ${caseGuid}`
    const { page, close } = await tested.open(`/cases/${caseGuid}`, { login })
    const panel = page.getByRole('region', { name: 'Letters' })
    await panel.getByText('No letter has been written.').waitFor()
    await panel.getByRole('button', { name: 'Write a letter' }).click()
    const dialog = page.getByRole('dialog', { name: 'Write a letter' })
    await dialog.getByRole('img', { name: /Statement of account/ }).waitFor()
    assert.deepEqual(await findViolations(page, 'a letter to write'), [])
    // The law does not let a Norwegian case be demanded without a notice: the rule is shown, and nothing is sent.
    await dialog.getByRole('radio', { name: /^Demand/ }).check()
    await dialog
      .getByText(/Demand after the deadline of the notice/)
      .first()
      .waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Send', exact: true }).isDisabled(), true)
    await dialog.getByRole('radio', { name: /^Statement of account/ }).check()
    await dialog.getByRole('radio', { name: /^SMS/ }).check()
    await dialog.getByText(/Account: 5050-1055/).waitFor()
    await dialog.getByRole('radio', { name: /^Post/ }).check()
    await dialog.getByRole('img', { name: /Statement of account/ }).waitFor()
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await panel.getByText('Waiting', { exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Show: Statement of account' }).click()
    const shown = page.getByRole('dialog', { name: 'Statement of account' })
    await shown.getByRole('img', { name: /1,200\.00 SEK/ }).waitFor()
    const download = page.waitForEvent('download')
    await shown.getByRole('button', { name: 'Download PDF' }).click()
    assert.match((await download).suggestedFilename(), /\.pdf$/)
    await page.keyboard.press('Escape')
    await page.goto(`/debtors/${debtorGuid}`)
    await panel.getByRole('button', { name: 'Withdraw: Statement of account' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click()
    await panel.getByText('No letter has been written.').waitFor()
    await close()
  })

  test('go to many after a preview of some, and come back while they wait', async () => {
    const { debtorGuid } = await makeCase('Flerbrev A')
    for (const name of ['B', 'C', 'D']) await makeCase(`Flerbrev ${name}`)
    await makeCase('Flerbrev A', debtorGuid)
    const closed = await makeCase('Flerbrev E')
    const closure = { closureCode: 'RECALLED_BY_CLIENT' }
    await tested.api.call('PATCH', `/system/forms/case/close?id=${closed.caseGuid}`, { body: closure })
    const filter = encodeURIComponent("startswith(mainDebtorName,'Flerbrev')")
    const { page, close } = await tested.open(`/cases?filter=${filter}&sort=mainDebtorName`, { login })
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
    await page.getByRole('button', { name: 'Write a letter' }).click()
    const dialog = page.getByRole('dialog', { name: 'Write a letter' })
    await dialog.getByRole('combobox', { name: 'Letter' }).click()
    await page.getByRole('option', { name: 'Reminder' }).click()
    await dialog.getByText(/Preview 1 of 3 .* Flerbrev A/).waitFor()
    await dialog.getByRole('img', { name: /Reminder/ }).waitFor()
    await dialog.getByText('4 letters to 4 debtors.').waitFor()
    await dialog.getByText('1 case is demanded in the letter of another case.').waitFor()
    await dialog.getByText('1 case gets no letter:').waitFor()
    await dialog.getByText('The case is closed: only a statement can be sent.').waitFor()
    assert.deepEqual(await findViolations(page, 'a letter to many'), [])
    // All of it is in sight on a small window: nothing is sent by what has to be scrolled to.
    for (const part of [
      dialog.getByText(/^The letters leave after ten minutes/),
      dialog.getByText('4 letters to 4 debtors.'),
      dialog.getByText(/Preview 1 of 3/),
      dialog.getByRole('button', { name: 'Apply to 6' }),
    ]) {
      const box = await part.boundingBox()
      assert.ok(box !== null && box.y >= 0 && box.y + box.height <= 720, await part.innerText())
    }
    await dialog.getByRole('button', { name: 'Next preview' }).click()
    await dialog.getByText(/Preview 2 of 3 .* Flerbrev A/).waitFor()
    await dialog.getByRole('button', { name: 'Apply to 6' }).click()
    await dialog.getByText('5 of 6 done, 1 failed.').waitFor()
    const waiting = () => tested.api.sql`
      select id from message where kind = 'letter' and next_try_at > now() + interval '5 minutes'`
    assert.equal((await waiting()).length, 4)
    await dialog.getByRole('button', { name: 'Undo 4' }).click()
    await dialog.getByText('4 undone.').waitFor()
    assert.equal((await waiting()).length, 0)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('group', { name: /selected$/ }).count(), 0, 'the selection is cleared')
    await close()
  })
})
