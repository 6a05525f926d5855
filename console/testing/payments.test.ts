/** Bank files and suspense in the console: a file is sent, booked, and what nobody knows the case of is allocated. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runJobs } from '../../server/testing/jobs.ts'
import { findViolations, password, skip, startConsole, type ConsoleTest } from './browser.ts'

describe('bank files', { skip }, () => {
  const login = 'payments@agency.example'
  let tested: ConsoleTest
  let jobs: Awaited<ReturnType<typeof runJobs>>
  let caseGuid = ''
  let caseNumber = ''
  let reference = ''

  before(async () => {
    tested = await startConsole()
    const { api } = tested
    jobs = await runJobs(api)
    await api.addUser({ email: login, password, userRole: 2 })
    await api.setDate('2026-06-15')
    const clientGuid = await api.addParty('KRAFT')
    const { body: debtor } = await api.call<{ debtorGuid: string }>('POST', '/debtors', {
      body: { lastname: 'Lindqvist' },
    })
    const { body } = await api.call<{ caseGuid: string; caseNumber: string; paymentReferenceNumber: string }>(
      'POST',
      '/system/forms/case/register',
      { body: { clientGuid, debtorGuid: debtor.debtorGuid, principal: 1200, currencyCode: 'SEK' } },
    )
    caseGuid = body.caseGuid
    caseNumber = body.caseNumber
    reference = body.paymentReferenceNumber
  })
  after(async () => {
    await jobs.stop()
    await tested.close()
  })

  /** One payment without a reference. */
  const lines = [
    '01BGMAX               0120260615173035010331P',
    '050009912346          SEK',
    '200003783511                         000000000000045600020000000000010',
    '26Berits Garn',
    '15000000000000000000058410000010098232026061500074000000000000045600SEK00000001',
    '7000000001000000000000000000000001',
  ]

  test('that are checked are still there when the user comes back, and closing the tab asks', async () => {
    const { page, close } = await tested.open('/payment-files', { login })
    const buffer = Buffer.from(lines.map((line) => line.padEnd(80)).join('\r\n'))
    await page
      .getByLabel('Bank file', { exact: true })
      .setInputFiles({ name: 'kept.txt', mimeType: 'text/plain', buffer })
    await page.getByRole('button', { name: 'Book 1 entry' }).waitFor()
    await page.getByRole('link', { name: 'Debtors', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Debtors' }).waitFor()
    await page.getByRole('link', { name: 'Bank files', exact: true }).click()
    await page.getByText('kept.txt').waitFor()
    await page.getByRole('button', { name: 'Book 1 entry' }).waitFor()
    const asked = page.waitForEvent('dialog')
    const closing = page.reload().catch(() => {})
    const dialog = await asked
    assert.equal(dialog.type(), 'beforeunload')
    await dialog.accept()
    await closing
    await page.getByLabel('Bank file', { exact: true }).waitFor({ state: 'attached' })
    await close()
  })

  test('are sent, and what is in suspense is allocated', async () => {
    const { page, close } = await tested.open('/payment-files', { login })
    const buffer = Buffer.from(lines.map((line) => line.padEnd(80)).join('\r\n'))
    await page
      .getByLabel('Bank file', { exact: true })
      .setInputFiles({ name: 'bgmax.txt', mimeType: 'text/plain', buffer })
    await page.getByText('BgMax', { exact: true }).waitFor()
    await page.getByText('Unknown account').waitFor()
    await page.getByRole('cell', { name: 'No reference' }).waitFor()
    assert.deepEqual(await findViolations(page, 'a checked bank file'), [])
    assert.deepEqual([...(await tested.api.sql`select from payment_file`)], [])
    await page.getByRole('button', { name: 'Book 1 entry' }).click()
    await page.getByText('1 of 1 entries').waitFor()
    await page.getByRole('link', { name: 'Go to suspense' }).click()
    await page.getByRole('cell', { name: 'Berits Garn' }).waitFor()
    await page.getByRole('cell', { name: 'No reference' }).waitFor()
    await page.getByRole('button', { name: 'Allocate' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Payment reference').fill('123')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/This is not a payment reference/).waitFor()
    await dialog.getByLabel('Payment reference').fill(reference)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The money is booked on the case.').waitFor()
    await page.getByRole('cell', { name: 'Allocated' }).waitFor()
    const [row] = await tested.api.sql`select remaining_principal from debt_case where id = ${caseGuid}`
    assert.equal(row!['remaining_principal'], 120_000 - 45_600)
    await close()
  })

  test('leave in suspense what is placed on a case that is looked up', async () => {
    const { page, close } = await tested.open('/payment-files', { login })
    const other = lines.map((line) =>
      line
        .replace('45600', '12300')
        .replace('Berits Garn', 'Olgas Ull')
        .replace('00010098232', '00010098233'),
    )
    const buffer = Buffer.from(other.map((line) => line.padEnd(80)).join('\r\n'))
    await page
      .getByLabel('Bank file', { exact: true })
      .setInputFiles({ name: 'ull.txt', mimeType: 'text/plain', buffer })
    await page.getByRole('button', { name: 'Book 1 entry' }).click()
    await page.getByRole('link', { name: 'Go to suspense' }).click()
    const row = page.getByRole('row', { name: /Olgas Ull/ })
    await row.getByRole('button', { name: 'Allocate' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radiogroup', { name: 'Found by' }).getByText('Case').click()
    assert.deepEqual(await findViolations(page, 'suspense'), [])
    await dialog.getByRole('combobox', { name: 'Case' }).fill(caseNumber)
    await page.getByRole('option', { name: caseNumber }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The money is booked on the case.').waitFor()
    await row.getByRole('cell', { name: 'Allocated' }).waitFor()
    const [stored] = await tested.api.sql`select remaining_principal from debt_case where id = ${caseGuid}`
    assert.equal(stored!['remaining_principal'], 120_000 - 45_600 - 12_300)
    await close()
  })

  test('that are wrong are refused with the line', async () => {
    const { page, close } = await tested.open('/payment-files', { login })
    const wrong = lines.map((line) => line.replace(/^15(.*)45600SEK/, '15$145700SEK').padEnd(80))
    await page
      .getByLabel('Bank file', { exact: true })
      .setInputFiles({ name: 'wrong.txt', mimeType: 'text/plain', buffer: Buffer.from(wrong.join('\r\n')) })
    await page
      .getByText(/Line 5: the amount of the deposit is not the sum/)
      .first()
      .waitFor()
    await close()
  })

  test('are proposed cases with reasons, and booked in two clicks', async () => {
    const { api } = tested
    await api.call('PATCH', `/system/forms/case/edit?id=${caseGuid}`, {
      body: { clientReferenceNumber: 'KUND-55871' },
    })
    const { page, close } = await tested.open('/import', { login })
    const proposed = lines.flatMap((line) => {
      const changed = line
        .replaceAll('45600', '10000')
        .replace('Berits Garn', 'Lindqvist')
        .replace('00010098232', '00010098299')
      return changed.startsWith('26') ? ['25Avser KUND-55871', changed] : [changed]
    })
    const buffer = Buffer.from(proposed.map((line) => line.padEnd(80)).join('\r\n'))
    await page.locator('input[type=file]').setInputFiles({ name: 'kund.txt', mimeType: 'text/plain', buffer })
    await page.getByRole('button', { name: 'Book 1 entry' }).click()
    await page.getByRole('link', { name: 'Go to suspense' }).click()
    const row = page.getByRole('row', { name: /Avser KUND/ })
    await row.getByRole('button', { name: 'Allocate' }).click()
    const dialog = page.getByRole('dialog')
    const proposals = dialog.getByRole('region', { name: 'Proposals' })
    await proposals.getByText('Reference', { exact: true }).waitFor()
    await proposals.getByText('Name of the payer').waitFor()
    assert.deepEqual(await findViolations(page, 'proposals'), [])
    await proposals.getByRole('button', { name: 'Book' }).first().click()
    await page.getByText('The money is booked on the case.').waitFor()
    await row.getByText('Allocated').waitFor()
    await close()
  })

  test('that pay more than remains say so, and are divided over proposed cases', async () => {
    const { page, close } = await tested.open('/import', { login })
    const large = lines.flatMap((line) => {
      const changed = line
        .replaceAll('45600', '99900')
        .replace('Berits Garn', 'Lindqvist')
        .replace('00010098232', '00010098332')
      return changed.startsWith('26') ? ['25Avser KUND-55871', changed] : [changed]
    })
    const buffer = Buffer.from(large.map((line) => line.padEnd(80)).join('\r\n'))
    await page.locator('input[type=file]').setInputFiles({ name: 'mer.txt', mimeType: 'text/plain', buffer })
    await page.getByRole('button', { name: 'Book 1 entry' }).click()
    await page.getByRole('link', { name: 'Go to suspense' }).click()
    const row = page.getByRole('row', { name: /999/ })
    await row.getByRole('button', { name: 'Allocate' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('SEK 478.00 more than remains: it becomes the debtor’s credit').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await row.getByRole('button', { name: 'Divide' }).click()
    await dialog.getByText('SEK 521.00 remaining').waitFor()
    await dialog.getByRole('button', { name: `Take case ${caseNumber}` }).click()
    await dialog.getByText('Rest in suspense: SEK 478.00').waitFor()
    assert.deepEqual(await findViolations(page, 'dividing'), [])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The money is divided.').waitFor()
    const [stored] = await tested.api.sql`select closure_code from debt_case where id = ${caseGuid}`
    assert.equal(stored!['closure_code'], 'PAID_IN_FULL')
    await close()
  })
})
