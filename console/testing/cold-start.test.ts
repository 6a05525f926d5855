/** What a browser loads before the start screen is there: requests and bytes, not time. Skipped without a browser: `FORDRA_CHROMIUM` names its program. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { password, signIn, skip, startConsole, type ConsoleTest } from './browser.ts'

const requestsMax = 40
const bytesMax = 250_000

interface Load {
  path: string
  bytes: number
}

describe('a cold start', { skip }, () => {
  let tested: ConsoleTest
  const users = { handler: 3, administrator: 2 } as const

  before(async () => {
    tested = await startConsole()
    for (const [name, userRole] of Object.entries(users))
      await tested.api.addUser({ email: `${name}@agency.example`, password, userRole })
    await makeWork(tested)
  })
  after(() => tested?.close())

  const newPage = async (state?: Awaited<ReturnType<BrowserContext['storageState']>>) => {
    const context = await tested.browser.newContext({
      baseURL: tested.api.address,
      locale: 'en-GB',
      ...(state && { storageState: state }),
    })
    const page = await context.newPage()
    return { context, page, loads: await watchLoads(page) }
  }

  for (const name of Object.keys(users)) {
    test(`as ${name} takes fewer than ${requestsMax} requests and ${bytesMax} bytes, signing in included`, async () => {
      const { context, page, loads } = await newPage()
      await page.goto('/')
      await signIn(page, `${name}@agency.example`)
      await untilUsable(page)
      assertSmall(loads)
      const state = await context.storageState()
      await context.close()
      const again = await newPage(state)
      await again.page.goto('/')
      await untilUsable(again.page)
      assertSmall(again.loads)
      await again.context.close()
    })
  }

  test('shows its frame before any script has run', async () => {
    const context = await tested.browser.newContext({
      baseURL: tested.api.address,
      javaScriptEnabled: false,
    })
    const page = await context.newPage()
    await page.goto('/')
    const box = await page.locator('.shell-name').boundingBox()
    assert.ok(box !== null && box.height > 0)
    await context.close()
  })

  test('leaves nothing to load for a screen that has been visited', async () => {
    const { context, page, loads } = await newPage()
    await page.goto('/')
    await signIn(page, 'handler@agency.example')
    await untilUsable(page)
    const visit = async (name: string) => {
      await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
    }
    await visit('Debtors')
    await visit('Cases')
    // What is wanted at once is loaded after the start screen: the search, the notices and the rest of the texts.
    const later = [/\/palette-/, /\/notice-area-/, /\/en-.*\.js.*\/en-.*\.js/s]
    const isLoaded = () => {
      const paths = loads.map(({ path }) => path).join('\n')
      return later.every((pattern) => pattern.test(paths))
    }
    while (!isLoaded()) await page.waitForTimeout(50)
    await page.waitForLoadState('networkidle')
    const loaded = loads.filter(({ path }) => path.startsWith('/assets/')).length
    assert.ok(loaded > 0)
    await visit('Debtors')
    await visit('Cases')
    assert.equal(loads.filter(({ path }) => path.startsWith('/assets/')).length, loaded)
    await context.close()
  })
})

/** Rows for the handler's list. */
async function makeWork({ api }: ConsoleTest): Promise<void> {
  const debtor = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Ek' } })
  const client = await api.call<{ clientGuid: string }>('POST', '/system/forms/client/create', {
    body: { name: 'Kraftbolaget AB', partyReferenceCode: 'KRAFT', countryCode: 'SE', currencyCode: 'SEK' },
  })
  const { debtorGuid } = debtor.body
  const { clientGuid } = client.body
  const { status, text } = await api.call('POST', '/system/forms/case/register', {
    body: { debtorGuid, clientGuid, principal: 1200, invoiceNumber: 'F1', dueDate: '2026-01-31' },
  })
  assert.equal(status, 201, text)
}

/** Every finished request with the bytes that went over the wire, headers included. */
async function watchLoads(page: Page): Promise<Load[]> {
  const protocol = await page.context().newCDPSession(page)
  const paths = new Map<string, string>()
  const loads: Load[] = []
  protocol.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const { protocol: scheme, pathname } = new URL(request.url)
    if (scheme.startsWith('http')) paths.set(requestId, pathname)
  })
  protocol.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const path = paths.get(requestId)
    if (path !== undefined) loads.push({ path, bytes: encodedDataLength })
  })
  await protocol.send('Network.enable')
  return loads
}

/** The list has its rows, or says that it has none, and nothing else is still loading. */
async function untilUsable(page: Page): Promise<void> {
  await page.locator('#main table').first().waitFor()
  await page.waitForFunction(() => document.querySelector('#main [data-skeleton]') === null)
}

function assertSmall(loads: readonly Load[]): void {
  const bytes = loads.reduce((sum, load) => sum + load.bytes, 0)
  const largest = loads
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, 8)
    .map((load) => `${load.bytes} ${load.path}`)
  assert.ok(loads.length > 5 && bytes > 50_000, 'the requests were counted')
  assert.ok(loads.length < requestsMax, `${loads.length} requests`)
  assert.ok(bytes < bytesMax, `${bytes} bytes: ${largest.join(', ')}`)
}
