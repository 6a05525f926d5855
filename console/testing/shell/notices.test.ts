/** Notices cover nothing that a user works on. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { password, skip, startConsole, untilScreen, type ConsoleTest } from '../browser.ts'

const login = 'notis@agency.example'

describe('a notice', { skip }, () => {
  let tested: ConsoleTest
  let caseGuid: string

  before(async () => {
    tested = await startConsole()
    const { api } = tested
    await api.addUser({ email: login, password, userRole: 3 })
    const clientGuid = await api.addParty('KRAFT')
    const debtor = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Notis' } })
    const claim = { clientGuid, principal: 1200, currencyCode: 'SEK', debtorGuid: debtor.body.debtorGuid }
    const made = await api.call<{ caseGuid: string }>('POST', '/system/forms/case/register', { body: claim })
    caseGuid = made.body.caseGuid
  })
  after(() => tested?.close())

  for (const [name, size] of [
    ['a desk', { width: 1280, height: 720 }],
    ['a telephone', { width: 390, height: 844 }],
  ] as const)
    test(`covers no row, input or button of the screen on ${name}`, async () => {
      const { page, close } = await tested.open(`/cases/${caseGuid}`, { login, ...size })
      await untilScreen(page, /^Case /)
      for (const day of ['2099-01-01', '2099-01-02']) {
        await page
          .getByRole('region', { name: 'Work', exact: true })
          .getByRole('button', { name: 'Next action' })
          .click()
        const dialog = page.getByRole('dialog', { name: 'Next action' })
        await dialog.getByLabel('On', { exact: true }).fill(day)
        await dialog.getByRole('button', { name: 'Save' }).click()
        await dialog.waitFor({ state: 'detached' })
      }
      await page.getByText('Saved.').first().waitFor()
      await page.waitForFunction(() => document.querySelectorAll('.mantine-Notification-root').length === 1)
      assert.deepEqual(await findCovered(page), [])
      await close()
    })
})

/** What of the screen lies below the notice, once that has come to rest. */
async function findCovered(page: Page): Promise<string[]> {
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
  return page.evaluate(() => {
    const notice = document.querySelector('.mantine-Notification-root')!.getBoundingClientRect()
    const header = document.querySelector('.shell-header')!.getBoundingClientRect()
    const worked = document.querySelectorAll(
      'main button, main a, main input, main tr, main li, main h1, main [role=group], .page-actions',
    )
    return [...worked]
      .filter((one) => {
        const box = one.getBoundingClientRect()
        const isBeside = box.right <= notice.left || box.left >= notice.right
        // What is scrolled below the header is not seen anyway.
        const isSeen = box.height > 0 && box.bottom > header.bottom
        return (
          isSeen && !isBeside && box.bottom > notice.top && Math.max(box.top, header.bottom) < notice.bottom
        )
      })
      .map((one) => one.textContent || one.tagName)
  })
}
