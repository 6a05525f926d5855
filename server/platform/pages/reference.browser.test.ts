/** The reference in a real browser. Skipped without one: `FORDRA_CHROMIUM` is the path of its program. */
// Own process: its browser listens for signals.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { fastify } from 'fastify'
import { chromium, type Browser, type Page } from 'playwright-core'
import { operations } from '../../../contract/api.ts'
import { formOperationList } from '../../../contract/metadata/form-operations.ts'
import { judgePage } from '../../testing/accessibility.ts'
import { servePages } from './pages.ts'

const executablePath = process.env['FORDRA_CHROMIUM'] ?? '/usr/bin/chromium'
const skip = existsSync(executablePath)
  ? false
  : `no browser at ${executablePath}: install chromium, or name one in FORDRA_CHROMIUM`
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Faults of a page, and every request it made. */
interface Watch {
  page: Page
  faults: string[]
  requests: { method: string; url: URL }[]
}

describe('the reference in a browser', { skip }, () => {
  const app = fastify()
  let browser: Browser
  let origin: string

  before(async () => {
    servePages(app, { version: '1.2.3' })
    origin = await app.listen({ port: 0, host: '127.0.0.1' })
    browser = await chromium.launch({ executablePath, args })
  })
  after(async () => {
    await browser?.close()
    await app.close()
  })

  async function open(path: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Watch> {
    const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    const watch: Watch = { page, faults: [], requests: [] }
    const violation = 'policy violation:'
    await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
      console.error('${violation}', event.effectiveDirective, event.blockedURI))`)
    page.on('console', (message) => {
      if (message.type() === 'error') watch.faults.push(message.text())
    })
    page.on('pageerror', (error) => watch.faults.push(error.message))
    page.on('request', (request) =>
      watch.requests.push({ method: request.method(), url: new URL(request.url()) }),
    )
    await page.goto(origin + path)
    return watch
  }

  function assertQuiet({ faults, requests }: Watch): void {
    assert.deepEqual(faults, [])
    const elsewhere = requests.filter(({ url }) => url.protocol !== 'data:' && url.origin !== origin)
    assert.deepEqual(
      elsewhere.map(({ url }) => url.href),
      [],
    )
  }

  test('loads its stylesheet and nothing else, and leads to each operation', async () => {
    const watch = await open('/reference')
    const { page } = watch
    await page.getByRole('link', { name: 'List debtors', exact: true }).click()
    const heading = page.getByRole('heading', { name: 'List debtors', exact: true })
    await heading.waitFor()
    assert.ok((await heading.boundingBox())!.y < 900, 'the operation is in sight')
    assert.equal(await page.locator('article').count(), operations.length + formOperationList.length)
    assertQuiet(watch)
    assert.deepEqual(
      watch.requests.map(({ url }) => url.pathname.replace(/[\w-]+\.css$/, 'stylesheet')).slice(0, 2),
      ['/reference', '/pages/stylesheet'],
    )
    assert.equal(watch.requests.filter(({ url }) => url.protocol !== 'data:').length, 2)
    await page.context().close()
  })

  for (const scheme of ['light', 'dark'] as const) {
    test(`has no fault that axe finds, in the ${scheme} scheme`, async () => {
      const watch = await open('/reference', scheme)
      // All operations and schemas are drawn alike; axe needs a minute for the whole of them.
      const kept = await watch.page.evaluate<number>(`(() => {
        for (const one of document.querySelectorAll('article:nth-of-type(n+3), #schemas > :nth-child(n+12), nav li:nth-child(n+6)'))
          one.remove()
        return document.querySelectorAll('article').length
      })()`)
      assert.ok(kept >= 10)
      const { violations, passes } = await judgePage(watch.page)
      assert.deepEqual(violations, [])
      assert.ok(passes.includes('color-contrast'))
      assertQuiet(watch)
      await watch.page.context().close()
    })
  }

  test('faults of a page are noticed', async () => {
    const watch = await open('/reference')
    await watch.page.evaluate(`new Promise((resolve) => {
      const image = new Image()
      image.onerror = resolve
      image.src = 'http://elsewhere.invalid/pixel.png'
      document.body.append(image)
    })`)
    assert.ok(watch.faults.some((fault) => fault.startsWith('policy violation: img-src')))
    await watch.page.context().close()
  })

  for (const path of ['/', '/reference', '/problems', '/problems/invalid']) {
    test(`shows ${path} without a fault and no wider than a telephone`, async () => {
      const watch = await open(path)
      await watch.page.setViewportSize({ width: 360, height: 740 })
      assert.equal(await watch.page.evaluate('document.styleSheets.length'), 1)
      const width = await watch.page.evaluate<number>('document.documentElement.scrollWidth')
      assert.ok(width <= 360, `the page is ${width} px wide`)
      assertQuiet(watch)
      await watch.page.context().close()
    })
  }
})
