/** The handlers' queue in the console. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CaseWork } from '../../contract/work/work.ts'
import { findViolations, password, skip, startConsole, untilKept, type ConsoleTest } from './browser.ts'

const login = 'ko@agency.example'
const date = '2026-06-15'

describe('the queue', { skip }, () => {
  let tested: ConsoleTest
  /** Case numbers and guids by the debtor's name. */
  const cases: Record<string, { caseGuid: string; caseNumber: string }> = {}

  before(async () => {
    tested = await startConsole()
    const { api } = tested
    await api.setDate(date)
    await api.addUser({ email: login, password, userRole: 2 })
    const clientGuid = await api.addParty('KRAFT')
    const reminder = { kind: 'letter', letter: 'reminder', dueDays: 14 }
    const steps = [{ code: 'REMIND', status: 'NEW', afterDays: 7, actions: [reminder] }]
    await api.call('POST', '/strategies', { body: { code: 'ONE', name: 'One reminder', steps } })
    await api.call('PUT', `/clients/${clientGuid}/strategy`, { body: { strategy: 'ONE' } })
    for (const lastname of ['Lovar', 'Utkast', 'Först', 'Sedan', 'Sist']) {
      const debtor = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname } })
      const body = { clientGuid, debtorGuid: debtor.body.debtorGuid, principal: 1200, currencyCode: 'SEK' }
      const made = await api.call<{ caseGuid: string; caseNumber: string }>(
        'POST',
        '/system/forms/case/register',
        { body },
      )
      cases[lastname] = made.body
      if (lastname === 'Lovar' || lastname === 'Utkast') continue
      await api.call('PUT', `/cases/${made.body.caseGuid}/nextaction`, {
        body: { nextAction: `Ring ${lastname}`, nextActionDate: `${date}T00:00:00Z` },
      })
    }
  })
  after(() => tested?.close())

  const readWork = async (name: string) =>
    (await tested.api.call<CaseWork>('GET', `/cases/${cases[name]!.caseGuid}/work`)).body

  test('gets a promise from a call, and a payment keeps it', async () => {
    const { caseGuid } = cases['Lovar']!
    const { page, close } = await tested.open(`/cases/${caseGuid}`, { login })
    const panel = page.getByRole('region', { name: 'Calls', exact: true })
    await panel.getByRole('button', { name: 'Log a call' }).click()
    const dialog = page.getByRole('dialog', { name: 'Log a call' })
    await dialog.getByLabel('What was said').fill('Betalar efter lönen')
    await dialog.getByLabel('Promised amount').fill('1200')
    assert.deepEqual(await findViolations(page, 'the call'), [])
    await dialog.getByRole('textbox', { name: 'Promised until' }).fill('2026-06-25')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await panel.getByText('Promised SEK 1,200.00 until 25 Jun 2026').waitFor()
    await page
      .getByRole('region', { name: 'Work', exact: true })
      .getByText('Promised SEK 1,200.00', { exact: true })
      .waitFor()
    await page.getByRole('button', { name: 'Register a payment' }).click()
    const pay = page.getByRole('dialog', { name: 'Register a payment' })
    await pay.getByLabel('Amount').fill('1200')
    assert.equal(await pay.getByLabel('Value date').inputValue(), '15/06/2026')
    assert.equal(await pay.getByLabel('Payment reference').count(), 0)
    await pay.getByText(/−1.?200.* → 0/).waitFor()
    assert.deepEqual(await findViolations(page, 'the payment'), [])
    await pay.getByRole('button', { name: 'More' }).click()
    await pay.getByLabel("Payer's reference").waitFor()
    await pay.getByRole('button', { name: /^(Save|Register)/ }).click()
    await panel.getByText('Kept', { exact: true }).waitFor()
    await close()
  })

  test('keeps what is typed of a call and of a next action when the tab is closed', async () => {
    const { caseGuid } = cases['Utkast']!
    const { page, context, close } = await tested.open(`/cases/${caseGuid}`, { login, width: 390 })
    await page.getByRole('region', { name: 'Work', exact: true }).getByText('Nobody').waitFor()
    const headings = await page.locator('main h2').allInnerTexts()
    assert.deepEqual(
      headings.slice(0, 8),
      ['Amounts', 'Contact', 'Work', 'Calls', 'Notes', 'Files', 'Invoices', 'Statement'],
      'the work comes before the statement on a telephone',
    )
    await page
      .getByRole('region', { name: 'Work', exact: true })
      .getByRole('button', { name: 'Next action' })
      .click()
    await page.getByRole('dialog').getByLabel('What to do').fill('Fråga arbetsgivaren')
    await untilKept(page, /Fråga arbetsgivaren/)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('region', { name: 'Calls' }).getByRole('button', { name: 'Log a call' }).click()
    await page.getByRole('dialog').getByLabel('What was said').fill('Väntar på lönen')
    await untilKept(page, /Väntar på lönen/)
    await page.close()
    const again = await context.newPage()
    await again.goto(`/cases/${caseGuid}`)
    await again
      .getByRole('region', { name: 'Work', exact: true })
      .getByRole('button', { name: 'Next action' })
      .click()
    await again.getByRole('button', { name: 'Restore it' }).click()
    assert.equal(await again.getByLabel('What to do').inputValue(), 'Fråga arbetsgivaren')
    await again.getByRole('button', { name: 'Cancel' }).click()
    await again.getByRole('region', { name: 'Calls' }).getByRole('button', { name: 'Log a call' }).click()
    await again.getByText('You typed something here before').waitFor()
    assert.deepEqual(await findViolations(again, 'a draft of a call'), [])
    await again.getByRole('button', { name: 'Restore it' }).click()
    assert.equal(await again.getByLabel('What was said').inputValue(), 'Väntar på lönen')
    await again.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await again.getByRole('region', { name: 'Calls' }).getByText('Väntar på lönen').waitFor()
    const kept = await again.evaluate<string>('Object.values(localStorage).join()')
    assert.ok(!kept.includes('Väntar på lönen'), 'a stored call is no draft')
    await close()
  })

  test('is taken, assigned and done by a handler', async () => {
    const { page, close } = await tested.open('/', { login })
    await page.getByText('Nothing is due for you. Take the next case.').waitFor()
    await page.getByRole('button', { name: 'Take next' }).click()
    await page.getByRole('heading', { level: 1, name: `Case ${cases['Först']!.caseNumber}` }).waitFor()
    const panel = page.getByRole('region', { name: 'Work', exact: true })
    await panel.getByText(login).waitFor()
    await panel.getByText('Reminder on 22 Jun 2026').waitFor()
    await panel.getByText('7 days after 15 Jun 2026, the day of the status New (One reminder).').waitFor()
    await panel.getByRole('button', { name: 'Done: Follow-up' }).click()
    await panel.getByText('Ring Först').first().waitFor({ state: 'detached' })
    assert.deepEqual((await readWork('Först')).items, [])
    await panel.getByRole('button', { name: 'Next action' }).click()
    const next = page.getByRole('dialog', { name: 'Next action' })
    await next.getByLabel('What to do').fill('Skicka kopia')
    await next.getByLabel('On', { exact: true }).fill('2026-06-20')
    await next.getByRole('button', { name: 'Save' }).click()
    await panel.getByText('20 Jun 2026 · Skicka kopia').waitFor()
    await page.getByRole('link', { name: 'My work today' }).click()
    await page.getByRole('button', { name: 'Coming', exact: true }).click()
    await page.getByRole('cell', { name: 'Skicka kopia' }).click()
    await page.getByRole('heading', { level: 1, name: `Case ${cases['Först']!.caseNumber}` }).waitFor()
    await page.getByRole('link', { name: 'My work today' }).click()
    await page.getByRole('button', { name: /^Nobody's/ }).click()
    await page.getByRole('cell', { name: 'Ring Sist' }).waitFor()
    assert.deepEqual(await findViolations(page, 'the free work'), [])
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByRole('group', { name: '1 selected' }).waitFor()
    assert.equal(await page.getByRole('checkbox', { name: cases['Sist']!.caseNumber }).isChecked(), true)
    await page.keyboard.press('x')
    await page.getByRole('group', { name: '1 selected' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Space')
    const peek = page.getByRole('dialog', { name: cases['Sist']!.caseNumber })
    await peek.getByText('Ring Sist').first().waitFor()
    assert.deepEqual(await findViolations(page, 'a row in the side panel'), [])
    await page.keyboard.press('Escape')
    await peek.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Next row').waitFor()
    assert.deepEqual(await findViolations(page, 'the keys'), [])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' })
    for (const name of ['Sedan', 'Sist'])
      await page.getByRole('checkbox', { name: cases[name]!.caseNumber }).check()
    await page.getByRole('group', { name: '2 selected' }).getByRole('button', { name: 'Assign' }).click()
    const dialog = page.getByRole('dialog', { name: 'Assign 2 cases' })
    await dialog.getByRole('combobox', { name: 'Handler' }).click()
    await page.getByRole('option', { name: login }).click()
    await dialog.getByRole('button', { name: 'Assign' }).click()
    await page.getByText('Everything that is due has a handler.').waitFor()
    assert.equal((await readWork('Sist')).ownerName, login)
    await page.getByRole('region', { name: 'Queues', exact: true }).getByRole('link', { name: login }).click()
    await page.waitForURL((url) => url.searchParams.get('whose') === 'all')
    await page.getByRole('cell', { name: 'Ring Sist' }).waitFor()
    assert.match(new URL(page.url()).searchParams.get('filter')!, /^ownerGuid eq '.*' and teamGuid eq null$/)
    await page.getByRole('button', { name: /^Mine/ }).click()
    await page.getByRole('checkbox', { name: cases['Sedan']!.caseNumber }).check()
    await page.getByRole('group', { name: '1 selected' }).getByRole('button', { name: 'Done' }).click()
    await page.getByRole('cell', { name: 'Ring Sedan' }).waitFor({ state: 'detached' })
    await close()
  })
})
