/**
 * Pictures of the console's main pages on the demo agency, for the README: `node bench/suites/screenshots.ts [folder]`.
 * Starts a service of its own on a database that is thrown away; `FORDRA_CHROMIUM` names the browser.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'

const root = join(import.meta.dirname, '../..')
const folder = process.argv[2] ?? join(root, 'docs', 'screenshots')
const login = { name: 'handler@demo.example', password: 'demo-password-handler' }
const bytesMax = 80_000

interface Picture {
  name: string
  scheme: 'light' | 'dark'
  height?: number
  /** Goes where the picture is taken, and waits until everything is there. */
  open: (page: Page) => Promise<unknown>
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const isRead = (page: Page) => page.locator('[data-skeleton]').first().waitFor({ state: 'detached' })
const openList = async (page: Page, path: string) => {
  await page.goto(path)
  await page.locator('tbody tr:not([data-skeleton]) a').first().waitFor()
}
const followFirst = async (page: Page, path: string, name: string | RegExp) => {
  await openList(page, path)
  await page.locator('tbody tr:not([data-skeleton]) a').first().click()
  await heading(page, name)
  await isRead(page)
}
const openDashboard = async (page: Page) => {
  await page.goto('/dashboard')
  await page.locator('.chart-column').first().waitFor()
  await isRead(page)
}
const partlyPaid =
  "/cases?filter=closureDate eq null and paidSum gt 0 and currencyCode eq 'SEK'&sort=paidSum desc"

const pictures: readonly Picture[] = [
  { name: 'worklist-light', scheme: 'light', open: (page) => openList(page, '/worklist') },
  { name: 'dashboard-light', scheme: 'light', height: 1080, open: openDashboard },
  { name: 'dashboard-dark', scheme: 'dark', height: 1080, open: openDashboard },
  {
    name: 'case-light',
    scheme: 'light',
    height: 900,
    open: (page) => followFirst(page, partlyPaid, /^Case \d/),
  },
  {
    name: 'case-dark',
    scheme: 'dark',
    height: 900,
    open: (page) => followFirst(page, partlyPaid, /^Case \d/),
  },
  {
    name: 'letter-light',
    scheme: 'light',
    height: 900,
    open: async (page) => {
      await followFirst(page, partlyPaid, /^Case \d/)
      await page.getByRole('button', { name: 'Write a letter' }).click()
      await page.getByRole('dialog').locator('img').waitFor()
    },
  },
  {
    name: 'plan-light',
    scheme: 'light',
    height: 900,
    open: (page) => followFirst(page, '/plans?filter=active eq 1', /^Payment plan$/),
  },
]

async function startDemo(data: string): Promise<{ address: string; process: ChildProcess }> {
  const service = spawn(process.execPath, [join(root, 'bin', 'fordra.mjs'), 'start', '--demo'], {
    env: { ...process.env, FORDRA_DATA: data, FORDRA_NO_BROWSER: '1', PORT: '0', FORDRA_LOG_LEVEL: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const chunk of service.stdout!) {
    const address = /Fordra answers at (\S+)/.exec(String(chunk))?.[1]
    if (address) return { address, process: service }
  }
  throw new Error('The service did not start.')
}

/** As the browser packs it: small, and lossless enough for text. */
async function packAsWebp(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage()
  const packed = await page.evaluate(
    async ({ source, most }) => {
      const picture = new Image()
      picture.src = source
      await picture.decode()
      const canvas = document.createElement('canvas')
      canvas.width = picture.naturalWidth
      canvas.height = picture.naturalHeight
      canvas.getContext('2d')!.drawImage(picture, 0, 0)
      const pack = (quality: number) => canvas.toDataURL('image/webp', quality).split(',')[1]!
      for (const quality of [0.9, 0.8, 0.7, 0.6]) {
        const text = pack(quality)
        if (text.length * 0.75 < most) return text
      }
      return pack(0.5)
    },
    { source: `data:image/png;base64,${png.toString('base64')}`, most: bytesMax },
  )
  await page.close()
  return Buffer.from(packed, 'base64')
}

async function take(browser: Browser, address: string, picture: Picture): Promise<void> {
  const { name, scheme, height = 800, open } = picture
  const context = await browser.newContext({
    baseURL: address,
    colorScheme: scheme,
    viewport: { width: 1280, height },
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto('/')
  await page.getByLabel('E-mail or user code').fill(login.name)
  await page.getByLabel('Password', { exact: true }).fill(login.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await heading(page, 'My work today')
  await open(page)
  await page.mouse.move(0, 0)
  const bytes = await packAsWebp(browser, await page.screenshot())
  writeFileSync(join(folder, `${name}.webp`), bytes)
  process.stdout.write(`${name.padEnd(18)} ${(bytes.length / 1000).toFixed(0).padStart(3)} kB\n`)
  await context.close()
}

const data = mkdtempSync(join(tmpdir(), 'fordra-screenshots-'))
const service = await startDemo(data)
const browser = await chromium.launch({
  executablePath: process.env['FORDRA_CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'],
})
try {
  mkdirSync(folder, { recursive: true })
  for (const picture of pictures) await take(browser, service.address, picture)
} finally {
  await browser.close()
  const ended = new Promise((resolve) => service.process.once('exit', resolve))
  service.process.kill('SIGTERM')
  await ended
  rmSync(data, { recursive: true, force: true })
}
