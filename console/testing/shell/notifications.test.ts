/** The bell: what is new, read by opening it, and how often the page asks. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findViolations, password, skip, startConsole, type ConsoleTest } from '../browser.ts'

const login = 'klocka@agency.example'

const bell = (page: Page, unread: number) =>
  page.getByRole('button', {
    name: unread === 0 ? 'Notifications' : `Notifications: ${unread} unread`,
    exact: true,
  })

describe('the bell', { skip }, () => {
  let tested: ConsoleTest
  let userGuid: string
  let caseGuid: string
  let caseNumber: string
  before(async () => {
    tested = await startConsole()
    const { api } = tested
    userGuid = await api.addUser({ email: login, password, userRole: 3 })
    const clientGuid = await api.addParty('KRAFT')
    const debtor = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Ek' } })
    const { debtorGuid } = debtor.body
    const made = await api.call<{ caseGuid: string; caseNumber: string }>(
      'POST',
      '/system/forms/case/register',
      {
        body: { clientGuid, debtorGuid, principal: 1200, currencyCode: 'SEK' },
      },
    )
    assert.equal(made.status, 201, made.text)
    ;({ caseGuid, caseNumber } = made.body)
  })
  after(() => tested?.close())

  const assign = async () => {
    for (const ownerGuid of [null, userGuid]) {
      const body = { caseGuids: [caseGuid], ownerGuid }
      const { status, text } = await tested.api.call('POST', '/work/assignments', { body })
      assert.equal(status, 200, text)
    }
  }

  test('says what is new, and opening it reads it', async () => {
    await assign()
    const { page, close } = await tested.open('/', { login })
    await bell(page, 1).click()
    const item = page.getByRole('menuitem', { name: `Case ${caseNumber} was assigned to you` })
    await item.waitFor()
    assert.deepEqual(await findViolations(page, 'the bell'), [])
    await item.click()
    await page.getByRole('heading', { level: 1, name: `Case ${caseNumber}` }).waitFor()
    await bell(page, 0).waitFor()
    await close()
  })

  test('leads to all notifications, where one is marked as unread', async () => {
    const { page, close } = await tested.open('/', { login })
    await bell(page, 0).click()
    await page.getByRole('menuitem', { name: 'All notifications' }).click()
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
    await page.getByRole('button', { name: 'Mark as unread' }).first().click()
    await bell(page, 1).waitFor()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await bell(page, 0).waitFor()
    await close()
  })

  test('asks every half a minute while the page is used, and not of a page that is left alone', async () => {
    const { page, close } = await tested.open('/', { login })
    await page.clock.install()
    await page.reload()
    await bell(page, 0).waitFor()
    await assign()
    await page.clock.fastForward(31_000)
    await bell(page, 1).waitFor()
    await page.clock.fastForward(3_600_000)
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/notifications/unread')) asked++
    })
    await page.clock.fastForward(120_000)
    assert.equal(asked, 0)
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/notifications/unread'))
    await page.keyboard.press('Shift')
    await answered
    await close()
  })
})
