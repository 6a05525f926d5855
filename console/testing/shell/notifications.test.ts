/** The bell: what is new, read by opening it, how it hears of changes, and how often the page asks. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page, Request } from 'playwright-core'
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

  const stream = '**/notifications/stream'

  test('hears of a change at once, in every tab by one connection, until the user signs out', async () => {
    const { page, context, close } = await tested.open('/', { login })
    let streams = 0
    context.on('request', (request) => {
      if (request.url().endsWith('/notifications/stream')) streams++
    })
    const second = await context.newPage()
    await second.goto('/')
    await bell(second, 0).waitFor()
    const connected = streams === 0 ? context.waitForEvent('request', isStream) : undefined
    await connected
    const asked = countAsked(second)
    await assign()
    await bell(second, 1).waitFor()
    await bell(page, 1).waitFor()
    assert.ok(asked() <= 2, `${asked()} requests`)
    assert.ok(streams <= 2, `${streams} connections`)
    await second.getByRole('button', { name: /^Menu of/ }).click()
    const ended = context.waitForEvent('requestfailed', isStream)
    await second.getByRole('menuitem', { name: 'Sign out' }).click()
    await second.getByLabel('Password', { exact: true }).waitFor()
    await page.close()
    await ended.catch(() => {})
    await close()
  })

  test('asks every half a minute without the stream, while the page is used, and not of a page that is left alone', async () => {
    const { page, close } = await tested.open('/', { login })
    await page.route(stream, (route) => route.fulfill({ status: 429 }))
    await page.clock.install()
    await page.reload()
    await bell(page, 1).waitFor()
    await tested.api.sql`update notification set read_at = now()`
    await page.clock.fastForward(31_000)
    await bell(page, 0).waitFor()
    await page.clock.fastForward(3_600_000)
    const asked = countAsked(page)
    await page.clock.fastForward(120_000)
    assert.equal(asked(), 0)
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/notifications/unread'))
    await page.keyboard.press('Shift')
    await answered
    await close()
  })
})

const isStream = (request: Request) => request.url().endsWith('/notifications/stream')

/** How often the page has asked for the number since. */
function countAsked(page: Page): () => number {
  let asked = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/notifications/unread')) asked++
  })
  return () => asked
}
