/** What a list shows before its rows are there. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { password, skip, startConsole, type ConsoleTest } from '../browser.ts'

const login = 'skelett@agency.example'

describe('the skeleton of a list', { skip }, () => {
  let tested: ConsoleTest
  before(async () => {
    tested = await startConsole()
    const { api } = tested
    await api.addUser({ email: login, password, userRole: 3 })
    for (const lastname of ['Ek', 'Al', 'Alm', 'Asp'])
      await api.call('POST', '/debtors', { body: { lastname } })
  })
  after(() => tested?.close())

  test('has the rows that the list had before, so that what stands below does not jump', async () => {
    const { page, close } = await tested.open('/debtors', { login })
    const skeletons = page.locator('tr[data-skeleton]')
    await page.getByRole('link', { name: 'Ek' }).waitFor()
    const { promise: held, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/api/v1/debtors?*', async (route) => {
      await held
      await route.continue()
    })
    await page.reload()
    await skeletons.first().waitFor()
    assert.equal(await skeletons.count(), 4)
    answer()
    await page.getByRole('link', { name: 'Ek' }).waitFor()
    assert.equal(await skeletons.count(), 0)
    await close()
  })
})
