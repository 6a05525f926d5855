/** Templates of letters in the console: written, mended, published, compared and returned to. Skipped without a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findViolations, password, skip, startConsole, untilKept, type ConsoleTest } from '../browser.ts'

const login = 'mallar@agency.example'
const text = (page: Page) => page.getByRole('textbox', { name: 'Text of the letter' })

/** What the letter says that is drawn. */
const draw = async (page: Page) => {
  const image = page.getByRole('region', { name: 'Preview' }).locator('img[alt]')
  await image.waitFor()
  return image.getAttribute('alt')
}

describe('letter templates', { skip }, () => {
  let tested: ConsoleTest
  before(async () => {
    tested = await startConsole()
    await tested.api.addUser({ email: login, password, userRole: 2 })
  })
  after(() => tested?.close())

  async function addCase(lastname: string) {
    const { api } = tested
    const clientGuid = await api.addParty('KRAFT')
    const debtor = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname } })
    const body = { clientGuid, debtorGuid: debtor.body.debtorGuid, principal: 1200, currencyCode: 'SEK' }
    return (await api.call<{ caseNumber: string }>('POST', '/system/forms/case/register', { body })).body
  }

  test('are written with variables, mended at their lines, published, compared and returned to', async () => {
    const { page, close } = await tested.open('/letter-templates', { login })
    await page.getByText('There are no templates').waitFor()
    assert.deepEqual(await findViolations(page, 'no templates'), [])
    await page.getByRole('button', { name: 'New template' }).click()
    const dialog = page.getByRole('dialog', { name: 'New template' })
    await dialog.getByRole('combobox', { name: 'Client' }).waitFor()
    assert.deepEqual(await findViolations(page, 'a new template'), [])
    await dialog.getByRole('button', { name: 'Create' }).click()
    // It begins with the shipped text, drawn with an invented case.
    await page.getByRole('heading', { level: 1, name: 'Demand' }).waitFor()
    assert.match((await draw(page))!, /Sample Shop has asked us to collect/)
    assert.deepEqual(await findViolations(page, 'a template'), [])
    const { caseNumber } = await addCase('Verklig')
    const chosen = page.getByRole('combobox', { name: 'Case of the preview' })
    await chosen.fill(caseNumber)
    await page.getByRole('option', { name: new RegExp(caseNumber) }).click()
    await page
      .getByRole('img', { name: new RegExp(`KRAFT has asked us to collect[^]*${caseNumber}`) })
      .waitFor()
    await page.getByLabel('Clear Case of the preview').click()
    await page.getByRole('img', { name: /Sample Shop has asked us to collect/ }).waitFor()

    const shipped = await text(page).inputValue()
    await text(page).fill(`${shipped.trimEnd()}\n\nCall #clinet\n`)
    const faults = page.getByRole('status', { name: 'Faults of the text' })
    await faults.getByText('#clinet is no variable of this letter. Did you mean #client?').waitFor()
    assert.deepEqual(await findViolations(page, 'a template with a fault'), [])
    await faults.getByRole('button', { name: /^Line/ }).click()
    assert.equal(await page.evaluate<string>('getSelection().toString()'), '#clinet')
    // The name takes the place of what is selected; the variable comes from the list.
    await page.keyboard.press('Delete')
    await page.getByRole('button', { name: /^#agency/ }).click()
    await faults.getByText('#clinet').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save the draft' }).click()
    await page.getByText('Saved, not in use before it is published.').waitFor()

    const publish = async (note: string) => {
      await page.getByRole('button', { name: 'Publish', exact: true }).click()
      const asked = page.getByRole('dialog')
      await asked.getByLabel('What changed').fill(note)
      await asked.getByRole('button', { name: 'Publish' }).click()
      await page.getByRole('cell', { name: note }).waitFor()
    }
    await publish('With our number')
    await text(page).fill(`${await text(page).inputValue()}\nOnce more.\n`)
    await page.getByRole('button', { name: 'Save the draft' }).click()
    await publish('Once more')

    await page.getByRole('button', { name: 'Compare version 1' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Added: Once more.' }).waitFor()
    assert.deepEqual(await findViolations(page, 'two versions'), [])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Return to version 1' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('button', { name: 'Compare version 3' }).waitFor()
    assert.ok(!(await text(page).inputValue()).includes('Once more.'))
    await close()
  })

  test('that are opened with faults speak of no letter before them', async () => {
    const made = await tested.api.call<{ letterTemplateGuid: string }>('POST', '/lettertemplates', {
      body: { kind: 'legal', languageCode: 'en' },
    })
    const { letterTemplateGuid } = made.body
    // As a variable that an upgrade has taken away leaves it.
    await tested.api.sql`update letter_template set draft = 'Call #clinet' where id = ${letterTemplateGuid}`
    const { page, close } = await tested.open(`/letter-templates/${letterTemplateGuid}`, { login })
    await page.getByText('The text has faults. Correct them to see the letter.').waitFor()
    assert.deepEqual(await findViolations(page, 'a template opened with a fault'), [])
    await text(page).fill('#amounts #costs #payment #notices')
    await draw(page)
    await text(page).fill('#amounts #costs #payment #notices #clinet')
    await page.getByText('The text has faults. This is the letter before them.').waitFor()
    await close()
  })

  test('keep what is typed when the tab closes or somebody else saves', async () => {
    const made = await tested.api.call<{ letterTemplateGuid: string }>('POST', '/lettertemplates', {
      body: { kind: 'reminder', languageCode: 'en' },
    })
    const path = `/letter-templates/${made.body.letterTemplateGuid}`
    const { page, context, close } = await tested.open(path, { login })
    await text(page).fill('Kept words #amounts #costs #payment #notices')
    await untilKept(page, /Kept words/)
    await page.close({ runBeforeUnload: false })
    const again = await context.newPage()
    await again.goto(path)
    await again.getByRole('button', { name: 'Restore it' }).click()
    assert.match(await text(again).inputValue(), /^Kept words/)
    await tested.api.call('PATCH', `/lettertemplates/${made.body.letterTemplateGuid}`, {
      body: { source: 'Their words' },
    })
    await again.getByRole('button', { name: 'Save the draft' }).click()
    await again.getByRole('alert').first().waitFor()
    await again.reload()
    await again.getByRole('button', { name: 'Restore it' }).click()
    await again.getByRole('button', { name: 'Save the draft' }).click()
    await again.getByText('Saved, not in use before it is published.').waitFor()
    const { body } = await tested.api.call<{ source: string }>('GET', path.replace('letter-', 'letter'))
    assert.match(body.source, /^Kept words/)
    await close()
  })
})
