/** An administrator makes strategies, tries them, and imports files. Skipped without a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runJobs, waitForJob } from '../../server/testing/jobs.ts'
import { password, skip, startConsole, type ConsoleTest } from './browser.ts'

const login = 'administrator@agency.example'

describe('an administrator', { skip }, () => {
  let tested: ConsoleTest
  let runner: Awaited<ReturnType<typeof runJobs>>
  before(async () => {
    tested = await startConsole()
    runner = await runJobs(tested.api)
    await tested.api.addUser({ email: login, password, userRole: 2 })
  })
  after(async () => {
    await runner?.stop()
    await tested?.close()
  })

  test('makes a strategy, tries it before it is stored, and changes it', async () => {
    const { page, close } = await tested.open('/strategies', { login })
    await page.getByRole('link', { name: 'Nordic standard' }).waitFor()
    await page.getByRole('link', { name: 'New strategy' }).click()
    const made = page.getByRole('region', { name: 'New strategy' })
    await made.getByRole('textbox', { name: 'Code', exact: true }).first().fill('soft')
    await made.getByRole('textbox', { name: 'Name', exact: true }).fill('Soft reminders')
    await made.getByLabel('After days').fill('3')
    await page.getByRole('button', { name: 'Simulate' }).click()
    await page.getByRole('cell', { name: 'letter reminder' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Soft reminders' }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Add a step' }).click()
    await page.getByRole('group', { name: 'Step 2 · STEP-2' }).getByLabel('After days').fill('-1')
    await page.getByRole('group', { name: 'Step 2 · STEP-2' }).getByLabel('After days').fill('30')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('SOFT · Version 2').waitFor()
    const [row] = await tested.api.sql`
      select count(*)::int as steps from strategy g join strategy_step s on s.strategy_id = g.id and s.version = g.version
      where g.code = 'SOFT'`
    assert.equal(row!['steps'], 2)
    await close()
  })

  test('uploads a file, has it imported, and gets the rejected rows', async () => {
    const { page, close } = await tested.open('/import', { login })
    const rows = 'sourceReference,lastname,zipCode,countryCode\n1,Ek,211 42,SE\n2,Al,nonsense,SE\n'
    const file = { name: 'debtors.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page.getByRole('button', { name: 'Import 1 row' }).click()
    await page.getByText('The file is imported').waitFor()
    const [job] = await tested.api.sql<{ id: string }[]>`select id from job_run where name = 'import'`
    const { result } = await waitForJob(tested.api, job!.id)
    assert.deepEqual([result!['inserted'], result!['rejected']], [1, 1])
    const [debtor] = await tested.api.sql<{ id: string }[]>`select id from debtor where full_name = 'Ek'`
    await tested.api.call('POST', `/system/forms/note/create?id=${debtor!.id}`, { body: { text: 'Called.' } })
    await page.goto(`/debtors/${debtor!.id}`)
    await page.getByRole('listitem').filter({ hasText: 'Note created' }).getByText('Called.').waitFor()
    await page.goto('/jobs')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Rejected rows' }).first().click(),
    ])
    assert.equal(download.suggestedFilename(), 'rejected.csv')
    await close()
  })
})
