/** Second factors and forgotten passwords. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  answerResets,
  generateCode,
  makeAppUser,
  makeUser,
} from '../../server/testing/records/enrolled-user.ts'
import {
  findViolations,
  linkSentTo,
  password,
  signIn,
  skip,
  startConsole,
  type ConsoleTest,
} from './browser.ts'

describe('a second factor', { skip }, () => {
  let tested: ConsoleTest
  before(async () => {
    tested = await startConsole()
  })
  after(() => tested?.close())

  test('is asked for with its code', async () => {
    const user = await makeAppUser(tested.api)
    const { page, close } = await tested.open('/')
    await page.getByLabel('E-mail or user code').fill(user.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('Code', { exact: true }).fill('000000')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('That code does not work').waitFor()
    assert.deepEqual(await findViolations(page, 'code'), [])
    await page.getByLabel('Code', { exact: true }).fill(await generateCode(user.secret, 1))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'My work today' }).waitFor()
    await close()
  })

  test('is enrolled by who must have one, before anything else', async () => {
    const user = await makeUser(tested.api, { mfaType: 1 })
    const { page, close } = await tested.open('/')
    await page.getByLabel('E-mail or user code').fill(user.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
    await page.getByLabel('Current password').fill(password)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    assert.deepEqual(await findViolations(page, 'enrolment'), [])
    const secret = await page.locator('code').innerText()
    await page.getByLabel('Code', { exact: true }).fill(await generateCode(secret.trim()))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('I have kept these codes').waitFor()
    assert.equal(await page.getByRole('listitem').count(), 10)
    assert.equal(await page.getByRole('button', { name: 'Continue' }).isDisabled(), true)
    await page.getByLabel('I have kept these codes').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'My work today' }).waitFor()
    await close()
  })

  test('or a forgotten password does not keep anybody out', async () => {
    const user = await makeUser(tested.api)
    const { page, close } = await tested.open('/')
    await page.getByRole('button', { name: 'Forgotten password?' }).click()
    await page.getByLabel('E-mail or user code').fill(user.email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText('a message is on its way').waitFor()
    await answerResets(tested.api)
    const token = await linkSentTo(tested.api, user.email)
    await page.goto(`/reset-password#token=${token}`)
    await page.getByLabel('New password').fill('kort')
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.locator('[aria-invalid=true]').waitFor()
    await page.getByLabel('New password').fill(password)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(page, user.email)
    await page.getByRole('heading', { name: 'My work today' }).waitFor()
    await close()
  })
})
