/** What happened, as a case handler reads it. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { password, skip, startConsole, type ConsoleTest } from './browser.ts'

const login = 'handelser@agency.example'

describe('what happened', { skip }, () => {
  let tested: ConsoleTest
  let debtorGuid: string
  let caseGuid: string

  before(async () => {
    tested = await startConsole()
    const { api } = tested
    await api.addUser({ email: login, password, userRole: 2 })
    const make = async (path: string, body: object, member: string) => {
      const answer = await api.call<Record<string, string>>('POST', path, { body })
      assert.equal(answer.status, 201, answer.text)
      return answer.body[member]!
    }
    const terms = { name: 'Kraftbolaget AB', countryCode: 'SE', currencyCode: 'SEK' }
    const client = { ...terms, partyReferenceCode: 'KRAFT' }
    const clientGuid = await make('/system/forms/client/create', client, 'clientGuid')
    debtorGuid = await make('/debtors', { lastname: 'Händelserik' }, 'debtorGuid')
    const claim = { clientGuid, debtorGuid, principal: 1200 }
    caseGuid = await make('/system/forms/case/register', claim, 'caseGuid')
    await make('/system/forms/payment/register', { caseGuid, amount: 100.5 }, 'paymentGuid')
    for (let number = 1; number <= 52; number++)
      await make(`/system/forms/note/create?id=${caseGuid}`, { text: `Note ${number}` }, 'noteGuid')
  })
  after(() => tested?.close())

  test('is told in words, with amounts in their currency, and a page more as often as one asks', async () => {
    const { page, close } = await tested.open(`/debtors/${debtorGuid}`, { login })
    const timeline = page.locator('section', {
      has: page.getByRole('heading', { name: 'Timeline', exact: true }),
    })
    const entries = timeline.locator('li.timeline-entry')
    await entries.nth(19).waitFor()
    assert.equal(await entries.count(), 20)
    const more = timeline.getByRole('button', { name: 'Show more' })
    for (const shown of [40, 56]) {
      await more.click()
      await entries.nth(shown - 1).waitFor()
      assert.equal(await entries.count(), shown)
    }
    await more.waitFor({ state: 'detached' })
    const told = await entries.allInnerTexts()
    const payment = told.find((text) => text.includes('Payment registered'))!
    assert.match(payment, /Amount: SEK\s100\.50/)
    assert.doesNotMatch(payment, /Currency/)
    const registered = told.find((text) => text.includes('Case registered'))!
    assert.match(registered, /Principal: SEK\s1,200\.00/)
    assert.doesNotMatch(told.join('\n'), /minor[A-Z]|[\da-f]{8}-[\da-f]{4}/)
    await close()
  })

  test('stands on a case with every note of it, and what the claim is for in words', async () => {
    const { page, close } = await tested.open(`/cases/${caseGuid}`, { login })
    await page.getByText('Note 52', { exact: true }).waitFor()
    await page.getByText('Note 1', { exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Show more' }).first().click()
    await page.getByText('Note 1', { exact: true }).waitFor()
    await page
      .getByRole('definition')
      .filter({ hasText: /^Goods or services to a consumer$/ })
      .waitFor()
    await close()
  })
})
