/**
 * The ten tasks of a day by the keyboard alone, each within its number of key presses. The focus is seen at each step and
 * never lost. The tasks follow each other on one page. Skipped without a browser: `FORDRA_CHROMIUM` names its program.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findViolations, skip, untilScreen, type Opened } from '../browser.ts'
import { addObjection, date, makeDue, sendBankFile, startDay, type Day } from './day.ts'
import { describeFocus } from './focus.ts'
import { assertPresses, useKeyboard, type Keyboard } from './keyboard-actions.ts'
import { portfolio } from './portfolio.ts'

const login = 'tangent@agency.example'
/** Of a screen or dialog: its main action. */
const main = 'Control+Enter'

describe('the work of a day by the keyboard alone', { skip }, () => {
  let day: Day
  let opened: Opened
  before(async () => {
    day = await startDay(login)
    await addObjection(day, day.cases['Björklund']!)
    await makeDue(day, day.cases['Nyström']!, 'Ring her', login)
    await makeDue(day, day.cases['Åkesson']!, 'Look at it')
    await sendBankFile(day, day.cases['Björklund']!)
    opened = await day.tested.open('/', { login })
    await untilScreen(opened.page, 'My work today')
    await opened.page.waitForLoadState('networkidle')
    await enterScreen()
  })
  after(async () => {
    await opened?.close()
    await day?.close()
  })

  /** The link before everything else goes past the menu. */
  const enterScreen = () => useKeyboard(opened.page).press('Tab', 'Enter')
  /** Runs a task from the first screen, on the page of the task before. */
  const within = async (budget: number, task: (page: Page, keyboard: Keyboard) => Promise<void>) => {
    const { page } = opened
    await useKeyboard(page).press('g', 'h')
    await untilScreen(page, 'My work today')
    const keyboard = useKeyboard(page)
    await task(page, keyboard).catch(async (error: unknown) => {
      // The next task begins without what this one left open.
      await page.goto('/')
      await untilScreen(page, 'My work today')
      await enterScreen()
      throw error
    })
    assertPresses(keyboard, budget)
  }
  const read = async (path: string) => {
    const { body, status, text } = await day.tested.api.call<Record<string, unknown>>('GET', path)
    assert.equal(status, 200, text)
    return body
  }

  test('a debtor is found by a mistyped name and a payment registered: 4 presses', () =>
    within(4, async (page, keys) => {
      const { caseGuid, caseNumber } = day.cases['Lindqvist']!
      await keys.press('Control+k')
      await keys.type('lindkvist 500')
      await keys.until(
        page.getByText(`Register on case ${caseNumber}, of which SEK 1,200.00 remains`).waitFor(),
      )
      await keys.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Register a payment' })
      await keys.until(dialog.getByText(/−500.* → 700/).waitFor())
      await keys.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await keys.until(page.getByRole('button', { name: /^Sum, Remaining: .*700/ }).waitFor())
      assert.equal((await read(`/cases/${caseGuid}`))['remainingSum'], 700)
    }))

  test('an objection is answered: 6 presses', () =>
    within(6, async (page, keys) => {
      await keys.press('g', 'o')
      await keys.until(page.getByRole('button', { name: 'Answer', exact: true }).waitFor())
      await keys.press('j', main)
      const dialog = page.getByRole('dialog', { name: 'Answer' })
      await keys.until(
        dialog
          .getByRole('textbox', { name: /answer/i })
          .first()
          .waitFor(),
      )
      await keys.type('We call your own number from now on.')
      await keys.press(main)
      await dialog.waitFor({ state: 'detached' })
      await keys.until(page.getByRole('cell', { name: 'Answered' }).waitFor())
      // The row has the focus again.
      assert.equal(await describeFocus(page), day.cases['Björklund']!.caseNumber)
      const [row] = await day.tested.api.sql`select answer from objection`
      assert.equal(row!['answer'], 'We call your own number from now on.')
    }))

  test('twenty letters are sent, with a preview: 9 presses', () =>
    within(9, async (page, keys) => {
      await keys.press('g', 'c')
      await keys.until(page.getByText('20 rows').first().waitFor())
      await keys.press('Shift+X')
      await keys.until(page.getByRole('group', { name: '20 selected' }).waitFor())
      await keys.press('l')
      const dialog = page.getByRole('dialog', { name: 'Write a letter' })
      await keys.until(dialog.getByRole('combobox', { name: 'Letter' }).waitFor())
      await keys.choose('Statement of account')
      await keys.until(dialog.getByText(/Preview 1 of 3/).waitFor())
      await keys.until(dialog.getByText(/^20 letters to 20 debtors/).waitFor())
      await keys.press(main)
      await keys.until(dialog.getByText('20 of 20 done, 0 failed.').waitFor())
      await keys.until(dialog.getByRole('button', { name: 'Close' }).last().waitFor())
      await keys.press('Enter')
      await keys.until(dialog.waitFor({ state: 'detached' }))
      const [row] = await day.tested.api.sql<{ count: number }[]>`
        select count(distinct debtor_id)::int as count from document`
      assert.equal(row!.count, 20)
    }))

  test('a strategy of two steps is built, simulated and stored: 24 presses', () =>
    within(24, async (page, keys) => {
      await keys.press('g', 't')
      await keys.until(page.getByRole('link', { name: 'New strategy' }).waitFor())
      await keys.press(main)
      await keys.until(untilScreen(page, 'New strategy'))
      await keys.tabTo('Code')
      await keys.type('soft')
      await keys.tabTo('Name')
      await keys.type('Soft reminders')
      await keys.tabTo('After days')
      await keys.type('3')
      await keys.press('Alt+Enter')
      await keys.until(page.getByRole('group', { name: 'Step 2 · STEP-2' }).waitFor())
      await keys.tabTo('After days')
      await keys.type('20')
      await keys.press('F6', 'Enter')
      await keys.until(page.getByRole('cell', { name: 'Letter: Reminder' }).first().waitFor())
      await keys.press('Shift+F6', main)
      await keys.until(untilScreen(page, 'Soft reminders'))
      const { value } = (await read('/strategies')) as {
        value: { code: string; steps: { afterDays: number }[] }[]
      }
      const stored = value.find(({ code }) => code === 'SOFT')
      assert.deepEqual(
        stored?.steps.map(({ afterDays }) => afterDays),
        [3, 20],
      )
    }))

  test('a call with a promise is logged on the case of the day: 11 presses', () =>
    within(11, async (page, keys) => {
      await keys.until(page.getByRole('cell', { name: 'Ring her' }).waitFor())
      await keys.press('j', 'Enter')
      await keys.until(untilScreen(page, /^Case /))
      await keys.press('c')
      const dialog = page.getByRole('dialog', { name: 'Log a call' })
      await keys.until(dialog.waitFor())
      await keys.tabTo('What was said')
      await keys.type('Pays half after the salary.')
      await keys.tabTo('Promised amount')
      await keys.type('600')
      await keys.tabTo('Promised until')
      await keys.type('7/7')
      await keys.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await keys.until(page.getByText('Promised SEK 600.00 until 7 Jul 2026').waitFor())
      const { value } = (await read(`/cases/${day.cases['Nyström']!.caseGuid}/calls`)) as { value: object[] }
      assert.equal((value[0] as { promisedAmount: number }).promisedAmount, 600)
    }))

  test('the next case is taken and put on hold: 6 presses', () =>
    within(6, async (page, keys) => {
      await keys.until(page.getByRole('button', { name: 'Take next' }).waitFor())
      await keys.press(main)
      await keys.until(untilScreen(page, /^Case /))
      await keys.press('h')
      const dialog = page.getByRole('dialog', { name: 'Put on hold' })
      await keys.until(dialog.getByRole('combobox', { name: 'Reason' }).waitFor())
      await keys.type('dispute')
      await keys.until(page.getByRole('option', { name: 'On hold: dispute' }).waitFor())
      await keys.choose('On hold: dispute')
      await keys.press(main)
      await dialog.waitFor({ state: 'detached' })
      await keys.until(page.getByRole('region', { name: 'Work' }).getByText('On hold: dispute').waitFor())
      assert.equal((await read(`/cases/${day.cases['Åkesson']!.caseGuid}`))['hold'], 'HOLD_DISPUTE')
    }))

  test('a payment without a reference is booked from suspense: 5 presses', () =>
    within(5, async (page, keys) => {
      await keys.press('g', 'x')
      await keys.until(page.getByRole('button', { name: 'Allocate' }).waitFor())
      await keys.press('j', 'Enter')
      const proposals = page.getByRole('dialog').getByRole('region', { name: 'Proposals' })
      await keys.until(proposals.getByRole('button', { name: 'Book' }).first().waitFor())
      await page.waitForFunction(() => document.activeElement?.textContent === 'Book')
      await keys.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await keys.until(page.getByRole('button', { name: 'Allocate' }).waitFor({ state: 'detached' }))
      assert.equal((await read(`/cases/${day.cases['Björklund']!.caseGuid}`))['paidSum'], 456)
    }))

  test('a plan is agreed and activated with a debtor on the phone: 12 presses', () =>
    within(12, async (page, keys) => {
      await keys.press('Control+k')
      await keys.type('nystrom')
      await keys.until(page.getByRole('dialog').getByText('Åsa Nyström').first().waitFor())
      await keys.press('Enter')
      await keys.until(untilScreen(page, 'Åsa Nyström'))
      await keys.until(page.getByRole('link', { name: 'Payment plan', exact: true }).last().waitFor())
      await keys.press('i')
      await keys.until(page.getByText('confirmed by the service').waitFor())
      await keys.tabTo('Number of payments')
      await keys.type('6')
      await keys.until(
        page.getByRole('region', { name: 'Schedule: rows' }).locator('tbody tr').nth(6).waitFor(),
      )
      await keys.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Activate the plan?' })
      await keys.until(dialog.getByText(/6 payments/).waitFor())
      await keys.press(main)
      await keys.until(page.getByRole('button', { name: 'Cancel the plan' }).waitFor())
      const { debtorGuid } = day.cases['Nyström']!
      const { value } = (await read(`/debtors/${debtorGuid}/paymentplans`)) as { value: { active: number }[] }
      assert.deepEqual(
        value.map(({ active }) => active),
        [1],
      )
    }))

  test('what the clients are owed is paid out, with the file for the bank: 7 presses', () =>
    within(7, async (page, keys) => {
      await keys.press('g', 'y')
      await keys.until(page.getByRole('link', { name: 'Pay out to clients' }).waitFor())
      await keys.press(main)
      await keys.until(page.getByRole('button', { name: /^Pay out SEK/ }).waitFor())
      await keys.press(main)
      await keys.until(page.getByRole('dialog').waitFor())
      await keys.tabTo(/^Pay out SEK/)
      await keys.press('Enter')
      await keys.until(untilScreen(page, /^Payout \d+$/))
      const download = page.waitForEvent('download')
      await keys.press(main)
      assert.match((await download).suggestedFilename(), /^pain\.001/)
      const { value } = (await read('/payouts')) as { value: { businessDate: string }[] }
      assert.deepEqual(
        value.map(({ businessDate }) => businessDate.slice(0, 10)),
        [date],
      )
    }))

  test('1,000 rows are imported with mapping, and the rejected rows saved: 10 presses', () =>
    within(10, async (page, keys) => {
      await keys.press('g', 'i')
      await keys.until(page.getByRole('button', { name: 'Choose a file' }).waitFor())
      await keys.give(portfolio('k'), main)
      await keys.until(page.getByRole('combobox', { name: 'Field for Skapad' }).waitFor())
      assert.equal(await describeFocus(page), 'Field for Anteckning')
      await keys.tabTo('Field for Skapad')
      await keys.type('Place of')
      await keys.choose('Place of birth')
      await keys.press(main)
      await keys.until(page.getByRole('button', { name: 'Import 980 rows' }).waitFor())
      await keys.press(main)
      await keys.until(page.getByText('The file is imported').waitFor())
      const download = page.waitForEvent('download')
      await keys.press(main)
      assert.equal((await download).suggestedFilename(), 'kunder-rejected.csv')
      const [row] = await day.tested.api.sql<{ count: number }[]>`
        select count(*)::int as count from debtor
        where source_reference like 'import/k%' and place_of_birth = 'Stockholm'`
      assert.equal(row!.count, 980)
    }))

  test('the focus returns behind a dialog, and goes to what follows a row that goes away', async () => {
    const { page } = opened
    const keys = useKeyboard(page)
    const { debtorGuid } = day.cases['Lindqvist']!
    for (const street of ['Storgatan 1', 'Storgatan 2'])
      await day.post(`/debtors/${debtorGuid}/addresses`, {
        street,
        zipCode: '211 42',
        city: 'Malmö',
        countryCode: 'SE',
      })
    await keys.press('Control+k')
    await keys.type('lindqvist')
    await keys.until(page.getByRole('dialog').getByText('Åsa Lindqvist').first().waitFor())
    await keys.press('Enter')
    await keys.until(page.getByRole('button', { name: /^Delete Storgatan 2/ }).waitFor())
    for (let parts = 0; parts < 9 && (await describeFocus(page)) !== 'New address'; parts++) {
      const focused = await page.evaluateHandle(() => document.activeElement)
      await keys.press('F6')
      await page.waitForFunction((former) => document.activeElement !== former, focused)
    }
    await keys.tabTo(/^Delete Storgatan 1/)
    await keys.press('Enter')
    await keys.until(page.getByRole('dialog').waitFor())
    await keys.press('Escape')
    await keys.until(page.getByRole('dialog').waitFor({ state: 'detached' }))
    assert.match(await describeFocus(page), /^Delete Storgatan 1/)
    await keys.press('Enter')
    await keys.until(page.getByRole('dialog').waitFor())
    await keys.tabTo('Delete')
    await keys.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await keys.until(page.getByRole('button', { name: /^Delete Storgatan 1/ }).waitFor({ state: 'detached' }))
    assert.match(await describeFocus(page), /Storgatan 2/)
  })

  test('rows are selected and given to an action, also where a checkbox has the focus', async () => {
    const { page } = opened
    const keys = useKeyboard(page)
    await keys.press('g', 'c')
    await keys.until(page.getByRole('checkbox', { name: day.cases['Lindqvist']!.caseNumber }).waitFor())
    await keys.press('j', 'x', 'Shift+Tab', 'j', 'x')
    await keys.until(page.getByRole('group', { name: '2 selected' }).waitFor())
    await keys.press('b')
    assert.equal(await describeFocus(page), 'Put on hold')
    await keys.press('n')
    await keys.until(page.getByRole('dialog', { name: 'New note' }).waitFor())
    await keys.press('Escape')
    await keys.until(page.getByRole('dialog').waitFor({ state: 'detached' }))
    assert.equal(await describeFocus(page), 'Put on hold')
  })

  test('the sheet shows the keys, and the screens that the user may open', async () => {
    const { page } = opened
    const keys = useKeyboard(page)
    await keys.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keys' })
    await keys.until(sheet.getByRole('region', { name: 'Go to' }).getByText('Objections').waitFor())
    assert.deepEqual(await findViolations(page, 'the keys'), [])
    await keys.press('Escape')
    await keys.until(sheet.waitFor({ state: 'detached' }))
  })
})
