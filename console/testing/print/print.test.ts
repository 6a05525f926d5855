/** What screens are on paper: the PDF that the browser makes, and the page in print media. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { extractText, getDocumentProxy } from 'unpdf'
import { skip, startConsole, untilScreen, type ConsoleTest } from '../browser.ts'
import { administrator as login, makeReference, type Reference } from '../screens/reference.ts'

/** Pressed or typed into: none of it belongs on paper, except what is text, such as a heading that sorts. */
const controls =
  'button:not(.figure, .sort, .mantine-Anchor-root), input, select, textarea, nav, [role=menu], .shell-header'

describe('on paper', { skip }, () => {
  let tested: ConsoleTest
  let at: Reference
  let caseNumber: string

  before(async () => {
    tested = await startConsole()
    at = await makeReference(tested.api)
    const { body } = await tested.api.call<{ caseNumber: string }>('GET', `/cases/${at.caseGuid}`)
    caseNumber = body.caseNumber
  })
  after(() => tested?.close())

  test('a case has a head, its statement and its panels, on pages that end between rows', async () => {
    const { page, close } = await open(`/cases/${at.caseGuid}`, /^Case /)
    const pages = await print(page)
    assert.ok(pages.length >= 2 && pages.length <= 5, `${pages.length} pages`)
    assert.match(pages[0]!, /^(1 \/ \d+ )?Agency ?15 Jun 2026/)
    assert.ok(pages[0]!.includes(`Case ${caseNumber}`))
    for (const [index, text] of pages.entries()) assert.ok(text.includes(`${index + 1} / ${pages.length}`))
    const all = pages.join(' ')
    for (const text of ['Amounts', 'Owed on 15 Jun 2026', 'invoice F-1002', 'SEK 12,030.50', 'Åsa Lindqvist'])
      assert.ok(all.includes(text), text)
    for (const text of ['Register a payment', 'Search or go', 'Change status', 'My work today', 'Reverse'])
      assert.ok(!all.includes(text), text)
    await close()
  })

  test('a long statement repeats its headings and keeps each row on one page', async () => {
    for (let number = 1; number <= 70; number++) {
      const body = { caseGuid: at.caseGuid, amount: number, currencyCode: 'SEK' }
      const { status, text } = await tested.api.call('POST', '/system/forms/payment/register', { body })
      assert.equal(status, 201, text)
    }
    const { page, close } = await open(`/cases/${at.caseGuid}`, /^Case /)
    await page
      .getByRole('button', { name: /^Show \d+ more$/ })
      .first()
      .click()
    await page.getByRole('region', { name: 'Statement: rows' }).locator('tbody tr').nth(72).waitFor()
    const pages = await print(page)
    const withLines = pages.filter((text) => /-SEK \d+\.00/.test(text))
    assert.ok(withLines.length >= 2, `the statement is on ${withLines.length} pages`)
    for (const text of withLines) assert.match(text, /Value date/)
    const lines = pages.flatMap((text) =>
      [...text.matchAll(/-SEK (\d+)\.00 SEK [\d,]+\.\d\d/g)].map(([, amount]) => Number(amount)),
    )
    for (let number = 1; number <= 70; number++) assert.ok(lines.includes(number), `payment of ${number}`)
    await close()
  })

  for (const [path, heading, texts, hidden] of [
    [
      '/cases',
      'Cases',
      ['Main debtor', 'Maria Söderström', 'SEK 2,099.95', '6 rows'],
      ['Export', 'Filter', 'Page 1'],
    ],
    ['/debtors', 'Debtors', ['Full name', 'Lars Holm', 'Lund'], ['Export', 'New debtor']],
    [
      '/dashboard',
      'Dashboard',
      ['Collected per month', 'To the agency', 'Plan performance'],
      ['The same as a table'],
    ],
  ] as const)
    test(`${heading} are printed whole, in light colours, without what is pressed`, async () => {
      const { page, close } = await open(path, heading)
      const pages = await print(page)
      const all = pages.join(' ')
      assert.match(pages[0]!, new RegExp(`^(1 / \\d+ )?Agency ?15 Jun 2026 ?${heading}`))
      for (const text of texts) assert.ok(all.includes(text), text)
      for (const text of hidden) assert.ok(!all.includes(text), text)
      await close()
    })

  test('nothing that is pressed is seen, nothing is cut, and colours are light in the dark scheme too', async () => {
    const found: string[] = []
    const { page, close } = await tested.open('/', { login, colorScheme: 'dark', width: 718, height: 1000 })
    for (const [path, heading] of [
      [`/cases/${at.caseGuid}`, /^Case /],
      [`/debtors/${at.debtorGuid}`, 'Åsa Lindqvist'],
      [`/plans/${at.planGuid}`, 'Payment plan'],
      ['/cases', 'Cases'],
      ['/payments', 'Payments'],
      ['/reports', 'Reports'],
      ['/dashboard', 'Dashboard'],
    ] as const) {
      await page.emulateMedia({ media: null })
      await page.goto(path)
      await settle(page, heading)
      await page.emulateMedia({ media: 'print' })
      await page.locator('html[data-mantine-color-scheme=light]').waitFor()
      found.push(...(await findUnprintable(page)).map((about) => `${path}: ${about}`))
    }
    await page.emulateMedia({ media: null })
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
    assert.deepEqual(found, [])
    await close()
  })

  const open = async (path: string, heading: string | RegExp) => {
    const opened = await tested.open(path, { login, colorScheme: 'dark' })
    await settle(opened.page, heading)
    return opened
  }
})

/** What is seen on paper though it is a control, reaches over the paper's edge, or is dark. */
async function findUnprintable(page: Page): Promise<string[]> {
  return page.evaluate((pressed) => {
    const found: string[] = []
    const add = (about: string, element: Element) =>
      found.push(`${about}: ${(element.textContent || element.outerHTML).slice(0, 60)}`)
    for (const element of document.querySelectorAll(pressed))
      if (element.checkVisibility({ visibilityProperty: true })) add('a control', element)
    for (const element of document.querySelectorAll('#main *'))
      if (element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 1)
        add('over the edge', element)
    const [red = 0] = getComputedStyle(document.body).backgroundColor.match(/\d+/g)!.map(Number)
    if (red < 250) found.push('a dark ground')
    return found
  }, controls)
}

async function settle(page: Page, heading: string | RegExp): Promise<void> {
  await untilScreen(page, heading)
  await page.locator('[data-skeleton]').first().waitFor({ state: 'detached' })
  await page.waitForLoadState('networkidle')
}

/** The text of each page of the PDF that the browser makes, with single spaces. */
async function print(page: Page): Promise<string[]> {
  const pdf = await page.pdf({ preferCSSPageSize: true, format: 'A4' })
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: false })
  return text.map((one) => one.replaceAll(/\s+/g, ' ').trim())
}
