/** Every screen: accessible (axe) in both colour schemes and on a telephone. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { NavigationSection } from '../../contract/metadata/navigation.ts'
import { findViolations, skip, startConsole, visitScreen, type ConsoleTest } from './browser.ts'
import { allScreens, walkScreens } from './screens/all-screens.ts'
import { administrator as login, makeReference, type Reference } from './screens/reference.ts'

const telephone = { width: 360, height: 740 }
const desktop = { width: 1280, height: 720 }

describe('each screen', { skip }, () => {
  let tested: ConsoleTest
  let at: Reference

  before(async () => {
    tested = await startConsole()
    at = await makeReference(tested.api)
  })
  after(() => tested?.close())

  test('is quiet, accessible in light and dark colours, and fits a telephone', async () => {
    const schemes = new Map<Page, Scheme>()
    const found = await walkScreens(tested, at, { login }, async (page, path, heading) => {
      const scheme = schemes.get(page) ?? 'light'
      schemes.set(page, otherScheme(scheme))
      return lookAt(page, scheme, path, heading)
    })
    assert.deepEqual(found, [])
  })

  test('stands behind every address of the navigation of the service', async () => {
    const { api } = tested
    const { page, close } = await tested.open('/', { login })
    const { body } = await api.call<{ sections: NavigationSection[] }>('GET', '/system/navigation')
    const urls = body.sections.flatMap(({ url, subSections }) => [url, ...subSections.map((one) => one.url)])
    const missing: string[] = []
    const seen = new Set(allScreens(at).map(([path]) => path))
    for (const url of new Set(urls.filter((one) => !seen.has(one)))) {
      await page.goto(url)
      await page.getByRole('heading', { level: 1 }).waitFor()
      if (await page.getByRole('heading', { level: 1, name: 'Nothing here' }).isVisible()) missing.push(url)
    }
    assert.deepEqual(missing, [])
    await page.goto('/worklist?sort=caseNumber')
    await page.getByRole('heading', { level: 1, name: 'Worklist' }).waitFor()
    assert.equal(new URL(page.url()).search, '?sort=caseNumber')
    await page.getByRole('button', { name: /^Menu of/ }).click()
    const docs = page.getByRole('menuitem', { name: 'Documentation' })
    assert.equal((await page.request.get((await docs.getAttribute('href'))!)).status(), 200)
    await close()
  })

  test('finds a payment plan by its debtor and by its case', async () => {
    const { page, close } = await tested.open('/debtors', { login })
    const { body } = await tested.api.call<{ caseNumber: string }>('GET', `/cases/${at.caseGuid}`)
    for (const text of ['lindqvist', body.caseNumber]) {
      await page.getByRole('button', { name: /^Search or go to/ }).click()
      await page.getByPlaceholder(/Name, reference/).fill(text)
      await page.getByText(/^Plan from .*: Proposal$/).click()
      await page.getByRole('heading', { level: 1, name: 'Payment plan' }).waitFor()
      assert.ok(page.url().endsWith(`/plans/${at.planGuid}`))
    }
    await close()
  })

  test('lets an administrator set and correct a statutory fee', async () => {
    const { page, close } = await tested.open('/rates', { login })
    await page.getByRole('combobox', { name: 'Country' }).click()
    await page.getByRole('option', { name: /^SE/ }).click()
    await page.getByRole('button', { name: 'New fee' }).click()
    const created = page.getByRole('dialog', { name: 'New fee' })
    await created.getByLabel(/^Maximum amount/).fill('95')
    await created.getByLabel('Valid from').fill('2031-01-01')
    await created.getByRole('combobox', { name: 'Fee type' }).click()
    await page.getByRole('option', { name: 'Reminder' }).first().click()
    await created.getByRole('button', { name: 'Create' }).click()
    const row = page.getByRole('row', { name: /SEK 95\.00|95\.00 SEK|95\.00/ })
    await row.getByText('Set here').waitFor()
    await row.getByRole('button', { name: /^Edit the fee/ }).click()
    const edited = page.getByRole('dialog', { name: 'Edit the fee' })
    await edited.getByLabel(/^Maximum amount/).fill('96')
    await edited.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: /96\.00/ }).waitFor()
    await close()
  })

  test('leads on from one to the other on a telephone', async () => {
    const { page, close } = await tested.open('/nowhere', { login, ...telephone })
    await page.getByRole('button', { name: 'Navigation' }).click()
    await page.getByRole('link', { name: 'Debtors', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Debtors' }).waitFor()
    await close()
  })

  test('opens what it opens accessibly', async () => {
    const { page, close } = await tested.open('/debtors', { login })
    const found: string[] = []
    let scheme: Scheme = 'light'
    const look = async (about: string) => {
      found.push(...(await findInBothSchemes(page, about, scheme)))
      scheme = otherScheme(scheme)
    }
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('button', { name: 'Add a condition' }).click()
    await look('filter')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('dialog', { name: 'Columns' }).waitFor()
    await look('columns')
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1 }).click()
    // A key pressed while the dialog is still closing belongs to the dialog.
    const palette = page.getByPlaceholder(/Name, reference/)
    while (!(await palette.isVisible())) {
      await page.keyboard.press('/')
      await palette.waitFor({ timeout: 1000 }).catch(() => {})
    }
    await palette.fill('lind')
    await page.getByRole('dialog').getByText('Åsa Lindqvist').first().waitFor()
    await page
      .getByRole('dialog')
      .getByText(/^Plan from/)
      .waitFor()
    await look('palette')
    await page.keyboard.press('Escape')
    await page.goto(`/debtors/${at.debtorGuid}`)
    await page.getByRole('button', { name: 'New address' }).click()
    await page.getByRole('textbox', { name: 'Street' }).waitFor()
    await look('address')
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('button', { name: 'Delete Storgatan 10, 211 42 Malmö' }).click()
    await look('confirm')
    await close()
    assert.deepEqual(found, [])
  })

  test('before signing in is accessible', async () => {
    const { page, close } = await tested.open('/')
    const found: string[] = []
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    found.push(...(await findInBothSchemes(page, 'sign-in', 'light')))
    await page.getByRole('button', { name: 'Forgotten password?' }).click()
    await page.getByRole('heading', { name: 'Forgotten password' }).waitFor()
    found.push(...(await findInBothSchemes(page, 'forgotten', 'dark')))
    await page.goto('/reset-password#token=abc')
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    found.push(...(await findInBothSchemes(page, 'reset', 'light')))
    await close()
    assert.deepEqual(found, [])
  })
})

type Scheme = 'light' | 'dark'

const otherScheme = (scheme: Scheme): Scheme => (scheme === 'light' ? 'dark' : 'light')

/** What is wrong with a screen. Begins in the scheme that the page has, and leaves it in the other. */
async function lookAt(page: Page, scheme: Scheme, path: string, heading: string | RegExp): Promise<string[]> {
  await visitScreen(page, path, heading)
  const found = await findInBothSchemes(page, path, scheme)
  if (!(await page.title()).endsWith(' · Fordra')) found.push(`${path} has no title`)
  await page.setViewportSize(telephone)
  const fits = page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth)
  await fits.catch(() => found.push(`${path} is wider than a telephone`))
  await page.setViewportSize(desktop)
  return found
}

/** The rules of axe that look at colours: all that can differ between the schemes, which have the same document. */
const ofColours = ['color-contrast', 'link-in-text-block']

/** Everything in the scheme that the page has, and the colours in the other, which it then keeps: a change is slow. */
async function findInBothSchemes(page: Page, about: string, scheme: Scheme): Promise<string[]> {
  const first = await findViolations(page, `${about} in ${scheme}`)
  const other = otherScheme(scheme)
  await setScheme(page, other)
  return [...first, ...(await findViolations(page, `${about} in ${other}`, ofColours))]
}

/** The console follows the scheme of the system a frame later. Looks at each frame: a locator asks for none. */
async function setScheme(page: Page, colorScheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.waitForFunction(
    (scheme) => document.documentElement.dataset['mantineColorScheme'] === scheme,
    colorScheme,
  )
}
