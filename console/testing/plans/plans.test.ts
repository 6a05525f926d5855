/** Plans as they are tried out, activated and written about. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Document } from '../../../contract/collection/documents.ts'
import type { PaymentPlan } from '../../../contract/plans/payment-plans.ts'
import { findViolations, password, skip, startConsole, type ConsoleTest } from '../browser.ts'

const login = 'planer@agency.example'

describe('payment plans', { skip }, () => {
  let tested: ConsoleTest
  let clientGuid: string

  before(async () => {
    tested = await startConsole()
    const { api } = tested
    await api.setDate('2026-03-01')
    await api.addUser({ email: login, password, userRole: 3 })
    clientGuid = await api.addParty('KRAFT')
    await api.sql`update party set country_code = 'SE', bank_account_no = '5050-1055',
      plan_first_due_days = 20, plan_registration_fee = 170 where id = ${clientGuid}`
  })
  after(() => tested?.close())

  const makeCase = async (lastname: string) => {
    const { api } = tested
    const debtor = await api.call<{ debtorGuid: string }>('POST', '/debtors', {
      body: { lastname, street: 'Storgatan', houseNo: '1', zipCode: '111 22', city: 'Stockholm' },
    })
    const { debtorGuid } = debtor.body
    const body = { clientGuid, debtorGuid, principal: 12_000, currencyCode: 'SEK', interestRate: 10 }
    await api.setDate('2026-03-01')
    await api.call('POST', '/system/forms/case/register', { body })
    // Until there is interest, the browser does not know the rate.
    await api.setDate('2026-03-10')
    return debtorGuid
  }
  const documents = async (debtorGuid: string) =>
    (await tested.api.call<{ value: Document[] }>('GET', `/debtors/${debtorGuid}/documents`)).body.value

  test('compare the types, follow the rhythm, and are activated with what follows and the letter', async () => {
    const debtorGuid = await makeCase('Jämförare')
    const { page, close } = await tested.open(`/debtors/${debtorGuid}/plan`, { login, height: 1100 })
    const compared = page.getByRole('region', { name: 'Types side by side', exact: true })
    // The first due date is that of the client's terms: twenty days after today.
    await compared.getByText('28 Feb 2027').first().waitFor()
    await compared.getByText('Enter the number of payments and the amount.').first().waitFor()
    assert.deepEqual(await findViolations(page, 'plan workshop'), [])
    await compared.getByRole('radio').nth(2).check()
    await page.getByRole('combobox', { name: 'Rhythm' }).click()
    await page.getByRole('option', { name: 'Every two weeks' }).click()
    await page.getByLabel('First due date').fill('2026-03-28')
    await page.getByLabel('Due on business days only').check()
    const outcome = page.getByRole('region', { name: 'Outcome', exact: true })
    await outcome.getByText('Confirmed by the service').waitFor()
    // 28 March is a Saturday.
    await outcome.getByText('30 Mar 2026').first().waitFor()
    await outcome.getByText('Payment (SEK)').waitFor({ state: 'attached' })
    await outcome.getByText('Remaining debt (SEK)').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Activate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Activate the plan?' })
    await dialog.getByText(/12 payments, the first of .* on 30 Mar 2026/).waitFor()
    await dialog.getByText(/The registration fee of SEK.170\.00 is booked today/).waitFor()
    assert.deepEqual(await findViolations(page, 'activation of a plan'), [])
    await dialog.getByRole('button', { name: 'Activate' }).click()
    await page.getByRole('heading', { level: 1, name: 'Payment plan' }).waitFor()
    await page.waitForURL(/\/plans\//)
    const planGuid = /plans\/([\w-]+)/.exec(page.url())![1]!
    const plan = await tested.api.call<PaymentPlan>('GET', `/debtors/${debtorGuid}/paymentplans/${planGuid}`)
    const { active, businessDays, firstDueDate, periods, paymentPlanType } = plan.body
    assert.deepEqual(
      [active, businessDays, firstDueDate, paymentPlanType],
      [1, true, '2026-03-28T00:00:00Z', 3],
    )
    assert.deepEqual([periods[0]!.intervalType, periods[0]!.interval], [2, 2])
    const [letter] = await documents(debtorGuid)
    assert.deepEqual([letter!.kind, letter!.channel, letter!.state], ['plan', 'letter', 'WAITING'])
    await page.getByRole('button', { name: 'Write a letter' }).click()
    const writing = page.getByRole('dialog', { name: 'Write a letter' })
    await writing.getByRole('region', { name: 'Preview' }).getByRole('img').waitFor()
    await close()
  })

  test('of which only the letter failed are active, and the letter can be sent again', async () => {
    const debtorGuid = await makeCase('Avbrott')
    const { page, faults, context } = await tested.open(`/debtors/${debtorGuid}/plan`, { login })
    let refused = false
    await page.route('**/letters', async (route) => {
      if (refused) return route.continue()
      refused = true
      await route.fulfill({
        status: 422,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          type: '/problems/unprocessable',
          code: 'unprocessable',
          status: 422,
          title: 'No',
          detail: 'Not now.',
        }),
      })
    })
    await page.getByText('Confirmed by the service').waitFor()
    await page.getByRole('button', { name: 'Activate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Activate the plan?' })
    await dialog.getByRole('button', { name: 'Activate' }).click()
    await dialog.getByText(/The plan is active, but its letter was not sent/).waitFor()
    await dialog.getByRole('button', { name: 'Send' }).click()
    await page.waitForURL(/\/plans\//)
    assert.deepEqual(
      (await documents(debtorGuid)).map(({ kind }) => kind),
      ['plan'],
    )
    const plans = await tested.api.call<{ total: number }>('GET', `/debtors/${debtorGuid}/paymentplans`)
    assert.equal(plans.body.total, 1)
    await context.close()
    assert.deepEqual(faults, [])
  })
})
