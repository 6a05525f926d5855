/** What is typed survives a closed tab, and is offered to its user alone. Skipped without a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { runJobs } from '../../server/testing/jobs.ts'
import { addBankFile, businessDate } from './screens/reference.ts'
import { findViolations, password, skip, startConsole, untilKept, type ConsoleTest } from './browser.ts'

const login = 'utkast@agency.example'
const other = 'annan@agency.example'

const keys = (page: Page) =>
  page.evaluate<string[]>("Object.keys(localStorage).filter((key) => key.startsWith('fordra.draft.'))")

const readAll = (page: Page) => page.evaluate<string>('Object.values(localStorage).join()')

describe('drafts of forms', { skip }, () => {
  let tested: ConsoleTest
  before(async () => {
    tested = await startConsole()
    for (const email of [login, other]) await tested.api.addUser({ email, password, userRole: 2 })
  })
  after(() => tested?.close())

  test('outlive a closed tab, are offered and restored without identity numbers, and go when stored', async () => {
    const { page, context, close } = await tested.open('/debtors/new', { login })
    await page.getByLabel('Last name').fill('Utkastsson')
    await page.getByLabel('Identity or company number').fill('19121212-1212')
    await untilKept(page, /Utkastsson/)
    assert.ok(!(await readAll(page)).includes('1212-1212'))
    await page.close()
    const again = await context.newPage()
    await again.goto('/debtors/new')
    await again.getByText('You typed something here before').waitFor()
    assert.equal(await again.getByLabel('Last name').inputValue(), '')
    assert.deepEqual(await findViolations(again, 'an offered draft'), [])
    await again.getByRole('button', { name: 'Restore it' }).click()
    assert.equal(await again.getByLabel('Last name').inputValue(), 'Utkastsson')
    assert.equal(await again.getByLabel('Identity or company number').inputValue(), '')
    await again.locator('form button[type=submit]').click()
    await again.getByRole('heading', { name: 'Utkastsson' }).first().waitFor()
    assert.deepEqual(await keys(again), [])
    await again.goto('/debtors/new')
    await again.getByLabel('Last name').waitFor()
    assert.equal(await again.getByText('You typed something here before').count(), 0)
    await close()
  })

  test('survive a service that is away and a session that ended, are discarded when asked, and go with another user', async () => {
    const { page, context, setOffline, close } = await tested.open('/debtors/new', { login })
    await page.getByLabel('Last name').fill('Avbruten')
    await untilKept(page, /Avbruten/)
    await setOffline(true)
    await page.close()
    await setOffline(false)
    await context.clearCookies()
    const again = await context.newPage()
    await again.goto('/debtors/new')
    await again.getByLabel('E-mail or user code').fill(login)
    await again.getByLabel('Password', { exact: true }).fill(password)
    await again.getByRole('button', { name: 'Sign in' }).click()
    await again.getByRole('button', { name: 'Discard it' }).click()
    assert.equal(await again.getByLabel('Last name').inputValue(), '')
    assert.deepEqual(await keys(again), [])
    await again.getByLabel('Last name').fill('Kvar')
    await untilKept(again, /Kvar/)
    await again.close()
    await context.clearCookies()
    const others = await context.newPage()
    await others.goto('/debtors/new')
    await others.getByLabel('E-mail or user code').fill(other)
    await others.getByLabel('Password', { exact: true }).fill(password)
    await others.getByRole('button', { name: 'Sign in' }).click()
    await others.getByLabel('Last name').waitFor()
    assert.equal(await others.getByText('You typed something here before').count(), 0)
    assert.deepEqual(await keys(others), [])
    await close()
  })

  test('are kept of dialogs: a dashboard, an approval, money in suspense', async () => {
    const { api } = tested
    await api.setDate(businessDate)
    await addBankFile(api)
    const runner = await runJobs(api)
    const isBooked = async () => (await api.call<{ total: number }>('GET', '/suspense')).body.total > 0
    while (!(await isBooked())) await new Promise((resolve) => setTimeout(resolve, 50))
    await runner.stop()
    const [user] = await api.sql<{ id: string }[]>`select id from app_user where email = ${other}`
    const party = await api.addParty('KRAFT')
    await api.sql`
      insert into approval (id, act, client_id, request, requested_by)
      values (gen_random_uuid(), 'CLIENT_ACCOUNT', ${party}, '{}', ${user!.id})`
    const { page, context, close } = await tested.open('/dashboard', { login })
    const dialogs: [path: string, button: string, field: string][] = [
      ['/dashboard', 'New dashboard', 'Name'],
      ['/approvals', 'Reject', 'Reason of the decision'],
      ['/suspense', 'Pay back', 'Where it was paid and why'],
    ]
    for (const [path, button, field] of dialogs) {
      await page.goto(path)
      await page.getByRole('button', { name: button }).first().click()
      await page.getByRole('dialog').getByRole('textbox', { name: field }).fill(`Kept ${field}`)
      await untilKept(page, new RegExp(`Kept ${field}`))
    }
    await page.close()
    const again = await context.newPage()
    for (const [path, button, field] of dialogs) {
      await again.goto(path)
      await again.getByRole('button', { name: button }).first().click()
      const dialog = again.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Restore it' }).click()
      const input = dialog.getByRole('textbox', { name: field })
      assert.equal(await input.inputValue(), `Kept ${field}`)
    }
    await close()
  })
})
