/**
 * How light and quick the console is, in a real browser on 200 invented debtors and 30 cases: `node bench/suites/console.ts`.
 * Cold starts have a processor slowed to a quarter; walks from screen to screen have it at its full speed.
 */
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { startApi, type TestApi } from '../../server/testing/api.ts'
import { generateDebtors } from '../../cli/demo/debtors.ts'
import { computeMedian } from '../report/statistics.ts'
import { formatTable } from '../report/table.ts'

const password = 'en lång mening som är min'
const login = 'bench@agency.example'
const slowedBy = 4
const starts = 7
const walks = 5

/** From the list of screens: the name in the menu. */
const screens = [
  'Debtors',
  'Cases',
  'Objections',
  'Clients',
  'Payments',
  'Suspense',
  'Payouts',
  'Strategies',
  'Jobs',
  'Users',
]

interface Start {
  requests: number
  kilobytes: number
  /** First paint, first contentful paint, and the start screen with its rows: ms after the address was opened. */
  paint: number
  content: number
  usable: number
  /** Cumulative layout shift. */
  shift: number
}

async function fill(api: TestApi): Promise<void> {
  await api.addUser({ email: login, password, userRole: 2 })
  const clientGuid = await api.addParty('KRAFT')
  const guids: string[] = []
  for (const body of generateDebtors({ seed: 1, count: 200, today: '2026-11-21' })) {
    const headers = { 'x-allow-duplicate': 'true' }
    const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body, headers })
    guids.push(made.body.debtorGuid)
  }
  // More than a page of the worklist.
  for (const debtorGuid of guids.slice(0, 30)) {
    const body = { clientGuid, debtorGuid, principal: 1200, currencyCode: 'SEK' }
    await api.call('POST', '/system/forms/case/register', { body })
  }
}

const signIn = async (page: Page) => {
  await page.getByLabel('E-mail or user code').fill(login)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const untilStartScreen = async (page: Page) => {
  await page.locator('#main table').first().waitFor()
  await page.waitForFunction(() => document.querySelector('#main [data-skeleton]') === null)
}

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>

/** Opens the console in a browser that has none of its files. */
async function measureStart(browser: Browser, address: string, state?: SignedIn): Promise<Start> {
  const context = await browser.newContext({
    baseURL: address,
    locale: 'en-GB',
    viewport: { width: 1440, height: 900 },
    ...(state && { storageState: state }),
  })
  const page = await context.newPage()
  const protocol = await context.newCDPSession(page)
  let requests = 0
  let bytes = 0
  protocol.on('Network.loadingFinished', ({ encodedDataLength }) => {
    requests += 1
    bytes += encodedDataLength
  })
  await protocol.send('Network.enable')
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: slowedBy })
  await page.goto('/')
  await (state ? untilStartScreen(page) : page.getByRole('heading', { name: 'Sign in' }).waitFor())
  const usable = await page.evaluate(() => performance.now())
  const [paint, content, shift] = await page.evaluate(readPaints)
  await context.close()
  return { requests, kilobytes: bytes / 1000, usable, paint, content, shift }
}

/** In the page. */
async function readPaints(): Promise<[paint: number, content: number, shift: number]> {
  const shift = await new Promise<number>((resolve) => {
    new PerformanceObserver((list) => {
      const shifts = list.getEntries() as (PerformanceEntry & { value: number })[]
      resolve(shifts.reduce((sum, { value }) => sum + value, 0))
    }).observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => resolve(0), 500)
  })
  const [paint, content] = ['first-paint', 'first-contentful-paint'].map(
    (name) => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN,
  )
  return [paint!, content!, shift]
}

interface Walk {
  /** Until the heading of the screen stands there, and until nothing on it is still loading; ms after the press. */
  heading: number
  rows: number
}

/** Presses a link of the menu as a hand does: the pointer comes first, and then the press. */
async function walkTo(page: Page, name: string): Promise<Walk> {
  const link = page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name, exact: true })
  await link.hover()
  await page.waitForTimeout(150)
  const timed = page.evaluate(watchWalk, name)
  await link.click()
  return timed
}

/** In the page. */
async function watchWalk(name: string): Promise<Walk> {
  const began = await new Promise<number>((resolve) =>
    addEventListener('click', () => resolve(performance.now()), { once: true, capture: true }),
  )
  const until = async (isThere: () => boolean) => {
    while (!isThere()) await new Promise(requestAnimationFrame)
    return performance.now() - began
  }
  const heading = await until(() => document.querySelector('h1')?.textContent === name)
  const rows = await until(() => document.querySelector('#main [data-skeleton]') === null)
  return { heading, rows }
}

const show = (values: readonly number[]) => [computeMedian(values).toFixed(0), Math.max(...values).toFixed(0)]

async function measureStarts(browser: Browser, address: string, state?: SignedIn): Promise<Start[]> {
  const found: Start[] = []
  for (let round = 0; round < starts; round++) found.push(await measureStart(browser, address, state))
  return found
}

function describeStarts(about: string, found: readonly Start[]): string[][] {
  const all = (member: keyof Start) => found.map((one) => one[member])
  return [
    [`${about}: requests`, ...show(all('requests')), '40'],
    [`${about}: kB over the wire`, ...show(all('kilobytes')), '250'],
    [`${about}: first paint, ms`, ...show(all('paint')), '1000'],
    [`${about}: first contentful paint, ms`, ...show(all('content')), '1000'],
    [`${about}: usable, ms`, ...show(all('usable')), ''],
    [`${about}: layout shift, thousandths`, ...show(all('shift').map((one) => 1000 * one)), '100'],
  ]
}

async function measureWalks(page: Page): Promise<string[][]> {
  const first: Walk[] = []
  const again: Walk[] = []
  for (const name of screens) first.push(await walkTo(page, name))
  for (let round = 0; round < walks; round++) for (const name of screens) again.push(await walkTo(page, name))
  const heading = (all: readonly Walk[]) => show(all.map((one) => one.heading))
  const rows = (all: readonly Walk[]) => show(all.map((one) => one.rows))
  return [
    ['first visit: heading, ms', ...heading(first), '100'],
    ['first visit: rows, ms', ...rows(first), ''],
    ['visited before: heading, ms', ...heading(again), '100'],
    ['visited before: rows, ms', ...rows(again), '100'],
  ]
}

const api = await startApi()
const browser = await chromium.launch({
  executablePath: process.env['FORDRA_CHROMIUM'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
  ],
})
try {
  await fill(api)
  const context = await browser.newContext({
    baseURL: api.address,
    locale: 'en-GB',
    viewport: { width: 1440, height: 900 },
  })
  const page = await context.newPage()
  await page.goto('/')
  await signIn(page)
  await untilStartScreen(page)
  const state = await context.storageState()
  const rows = [
    ...describeStarts('signing in', await measureStarts(browser, api.address)),
    ...describeStarts('signed in', await measureStarts(browser, api.address, state)),
    ...(await measureWalks(page)),
  ]
  process.stdout.write(`${formatTable(['', 'median', 'most', 'target'], rows)}\n`)
} finally {
  await browser.close()
  await api.close()
}
