/** The command palette finds the right record among those alike. Skipped without a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { password, skip, startConsole, untilScreen, type ConsoleTest } from '../browser.ts'

const login = 'soker@agency.example'

const option = (page: Page, text: string | RegExp) => page.getByRole('dialog').getByText(text).first()

describe('the command palette', { skip }, () => {
  let tested: ConsoleTest
  let clientGuid: string
  const first = { caseGuid: '', caseNumber: '' }
  const anna = { debtorGuid: '', debtorReference: '' }

  const post = async (path: string, body: object) => {
    const answer = await tested.api.call<Record<string, string>>('POST', path, { body })
    assert.ok(answer.status < 300, `${path}: ${answer.text}`)
    return answer.body
  }
  const addCase = (debtorGuid: string) =>
    post('/system/forms/case/register', {
      clientGuid,
      debtorGuid,
      principal: 1200,
      currencyCode: 'SEK',
      dueDate: '2026-02-28',
    })
  before(async () => {
    tested = await startConsole()
    await tested.api.setDate('2026-06-15')
    await tested.api.addUser({ email: login, password, userRole: 2 })
    const client = { name: 'Kraftbolaget AB', partyReferenceCode: 'KRAFT', currencyCode: 'SEK' }
    clientGuid = (await post('/system/forms/client/create', { ...client, countryCode: 'SE' }))['clientGuid']!
    const address = { street: 'Storgatan', zipCode: '211 42', city: 'Malmö', countryCode: 'SE' }
    const person = { firstname: 'Anna', lastname: 'Andersson', idNumber: '19900101-2385' }
    Object.assign(anna, await post('/debtors', { ...person, ...address }))
    // An empty agency begins with its first steps.
    const other = await post('/debtors', { firstname: 'Ove', lastname: 'Strand' })
    Object.assign(first, await addCase(other['debtorGuid']!))
  })
  after(() => tested?.close())

  const open = async () => {
    const opened = await tested.open('/', { login })
    await untilScreen(opened.page, 'My work today')
    return { ...opened, palette: opened.page.getByPlaceholder(/Name, reference/) }
  }

  test('tells people of one name apart by birth date and town', async () => {
    const { page, palette, close } = await open()
    await page.keyboard.press('Control+k')
    await palette.fill('Anderson')
    await option(page, `${anna.debtorReference} · 1 Jan 1990 · Malmö`).waitFor()
    await close()
  })

  test('keeps the letters that are typed while it opens', async () => {
    const { page, palette, close } = await open()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    let isHeld = false
    await page.route(/palette/, async (route) => {
      isHeld = true
      await held
      await route.continue()
    })
    await page.keyboard.type('/ander')
    assert.ok(isHeld, 'the palette is not there yet')
    release()
    await palette.waitFor()
    await page.keyboard.type('s')
    await option(page, 'Anna Andersson').waitFor()
    assert.equal(await palette.inputValue(), 'anders')
    await close()
  })

  test('opens by Enter what fits the present text, also when its answer comes later', async () => {
    const { page, palette, close } = await open()
    await page.keyboard.press('Control+k')
    await palette.fill('Strand')
    await option(page, 'Ove Strand').waitFor()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route(/q=Anderss/, async (route) => {
      await held
      await route.continue()
    })
    const asked = page.waitForRequest(/q=Anderss/)
    await palette.fill('Anderss')
    await page.keyboard.press('Enter')
    await asked
    await page.keyboard.press('Enter')
    assert.ok(await palette.isVisible())
    release()
    await page.waitForURL(`**/debtors/${anna.debtorGuid}`)
    await close()
  })

  test('opens nothing by Enter where a debtor and the case of another have the number', async () => {
    const { caseGuid, caseNumber } = first
    assert.equal(caseNumber, anna.debtorReference, 'both count from the same number')
    const { page, palette, close } = await open()
    const address = page.url()
    await page.keyboard.press('Control+k')
    await palette.fill(caseNumber!)
    await option(page, `${caseNumber} · Ove Strand`).waitFor()
    await option(page, 'Anna Andersson').waitFor()
    await page.getByText('Several records have this number.').waitFor()
    for (const kind of ['Debtors', 'Cases'])
      await page.locator(`[role=dialog] [style*="--spotlight-label: '${kind}'"]`).waitFor()
    await page.keyboard.press('Enter')
    assert.equal(page.url(), address)
    assert.ok(await palette.isVisible())
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/cases/${caseGuid}`)
    await close()
  })

  test('opens the case of an invoice by the number of the invoice', async () => {
    const debtor = await post('/debtors', { firstname: 'Ida', lastname: 'Holm' })
    const { caseGuid, caseNumber } = await post('/system/forms/case/register', {
      clientGuid,
      debtorGuid: debtor['debtorGuid'],
      principal: 300,
      currencyCode: 'SEK',
      invoiceNumber: 'KB-7001',
    })
    const { page, palette, close } = await open()
    await page.keyboard.press('Control+k')
    await palette.fill('kb-70')
    await option(page, 'KB-7001 · Ida Holm').waitFor()
    await option(page, `Case ${caseNumber}`).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/cases/${caseGuid}`)
    await close()
  })

  test('a payment starts on the page of its debtor, and its dialog names debtor, case and currency', async () => {
    const debtor = await post('/debtors', { firstname: 'Cia', lastname: 'Dahl' })
    const one = await addCase(debtor['debtorGuid']!)
    const { page, close } = await open()
    await page.goto(`/debtors/${debtor['debtorGuid']}`)
    await page.getByRole('button', { name: 'Register a payment' }).click()
    const dialog = page.getByRole('dialog', { name: 'Register a payment' })
    await dialog.getByText(`Cia Dahl · case ${one['caseNumber']} · SEK`).waitFor()
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    const another = await addCase(debtor['debtorGuid']!)
    await page.reload()
    await page.getByRole('button', { name: 'Register a payment' }).click()
    await page
      .getByRole('menuitem', { name: new RegExp(`^${one['caseNumber']} · Kraftbolaget AB`) })
      .waitFor()
    await page.getByRole('menuitem', { name: new RegExp(`^${another['caseNumber']} `) }).click()
    await dialog.getByText(`Cia Dahl · case ${another['caseNumber']} · SEK`).waitFor()
    await dialog.getByRole('textbox', { name: /^Amount/ }).fill('500')
    await dialog.getByText(/−500.* → 700/).waitFor()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page
      .getByText(/700\.00/)
      .first()
      .waitFor()
    await close()
  })
})
