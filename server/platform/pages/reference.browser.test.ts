/** The reference in a real browser. Skipped without one: `FORDRA_CHROMIUM` is the path of its program. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { fastify } from 'fastify'
import { chromium, type Browser, type Page } from 'playwright-core'
import { operations } from '../../../contract/api.ts'
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
  const signIns: unknown[] = []
  let browser: Browser
  let origin: string

  before(async () => {
    servePages(app, { version: '1.2.3' })
    // Replaces the service: the test only needs the request and its contents.
    app.post('/api/v1/auth/login', (request, reply) => {
      signIns.push(request.body)
      return reply.send({ accessToken: 'token-of-the-answer' })
    })
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

  test('shows every operation', async () => {
    const watch = await open('/reference')
    const { page } = watch
    for (const area of ['System', 'Users', 'Debtors', 'Events']) {
      await page.getByRole('button', { name: `Open Group - ${area}` }).click()
    }
    for (const { summary } of operations) {
      await page.getByRole('link', { name: summary }).first().waitFor()
    }
    await page.getByRole('link', { name: 'List debtors' }).first().click()
    await page.getByRole('heading', { name: 'List debtors' }).waitFor()
    assertQuiet(watch)
    assert.deepEqual(
      watch.requests.map(({ url }) => url.pathname.replace(/[\w-]+\.js$/, 'script')),
      ['/reference', '/reference/script', '/api/v1/openapi.json'],
    )
    await page.context().close()
  })

  test('sends a request to this service', async () => {
    const watch = await open('/reference')
    const { page } = watch
    await page.locator('a[href*="auth/login"]').first().click()
    await page.getByRole('button', { name: /^Test Request.*\/auth\/login/ }).click()
    await page.getByRole('button', { name: /^Send post request to.*login/i }).click()
    await page.getByText('token-of-the-answer').first().waitFor()
    assert.deepEqual(signIns, [{ login: 'admin@demo.example', password: 'a passphrase of your own' }])
    assertQuiet(watch)
    await page.context().close()
  })

  test('follows the colour scheme', async () => {
    const colours = []
    for (const scheme of ['light', 'dark'] as const) {
      const watch = await open('/reference', scheme)
      await watch.page.getByRole('heading', { name: 'Fordra', level: 1 }).waitFor()
      colours.push(await watch.page.evaluate<string>('document.body.className'))
      assertQuiet(watch)
      await watch.page.context().close()
    }
    assert.deepEqual(
      colours.map((names) => /\b(light|dark)-mode\b/.exec(names)?.[1]),
      ['light', 'dark'],
    )
  })

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

  for (const path of ['/', '/reference/plain', '/problems', '/problems/invalid']) {
    test(`shows ${path} without a fault and no wider than a phone`, async () => {
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
