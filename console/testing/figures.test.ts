/** The dashboard, plans, payments and events. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findViolations, password, skip, startConsole, type ConsoleTest } from './browser.ts'

const login = 'siffror@agency.example'

describe('the figures of the agency', { skip }, () => {
  let tested: ConsoleTest
  let clientGuid: string
  let planGuid: string
  let debtorGuid: string

  before(async () => {
    tested = await startConsole()
    const { api } = tested
    await api.setDate('2026-02-10')
    await api.addUser({ email: login, password, userRole: 2 })
    clientGuid = await api.addParty('KRAFT')
    const promising = await makeCase('Lovande', 100)
    await api.call('POST', `/cases/${promising.caseGuid}/calls`, {
      body: {
        outcome: 'REACHED',
        rightParty: true,
        promisedAmount: 100,
        promisedDate: '2026-02-20T00:00:00Z',
      },
    })
    await api.call('POST', '/system/forms/payment/register', {
      body: { caseGuid: promising.caseGuid, amount: 100 },
    })
    await api.setDate('2026-03-10')
    const paid = await makeCase('Betald', 500)
    await api.call('POST', '/system/forms/payment/register', {
      body: { caseGuid: paid.caseGuid, amount: 200 },
    })
    const { debtorGuid: other } = await makeCase('Annan', 700, 'EUR')
    assert.ok(other)
    const made = await makePlan('Avbetalare')
    planGuid = made.planGuid
    debtorGuid = made.debtorGuid
  })
  after(() => tested?.close())

  const makeCase = async (lastname: string, principal: number, currencyCode = 'SEK') => {
    const { api } = tested
    const debtor = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname } })
    const made = await api.call<{ caseGuid: string }>('POST', '/system/forms/case/register', {
      body: { clientGuid, debtorGuid: debtor.body.debtorGuid, principal, currencyCode },
    })
    return { debtorGuid: debtor.body.debtorGuid, ...made.body }
  }
  const makePlan = async (lastname: string) => {
    const found = await makeCase(lastname, 1200)
    const made = await tested.api.call<{ paymentPlanGuid: string }>(
      'POST',
      `/debtors/${found.debtorGuid}/paymentplans`,
      { body: { active: 1, paymentPlanType: 1, numberOfPayments: 6, registrationFee: 0, invoiceFee: 0 } },
    )
    return { ...found, planGuid: made.body.paymentPlanGuid }
  }

  test('of the last whole month lead the dashboard, each to its list', async () => {
    const { page, close } = await tested.open('/dashboard', { login })
    const tiles = page.getByRole('region', { name: 'Key figures of the last whole month' })
    const tile = (title: string) => tiles.getByRole('link', { name: title })
    await tile('Collected').filter({ hasText: '100.00' }).waitFor()
    await tile('Promises kept').filter({ hasText: '100 %' }).waitFor()
    assert.deepEqual(await findViolations(page, 'tiles of the dashboard'), [])
    await tile('Promised').click()
    await page.getByRole('heading', { level: 1, name: 'Promises to pay' }).waitFor()
    await page.getByRole('cell', { name: 'Lovande' }).waitFor()
    await page.getByText('1 row', { exact: true }).waitFor()
    await page.goBack()
    await tile('Collected').click()
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    await page.getByRole('cell', { name: 'Lovande' }).waitFor()
    await page.getByText('1 row', { exact: true }).waitFor()
    await close()
  })

  test('stand on the dashboard by currency, each leading to its rows', async () => {
    const { page, close } = await tested.open('/', { login })
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
    const portfolio = page.getByRole('region', { name: 'Open cases by status and age', exact: true })
    await portfolio.getByText('The same as a table').click()
    // Opened by the keyboard as well.
    const liquidity = page.getByRole('region', { name: 'Liquidity forecast', exact: true })
    await liquidity.getByText('The same as a table').press('Enter')
    await liquidity.getByRole('row', { name: /April 2026/ }).waitFor()
    assert.deepEqual(await findViolations(page, 'dashboard'), [])
    const sum = portfolio.getByRole('row', { name: /^Sum/ }).getByRole('link').last()
    await sum.filter({ hasText: '1,500.00' }).waitFor()
    await page.getByText('EUR', { exact: true }).click()
    await sum.filter({ hasText: '700.00' }).click()
    await page.getByRole('heading', { level: 1, name: 'Cases' }).waitFor()
    await page.getByRole('cell', { name: 'Annan' }).waitFor()
    await page.getByText('1 row', { exact: true }).waitFor()
    await page.goBack()
    const collected = page.getByRole('region', { name: 'Collected per month', exact: true })
    await collected.locator('.chart-column').last().click()
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    await page.getByRole('cell', { name: 'Betald' }).waitFor()
    await page.goto('/dashboard')
    await liquidity.getByText('The same as a table').click()
    await liquidity.getByRole('link', { name: 'April 2026' }).click()
    await page.getByRole('heading', { level: 1, name: 'Payments of plans' }).waitFor()
    await page.getByText('1 row', { exact: true }).waitFor()
    await close()
  })

  test('find a plan in the list, its unpaid tail is changed, and who else changed it is told', async () => {
    const { page, close } = await tested.open('/plans', { login })
    await page.getByRole('link', { name: 'Avbetalare' }).click()
    await page.getByRole('heading', { level: 1, name: 'Payment plan' }).waitFor()
    const rows = page.getByRole('region', { name: 'Schedule: rows' }).locator('tbody tr')
    await rows.nth(6).waitFor()
    assert.deepEqual(await findViolations(page, 'plan'), [])
    await page.getByRole('button', { name: 'Change payments' }).click()
    await page.getByRole('button', { name: 'Change payment 2' }).click()
    await page.getByRole('textbox', { name: 'Amount of payment 2' }).fill('50')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Payment 2 as planned' }).waitFor()
    assert.deepEqual(await findViolations(page, 'plan that is changed'), [])
    const changed = await tested.api.call('PATCH', `/debtors/${debtorGuid}/paymentplans/${planGuid}`, {
      body: { payments: [{ paymentNo: 3, specifiedAmount: 90 }] },
    })
    assert.equal(changed.status, 200, changed.text)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Changed by somebody else').waitFor()
    // What is stored now is shown, with what was typed in it.
    await rows.nth(2).getByText('90.00').first().waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Change payments' }).waitFor()
    await rows.nth(1).getByText('50.00').first().waitFor()
    await close()
  })

  test('keep a payment that was left out of a plan, and store no row that is still being typed', async () => {
    const { planGuid: own } = await makePlan('Paus')
    const { page, close } = await tested.open(`/plans/${own}`, { login })
    const rows = page.getByRole('region', { name: 'Schedule: rows' }).locator('tbody tr')
    const save = page.getByRole('button', { name: 'Save' })
    await page.getByRole('button', { name: 'Change payments' }).click()
    await page.getByRole('button', { name: 'Change payment 2' }).click()
    await page.getByRole('textbox', { name: 'Amount of payment 2' }).fill('0')
    assert.equal(await save.isDisabled(), true)
    await rows.nth(1).getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByRole('button', { name: 'Change payment 2' }).click()
    assert.equal(await page.getByRole('textbox', { name: 'Amount of payment 2' }).inputValue(), '')
    await page.getByRole('textbox', { name: 'Amount of payment 2' }).fill('0')
    await page.keyboard.press('Enter')
    await save.click()
    await rows.nth(1).getByText('No payment').waitFor()
    await page.getByRole('button', { name: 'Change payments' }).click()
    await page.getByRole('button', { name: 'Change payment 4' }).click()
    await page.getByRole('textbox', { name: 'Amount of payment 4' }).fill('60')
    await page.keyboard.press('Enter')
    await save.click()
    await rows.nth(3).getByText('60.00').first().waitFor()
    await rows.nth(1).getByText('No payment').waitFor()
    await close()
  })

  test('show a plan’s payments as paid, overdue and coming by the business date, and end it', async () => {
    const { planGuid: own, caseGuid } = await makePlan('Sen')
    await tested.api.setDate('2026-04-20')
    const [first] = await tested.api.sql<{ amount: number }[]>`
      select amount from payment_plan_payment where plan_id = ${own} and payment_no = 1`
    await tested.api.call('POST', '/system/forms/payment/register', {
      body: { caseGuid, amount: first!.amount / 100 },
    })
    await tested.api.setDate('2026-05-12')
    const { page, close } = await tested.open(`/plans/${own}`, { login })
    const rows = page.getByRole('region', { name: 'Schedule: rows' }).locator('tbody tr')
    await rows
      .nth(0)
      .getByText(/^Paid /)
      .waitFor()
    await rows.nth(1).getByText('Overdue', { exact: true }).waitFor()
    await rows.nth(5).getByText('Coming', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Cancel the plan' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the plan' }).click()
    await rows.nth(5).getByText('Void', { exact: true }).waitFor()
    await page.getByText('Cancelled', { exact: true }).waitFor()
    await tested.api.setDate('2026-03-10')
    await close()
  })

  test('list events, those of a kind one press away', async () => {
    const { page, close } = await tested.open('/events', { login })
    await page
      .getByRole('cell', { name: /^Payment: registered/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Debtors' }).click()
    await page.getByRole('cell', { name: 'Payment: registered' }).first().waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'Debtor: created' }).first().waitFor()
    await close()
  })
})
