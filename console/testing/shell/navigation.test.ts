/** The menu: its groups and icons. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findViolations, password, skip, startConsole, type ConsoleTest } from '../browser.ts'

const login = 'meny@agency.example'

describe('the navigation', { skip }, () => {
  let tested: ConsoleTest
  before(async () => {
    tested = await startConsole()
    await tested.api.addUser({ email: login, password, userRole: 2 })
  })
  after(() => tested?.close())

  test('shows no icon twice', async () => {
    const { page, close } = await tested.open('/', { login })
    const menu = page.getByRole('navigation', { name: 'Navigation' })
    await menu.getByRole('link', { name: 'Users' }).waitFor()
    const drawn = await menu
      .locator('.navigation-list svg path')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')))
    assert.ok(drawn.length > 12, `${drawn.length} icons`)
    assert.deepEqual(
      drawn.filter((path, at) => drawn.indexOf(path) !== at),
      [],
    )
    await close()
  })

  test('folds its groups, and remembers for each user which', async () => {
    const first = await tested.open('/', { login })
    const fold = (page: typeof first.page, name: string) => page.getByRole('button', { name, exact: true })
    // The menu comes after the frame.
    await fold(first.page, 'Monitoring').waitFor()
    const groups = await first.page.locator('.navigation-fold').allInnerTexts()
    assert.deepEqual(groups, ['Work', 'Money', 'Clients', 'Set-up', 'Monitoring'])
    await fold(first.page, 'Money').click()
    await first.page.getByRole('link', { name: 'Payment plans' }).waitFor({ state: 'hidden' })
    assert.equal(await fold(first.page, 'Money').getAttribute('aria-expanded'), 'false')
    assert.deepEqual(await findViolations(first.page, 'folded'), [])
    await first.page.reload()
    await first.page.getByRole('link', { name: 'Debtors' }).first().waitFor()
    await first.page.getByRole('link', { name: 'Payment plans' }).waitFor({ state: 'hidden' })
    await fold(first.page, 'Money').click()
    await first.page.getByRole('link', { name: 'Payment plans' }).waitFor()
    await first.close()
  })
})
