/** Payouts in the console: what is owed is looked at, booked, and its file saved. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { findViolations, password, skip, startConsole, type ConsoleTest } from './browser.ts'
import { collect } from './collect.ts'

describe('payouts to clients', { skip }, () => {
  const login = 'ekonomi@agency.example'
  let tested: ConsoleTest

  before(async () => {
    tested = await startConsole()
    const { api } = tested
    await api.setDate('2026-06-15')
    await api.addUser({ email: login, password, userRole: 2 })
    await api.addUser({ email: 'handlaggare@agency.example', password, userRole: 3 })
    const [paid, without] = [await api.addParty('KRAFT'), await api.addParty('VATTEN')]
    await api.sql`update party set bank_account_no = 'SE45 5000 0000 0583 9825 7466' where parent_id is null`
    await api.sql`update party set bank_account_no = '5805-6201' where id = ${paid}`
    await collect(api, paid, 300)
    await collect(api, without, 200)
    await collect(api, paid, 70, 'EUR')
  })
  after(() => tested?.close())

  test('are looked at by currency, booked by keyboard, and saved as a file', async () => {
    const { page, close } = await tested.open('/', { login })
    await page.getByRole('link', { name: 'Payouts' }).click()
    await page.getByText('No payouts yet.').waitFor()
    await page.getByRole('link', { name: 'Pay out to clients' }).click()
    await page.getByRole('heading', { level: 1, name: 'Pay out to clients' }).waitFor()
    await page.getByRole('radiogroup', { name: 'Currency' }).getByText('SEK').click()
    const lines = page.getByRole('region', { name: 'Paid clients', exact: true })
    await lines.getByRole('row', { name: /KRAFT.*5805-6201.*300\.00/ }).waitFor()
    const leftOut = page.getByRole('region', { name: 'Left out', exact: true })
    await leftOut.getByRole('row', { name: /VATTEN.*No bank account.*200\.00/ }).waitFor()
    assert.deepEqual(await findViolations(page, 'payout to be made'), [])
    await page.getByRole('button', { name: /^Pay out SEK.300\.00$/ }).press('Enter')
    const dialog = page.getByRole('dialog', { name: /^Pay out SEK/ })
    await dialog.getByText('It is booked as paid out to 1 client').waitFor()
    assert.deepEqual(await findViolations(page, 'payout asked about'), [])
    await dialog.getByRole('button', { name: /^Pay out SEK/ }).press('Enter')
    await page.getByRole('heading', { level: 1, name: /^Payout \d+$/ }).waitFor()
    await page.getByText('Booked 15 Jun 2026').waitFor()
    await lines.getByRole('row', { name: /KRAFT.*300\.00/ }).waitFor()
    assert.deepEqual(await findViolations(page, 'payout'), [])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'File for the bank' }).press('Enter'),
    ])
    assert.match(download.suggestedFilename(), /^pain\.001-\d+\.xml$/)
    assert.match(readFileSync(await download.path(), 'utf8'), /pain\.001\.001\.09[^]*300\.00/)
    await page.goto('/payouts')
    await page
      .locator('tbody')
      .getByRole('cell', { name: /SEK.300\.00/ })
      .waitFor()
    await close()
  })

  test('that somebody else has made meanwhile are not made twice', async () => {
    const { page, close } = await tested.open('/payouts/new', { login })
    await page.getByRole('radiogroup', { name: 'Currency' }).getByText('EUR').click()
    await page.getByRole('button', { name: /^Pay out €70/ }).click()
    await tested.api.call('POST', '/payouts', { body: { currencyCode: 'EUR' } })
    const dialog = page.getByRole('dialog', { name: /^Pay out €70/ })
    await dialog.getByRole('button', { name: /^Pay out €70/ }).click()
    await dialog.getByText(/No client with a bank account is owed anything in EUR/).waitFor()
    await close()
  })

  test('are made by an administrator alone', async () => {
    const { page, close } = await tested.open('/payouts', { login: 'handlaggare@agency.example' })
    await page.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Pay out to clients' }).count(), 0)
    await page.goto('/payouts/new')
    await page.getByRole('region', { name: 'Left out', exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: /^Pay out/ }).count(), 0)
    await close()
  })
})
