/** A user is invited in the console, and accepts by the link. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { User } from '../../../contract/access/users.ts'
import {
  findViolations,
  linkSentTo,
  password,
  skip,
  startConsole,
  untilScreen,
  type ConsoleTest,
} from '../browser.ts'

const login = 'chef@agency.example'
const settings = {
  FORDRA_SMTP_URL: 'smtp://127.0.0.1:9',
  FORDRA_MAIL_FROM: 'inkasso@agency.example',
  FORDRA_PUBLIC_URL: 'http://127.0.0.1',
}

describe('an invitation', { skip }, () => {
  let tested: ConsoleTest
  before(async () => {
    tested = await startConsole('127.0.0.1', settings)
    await tested.api.addUser({ email: login, password, userRole: 2 })
  })
  after(() => tested?.close())

  test('is sent by the form of a new user, shows in the list, and is accepted by its link', async () => {
    const email = 'eva@agency.example'
    const { page, close } = await tested.open('/users/new', { login })
    await page.getByRole('textbox', { name: 'Full name' }).fill('Eva Lind')
    await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill(email)
    for (const [field, option] of [
      ['Role', 'Case handler'],
      ['Party', 'Agency'],
    ] as const) {
      await page.getByRole('combobox', { name: field }).click()
      await page.getByRole('combobox', { name: field }).fill(option)
      await page.getByRole('option', { name: option }).first().click()
    }
    await page.getByRole('checkbox', { name: 'Invite by e-mail' }).check()
    await page.getByRole('button', { name: 'Create' }).click()
    await untilScreen(page, 'Users')
    const row = page.getByRole('row', { name: /Eva Lind/ })
    await row.getByText('Invited', { exact: true }).waitFor()
    assert.deepEqual(await findViolations(page, 'list of users'), [])
    const token = await linkSentTo(tested.api, email)
    const invited = await tested.open(`/invitation#token=${token}`)
    await invited.page.getByRole('heading', { name: 'Choose your password' }).waitFor()
    assert.deepEqual(await findViolations(invited.page, 'accepting'), [])
    await invited.page.getByLabel('New password', { exact: true }).fill(password)
    await invited.page.getByRole('button', { name: 'Set the password' }).click()
    await invited.page.getByText('Your password is set.').waitFor()
    await invited.close()
    await page.reload()
    await row.getByText('Accepted', { exact: true }).waitFor()
    await close()
  })

  test('is sent again and withdrawn on the page of the user', async () => {
    const email = 'ulf@agency.example'
    const { page, close } = await tested.open('/users', { login })
    const { body, status, text } = await tested.api.call<User>('POST', '/users', {
      body: { email, fullName: 'Ulf Ek', userRole: 3, partyReferenceCode: 'AGENCY', invite: true },
    })
    assert.equal(status, 201, text)
    const first = await linkSentTo(tested.api, email)
    await page.goto(`/users/${body.uniqueId}`)
    await page.getByRole('button', { name: 'Send the invitation again' }).click()
    await page.getByText('The invitation is on its way. Earlier links no longer work.').waitFor()
    const second = await linkSentTo(tested.api, email)
    assert.notEqual(second, first)
    await page.getByRole('button', { name: 'Withdraw the invitation' }).click()
    const dialog = page.getByRole('dialog', { name: 'Withdraw the invitation' })
    await dialog.waitFor()
    assert.deepEqual(await findViolations(page, 'withdrawing'), [])
    await dialog.getByRole('button', { name: 'Withdraw the invitation' }).click()
    await page.getByText('The invitation is withdrawn.').waitFor()
    await page.getByRole('button', { name: 'Reset the second factor' }).waitFor()
    const accepting = { body: { token: second, password }, token: null }
    assert.equal((await tested.api.call('POST', '/auth/invitation', accepting)).status, 401)
    await close()
  })

  test('that is unknown or used says so', async () => {
    const { page, close } = await tested.open(`/invitation#token=${'x'.repeat(43)}`)
    await page.getByLabel('New password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByText(/Ask whoever invited you/).waitFor()
    await close()
  })
})
