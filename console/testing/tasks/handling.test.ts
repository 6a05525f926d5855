/** What a handler does fifty times a day: from case to case, and calls. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Call } from '../../../contract/work/calls.ts'
import type { CaseWork } from '../../../contract/work/work.ts'
import { findViolations, skip, untilScreen } from '../browser.ts'
import { makeDue, startDay, type Day, type MadeCase } from './day.ts'

const login = 'dagen@agency.example'

describe('from case to case', { skip }, () => {
  let day: Day
  let own: MadeCase[]
  let free: MadeCase

  before(async () => {
    day = await startDay(login)
    own = ['Lindqvist', 'Björklund', 'Nyström'].map((name) => day.cases[name]!)
    free = day.cases['Åkesson']!
  })
  after(() => day?.close())
  beforeEach(async () => {
    await day.tested.api
      .sql`update debt_case set owner_user_id = null, next_action = null, next_action_date = null`
    for (const made of own) await makeDue(day, made, 'Ring', login)
    await makeDue(day, free, 'Look at it')
  })

  const openPage = (path = '/') => day.tested.open(path, { login })
  const read = async <Body>(path: string) => (await day.tested.api.call<Body>('GET', path)).body

  test('whose work is shown stays when Back leads from a case to the list, and each says what is due', async () => {
    const { page, close } = await openPage()
    const choice = page.getByRole('group', { name: 'Whose work' })
    for (const name of ['Mine 3', "Nobody's 1", "Everybody's 4"])
      await choice.getByRole('button', { name, exact: true }).waitFor()
    await choice.getByRole('button', { name: /^Nobody's/ }).click()
    await page.getByRole('cell', { name: 'Look at it' }).click()
    await untilCase(page, free)
    await page.goBack()
    await page.getByRole('cell', { name: 'Look at it' }).waitFor()
    assert.equal(await choice.getByRole('button', { name: /^Nobody's/ }).getAttribute('aria-pressed'), 'true')
    assert.deepEqual(await findViolations(page, 'whose work'), [])
    await page.getByRole('link', { name: 'My work today' }).click()
    await page.getByRole('cell', { name: 'Ring' }).first().waitFor()
    await close()
  })

  test('a case leads to the next of the own work, after the last to the first, and then to the free work', async () => {
    const { page, close } = await openPage()
    await page.getByRole('link', { name: own[0]!.caseNumber }).click()
    await untilCase(page, own[0]!)
    await page.locator('.page-actions').getByRole('link', { name: 'Next case' }).click()
    await untilCase(page, own[1]!)
    await untilNext(page, own[2]!)
    await page.keyboard.press('j')
    await untilCase(page, own[2]!)
    await page.getByRole('button', { name: 'Done: Follow-up' }).click()
    await page.getByRole('button', { name: 'Done: Follow-up' }).waitFor({ state: 'detached' })
    await untilNext(page, own[0]!)
    await page.keyboard.press('j')
    await untilCase(page, own[0]!)
    await page.getByRole('button', { name: 'Done: Follow-up' }).click()
    await page.locator('.page-actions').getByRole('link', { name: 'Next case' }).click()
    await untilCase(page, own[1]!)
    await page.getByRole('button', { name: 'Done: Follow-up' }).click()
    await page.locator('.page-actions').getByRole('button', { name: 'Take next' }).click()
    await untilCase(page, free)
    assert.deepEqual(await findViolations(page, 'the next case'), [])
    await close()
  })

  test('a call that reached the debtor ends the follow-up, one that did not leaves it', async () => {
    const [first] = own
    const { page, close } = await openPage(`/cases/${first!.caseGuid}`)
    const dialog = page.getByRole('dialog', { name: 'Log a call' })
    const done = dialog.getByRole('checkbox', { name: 'Done: Follow-up · Ring' })
    const log = async () => {
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      return read<CaseWork>(`/cases/${first!.caseGuid}/work`)
    }
    await untilCase(page, first!)
    await page.getByRole('button', { name: 'Done: Follow-up' }).waitFor()
    await page.keyboard.press('c')
    await dialog.getByRole('combobox', { name: 'Outcome' }).click()
    await page.getByRole('option', { name: 'No answer' }).click()
    assert.equal(await done.isChecked(), false)
    assert.equal((await log()).items.length, 1)
    await page.keyboard.press('c')
    await done.waitFor()
    assert.equal(await done.isChecked(), true)
    assert.deepEqual(await findViolations(page, 'a call that ends the work'), [])
    assert.deepEqual((await log()).items, [])
    await close()
  })

  test('a call sets the next action by a press on its day, and it replaces the former', async () => {
    const [, second] = own
    const { page, close } = await openPage(`/cases/${second!.caseGuid}`)
    await untilCase(page, second!)
    await page.getByRole('button', { name: 'Done: Follow-up' }).waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'Log a call' })
    await dialog.getByRole('button', { name: 'Come back to the case on: in 1 week' }).click()
    assert.equal(
      await dialog.getByLabel('Come back to the case on', { exact: true }).inputValue(),
      '22/06/2026',
    )
    await dialog.getByRole('button', { name: 'Come back to the case on: in 1 month' }).click()
    await dialog.getByRole('textbox', { name: 'What to do' }).fill('Ask for the wage slip')
    assert.equal(await dialog.getByRole('checkbox', { name: /^Done/ }).count(), 0)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { nextAction, nextActionDate } = await read<CaseWork>(`/cases/${second!.caseGuid}/work`)
    assert.deepEqual([nextAction, nextActionDate], ['Ask for the wage slip', '2026-07-15T00:00:00Z'])
    await close()
  })

  test('a call of the debtor is logged on their page, about the case that is chosen', async () => {
    const { debtorGuid, caseNumber } = free
    const more = await day.post('/system/forms/case/register', {
      clientGuid: day.clientGuid,
      debtorGuid,
      principal: 300,
      currencyCode: 'SEK',
      dueDate: '2026-03-31',
    })
    const { page, close } = await openPage(`/debtors/${debtorGuid}`)
    const panel = page.getByRole('region', { name: 'Calls', exact: true })
    await panel.getByRole('button', { name: 'Log a call' }).waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'Log a call' })
    await dialog.getByRole('combobox', { name: 'Case' }).click()
    await page.getByRole('option', { name: new RegExp(more['caseNumber']!) }).click()
    await dialog.getByLabel('What was said').fill('Asks for a copy')
    await dialog.getByRole('checkbox', { name: 'The debtor called' }).check()
    assert.deepEqual(await findViolations(page, 'a call of the debtor'), [])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await panel.getByText('Asks for a copy').waitFor()
    const { value } = await read<{ value: Call[] }>(`/cases/${more['caseGuid']}/calls`)
    assert.deepEqual([value[0]!.inbound, value[0]!.text], [true, 'Asks for a copy'])
    assert.notEqual(value[0]!.caseNumber, caseNumber)
    await close()
  })

  test('a menu opens on its first item, and has nothing but items', async () => {
    const { page, close } = await openPage(`/cases/${own[0]!.caseGuid}`)
    await page.getByRole('button', { name: 'Done: Follow-up' }).waitFor()
    await page.keyboard.press('m')
    await page.getByRole('menu').waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'menuitem')
    assert.deepEqual(await findViolations(page, 'the menu', ['aria-required-children']), [])
    await close()
  })

  test('what goes away leaves the focus in no field of the page, into which the keys of the screen would be typed', async () => {
    const { page, close } = await openPage()
    await page.getByRole('cell', { name: 'Ring' }).first().waitFor()
    // The code that keeps the focus comes with the first key.
    await page.keyboard.press('j')
    await page.waitForFunction(isKept, undefined, { polling: 500 })
    assert.equal(await page.evaluate(() => document.activeElement?.tagName === 'INPUT'), false)
    await page.keyboard.press('j')
    assert.equal(await page.getByRole('textbox', { name: 'Stays' }).inputValue(), '')
    await close()
  })

  test('a press beside a dialog and Escape keep what was typed', async () => {
    const { page, close } = await openPage(`/cases/${own[2]!.caseGuid}`)
    await untilCase(page, own[2]!)
    await page.getByRole('button', { name: 'Done: Follow-up' }).waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'Log a call' })
    await dialog.getByLabel('What was said').fill('A long story')
    await page.mouse.click(5, 400)
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 400)
    assert.equal(await dialog.getByLabel('What was said').inputValue(), 'A long story')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await close()
  })
})

const untilCase = (page: Page, { caseNumber }: MadeCase) => untilScreen(page, `Case ${caseNumber}`)

/** The next case is known a moment after the screen is there: a key before has no effect. */
const untilNext = (page: Page, { caseGuid }: MadeCase) =>
  page.locator(`.page-actions a[href="/cases/${caseGuid}"]`).waitFor()

/** Takes the focus away as on a screen whose actions come later than its field, until the code that keeps it is there. */
const isKept = () => {
  if (document.activeElement !== document.body && document.querySelector('#part')) return true
  const part = document.createElement('section')
  part.id = 'part'
  part.innerHTML = '<button>Goes away</button><input aria-label="Stays">'
  document.querySelector('#part')?.remove()
  document.querySelector('.shell-content')!.append(part)
  part.querySelector('button')!.focus()
  part.querySelector('button')!.remove()
  return false
}
