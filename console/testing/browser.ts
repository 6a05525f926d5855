/** The console in a real browser, over the whole service on a database of the test's own. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { judgePage } from '../../server/testing/accessibility.ts'
import { startApi, type TestApi } from '../../server/testing/api.ts'

const executablePath = process.env['FORDRA_CHROMIUM'] ?? '/usr/bin/chromium'
/** For `describe`: why it is skipped where there is no browser. */
export const skip = existsSync(executablePath)
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
  // Letters are drawn alike on machines with other settings for fonts and screens.
  '--font-render-hinting=none',
  '--disable-lcd-text',
]

export const password = 'en lång mening som är min'

export interface ConsoleTest {
  api: TestApi
  browser: Browser
  /** A page of its own cookies. Its faults are looked at by `close`. */
  open(path?: string, options?: OpenOptions): Promise<Opened>
  close(): Promise<void>
}

export interface OpenOptions {
  /** Another node of the service than the first. */
  node?: TestApi
  colorScheme?: 'light' | 'dark'
  /** Signs in with it first. */
  login?: string
  /** Of the login, where it is not `password`. */
  loginPassword?: string
  width?: number
  height?: number
}

export interface Opened {
  page: Page
  context: BrowserContext
  /** What the page did that it should not: errors on its console, policy violations, requests to elsewhere. */
  faults: string[]
  /** Takes the network away, or gives it back. The browser notes each request without it, which is no fault. */
  setOffline(offline: boolean): Promise<void>
  close(): Promise<void>
}

/** By `host` a page has the domain that passkeys need; an address is none. */
export async function startConsole(
  host = '127.0.0.1',
  settings: Record<string, string> = {},
): Promise<ConsoleTest> {
  const { ensureConsole } = (await import(new URL('../../bin/console.mjs', import.meta.url).href)) as {
    ensureConsole: () => void
  }
  ensureConsole()
  const started = await startApi(settings)
  const api = { ...started, address: started.address.replace('127.0.0.1', host) }
  const browser = await takeBrowser()
  return {
    api,
    browser,
    open: (path, options) => openPage({ api: options?.node ?? api, browser }, path, options),
    close: async () => {
      await releaseBrowser()
      await api.close()
    },
  }
}

let launched: Promise<Browser> | undefined
let users = 0

/** The browser of this process, which the test files that share the process use one after the other. */
export async function takeBrowser(): Promise<Browser> {
  users += 1
  // It ends with this process, whose signals are its own affair.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }
  return (launched ??= chromium.launch({ executablePath, args, ...signals }))
}

const idleMs = 1000

/** Closes the browser unless the next file takes it. */
export async function releaseBrowser(): Promise<void> {
  users -= 1
  await Promise.all((await launched)!.contexts().map((context) => context.close()))
  setTimeout(() => {
    if (users > 0) return
    const idle = launched
    launched = undefined
    void idle?.then((browser) => browser.close())
  }, idleMs)
}

const violation = 'policy violation:'
/** A refusal that the screen shows is written to the browser's console too, by the browser itself. */
const refusal = /status of 4\d\d /
const withoutNetwork = 'ERR_INTERNET_DISCONNECTED'

async function openPage(
  { api, browser }: { api: TestApi; browser: Browser },
  path = '/',
  { colorScheme = 'light', login, loginPassword = password, width = 1280, height = 720 }: OpenOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({
    colorScheme,
    viewport: { width, height },
    locale: 'en-GB',
    // Moving dialogs cost a processor that draws them as much as the work of their screen.
    reducedMotion: 'reduce',
    baseURL: api.address,
  })
  // Long, for a machine that runs other tests as well: a page that stands still fails all the same.
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  const faults: string[] = []
  let wasOffline = false
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    console.error('${violation}', event.effectiveDirective, event.blockedURI))`)
  page.on('console', (message) => {
    const isExpected = refusal.test(message.text()) || (wasOffline && message.text().includes(withoutNetwork))
    if (message.type() === 'error' && !isExpected) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== api.address) faults.push(`a request to ${origin}`)
  })
  if (login !== undefined) await beginSession(context, api, { login, password: loginPassword })
  await page.goto(path)
  if (login !== undefined) await page.getByRole('button', { name: /^Menu of/ }).waitFor()
  return {
    page,
    context,
    faults,
    setOffline: (offline) => {
      wasOffline ||= offline
      return context.setOffline(offline)
    },
    close: async () => {
      await context.close()
      assert.deepEqual(faults, [])
    },
  }
}

/** As if the user had signed in before: signing in by the screen has tests of its own, and costs a second each time. */
async function beginSession(
  context: BrowserContext,
  api: TestApi,
  body: { login: string; password: string },
): Promise<void> {
  const { status, text, headers } = await api.call('POST', '/auth/login', {
    body,
    headers: { 'x-session': 'cookie' },
    token: null,
  })
  assert.equal(status, 200, text)
  const [name, value] = headers.getSetCookie()[0]!.split(';', 1)[0]!.split('=') as [string, string]
  await context.addCookies([{ name, value, url: api.address, httpOnly: true, sameSite: 'Strict' }])
  // Once, and not again after the page has signed out.
  await context.addInitScript(`if (!sessionStorage.getItem('begun')) {
    sessionStorage.setItem('begun', '1')
    localStorage.setItem('fordra-session', '1')
  }`)
}

export async function signIn(page: Page, login: string): Promise<void> {
  await page.getByLabel('E-mail or user code').fill(login)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: /^Menu of/ }).waitFor()
}

/** Everything of WCAG 2.2 A and AA that axe can tell, and its good habits. */
export async function findViolations(page: Page, about: string, rules?: string[]): Promise<string[]> {
  const found = await judgeAtRest(page, about, rules)
  // The screen may change meanwhile: what is wrong is still wrong then.
  return found.length === 0 ? [] : judgeAtRest(page, about, rules)
}

async function judgeAtRest(page: Page, about: string, rules?: string[]): Promise<string[]> {
  await page.locator('[data-skeleton]').first().waitFor({ state: 'detached' })
  // What moves comes to rest first.
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
  // Where the pointer happens to rest, a tooltip may show a moment later.
  await page.mouse.move(0, 0)
  await page.locator('[role=tooltip]').first().waitFor({ state: 'detached' })
  const { violations } = await judgePage(page, rules)
  return violations.map(
    ({ id, elements }) => `${about}: ${id}: ${elements.map((html) => html.slice(0, 160)).join(' | ')}`,
  )
}

/** Waits for a screen by its heading, looking at each frame: a locator looks twice a second. */
export async function untilScreen(page: Page, heading: string | RegExp): Promise<void> {
  const pattern = typeof heading === 'string' ? undefined : heading.source
  const isShown = page.waitForFunction(
    ([text, source]) => {
      const shown = document.querySelector('h1')?.textContent ?? ''
      return source === undefined ? shown === text : new RegExp(source).test(shown)
    },
    [String(heading), pattern] as const,
  )
  await isShown.catch(async (cause: unknown) => {
    const shown = await page.locator('h1').allTextContents()
    // Keys go where the focus is.
    const focus = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))
    const found = `${page.url()} has the heading "${shown.join('", "')}", not "${String(heading)}"`
    throw new Error(`${found}, and the focus on ${focus}.`, { cause })
  })
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
}

/**
 * Leads a signed-in page to a screen as a link of the console would, without loading the console again, which costs as
 * much as most screens. Loads it where the present heading could be taken for that of the next screen.
 */
export async function visitScreen(page: Page, path: string, heading: string | RegExp): Promise<void> {
  const shown = (await page.locator('h1').first().textContent()) ?? ''
  const isAlike = typeof heading === 'string' ? shown === heading : heading.test(shown)
  if (isAlike) await page.goto(path)
  else
    await page.evaluate((address) => {
      history.pushState(null, '', address)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
  await untilScreen(page, heading)
  await page.locator('[data-skeleton]').first().waitFor({ state: 'detached' })
}

/** A link that an e-mail holds, out of the outbox. */
export async function linkSentTo(api: TestApi, recipient: string): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const [message] = await api.sql<{ body: string | null }[]>`
      select body from message where recipient = ${recipient} order by created_at desc limit 1`
    const link = message?.body?.match(/[\w-]{20,}/)?.[0]
    if (link) return link
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`No message for ${recipient}.`)
}

/** Waits until the browser has kept a draft with the text. */
export async function untilKept(page: Page, text: RegExp): Promise<void> {
  const readAll = () => page.evaluate<string>('Object.values(localStorage).join()')
  while (!text.test(await readAll())) await page.waitForTimeout(50)
}
