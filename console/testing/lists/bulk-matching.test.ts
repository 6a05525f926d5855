/** An action on all cases that a filter matches, as a job. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runJobs } from '../../../server/testing/jobs.ts'
import { findViolations, password, skip, startConsole, type ConsoleTest } from '../browser.ts'

const login = 'alla@agency.example'
const count = 30

const listPath = (lastname: string) =>
  `/cases?filter=${encodeURIComponent(`startswith(mainDebtorName,'${lastname}')`)}&sort=caseNumber`

describe('all cases that a filter matches', { skip }, () => {
  let tested: ConsoleTest
  let clientGuid: string
  let jobs: Awaited<ReturnType<typeof runJobs>>

  before(async () => {
    tested = await startConsole()
    await tested.api.addUser({ email: login, password, userRole: 3 })
    clientGuid = await tested.api.addParty('KRAFT')
    jobs = await runJobs(tested.api)
  })
  after(async () => {
    await jobs?.stop()
    await tested?.close()
  })

  const makeCases = async (lastname: string, many: number) => {
    const { api } = tested
    const made: string[] = []
    for (let n = 0; n < many; n++) {
      const debtor = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname } })
      const body = { clientGuid, debtorGuid: debtor.body.debtorGuid, principal: 1200, currencyCode: 'SEK' }
      const { body: registered } = await api.call<{ caseGuid: string }>(
        'POST',
        '/system/forms/case/register',
        { body },
      )
      made.push(registered.caseGuid)
    }
    return made
  }
  const countHeld = async (lastname: string) => {
    const [row] = await tested.api.sql<{ count: number }[]>`
      select count(*)::int as count from debt_case c join debtor d on d.id = c.main_debtor_id
      where d.full_name = ${lastname} and c.hold is not null`
    return row!.count
  }

  test('are chosen past the page, confirmed anew when they have grown, held with one refused, and undone as one', async () => {
    const [first] = await makeCases('Allihop', count)
    await tested.api.call('PATCH', `/system/forms/case/close?id=${first!}`, {
      body: { closureCode: 'RECALLED_BY_CLIENT' },
    })
    const { page, close } = await tested.open(listPath('Allihop'), { login })
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
    await page.getByText('All 25 on this page are selected.').waitFor()
    await page.getByRole('button', { name: `Select all ${count} matching` }).click()
    await page.getByText(`All ${count} matching are selected.`).waitFor()
    // Another case arrives meanwhile.
    await makeCases('Allihop', 1)
    await page.getByRole('button', { name: 'Put on hold' }).click()
    const dialog = page.getByRole('dialog', { name: 'Put on hold' })
    await dialog.getByRole('combobox', { name: 'Reason' }).click()
    await page.getByRole('option', { name: 'On hold: dispute' }).click()
    await dialog.getByRole('button', { name: `Apply to ${count}` }).click()
    await dialog.getByText(`${count + 1} match now, and ${count} were selected.`).waitFor()
    assert.equal(await countHeld('Allihop'), 0)
    await dialog.getByRole('button', { name: `Apply to ${count + 1}` }).click()
    await dialog.getByText(`${count} of ${count + 1} done, 1 refused, 0 to do.`).waitFor()
    await dialog.getByText('Completed').waitFor()
    await dialog
      .getByText(/closed/i)
      .first()
      .waitFor()
    assert.deepEqual(await findViolations(page, 'the outcome of a bulk action'), [])
    assert.equal(await countHeld('Allihop'), count)
    // The window may be closed: the list shows what was begun last.
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    const note = page.getByRole('group', { name: 'Last bulk action' })
    await note.getByText('Put on hold').waitFor()
    await page.reload()
    await note.getByRole('button', { name: 'Show' }).click()
    await dialog.getByRole('button', { name: `Undo ${count}` }).click()
    await dialog.getByText(`${count} undone.`).waitFor()
    assert.equal(await countHeld('Allihop'), 0)
    await close()
  })

  test('get letters that wait ten minutes, and all are withdrawn', async () => {
    await makeCases('Brevskörd', 26)
    await tested.api.sql`update party set country_code = 'SE', bank_account_no = '5050-1055'`
    const { page, close } = await tested.open(listPath('Brevskörd'), { login })
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
    await page.getByRole('button', { name: 'Select all 26 matching' }).click()
    await page.getByRole('button', { name: 'Write a letter' }).click()
    const dialog = page.getByRole('dialog', { name: 'Write a letter' })
    await dialog.getByRole('combobox', { name: 'Letter', exact: true }).click()
    await page.getByRole('option', { name: 'Statement of account' }).click()
    await dialog.getByRole('img').first().waitFor()
    await dialog.getByRole('button', { name: 'Apply to 26' }).click()
    await dialog.getByText('26 of 26 done, 0 refused, 0 to do.').waitFor()
    await dialog.getByText(/The letters leave at/).waitFor()
    const letters = async () => (await tested.api.sql`select from message where kind = 'letter'`).length
    assert.equal(await letters(), 26)
    await dialog.getByRole('button', { name: 'Undo 26' }).click()
    await dialog.getByText('26 undone.').waitFor()
    assert.equal(await letters(), 0)
    await close()
  })

  test('a smaller selection runs in the page: cases are closed, assigned and get a next action and a plan', async () => {
    await makeCases('Några', 2)
    const { page, close } = await tested.open(listPath('Några'), { login })
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
    const act = async (
      button: string,
      fill: (dialog: ReturnType<typeof page.getByRole>) => Promise<void>,
    ) => {
      await page.getByRole('button', { name: button, exact: true }).click()
      const dialog = page.getByRole('dialog', { name: button })
      await fill(dialog)
      await dialog.getByRole('button', { name: 'Apply to 2' }).click()
      await dialog.getByText('2 of 2 done, 0 failed.').waitFor()
      await dialog.getByRole('button', { name: 'Undo 2' }).click()
      await dialog.getByText('2 undone.').waitFor()
      await dialog.getByRole('button', { name: 'Close' }).last().click()
      await dialog.waitFor({ state: 'detached' })
    }
    await act('Assign', async (dialog) => {
      await dialog.getByRole('combobox', { name: 'Handler' }).click()
      await page.getByRole('option', { name: login }).click()
    })
    await act('Next action', async (dialog) => {
      await dialog.getByRole('textbox', { name: 'On', exact: true }).fill('2099-01-01')
    })
    await act('Propose a plan', async (dialog) => {
      await dialog.getByRole('textbox', { name: 'Number of payments' }).fill('4')
    })
    await act('Close the case', async (dialog) => {
      await dialog.getByRole('combobox', { name: 'Reason' }).click()
      await page.getByRole('option', { name: 'Recalled by the client' }).click()
    })
    await close()
  })
})
