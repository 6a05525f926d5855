/** What a case handler does with cases. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findViolations, password, skip, startConsole, type ConsoleTest } from './browser.ts'

const login = 'arenden@agency.example'
const remaining = (page: Page) => page.getByRole('button', { name: /^Sum, Remaining: / })

describe('the cases of a case handler', { skip }, () => {
  let tested: ConsoleTest
  let clientGuid: string

  before(async () => {
    tested = await startConsole()
    const { api } = tested
    await api.addUser({ email: login, password, userRole: 2 })
    const made = await api.call<{ clientGuid: string }>('POST', '/system/forms/client/create', {
      body: { name: 'Kraftbolaget AB', partyReferenceCode: 'KRAFT', countryCode: 'SE', currencyCode: 'SEK' },
    })
    clientGuid = made.body.clientGuid
  })
  after(() => tested?.close())

  const makeCase = async (lastname: string, input: object = {}) => {
    const { api } = tested
    const debtor = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname } })
    const { debtorGuid } = debtor.body
    const made = await api.call<{ caseGuid: string; caseNumber: string }>(
      'POST',
      '/system/forms/case/register',
      { body: { clientGuid, debtorGuid, principal: 1200, ...input } },
    )
    return { debtorGuid, ...made.body }
  }

  test('stand in the worklist, one press from those that wait', async () => {
    const held = await makeCase('Spärrad')
    await makeCase('Löpande')
    await tested.api.call('PATCH', `/system/forms/case/hold?id=${held.caseGuid}`, {
      body: { reason: 'HOLD_DISPUTE' },
    })
    const { page, close } = await tested.open('/worklist', { login })
    await page.getByRole('heading', { level: 1, name: 'Worklist' }).waitFor()
    await page.getByRole('cell', { name: 'Löpande' }).waitFor()
    await page.getByRole('button', { name: 'Disputed' }).click()
    await page.getByRole('cell', { name: 'Löpande' }).waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('button', { name: 'Disputed' }).getAttribute('aria-pressed'), 'true')
    await page.getByRole('link', { name: held.caseNumber }).click()
    await page.getByRole('heading', { level: 1, name: `Case ${held.caseNumber}` }).waitFor()
    await close()
  })

  test('are shown as of a day, under a banner, to read only', async () => {
    const { caseGuid } = await makeCase('Förfluten')
    const { page, close } = await tested.open(`/cases/${caseGuid}`, { login })
    await remaining(page).waitFor()
    const { body } = await tested.api.call<{ registrationDate: string }>('GET', `/cases/${caseGuid}`)
    const day = page.getByLabel('As of')
    await day.fill(body.registrationDate.slice(0, 10))
    await day.press('Enter')
    await page.getByText(/This is the past: what was owed on .* by what was known that day/).waitFor()
    await remaining(page).waitFor()
    assert.equal(await page.getByRole('button', { name: /Credit/ }).count(), 0)
    assert.deepEqual(await findViolations(page, 'a case as of a day'), [])
    await day.fill('2001-01-01')
    await day.press('Enter')
    await page.getByText(/The case was registered on/).waitFor()
    await page.getByRole('button', { name: 'Back to today' }).click()
    await page
      .getByRole('button', { name: /Credit/ })
      .first()
      .waitFor()
    await close()
  })

  test('are found everywhere by a reference, by the keyboard alone', async () => {
    const { caseNumber } = await makeCase('Sökt', { clientReferenceNumber: 'KUND-7788' })
    const { page, close } = await tested.open('/', { login })
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(/Name, reference/).waitFor()
    await page.keyboard.type('kund-7788')
    await page.getByRole('dialog').getByText(caseNumber).first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: `Case ${caseNumber}` }).waitFor()
    await close()
  })

  test('are registered for a debtor through their form', async () => {
    const debtor = await tested.api.call<{ debtorGuid: string }>('POST', '/debtors', {
      body: { lastname: 'Nybörjare' },
    })
    const { page, close } = await tested.open(`/debtors/${debtor.body.debtorGuid}`, { login })
    await page.getByRole('button', { name: 'Register a case' }).click()
    const dialog = page.getByRole('dialog', { name: 'Register a case' })
    await dialog.getByRole('combobox', { name: 'Client' }).click()
    await dialog.getByRole('combobox', { name: 'Client' }).fill('Kraft')
    await page.getByRole('option', { name: /Kraftbolaget/ }).click()
    await dialog.getByLabel('Principal').fill('950,50')
    await dialog.getByRole('button', { name: 'Register', exact: true }).click()
    await dialog.getByText('Must be a number.').waitFor()
    await dialog.getByLabel('Principal').fill('950.50')
    await dialog.getByRole('button', { name: 'Register', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: /^Case \d+$/ }).waitFor()
    await remaining(page).filter({ hasText: '950.50' }).waitFor()
    await close()
  })

  test('are paid, with the allocation shown before and the figures explained after', async () => {
    const { caseGuid } = await makeCase('Betalare', { fee: 180 })
    const { page, close } = await tested.open(`/cases/${caseGuid}`, { login })
    await remaining(page).filter({ hasText: '1,380.00' }).waitFor()
    await page.getByRole('button', { name: 'Register a payment' }).click()
    const dialog = page.getByRole('dialog', { name: 'Register a payment' })
    await dialog.getByLabel('Amount').fill('500')
    await dialog.getByText(/−500\.00 → 880\.00/).waitFor()
    await dialog.getByRole('button', { name: 'Register', exact: true }).click()
    await remaining(page).filter({ hasText: '880.00' }).waitFor()
    await page.getByRole('button', { name: /^Sum, Paid: / }).click()
    const explanation = page.getByRole('dialog', { name: 'Sum, Paid' })
    await explanation.getByText('SEK 500.00', { exact: false }).last().waitFor()
    // The sentences write amounts and days as the page does, not as the API's numbers.
    const sentences = await explanation.getByRole('listitem').allTextContents()
    assert.match(sentences[0]!, /^SEK.180\.00 of costs paid on \d+ \w+ 20\d\d/)
    assert.doesNotMatch(sentences.join('\n'), /\d SEK|\d{4}-\d\d-\d\d/)
    assert.deepEqual(await findViolations(page, 'explanation'), [])
    await page.keyboard.press('Escape')
    const statement = page.getByRole('region', { name: 'Statement: rows' })
    await statement.getByRole('row', { name: /-SEK.500\.00 SEK.880\.00$/ }).waitFor()
    await page.getByRole('combobox', { name: 'Kind of entry' }).selectOption('payment')
    await page.getByText('The balance also counts what the filter hides.').waitFor()
    await statement
      .getByRole('button', { name: /^Payment/ })
      .first()
      .click()
    const entries = page.getByRole('dialog', { name: /^Entries of no\. \d+$/ })
    await entries.getByText('Client funds account').waitFor()
    assert.deepEqual(await findViolations(page, 'entries'), [])
    await page.keyboard.press('Escape')
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: 'PDF', exact: true }).click()
    assert.match((await file).suggestedFilename(), /^\d+\.pdf$/)
    await page
      .getByRole('button', { name: /^Reverse: Payment/ })
      .first()
      .click()
    await page.getByRole('dialog').getByLabel('Reason').fill('Fel ärende')
    await page.getByRole('dialog').getByRole('button', { name: 'Reverse', exact: true }).click()
    await remaining(page).filter({ hasText: '1,380.00' }).waitFor()
    await statement.getByText('reversed').first().waitFor()
    await close()
  })

  test('take only the steps that are possible, and wait while on hold', async () => {
    const { caseGuid } = await makeCase('Stegvis')
    const { page, close } = await tested.open(`/cases/${caseGuid}`, { login })
    await page.getByRole('button', { name: 'Change status' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change status' })
    await dialog.getByRole('combobox', { name: 'Status', exact: true }).click()
    assert.equal(await page.getByRole('option', { name: 'Closed' }).count(), 0)
    assert.equal(await page.getByRole('option', { name: 'Enforcement' }).count(), 0)
    await page.getByRole('option', { name: 'Amicable collection' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Amicable collection', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Put on hold' }).click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Reason' }).click()
    await page.getByRole('option', { name: 'On hold: dispute' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Put on hold' }).click()
    await page.getByText('On hold: dispute', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    assert.equal(await page.getByRole('menuitem', { name: 'Put on hold' }).count(), 0)
    await page.getByRole('menuitem', { name: 'Lift the hold' }).waitFor()
    await page.getByRole('menuitem', { name: 'Payment plan' }).click()
    await page.waitForURL(/\/debtors\/[^/]+\/plan$/)
    await page.getByText('Stegvis').first().waitFor()
    await close()
  })

  test('in two currencies are summed each by itself, and have a plan in either', async () => {
    const { debtorGuid } = await makeCase('Tvåvalutor', { principal: 1200, interestRate: 0 })
    const more = { clientGuid, debtorGuid, principal: 340, currencyCode: 'DKK', interestRate: 0 }
    await tested.api.call('POST', '/system/forms/case/register', { body: more })
    const { page, close } = await tested.open(`/debtors/${debtorGuid}`, { login })
    await page.getByText('SEK 1,200.00').first().waitFor()
    await page.getByText('Remaining, DKK').waitFor()
    await page.getByText('DKK 340.00').first().waitFor()
    await page.getByRole('link', { name: 'Payment plan', exact: true }).click()
    const sum = page.getByRole('region', { name: 'Schedule: rows' }).locator('tr[data-sum]')
    await sum.getByText('1,200.00').first().waitFor()
    await page.getByText('DKK', { exact: true }).click()
    await sum.getByText('340.00').first().waitFor()
    await close()
  })

  test('whose status somebody else changed while a dialog was open are not changed over that', async () => {
    const { caseGuid } = await makeCase('Samtidigt')
    const { page, close } = await tested.open(`/cases/${caseGuid}`, { login })
    await page.getByRole('button', { name: 'Change status' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change status' })
    await dialog.getByRole('combobox', { name: 'Status', exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    await tested.api.call('PATCH', `/system/forms/case/status?id=${caseGuid}`, {
      body: { status: 'AMICABLE', subStatus: 'DEMAND_SENT' },
    })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor()
    await close()
  })

  test('are worked out as a payment plan while one types', async () => {
    const { debtorGuid } = await makeCase('Avbetalare', { principal: 1200 })
    const { page, close } = await tested.open(`/debtors/${debtorGuid}/plan`, { login })
    const rows = page.getByRole('region', { name: 'Schedule: rows' }).locator('tbody tr')
    // Twelve payments and their sum.
    await rows.nth(12).waitFor()
    await page.getByRole('textbox', { name: 'Number of payments' }).fill('6')
    await rows.nth(7).waitFor({ state: 'detached' })
    assert.equal(await rows.count(), 7)
    await page.getByRole('button', { name: 'Change payment 2' }).click()
    await page.getByRole('textbox', { name: 'Amount of payment 2' }).fill('50')
    await page.keyboard.press('Enter')
    await rows.nth(1).getByText('50.00').first().waitFor()
    await page.getByRole('button', { name: 'Payment 2 as planned' }).waitFor()
    await page.getByRole('radio', { name: 'Amount' }).locator('..').click()
    await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('0.5')
    // In the rows of the two types that are compared, and above the schedule.
    const refusals = page.getByText(/debt is never repaid/)
    await refusals.nth(2).waitFor()
    assert.equal(await refusals.count(), 3)
    await close()
  })

  test('are agreed as a plan that the service computes alike, activated and cancelled', async () => {
    const { debtorGuid } = await makeCase('Överens', { principal: 1200 })
    const { page, close } = await tested.open(`/debtors/${debtorGuid}/plan`, { login })
    await page.getByRole('textbox', { name: 'Number of payments' }).fill('7')
    await page.getByText('Confirmed by the service').waitFor()
    await page.getByRole('button', { name: 'Propose' }).click()
    await page.waitForURL(/\/plans\//)
    await page.goto(`/debtors/${debtorGuid}`)
    const plans = page.getByRole('region', { name: 'Payment plans' })
    await plans.getByText('0 of 7 paid').waitFor()
    await plans.getByRole('button', { name: 'Activate' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()
    await plans.getByText('Active', { exact: true }).waitFor()
    await plans.getByRole('button', { name: 'Cancel the plan' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the plan' }).click()
    await plans.getByRole('button', { name: 'Cancel the plan' }).waitFor({ state: 'detached' })
    await close()
  })

  test('show contact, plan and hold beside the money, and are worked by keys', async () => {
    const { debtorGuid, caseGuid } = await makeCase('Tangent', { principal: 1200, interestRate: 0 })
    const { api } = tested
    await api.call('PATCH', `/debtors/${debtorGuid}`, { body: { cellularPhone: '+46701740605' } })
    await api.call('POST', `/debtors/${debtorGuid}/paymentplans`, {
      body: { paymentPlanType: 1, numberOfPayments: 4 },
    })
    const { page, close } = await tested.open(`/cases/${caseGuid}`, { login })
    await page.getByRole('region', { name: 'Contact' }).getByRole('link', { name: /\+46/ }).waitFor()
    const plan = page.getByRole('region', { name: 'Payment plan' })
    await plan.getByText(/^Next: SEK/).waitFor()
    await plan.getByText(/0 of 4 paid/).waitFor()
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keys' })
    await sheet.getByRole('region', { name: 'On a case' }).getByText('Put on hold').waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await page.keyboard.press('f')
    const fee = page.getByRole('dialog', { name: 'Add a fee' })
    await fee.getByLabel('Amount').waitFor()
    assert.equal(await fee.getByLabel(/beyond the rule|override/i).count(), 0)
    assert.deepEqual(await findViolations(page, 'a short dialog'), [])
    await fee.getByRole('button', { name: 'Cancel' }).click()
    await fee.waitFor({ state: 'detached' })
    await page.keyboard.press('w')
    const writeOff = page.getByRole('dialog', { name: 'Write off' })
    await writeOff.getByLabel('Amount').fill('200')
    await page.keyboard.press('Enter')
    await remaining(page).filter({ hasText: '1,000.00' }).waitFor()
    await page.keyboard.press('h')
    const hold = page.getByRole('dialog', { name: 'Put on hold' })
    await hold.getByRole('combobox', { name: 'Reason' }).click()
    await page.getByRole('option', { name: 'On hold: dispute' }).click()
    await hold.getByRole('button', { name: 'Put on hold' }).click()
    await page.getByRole('region', { name: 'Work' }).getByText('On hold: dispute').waitFor()
    // `c` after `g` opens the list of cases, not a dialog.
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.getByRole('heading', { level: 1, name: 'Cases' }).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    await close()
  })

  test('have notes that mention a colleague, come back, and show what creditors may read', async () => {
    const { debtorGuid, caseGuid } = await makeCase('Omtalad')
    await tested.api.addUser({ email: 'berit@agency.example', password, userRole: 3 })
    await tested.api.sql`update app_user set full_name = 'Berit Ek' where email = 'berit@agency.example'`
    const { page, close } = await tested.open(`/debtors/${debtorGuid}`, { login })
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'New note' })
    await dialog.getByRole('textbox', { name: 'Text' }).pressSequentially('Ring @beri')
    await page.mouse.move(0, 0)
    await page.getByRole('option', { name: 'Berit Ek' }).waitFor()
    assert.deepEqual(await findViolations(page, 'a mention'), [])
    await page.keyboard.press('Enter')
    await page.keyboard.type('idag')
    await dialog.getByLabel('Follow up on').fill('2100-01-15')
    await dialog.getByRole('checkbox', { name: 'Shown to the client' }).check()
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    const notes = page.getByRole('region', { name: 'Notes' })
    await notes.getByText('Ring @Berit Ek idag').waitFor()
    await notes.getByText(/follow up on 15 Jan 2100 · Shown to the client/).waitFor()
    await page.goto(`/cases/${caseGuid}`)
    const work = page.getByRole('region', { name: 'Work' })
    await work.getByText('Mentioned in a note').waitFor()
    await work.getByText('Follow-up of a note').waitFor()
    await close()
  })
})
