/** The statement of a case and its amounts, by currency. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { payOften } from '../../../server/testing/records/many-payments.ts'
import { password, skip, startConsole, type ConsoleTest } from '../browser.ts'

const login = 'utdrag@agency.example'
const date = '2026-06-15'

describe('the statement of a case', { skip }, () => {
  let tested: ConsoleTest
  let clientGuid: string

  before(async () => {
    tested = await startConsole()
    await tested.api.setDate(date)
    await tested.api.addUser({ email: login, password, userRole: 2 })
    clientGuid = await tested.api.addParty('KRAFT')
  })
  after(() => tested?.close())

  const make = async (path: string, body: object) => {
    const answer = await tested.api.call<Record<string, string>>('POST', path, { body })
    assert.equal(answer.status, 201, answer.text)
    return answer.body
  }
  const makeCase = async (lastname: string, currencyCode: string, principal: number) => {
    const { debtorGuid } = await make('/debtors', { lastname })
    const claim = { clientGuid, debtorGuid, principal, currencyCode }
    return (await make('/system/forms/case/register', claim))['caseGuid']!
  }
  const pay = (caseGuid: string, amount: number, currencyCode: string) =>
    make('/system/forms/payment/register', { caseGuid, amount, currencyCode })
  const openCase = async (caseGuid: string) => {
    const opened = await tested.open(`/cases/${caseGuid}`, { login })
    const panel = opened.page.getByRole('region', { name: 'Statement', exact: true })
    return { ...opened, panel, rows: panel.getByRole('region', { name: 'Statement: rows' }) }
  }

  test('says what a payment added to the credit of the debtor beyond what was owed', async () => {
    const caseGuid = await makeCase('Överbetalt', 'SEK', 1000)
    await pay(caseGuid, 1040.5, 'SEK')
    const { rows, close } = await openCase(caseGuid)
    const row = rows.getByRole('row').filter({ hasText: "Debtor's credit" })
    assert.match(await row.innerText(), /Debtor's credit: SEK\s40\.50[\s\S]*-SEK\s1,000\.00\s+SEK\s0\.00/)
    const registration = rows.getByRole('row', { name: /SEK.1,000\.00 SEK.1,000\.00$/ })
    await registration.waitFor()
    assert.doesNotMatch(await registration.innerText(), /credit/)
    await close()
  })

  test('shows as many lines as one asks, and says that the PDF has those beyond', async () => {
    const caseGuid = await makeCase('Många', 'SEK', 1000)
    await payOften(tested.api, { caseGuid, times: 500, date })
    const { panel, rows, close } = await openCase(caseGuid)
    await panel.getByText('The PDF has all 501 lines.').waitFor()
    const body = rows.locator('tbody tr')
    assert.equal(await body.count(), 25)
    const more = panel.getByRole('button', { name: /^Show \d+ more$/ })
    for (const shown of [125, 225, 325, 425, 500]) {
      await more.click()
      await body.nth(shown - 1).waitFor()
      assert.equal(await body.count(), shown)
    }
    await more.waitFor({ state: 'detached' })
    await panel.getByText('The PDF has all 501 lines.').waitFor()
    const { text, status } = await tested.api.call('GET', `/cases/${caseGuid}/statement?format=pdf`)
    assert.equal(status, 200)
    assert.match(text, /^%PDF/)
    await panel.getByRole('combobox', { name: 'Kind of entry' }).selectOption('registration')
    await body.nth(1).waitFor({ state: 'detached' })
    assert.equal(await panel.getByText(/^The PDF has all/).count(), 0)
    await close()
  })

  for (const [currency, principal, shown, owed, wrong, fault] of [
    ['JPY', 1200, '1,200', /¥1,200$/, '1.5', /whole number\./],
    ['KWD', 12.5, '12.500', /KWD\s12\.500$/, '1.2345', /at most 3 decimals/i],
  ] as const)
    test(`has amounts in ${currency} with the decimals of the currency, and takes no others`, async () => {
      const caseGuid = await makeCase(`Valuta ${currency}`, currency, principal)
      const { page, panel, rows, close } = await openCase(caseGuid)
      const remaining = page.getByRole('button', { name: /^Sum, Remaining: / })
      assert.equal(await remaining.innerText(), shown)
      await rows.getByRole('row', { name: owed }).waitFor()
      assert.match(
        await panel
          .getByText(/^Owed on/)
          .locator('..')
          .innerText(),
        owed,
      )
      await page.getByRole('button', { name: 'Register a payment' }).click()
      const dialog = page.getByRole('dialog', { name: 'Register a payment' })
      await dialog.getByLabel('Amount').fill(wrong)
      await dialog.getByRole('button', { name: 'Register', exact: true }).click()
      await dialog.getByText(fault).waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.keyboard.press('c')
      const call = page.getByRole('dialog', { name: 'Log a call' })
      await call.getByLabel('Promised amount').fill(wrong)
      await call.getByText(fault).waitFor()
      assert.equal(await call.getByRole('button', { name: 'Save' }).isDisabled(), true)
      await close()
    })
})
