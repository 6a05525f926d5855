/** An administrator makes strategies, tries them, and imports files. Skipped without a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runJobs, waitForJob } from '../../server/testing/jobs.ts'
import { findViolations, password, skip, startConsole, untilKept, type ConsoleTest } from './browser.ts'

const login = 'administrator@agency.example'

describe('an administrator', { skip }, () => {
  let tested: ConsoleTest
  let runner: Awaited<ReturnType<typeof runJobs>>
  before(async () => {
    tested = await startConsole(undefined, { FORDRA_SERVICES: 'services' })
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
    await page.getByRole('cell', { name: 'Reminder Letter: Reminder' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Soft reminders' }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Add a step' }).click()
    await page.getByRole('group', { name: 'Step 2 · STEP-2' }).getByLabel('After days').fill('-1')
    await page.getByRole('group', { name: 'Step 2 · STEP-2' }).getByLabel('After days').fill('30')
    await page.getByRole('group', { name: 'Step 1 · STEP-1' }).getByLabel('After days').fill('5')
    const changes = page.getByRole('region', { name: 'Changes to the version in force' })
    await changes.getByText('Reminder (STEP-1), After days: was 3 → 5').waitFor()
    await changes
      .getByText(/^Reminder \(STEP-2\): Code STEP-2, .*After days 30, Actions Kind Letter, Letter Reminder/)
      .waitFor()
    await page.getByRole('button', { name: 'Simulate' }).click()
    const compared = page.getByRole('region', { name: /The draft and the version in force/ })
    await compared.getByRole('row', { name: 'Reminder (STEP-1) 1 1 0 0' }).waitFor()
    const weeks = page.getByRole('region', { name: 'Money and letters by week', exact: true })
    await weeks.getByRole('row', { name: 'Posted letters 1 2 +1' }).waitFor()
    await weeks.getByText('What is collected cannot be estimated').waitFor()
    await weeks.getByText('2 letters have no price in this currency and cost nothing here.').waitFor()
    await weeks.getByText('The same as a table').click()
    await weeks.getByRole('row', { name: /^5 \(.*\) 0 1 \+1$/ }).waitFor()
    assert.equal(await weeks.locator('.chart-column').count(), 9)
    await weeks.getByText('Cost', { exact: true }).last().click()
    await weeks.getByRole('columnheader', { name: 'Cost: Draft' }).waitFor()
    assert.deepEqual(await findViolations(page, 'a draft compared'), [])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('SOFT · Version 2').waitFor()
    const [row] = await tested.api.sql`
      select count(*)::int as steps from strategy g join strategy_step s on s.strategy_id = g.id and s.version = g.version
      where g.code = 'SOFT'`
    assert.equal(row!['steps'], 2)
    await close()
  })

  test('reads the steps of a strategy by their names, not by their codes', async () => {
    const { page, close } = await tested.open('/strategies', { login })
    await page.getByRole('link', { name: 'Nordic standard' }).click()
    const steps = page.getByRole('region', { name: /^Steps/ }).last()
    await steps.getByRole('cell', { name: 'Collection notice (NO)', exact: true }).waitFor()
    assert.equal(await page.getByText('NOTICE-NO').count(), 0)
    assert.equal(await page.getByText('data/law').count(), 0)
    await close()
  })

  test('reads a strategy as a flow, by keyboard, in both colours and on a telephone', async () => {
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 1280],
      ['light', 390],
    ] as const) {
      const { page, close } = await tested.open('/strategies', { login, colorScheme, width })
      await page.getByRole('link', { name: 'Nordic standard' }).click()
      const flow = page.getByRole('region', { name: 'Flow', exact: true })
      const first = flow.getByRole('list', { name: 'Steps at New, Registered' })
      await first.getByText('Collection notice (NO)').waitFor()
      const card = flow.getByRole('listitem').filter({ hasText: /^After 18 daysDemand \(NO\)/ })
      await card.getByText('Norway', { exact: true }).waitFor()
      const link = card.getByRole('button', { name: 'Leads to Amicable collection, Demand sent' })
      await link.focus()
      assert.equal(await flow.locator('path[data-near]').count(), 2, 'the way to the step and on from it')
      await page.keyboard.press('Enter')
      const focused = page.locator(':focus')
      assert.equal(await focused.innerText(), 'Amicable collection, Demand sent')
      // A line to each of the 14 steps, and one to each place to which a step leads.
      assert.equal(await flow.locator('.flow-lines > path').count(), 14 + 12)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(wide <= 0, `${width}: ${wide} pixels beyond the screen`)
      assert.deepEqual(await findViolations(page, `a flow in ${colorScheme} at ${width}`), [])
      await close()
    }
  })

  test('chooses a step in the drawing of a draft, and edits it', async () => {
    const { page, close } = await tested.open('/strategies', { login })
    await page.getByRole('link', { name: 'Nordic standard' }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    const flow = page.getByRole('region', { name: 'Flow', exact: true })
    await flow.getByRole('button', { name: 'Reminder', exact: true }).click()
    const editor = page.getByRole('group', { name: 'Step 4 · REMINDER' })
    assert.ok(await editor.getByLabel('Code').evaluate((input) => input === document.activeElement))
    await editor.getByLabel('After days').fill('4')
    await flow.getByText('After 4 days').waitFor()
    await close()
  })

  test('keeps the draft of a strategy when the tab is closed', async () => {
    const { page, context, close } = await tested.open('/strategies/new', { login })
    const getName = (at: typeof page) =>
      at.getByRole('region', { name: 'New strategy' }).getByRole('textbox', { name: 'Name', exact: true })
    await getName(page).fill('Half done')
    await page.getByRole('button', { name: 'Add a step' }).click()
    await page.getByRole('group', { name: 'Step 2 · STEP-2' }).getByLabel('After days').fill('21')
    await untilKept(page, /afterDays\W+21/)
    await page.close()
    const again = await context.newPage()
    await again.goto('/strategies/new')
    await again.getByRole('button', { name: 'Restore it' }).click()
    assert.equal(await getName(again).inputValue(), 'Half done')
    const step = again.getByRole('group', { name: 'Step 2 · STEP-2' })
    assert.equal(await step.getByLabel('After days').inputValue(), '21')
    await close()
  })

  test('picks the countries of a step, its service and the user of the service by their names', async () => {
    const { page, close } = await tested.open('/strategies/new', { login })
    const made = page.getByRole('region', { name: 'New strategy' })
    await made.getByRole('textbox', { name: 'Code', exact: true }).first().fill('checked')
    await made.getByRole('textbox', { name: 'Name', exact: true }).fill('Checked addresses')
    for (const [field, name] of [
      ['Countries of the client', 'Norway'],
      ['Currencies', 'Norwegian Krone'],
    ] as const) {
      await made.getByRole('combobox', { name: field }).fill(name)
      await page.getByRole('option', { name, exact: true }).click()
    }
    await made.getByRole('combobox', { name: 'Action', exact: true }).click()
    await page.getByRole('option', { name: 'Service', exact: true }).click()
    const action = made.getByRole('group', { name: 'Step 1, Action 1' })
    await action.getByRole('combobox', { name: 'Service' }).fill('address')
    await page.getByRole('option', { name: /^Marks addresses that mail came back from/ }).click()
    await action.getByRole('combobox', { name: 'With the rights of' }).fill('administrator')
    await page.getByRole('option', { name: /administrator/ }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Checked addresses' }).waitFor()
    const [step] = await tested.api.sql`
      select s.countries, s.currencies, s.actions -> 0 ->> 'service' as service, u.email
      from strategy g join strategy_step s on s.strategy_id = g.id
        join app_user u on u.id = (s.actions -> 0 ->> 'userGuid')::uuid
      where g.code = 'CHECKED'`
    assert.deepEqual(
      { ...step },
      { countries: ['NO'], currencies: ['NOK'], service: 'address-check', email: login },
    )
    await close()
  })

  test('makes a trial of strategies, starts it, reads its results and stops it', async () => {
    const { api } = tested
    const send = async (method: string, path: string, body?: object) => {
      const answer = await api.call<Record<string, string>>(method, path, body === undefined ? {} : { body })
      assert.ok(answer.status < 300, `${path}: ${answer.text}`)
      return answer.body
    }
    await api.setDate('2026-03-02')
    const actions = [{ kind: 'letter', letter: 'reminder' }]
    const steps = [{ code: 'REMINDER', status: 'NEW', afterDays: 900, actions }]
    await send('POST', '/strategies', { code: 'GENTLE', name: 'Gentle letters', steps })
    const clientGuid = await api.addParty('TRIED')
    await send('PUT', `/clients/${clientGuid}/strategy`, { strategy: 'NORDIC' })
    const { page, close } = await tested.open('/trials', { login })
    await page.getByRole('button', { name: 'New trial' }).click()
    const made = page.getByRole('dialog', { name: 'New trial' })
    await made.getByLabel(/^Name/).fill('Gentler')
    for (const [field, strategy] of [
      [/^Champion/, 'NORDIC'],
      [/^Challenger/, 'GENTLE'],
    ] as const) {
      await made.getByRole('combobox', { name: field }).fill(strategy)
      await page.getByRole('option', { name: new RegExp(strategy) }).click()
    }
    await made.getByLabel(/^Share of the debtors/).fill('50')
    await made.getByLabel(/^Days until the outcome/).fill('10')
    await made.getByLabel(/^Highest amount/).fill('800')
    await made.getByRole('combobox', { name: /^Currency/ }).fill('SEK')
    await page.getByRole('option', { name: 'Swedish Krona' }).click()
    await made.getByLabel(/^Planned cases/).fill('2000')
    await made.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name: 'Gentler' }).waitFor()
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
    await page.getByText('Running', { exact: true }).waitFor()
    await page.getByText('No case is judged yet').waitFor()
    const { trialGuid } = (await api.sql<{ trialGuid: string }[]>`select id as "trialGuid" from trial`)[0]!
    const arms = [0, 0]
    while (arms[0]! + arms[1]! < 120) {
      const { debtorGuid } = await send('POST', '/debtors', { lastname: 'Ek' })
      const claim = { clientGuid, debtorGuid, principal: 1000, currencyCode: 'SEK' }
      const { caseGuid } = await send('POST', '/system/forms/case/register', claim)
      const [row] = await api.sql<
        { arm: number }[]
      >`select arm from trial_debtor where case_id = ${caseGuid!}`
      arms[row!.arm]! += 1
      if (row!.arm === 1) await send('POST', '/system/forms/payment/register', { caseGuid, amount: 1000 })
    }
    await api.setDate('2026-03-13')
    await page.reload()
    // Every case of the challenger is paid, and none of the champion.
    await page
      .getByText(/^Gentle letters collected between .* percentage points more of the claims\.$/)
      .waitFor()
    await page.getByText('These intervals hold at every look').waitFor()
    const row = page.getByRole('row', { name: /Gentle letters/ })
    assert.match(await row.innerText(), new RegExp(`\\b${arms[1]}\\b[^]*100 %[^]*800`))
    assert.equal(await page.locator('.interval-chart .interval-more').count(), 3)
    assert.deepEqual(await findViolations(page, 'results of a trial'), [])
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped', { exact: true }).first().waitFor()
    const [stopped] = await api.sql<{ seed: string }[]>`select seed from trial where id = ${trialGuid}`
    await page.getByText(stopped!.seed).waitFor()
    await page.goto('/trials')
    await page.getByRole('link', { name: 'Gentler' }).waitFor()
    await api.setDate(null)
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
