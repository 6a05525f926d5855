/** A write-off above a limit, requested by one and approved by another in the console. Skipped without a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeCamt } from '../../server/testing/records/files.ts'
import { findViolations, password, skip, startConsole, type ConsoleTest } from './browser.ts'

const handler = 'handler@agency.example'
const manager = 'manager@agency.example'
const cashier = 'cashier@agency.example'

describe('second persons', { skip }, () => {
  let tested: ConsoleTest
  let caseGuid = ''
  before(async () => {
    tested = await startConsole()
    const { api } = tested
    await api.addUser({ email: handler, password, userRole: 3 })
    await api.addUser({ email: manager, password, userRole: 2 })
    await api.addUser({ email: cashier, password, userRole: 1 })
    const clientGuid = await api.addParty('KRAFT')
    const debtor = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Ek' } })
    const body = { clientGuid, debtorGuid: debtor.body.debtorGuid, principal: 1200, currencyCode: 'SEK' }
    const made = await api.call<{ caseGuid: string }>('POST', '/system/forms/case/register', { body })
    caseGuid = made.body.caseGuid
  })
  after(() => tested?.close())

  test('an administrator sets a limit, a handler requests above it, and the administrator approves', async () => {
    const admin = await tested.open('/approvals/limits', { login: manager })
    await admin.page.getByText('No role needs a second person.').waitFor()
    await admin.page.getByRole('button', { name: 'New' }).first().click()
    const limit = admin.page.getByRole('dialog')
    const choose = async (label: string, option: string) => {
      await limit.getByLabel(label).click()
      await admin.page.getByRole('option', { name: option }).click()
    }
    await choose('Act', 'Write-off')
    await choose('Role', 'Case handler')
    await limit.getByLabel('Currency').fill('Swedish')
    await admin.page.getByRole('option', { name: /Swedish/ }).click()
    await limit.getByLabel('Alone up to').fill('100')
    assert.deepEqual(await findViolations(admin.page, 'the limit'), [])
    await limit.getByRole('button', { name: /^(Save|Add|Create)/ }).click()
    await admin.page.getByRole('cell', { name: 'Case handler', exact: true }).waitFor()
    await admin.close()

    const asked = await tested.open(`/cases/${caseGuid}`, { login: handler })
    await asked.page.getByRole('button', { name: 'More actions' }).click()
    await asked.page.getByRole('menuitem', { name: 'Write off' }).click()
    const dialog = asked.page.getByRole('dialog')
    await dialog.getByLabel('Amount').fill('500')
    await dialog.locator('button[type=submit]').click()
    await dialog.getByText('A second person is needed').waitFor()
    await dialog.getByLabel('Reason').fill('Settled by telephone')
    assert.deepEqual(await findViolations(asked.page, 'the request'), [])
    await dialog.getByRole('button', { name: 'Request approval' }).click()
    await dialog.waitFor({ state: 'detached' })
    await asked.close()

    const requester = await tested.open('/', { login: handler })
    await requester.page.getByRole('heading', { name: 'My work today' }).waitFor()
    assert.equal(await requester.page.getByText('second person').count(), 0)
    await requester.close()

    const decided = await tested.open('/', { login: manager })
    const { page } = decided
    assert.deepEqual(await findViolations(page, 'the start screen'), [])
    await page.getByRole('link', { name: '1 act waits for a second person' }).click()
    await page.getByRole('button', { name: 'Approve' }).click()
    assert.deepEqual(await findViolations(page, 'the decision'), [])
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('cell', { name: 'Approved', exact: true }).waitFor()
    assert.equal(await page.getByText('WRITE_OFF').count(), 0)
    await page.getByRole('link', { name: 'My work' }).first().click()
    await page.getByRole('heading', { name: 'My work today' }).waitFor()
    await page.getByText('waits for a second person').waitFor({ state: 'detached' })
    await decided.close()
    const [row] = await tested.api
      .sql`select remaining_principal::int as left from debt_case where id = ${caseGuid}`
    assert.deepEqual(row, { left: 70_000 })
  })

  test('a handler requests debt relief from the page of the plan, and the administrator approves', async () => {
    const { api } = tested
    const limit = { act: 'DEBT_RELIEF', userRole: 3, currencyCode: 'SEK', amount: 100 }
    assert.equal((await api.call('POST', '/system/forms/approvallimit/create', { body: limit })).status, 201)
    const [row] = await api.sql<{ debtor: string }[]>`
      select main_debtor_id as debtor from debt_case where id = ${caseGuid}`
    const body = { paymentPlanType: 5, numberOfPayments: 10, amount: 50, active: 2 }
    const path = `/debtors/${row!.debtor}/paymentplans`
    const made = await api.call<{ paymentPlanGuid: string }>('POST', path, { body })
    const planGuid = made.body.paymentPlanGuid
    const { page, close } = await tested.open(`/plans/${planGuid}`, { login: handler })
    await page.getByRole('button', { name: 'Activate', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Activate', exact: true }).click()
    await dialog.getByText('A second person is needed').waitFor()
    assert.deepEqual(await findViolations(page, 'the request of debt relief'), [])
    await dialog.getByRole('button', { name: 'Request approval' }).click()
    await dialog.waitFor({ state: 'detached' })
    await close()
    const decided = await tested.open('/approvals', { login: manager })
    await decided.page
      .getByRole('row', { name: /Debt relief.*200/ })
      .getByRole('button', { name: 'Approve' })
      .click()
    await decided.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await decided.page
      .getByRole('row', { name: /Debt relief/ })
      .getByText('Approved')
      .waitFor()
    await decided.close()
    const [plan] = await api.sql<{ active: number }[]>`select active from payment_plan where id = ${planGuid}`
    assert.deepEqual(plan, { active: 1 })
  })

  test('a bank file above the limit is requested by its sender, and looked at and approved by another', async () => {
    const { api } = tested
    const limit = { act: 'BANK_FILE', userRole: 3, currencyCode: 'SEK', amount: 100 }
    const set = await api.call('POST', '/system/forms/approvallimit/create', { body: limit })
    assert.equal(set.status, 201, set.text)
    const [reference] = await api.sql<{ number: string }[]>`
      select payment_reference_number as number from debt_case where id = ${caseGuid}`
    const content = makeCamt([{ reference: reference!.number, amount: 20_000, bankReference: 'MADE1' }])

    const sender = await tested.open('/import', { login: handler })
    const file = { name: 'bank.xml', mimeType: 'text/xml', buffer: Buffer.from(content) }
    await sender.page.locator('input[type=file]').setInputFiles(file)
    await sender.page.getByText('Its sum is above the limit of your role.').waitFor()
    assert.equal(await sender.page.getByRole('button', { name: /^Book/ }).count(), 0)
    assert.deepEqual(await findViolations(sender.page, 'the held file'), [])
    await sender.page.getByRole('button', { name: 'Request approval' }).click()
    await sender.page.waitForURL(/approvals/)
    await sender.close()

    const approver = await tested.open('/approvals', { login: manager })
    await approver.page
      .getByRole('row', { name: /Bank file/ })
      .getByRole('button', { name: 'Approve' })
      .click()
    const dialog = approver.page.getByRole('dialog')
    await dialog.getByText('What the file would do now · bank.xml').waitFor()
    await dialog.getByRole('columnheader', { name: 'Booked on cases' }).waitFor()
    assert.deepEqual(await findViolations(approver.page, 'the decision on a file'), [])
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await dialog.waitFor({ state: 'detached' })
    await approver.close()
    const [made] = await api.sql`select file_name from payment_file`
    assert.equal(made!['file_name'], 'bank.xml')
  })

  test('who approves a payout sees whom it pays, and nothing is paid when that has changed', async () => {
    const { api } = tested
    const limit = { act: 'PAYOUT', userRole: 1, currencyCode: 'SEK', amount: 1 }
    assert.equal((await api.call('POST', '/system/forms/approvallimit/create', { body: limit })).status, 201)
    await api.sql`update party set bank_account_no = '5050-1055'`
    const owe = (amount: number) =>
      api.call('POST', '/system/forms/payment/register', { body: { caseGuid, amount, currencyCode: 'SEK' } })
    await owe(50)
    const requester = await tested.open('/payouts/new', { login: cashier })
    await requester.page.getByRole('button', { name: /^Pay out/ }).click()
    await requester.page
      .getByRole('dialog')
      .getByRole('button', { name: /^Pay out/ })
      .click()
    await requester.page.getByRole('button', { name: 'Request approval' }).click()
    await requester.page.waitForURL(/approvals/)
    await requester.close()
    await owe(1)

    const { page, close } = await tested.open('/approvals', { login: manager })
    await page
      .getByRole('row', { name: /Payout/ })
      .getByRole('button', { name: 'Approve' })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('row', { name: /KRAFT.*5050-1055/ }).waitFor()
    assert.deepEqual(await findViolations(page, 'the decision on a payout'), [])
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await dialog.getByText(/The payout has changed since it was requested: KRAFT is paid/).waitFor()
    await close()
    assert.equal((await api.sql`select from payout_batch`).length, 0)
  })
})
