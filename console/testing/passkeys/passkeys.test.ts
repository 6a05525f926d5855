/** Passkeys with Chromium's virtual authenticator. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeUser } from '../../../server/testing/records/enrolled-user.ts'
import { findViolations, password, skip, startConsole, type ConsoleTest, type Opened } from '../browser.ts'

/** One that is there at once, and whose user confirms. */
async function addAuthenticator({ context, page }: Opened): Promise<void> {
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function enterPassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail or user code').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

describe('a passkey', { skip }, () => {
  let tested: ConsoleTest
  before(async () => {
    tested = await startConsole('localhost')
  })
  after(() => tested?.close())

  test('is set up by who must have a second factor, and signs in', async () => {
    const user = await makeUser(tested.api, { mfaType: 1 })
    const opened = await tested.open('/')
    const { page, close } = opened
    await addAuthenticator(opened)
    await enterPassword(page, user.email)
    await page.getByText('Passkey', { exact: true }).click()
    await page.getByLabel('Current password').fill(password)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('I have kept these codes').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'My work today' }).waitFor()

    await page.goto('/profile')
    await page.getByRole('heading', { name: 'Passkeys' }).waitFor()
    await page.getByRole('button', { name: 'Delete the passkey Passkey' }).waitFor()
    assert.deepEqual(await findViolations(page, 'profile with a passkey'), [])
    await page.context().clearCookies()
    await page.goto('/')
    await enterPassword(page, user.email)
    await page.getByRole('button', { name: 'Use your passkey' }).waitFor()
    assert.deepEqual(await findViolations(page, 'sign-in by passkey'), [])
    await page.getByRole('button', { name: 'Use your passkey' }).click()
    await page.getByRole('heading', { name: 'My work today' }).waitFor()
    const [used] = await tested.api.sql<{ counter: number }[]>`
      select counter::int from passkey where user_id = ${user.userGuid} and last_used_at is not null`
    assert.ok(used)
    await close()
  })

  test('that is the only second factor is not deleted in the profile', async () => {
    const user = await makeUser(tested.api)
    const opened = await tested.open('/')
    const { page, close } = opened
    await addAuthenticator(opened)
    await enterPassword(page, user.email)
    await page.getByRole('heading', { name: 'My work today' }).waitFor()
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name, such as the device').fill('Laptop')
    await page.getByRole('dialog').getByLabel('Current password').fill(password)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('I have kept these codes').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Delete the passkey Laptop' }).click()
    await page.getByRole('dialog').getByLabel('Current password').fill(password)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('This is your only second factor').waitFor()
    await close()
  })
})
