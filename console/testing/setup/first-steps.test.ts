/** An administrator takes an empty agency through its first steps by the screens. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { TestApi } from '../../../server/testing/api.ts'
import { runJobs } from '../../../server/testing/jobs.ts'
import { makeDebtor } from '../../../server/testing/records/cases.ts'
import { findViolations, password, skip, startConsole, untilScreen, type ConsoleTest } from '../browser.ts'

const login = 'admin@localhost'
const settings = {
  FORDRA_SMTP_URL: 'smtp://127.0.0.1:9',
  FORDRA_MAIL_FROM: 'inkasso@agency.example',
  FORDRA_PUBLIC_URL: 'http://127.0.0.1',
  FORDRA_LETTERS: join(tmpdir(), 'letters-of-the-first-steps'),
}

describe('the first steps', { skip }, () => {
  let tested: ConsoleTest
  let runner: Awaited<ReturnType<typeof runJobs>>
  before(async () => {
    tested = await startConsole('127.0.0.1', settings)
    await tested.api.setDate('2026-09-01')
    await tested.api.addUser({ email: login, password, userRole: 2 })
    runner = await runJobs(tested.api)
  })
  after(async () => {
    await runner?.stop()
    await tested?.close()
  })

  test('are the start screen of an empty agency until the user puts them away', async () => {
    const { page, close } = await tested.open('/', { login })
    await untilScreen(page, 'First steps')
    await page.getByText('1 of 8 steps are done').waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      assert.deepEqual(await findViolations(page, `empty, ${colorScheme}`), [])
    }
    await page.getByRole('button', { name: 'Remove from the start screen' }).click()
    await untilScreen(page, 'My work today')
    await page.reload()
    await untilScreen(page, 'My work today')
    await page.getByRole('link', { name: 'First steps' }).click()
    await page.getByRole('button', { name: 'Show on the start screen' }).click()
    await page.getByRole('link', { name: 'My work today' }).click()
    await untilScreen(page, 'First steps')
    await close()
  })

  test('are not shown to a case handler', async () => {
    await tested.api.addUser({ email: 'handler@agency.example', password })
    const { page, close } = await tested.open('/', { login: 'handler@agency.example' })
    await untilScreen(page, 'My work today')
    assert.equal(await page.getByRole('link', { name: 'First steps' }).count(), 0)
    await close()
    await tested.api.sql`delete from session where user_id in (select id from app_user where user_role = 3)`
    await tested.api.sql`delete from app_user where user_role = 3`
  })

  test('fit a telephone', async () => {
    const { page, close } = await tested.open('/setup', { login, width: 360, height: 740 })
    await page.getByText('1 of 8 steps are done').waitFor()
    assert.deepEqual(await findViolations(page, 'on a telephone'), [])
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false)
    await close()
  })

  test('lead from an empty agency to its first case, each by the screen to which it links', async () => {
    const { page, close } = await tested.open('/', { login })
    await untilScreen(page, 'First steps')
    await enterCompany(page)
    await correctAccount(page, tested.api)
    await addClient(page)
    await enterTerms(page)
    await addUsers(page)
    await importCase(page, tested.api)
    assert.deepEqual(await findViolations(page, 'done'), [])
    await page.getByRole('link', { name: 'My work today' }).click()
    await untilScreen(page, 'My work today')
    await close()
  })
})

const step = (page: Page, name: string) =>
  page.locator('.setup-step', { has: page.getByRole('heading', { name, exact: false }) })

/** A slip is corrected after the step is done: the agency is in no list of clients. */
async function correctAccount(page: Page, api: TestApi): Promise<void> {
  await page.getByRole('button', { name: 'Edit: Company' }).waitFor()
  await page.getByRole('button', { name: 'Edit: Bank account' }).click()
  const bank = page.getByRole('dialog', { name: 'Bank account' })
  await bank.getByRole('textbox', { name: 'Bank account' }).fill('991-2346')
  await bank.getByRole('button', { name: 'Save' }).click()
  await bank.waitFor({ state: 'detached' })
  const [agency] = await api.sql<
    { account: string }[]
  >`select bank_account_no as account from party where parent_id is null`
  assert.equal(agency!.account, '991-2346')
}

/** Company, account and countries, in dialogs over the steps. */
async function enterCompany(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Enter the name of your agency' }).click()
  const company = page.getByRole('dialog', { name: 'Company' })
  await company.getByRole('textbox', { name: 'Name', exact: true }).fill('Fordring AB')
  await choose(page, company.getByRole('combobox', { name: 'Country' }), 'Sweden')
  await choose(page, company.getByRole('combobox', { name: 'Currency' }), 'Swedish Krona')
  await company.getByRole('button', { name: 'Save' }).click()
  await page.getByText('3 of 8 steps are done').waitFor()
  await page.getByRole('button', { name: 'Enter the bank account of your agency' }).click()
  const account = page.getByRole('dialog', { name: 'Bank account' })
  await account.getByRole('textbox', { name: 'Bank account' }).fill('5050-1055')
  await account.getByRole('button', { name: 'Save' }).click()
  await page.getByText('4 of 8 steps are done').waitFor()
  await step(page, 'Countries').getByText('Done').waitFor()
}

async function addClient(page: Page): Promise<void> {
  await step(page, 'First client').getByRole('link', { name: 'Add the first client' }).click()
  await untilScreen(page, 'New client')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Kraftbolaget')
  await page.getByRole('textbox', { name: 'Client code' }).fill('KRAFT')
  await page.getByRole('button', { name: 'Create' }).click()
  await untilScreen(page, 'Kraftbolaget')
}

/** The client's terms with its account, and its strategy, on its page. */
async function enterTerms(page: Page): Promise<void> {
  await openSteps(page)
  await step(page, 'First client')
    .getByRole('link', { name: 'Enter the bank account of Kraftbolaget' })
    .click()
  await untilScreen(page, 'Kraftbolaget')
  await page.getByRole('button', { name: 'Edit the terms' }).click()
  const terms = page.getByRole('dialog', { name: 'Edit the terms' })
  await terms.getByRole('textbox', { name: 'Bank account' }).fill('5050-1055')
  await choose(page, terms.getByRole('combobox', { name: /claim is for/ }), 'Consumer credit')
  await terms.getByRole('textbox', { name: /^Interest rate/ }).fill('12')
  await terms.getByRole('button', { name: 'Save' }).click()
  await terms.waitFor({ state: 'detached' })
  await openSteps(page)
  await step(page, 'Terms')
    .getByRole('link', { name: /Kraftbolaget.*strategy/ })
    .click()
  await untilScreen(page, 'Kraftbolaget')
  await page.getByText('None: nothing is sent or charged by itself.').waitFor()
  await page.getByRole('button', { name: 'Edit the strategy' }).click()
  const dialog = page.getByRole('dialog', { name: 'Strategy' })
  await choose(page, dialog.getByRole('combobox', { name: 'Strategy' }), 'Nordic')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Nordic' }).waitFor()
  await openSteps(page)
  await page.getByText('6 of 8 steps are done').waitFor()
}

async function addUsers(page: Page): Promise<void> {
  await page.getByRole('link', { name: /Give the administrator an e-mail address/ }).click()
  await page.getByRole('textbox', { name: 'E-mail' }).fill('anna@agency.example')
  await page.getByRole('button', { name: 'Save' }).click()
  await untilScreen(page, 'Users')
  await openSteps(page)
  await page.getByRole('link', { name: 'Add a case handler' }).click()
  await untilScreen(page, 'New user')
  await page.getByRole('textbox', { name: 'E-mail' }).fill('eva@agency.example')
  await page.getByRole('textbox', { name: 'Full name' }).fill('Eva Lind')
  await page.getByLabel('Password', { exact: true }).fill('en annan lång mening')
  await choose(page, page.getByRole('combobox', { name: 'Role' }), 'Case handler')
  await choose(page, page.getByRole('combobox', { name: 'Party' }), 'Fordring AB')
  await page.getByRole('button', { name: 'Create' }).click()
  await untilScreen(page, 'Users')
  await openSteps(page)
  await page.getByText('7 of 8 steps are done').waitFor()
}

async function importCase(page: Page, api: TestApi): Promise<void> {
  const debtorGuid = await makeDebtor(api)
  await api.sql`update debtor set debtor_reference = 'D1' where id = ${debtorGuid}`
  await page.getByRole('link', { name: 'Import cases from a file' }).click()
  await page.locator('input[type=file]').setInputFiles({
    name: 'cases.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'sourceReference;partyReferenceCode;debtorReference;principal;currencyCode;dueDate\nA1;KRAFT;D1;100;SEK;2026-05-01\n',
    ),
  })
  await page.getByRole('button', { name: 'Check the file' }).click()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await page.getByText('The file is imported').waitFor()
  await openSteps(page)
  await page.getByText('All steps are done. Your agency is ready.').waitFor()
}

/** By the menu, as from any screen. */
async function openSteps(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'First steps' }).click()
  await untilScreen(page, 'First steps')
}

async function choose(page: Page, field: Locator, option: string): Promise<void> {
  await field.click()
  await field.fill(option)
  await page.getByRole('option', { name: option }).first().click()
}
