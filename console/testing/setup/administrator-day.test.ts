/** What an administrator meets in a day: the menu, empty lists, words, a telephone. Skipped without a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { password, skip, startConsole, type ConsoleTest } from '../browser.ts'

const login = 'day@agency.example'

describe('a day of an administrator', { skip }, () => {
  let tested: ConsoleTest
  before(async () => {
    tested = await startConsole()
    await tested.api.addUser({ email: login, password, userRole: 2 })
  })
  after(() => tested?.close())

  test('finds the place of the screen in a long menu', async () => {
    const { page, close } = await tested.open('/system', { login, height: 600 })
    await page.locator('.navigation-link[aria-current="page"]').first().waitFor()
    const isSeen = `(() => {
      const { top, bottom } = document.querySelector('.navigation-link[aria-current="page"]').getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    })()`
    await page.waitForFunction(isSeen)
    assert.equal(await page.evaluate('scrollY'), 0)
    await page.getByText('English, Svenska, Norsk, Dansk, Suomi, Deutsch').waitFor()
    await close()
  })

  test('sees no pages of an empty list, but those of a filter without a match', async () => {
    const { page, close } = await tested.open('/webhooks', { login })
    await page.getByText('No webhooks.').waitFor()
    assert.equal(await page.getByText('0 rows', { exact: true }).count(), 0)
    await page.goto('/outbox')
    await page.getByRole('button', { name: 'Held', exact: true }).click()
    await page.getByText('0 rows', { exact: true }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('filter'), 'sentAt eq null and heldReason ne null')
    await close()
  })

  test('begins an empty list from its middle, and shows all again where nothing matches', async () => {
    const { page, close } = await tested.open('/holdings?kind=purchase', { login })
    await page.getByRole('button', { name: 'New purchase' }).waitFor()
    for (const [path, dialog] of [
      ['/holdings', 'New third party'],
      ['/webhooks', 'New webhook'],
      ['/clients', 'New client'],
      ['/trials', 'New trial'],
    ] as const) {
      await page.goto(path)
      await page.getByRole('button', { name: 'Add the first one' }).click()
      await page.getByRole('dialog', { name: dialog }).waitFor()
    }
    for (const [path, target] of [
      ['/debtors', '/debtors/new'],
      ['/payments', '/payments/new'],
      ['/payouts', '/payouts/new'],
    ] as const) {
      await page.goto(path)
      await page.getByRole('link', { name: 'Add the first one' }).click()
      await page.waitForURL(target)
    }
    await page.goto('/outbox')
    await page.getByRole('button', { name: 'Held', exact: true }).click()
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.waitForURL((url) => !url.searchParams.has('filter'))
    await close()
  })

  test('sees the role of each user', async () => {
    const { page, close } = await tested.open('/users', { login })
    await page.getByRole('columnheader', { name: 'Role' }).waitFor()
    await page.getByRole('row', { name: new RegExp(`${login} Administrator`) }).waitFor()
    await close()
  })

  test('invites with the address beside the name, and reads who may do what in words', async () => {
    const { page, close } = await tested.open('/users/new', { login })
    await page.getByText('Invite a person by e-mail, or set a password.').waitFor()
    const fields = page.locator('main label')
    await fields.first().waitFor()
    const labels = (await fields.allInnerTexts()).map((text) => text.replace(/\s*\*$/, ''))
    assert.deepEqual(labels.slice(0, 2), ['Full name', 'E-mail'])
    await page.goto('/access')
    await page.getByRole('cell', { name: 'Everybody signed in', exact: true }).first().waitFor()
    assert.equal(await page.getByRole('cell', { name: 'session', exact: true }).count(), 0)
    await page.goto('/jobs/commands')
    await page
      .getByRole('row', { name: /^Import a file/ })
      .getByRole('link', { name: 'Import' })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor()
    await close()
  })

  test('reads every action of the dashboard on a telephone', async () => {
    const { page, close } = await tested.open('/dashboard', { login, width: 390 })
    await page.getByRole('button', { name: 'New dashboard' }).waitFor()
    const cut = await page
      .locator('.page-actions .mantine-Button-label')
      .evaluateAll((labels) =>
        labels.filter((label) => label.scrollWidth > label.clientWidth).map((label) => label.textContent),
      )
    assert.deepEqual(cut, [])
    const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    assert.ok(Number(wide) <= 0)
    await close()
  })
})
