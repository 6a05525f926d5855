/** The profile: which notifications come by e-mail. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { NotificationEmails } from '../../../contract/platform/notification-emails.ts'
import { secretSentTo } from '../../../server/testing/records/enrolled-user.ts'
import { findViolations, password, skip, startConsole, type ConsoleTest } from '../browser.ts'

const login = 'epost@agency.example'
const settings = {
  FORDRA_SMTP_URL: 'smtp://127.0.0.1:9',
  FORDRA_MAIL_FROM: 'inkasso@agency.example',
  FORDRA_PUBLIC_URL: 'http://127.0.0.1',
}

describe('notifications by e-mail', { skip }, () => {
  let tested: ConsoleTest
  before(async () => {
    tested = await startConsole('127.0.0.1', settings)
    await tested.api.addUser({ email: login, password, userRole: 3 })
  })
  after(() => tested?.close())

  test('are chosen for each kind, and the address is confirmed by a code', async () => {
    const { page, close } = await tested.open('/profile', { login })
    const assigned = page.getByRole('combobox', { name: 'Case assigned' })
    const stored = page.waitForResponse(
      (answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/notifications/email'),
    )
    await assigned.selectOption('Once a day')
    const { choices } = (await (await stored).json()) as NotificationEmails
    assert.equal(choices.find(({ kind }) => kind === 'ASSIGNED')?.delivery, 'DAILY')
    await page.getByText(`Nothing is sent until you confirm ${login}.`).waitFor()
    assert.deepEqual(await findViolations(page, 'profile with an unconfirmed address'), [])
    await page.getByRole('button', { name: 'Send a code' }).click()
    const code = page.getByRole('textbox', { name: 'Code from the e-mail' })
    await code.fill('12')
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'code' }).waitFor()
    await code.fill(await secretSentTo(tested.api, login))
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByText('Your e-mail address is confirmed.').waitFor()
    await code.waitFor({ state: 'detached' })
    await page.reload()
    assert.equal(await assigned.inputValue(), 'DAILY')
    await close()
  })
})
