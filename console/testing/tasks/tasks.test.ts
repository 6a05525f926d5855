/** The work of a day, each task within its budget of actions. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skip, untilScreen } from '../browser.ts'
import { assertWithin, countActions, type Actions } from './actions.ts'
import { addObjection, makeDue, sendBankFile, startDay, type Day } from './day.ts'
import { portfolio } from './portfolio.ts'

const login = 'dagen@agency.example'

describe('the work of a day', { skip }, () => {
  let day: Day
  before(async () => {
    day = await startDay(login)
  })
  after(() => day?.close())

  /** Runs a task from the first screen. */
  const within = async (budget: number, task: (page: Page, actions: Actions) => Promise<void>) => {
    const { page, close } = await day.tested.open('/', { login })
    await untilScreen(page, 'My work today')
    await page.waitForLoadState('networkidle')
    const actions = countActions(page)
    await task(page, actions)
    assertWithin(actions, budget)
    await close()
  }

  test('a debtor is found by a mistyped name and a payment registered: 4 actions, by keyboard alone', () =>
    within(4, async (page, act) => {
      const { caseGuid, caseNumber } = day.cases['Lindqvist']!
      await act.press('Control+k')
      await act.type(page.getByPlaceholder(/Name, reference/), 'lindkvist 500')
      await page.getByText(`Register on case ${caseNumber}, of which SEK 1,200.00 remains`).waitFor()
      await act.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Register a payment' })
      await dialog.getByText(/−500.* → 700/).waitFor()
      await act.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: /^Sum, Remaining: .*700/ }).waitFor()
      assert.ok(page.url().endsWith(`/cases/${caseGuid}`), 'a reload does not ask again')
    }))

  test('an objection is answered: 6 actions', async () => {
    await addObjection(day, day.cases['Björklund']!)
    await within(6, async (page, act) => {
      await act.click(menu(page, 'Objections'))
      await act.click(page.getByRole('button', { name: 'Answer', exact: true }))
      const dialog = page.getByRole('dialog', { name: 'Answer' })
      await act.type(
        dialog.getByRole('textbox', { name: /answer/i }).first(),
        'We call your own number from now on.',
      )
      await act.click(dialog.getByRole('button').filter({ hasText: /Answer|Save/ }))
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('cell', { name: 'Answered' }).waitFor()
    })
  })

  test('twenty letters are sent, with a preview: 6 actions', () =>
    within(6, async (page, act) => {
      await act.click(menu(page, 'Cases'))
      await page.getByText('20 rows').first().waitFor()
      await act.click(page.getByRole('checkbox', { name: 'Select all rows of this page' }))
      await act.click(page.getByRole('button', { name: 'Write a letter' }))
      const dialog = page.getByRole('dialog', { name: 'Write a letter' })
      await act.choose(dialog.getByRole('combobox', { name: 'Letter' }), 'Statement of account')
      await dialog.getByText(/Preview 1 of 3/).waitFor()
      await act.click(dialog.getByRole('button', { name: 'Apply to 20' }))
      await dialog.getByText('20 of 20 done, 0 failed.').waitFor()
    }))

  test('a strategy of two steps is built, simulated and stored: 15 actions', () =>
    within(15, async (page, act) => {
      await act.click(menu(page, 'Strategies'))
      await act.click(page.getByRole('link', { name: 'New strategy' }))
      const made = page.getByRole('region', { name: 'New strategy' })
      await act.type(made.getByRole('textbox', { name: 'Code', exact: true }).first(), 'soft')
      await act.type(made.getByRole('textbox', { name: 'Name', exact: true }), 'Soft reminders')
      await act.type(made.getByLabel('After days'), '3')
      await act.click(page.getByRole('button', { name: 'Add a step' }))
      await act.type(page.getByRole('group', { name: 'Step 2 · STEP-2' }).getByLabel('After days'), '20')
      await act.click(page.getByRole('button', { name: 'Simulate' }))
      await page.getByRole('cell', { name: 'Letter: Reminder' }).first().waitFor()
      await act.click(page.getByRole('button', { name: 'Save' }))
      await untilScreen(page, 'Soft reminders')
    }))

  test('a call with a promise is logged on the case of the day: 9 actions', async () => {
    await makeDue(day, day.cases['Nyström']!, 'Ring her', login)
    await within(9, async (page, act) => {
      await act.click(page.getByRole('cell', { name: 'Ring her' }))
      await untilScreen(page, /^Case /)
      await act.press('c')
      const dialog = page.getByRole('dialog', { name: 'Log a call' })
      await act.type(dialog.getByLabel('What was said'), 'Pays half after the salary.')
      await act.type(dialog.getByLabel('Promised amount'), '600')
      await act.type(dialog.getByRole('textbox', { name: 'Promised until' }), '2026-06-25')
      await act.press('Enter')
      await page.getByText('Promised SEK 600.00 until 25 Jun 2026').waitFor()
    })
  })

  test('the next case is taken and put on hold: 5 actions', async () => {
    await makeDue(day, day.cases['Åkesson']!, 'Look at it')
    await within(5, async (page, act) => {
      await act.click(page.getByRole('button', { name: 'Take next' }))
      await untilScreen(page, /^Case /)
      await act.press('h')
      const dialog = page.getByRole('dialog', { name: 'Put on hold' })
      await act.choose(dialog.getByRole('combobox', { name: 'Reason' }), 'On hold: dispute')
      await act.click(dialog.getByRole('button', { name: 'Put on hold' }))
      await page.getByRole('region', { name: 'Work' }).getByText('On hold: dispute').waitFor()
    })
  })

  test('a payment without a reference is booked from suspense: 3 actions', async () => {
    await sendBankFile(day, day.cases['Björklund']!)
    await within(3, async (page, act) => {
      await act.click(menu(page, 'Suspense'))
      await act.click(page.getByRole('button', { name: 'Allocate' }))
      const proposals = page.getByRole('dialog').getByRole('region', { name: 'Proposals' })
      await act.click(proposals.getByRole('button', { name: 'Book' }).first())
      await page.getByText('The money is booked on the case.').waitFor()
    })
  })

  test('a plan is agreed and activated with a debtor on the phone: 8 actions', () =>
    within(8, async (page, act) => {
      await act.press('Control+k')
      await act.type(page.getByPlaceholder(/Name, reference/), 'nystrom')
      await page.getByRole('dialog').getByText('Åsa Nyström').first().waitFor()
      await act.press('Enter')
      await untilScreen(page, 'Åsa Nyström')
      await act.click(page.locator('#main').getByRole('link', { name: 'Payment plan', exact: true }))
      await page.getByText('Confirmed by the service').waitFor()
      await act.type(page.getByRole('textbox', { name: 'Number of payments' }), '6')
      await page.getByRole('region', { name: 'Schedule: rows' }).locator('tbody tr').nth(6).waitFor()
      await act.click(page.getByRole('button', { name: 'Activate' }))
      const dialog = page.getByRole('dialog', { name: 'Activate the plan?' })
      await dialog.getByText(/6 payments/).waitFor()
      await act.click(dialog.getByRole('button', { name: 'Activate' }))
      await page.waitForURL(/\/plans\//)
    }))

  test('what the clients are owed is paid out, with the file for the bank: 5 actions', () =>
    within(5, async (page, act) => {
      await act.click(menu(page, 'Payouts'))
      await act.click(page.getByRole('link', { name: 'Pay out to clients' }))
      await act.click(page.getByRole('button', { name: /^Pay out SEK/ }))
      await act.click(page.getByRole('dialog').getByRole('button', { name: /^Pay out SEK/ }))
      await untilScreen(page, /^Payout \d+$/)
      const download = page.waitForEvent('download')
      await act.click(page.getByRole('button', { name: 'File for the bank' }))
      assert.match((await download).suggestedFilename(), /^pain\.001/)
    }))

  test('1,000 rows are imported with mapping, and the rejected rows saved: 8 actions', () =>
    within(8, async (page, act) => {
      await act.click(menu(page, 'Import'))
      await untilScreen(page, 'Import')
      await act.give(page.locator('input[type=file]'), portfolio('t'))
      await act.choose(page.getByRole('combobox', { name: 'Field for Skapad' }), 'Place of birth')
      await act.click(page.getByRole('button', { name: 'Check the file' }))
      await act.click(page.getByRole('button', { name: 'Import 980 rows' }))
      await page.getByText('The file is imported').waitFor()
      const download = page.waitForEvent('download')
      await act.click(page.getByRole('button', { name: 'Rejected rows' }))
      assert.equal((await download).suggestedFilename(), 'kunder-rejected.csv')
      const [row] = await day.tested.api.sql<{ count: number }[]>`
        select count(*)::int as count from debtor
        where source_reference like 'import/t%' and place_of_birth = 'Stockholm'`
      assert.equal(row!.count, 980)
    }))
})

const menu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name, exact: true })
