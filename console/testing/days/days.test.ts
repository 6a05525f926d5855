/** The input of a day and its calendar. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import {
  findViolations,
  password,
  skip,
  startConsole,
  type ConsoleTest,
  type OpenOptions,
} from '../browser.ts'

const login = 'tage@agency.example'
const date = '2026-06-15'

test('no screen takes the input of the browser, which follows the language of the browser', () => {
  const sources = join(import.meta.dirname, '../../src')
  const native = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .filter((file) => /type(=|: )["'{]*(date|datetime-local|time|month|week)["']/.test(read(file)))
  assert.deepEqual(native, [])

  function read(file: string) {
    return readFileSync(join(sources, file), 'utf8').replaceAll(/argument\.type === 'date'/g, '')
  }
})

describe('a day', { skip }, () => {
  let tested: ConsoleTest
  let caseGuid: string

  before(async () => {
    tested = await startConsole()
    const { api } = tested
    await api.setDate(date)
    await api.addUser({ email: login, password, userRole: 2 })
    const clientGuid = await api.addParty('KRAFT')
    const debtor = await api.call<{ debtorGuid: string }>('POST', '/debtors', {
      body: { lastname: 'Kalender' },
    })
    const body = { clientGuid, debtorGuid: debtor.body.debtorGuid, principal: 1200, currencyCode: 'SEK' }
    const made = await api.call<{ caseGuid: string }>('POST', '/system/forms/case/register', { body })
    caseGuid = made.body.caseGuid
  })
  after(() => tested?.close())

  async function choose(body: { languageCode: string; cultureCode: string }) {
    const { api } = tested
    const signedIn = await api.call<{ accessToken: string }>('POST', '/auth/login', {
      body: { login, password },
      token: null,
    })
    const answer = await api.call('PATCH', '/users/current', { body, token: signedIn.body.accessToken })
    assert.equal(answer.status, 200, answer.text)
  }

  /** The dialog for what comes next, of a reader with this culture. */
  async function openNext(
    cultureCode: string,
    names: { button: string; day: string },
    options?: OpenOptions,
  ) {
    // A page is opened by its English menu.
    await choose({ languageCode: 'en', cultureCode: 'en-GB' })
    const opened = await tested.open('/', { login, ...options })
    await choose({ languageCode: cultureCode.slice(0, 2), cultureCode })
    await opened.page.goto(`/cases/${caseGuid}`)
    await opened.page.getByRole('button', { name: names.button }).click()
    const dialog = opened.page.locator('.mantine-Modal-content')
    return { ...opened, dialog, day: dialog.getByRole('textbox', { name: names.day, exact: true }) }
  }
  const german = { button: 'Nächster Schritt', day: 'Am' }
  const english = { button: 'Next action', day: 'On' }

  test('is typed in short, shown in the format of the reader, and stored', async () => {
    const { page, dialog, day, close } = await openNext('de-DE', german)
    assert.equal(await day.getAttribute('placeholder'), 'TT.MM.JJJJ')
    await dialog.getByRole('textbox').first().fill('Anrufen')
    for (const [typed, shown] of [
      ['2026-07-02', '02.07.2026'],
      ['+14', '29.06.2026'],
      ['0107', '01.07.2026'],
      ['3.7.', '03.07.2026'],
    ] as const) {
      await day.fill(typed)
      await day.press('Tab')
      assert.equal(await day.inputValue(), shown)
    }
    await dialog.getByRole('button', { name: 'Speichern' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { body } = await tested.api.call<{ nextActionDate: string }>('GET', `/cases/${caseGuid}/work`)
    assert.equal(body.nextActionDate, '2026-07-03T00:00:00Z')
    await page.getByText('03.07.2026').first().waitFor()
    await close()
  })

  test('that is none names the format, one out of range its limit, and neither is stored', async () => {
    const { page, dialog, day, close } = await openNext('de-DE', german)
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()))
    await dialog.getByRole('textbox').first().fill('Anrufen')
    for (const [typed, fault] of [
      ['Freitag', 'Geben Sie das Datum als TT.MM.JJJJ ein, zum Beispiel 31.12.2026.'],
      ['14.06.2026', 'Muss der 15.06.2026 oder später sein.'],
    ] as const) {
      await day.fill(typed)
      assert.equal(await dialog.getByText(fault).count(), 0, 'not while it is typed')
      await day.press('Enter')
      await dialog.getByText(fault).waitFor()
      assert.equal(await day.inputValue(), typed)
      assert.equal(await describedBy(day), fault)
      assert.equal(await day.evaluate((input: HTMLInputElement) => input.validationMessage), fault)
    }
    await dialog.getByRole('button', { name: 'Speichern' }).click()
    assert.deepEqual(await findViolations(page, 'a wrong day', ['aria-valid-attr-value', 'label']), [])
    assert.deepEqual(sent, [])
    await close()
  })

  test('is chosen in a calendar by the keyboard alone, which Escape leaves', async () => {
    const { page, dialog, day, close } = await openNext('de-DE', german)
    await day.fill('2026-07-15')
    await day.press('Tab')
    await page.keyboard.press('Enter')
    const calendar = page.getByRole('dialog', { name: 'Datum auswählen' })
    await focused(page, 'Mittwoch, 15. Juli 2026')
    assert.deepEqual(await findViolations(page, 'the calendar'), [])
    assert.equal(await calendar.getByRole('columnheader').first().textContent(), 'Mo')
    for (const [key, name] of [
      ['ArrowRight', 'Donnerstag, 16. Juli 2026'],
      ['ArrowDown', 'Donnerstag, 23. Juli 2026'],
      ['Home', 'Montag, 20. Juli 2026'],
      ['End', 'Sonntag, 26. Juli 2026'],
      ['ArrowUp', 'Sonntag, 19. Juli 2026'],
      ['ArrowLeft', 'Samstag, 18. Juli 2026'],
      ['PageDown', 'Dienstag, 18. August 2026'],
      ['Shift+PageDown', 'Mittwoch, 18. August 2027'],
      ['Shift+PageUp', 'Dienstag, 18. August 2026'],
      // Not before the first day that is taken.
      ['PageUp', 'Samstag, 18. Juli 2026'],
      ['PageUp', 'Donnerstag, 18. Juni 2026'],
      ['PageUp', 'Montag, 15. Juni 2026'],
    ] as const) {
      await page.keyboard.press(key)
      await focused(page, name)
    }
    await page.keyboard.press('Escape')
    await calendar.waitFor({ state: 'detached' })
    assert.ok(await dialog.isVisible(), 'Escape left the dialog open')
    await focused(page, 'Kalender öffnen')
    assert.equal(await day.inputValue(), '15.07.2026')
    await page.keyboard.press('Enter')
    await focused(page, 'Mittwoch, 15. Juli 2026')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await calendar.waitFor({ state: 'detached' })
    await focused(page, 'Kalender öffnen')
    assert.equal(await day.inputValue(), '22.07.2026')
    await close()
  })

  test('that is required and missing is asked for in the language of the reader', async () => {
    const { page, close } = await openNext('de-DE', german)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Anruf erfassen' }).first().click()
    const call = page.getByRole('dialog', { name: 'Anruf erfassen' })
    await call.getByLabel('Zugesagter Betrag').fill('100')
    await call.getByRole('button', { name: 'Speichern' }).click()
    const until = call.getByRole('textbox', { name: 'Zugesagt bis' })
    const asked = () => until.evaluate((input: HTMLInputElement) => input.validationMessage)
    assert.equal(await asked(), 'Geben Sie einen Wert ein.')
    await until.fill('1.7.')
    await call.getByRole('button', { name: 'Speichern' }).click()
    await call.waitFor({ state: 'detached' })
    await close()
  })

  test('has a week and an order of its country', async () => {
    const { page, day, close } = await openNext('en-US', english)
    await day.fill('7/4')
    await day.press('Alt+ArrowDown')
    const calendar = page.getByRole('dialog', { name: 'Choose a date' })
    await focused(page, 'Saturday, July 4, 2026')
    assert.equal(await calendar.getByRole('columnheader').first().textContent(), 'Sun')
    await page.keyboard.press('Escape')
    assert.equal(await day.inputValue(), '07/04/2026')
    await close()
  })

  test('is chosen with a thumb, and in dark colours', async () => {
    const size = { width: 390, height: 844 }
    const { page, dialog, day, close } = await openNext('en-GB', english, { ...size, colorScheme: 'dark' })
    await day.fill('20/6/2026')
    await dialog.getByRole('button', { name: 'Open the calendar' }).click()
    const calendar = page.getByRole('dialog', { name: 'Choose a date' })
    await calendar.getByRole('button', { name: 'Next month' }).click()
    const chosen = calendar.getByRole('gridcell', { name: 'Wednesday, 8 July 2026' })
    const box = (await chosen.boundingBox())!
    assert.ok(box.width >= 44 && box.height >= 44, JSON.stringify(box))
    const frame = (await calendar.boundingBox())!
    assert.ok(frame.x >= 0 && frame.x + frame.width <= size.width, JSON.stringify(frame))
    assert.deepEqual(await findViolations(page, 'the calendar of a telephone'), [])
    await chosen.click()
    assert.equal(await day.inputValue(), '08/07/2026')
    await dialog.getByRole('button', { name: 'Open the calendar' }).click()
    await calendar.getByRole('gridcell', { name: 'Wednesday, 8 July 2026', selected: true }).waitFor()
    // A second press of the button closes it.
    await dialog.getByRole('button', { name: 'Open the calendar' }).click()
    await calendar.waitFor({ state: 'detached' })
    await close()
  })
})

/** Waits until what has the focus has this name. */
async function focused(page: Page, name: string): Promise<void> {
  const isFocused = page.waitForFunction(
    (expected) => document.activeElement?.getAttribute('aria-label') === expected,
    name,
  )
  await isFocused.catch(async (cause: unknown) => {
    const found = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))
    throw new Error(`The focus is on ${found}, not on "${name}".`, { cause })
  })
}

/** What is said of an input beside its label. */
function describedBy(input: Locator) {
  return input.evaluate((one) => {
    const ids = (one.getAttribute('aria-describedby') ?? '').split(' ')
    return ids.map((id) => document.getElementById(id)?.textContent ?? '').join('')
  })
}
