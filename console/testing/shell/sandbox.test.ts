/** A sandbox says on every screen that it is one. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TestApi } from '../../../server/testing/api.ts'
import { findViolations, password, skip, startConsole, untilScreen, type ConsoleTest } from '../browser.ts'

const login = 'eva@agency.example'
const message = 'A copy to try things in.'

describe('a sandbox', { skip }, () => {
  let tested: ConsoleTest
  let sandbox: TestApi | undefined
  before(async () => {
    tested = await startConsole()
    await tested.api.addUser({ email: login, password, userRole: 3 })
  })
  after(async () => {
    await sandbox?.close()
    await tested?.close()
  })

  test('shows a banner to whoever is signed in, and an installation shows none', async () => {
    const installation = await tested.open('/', { login })
    await untilScreen(installation.page, 'My work today')
    assert.equal(await installation.page.getByText(message).count(), 0)
    await installation.close()
    await tested.api.sql`insert into sandbox (id, copied_at, masked) values (gen_random_uuid(), now(), true)`
    sandbox = await tested.api.startNode()
    const { page, close } = await tested.open('/', { login, node: sandbox })
    for (const [path, heading] of [
      ['/', 'My work today'],
      ['/debtors', 'Debtors'],
    ] as const) {
      await page.goto(path)
      await untilScreen(page, heading)
      await page.getByRole('status').getByText(message).waitFor()
      assert.deepEqual(await findViolations(page, path), [])
    }
    await close()
  })
})
