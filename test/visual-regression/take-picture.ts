/** Opens the console so that a screen looks the same in each run, and takes pictures of it. */
import type { Page } from 'playwright-core'
import { untilScreen, type ConsoleTest, type Opened } from '../../console/testing/browser.ts'
import { businessDate, user, type Screen } from './demo-screens.ts'

export const looks = {
  light: { colorScheme: 'light', width: 1280, height: 1000 },
  dark: { colorScheme: 'dark', width: 1280, height: 1000 },
  phone: { colorScheme: 'light', width: 390, height: 1000 },
} as const

export type Look = keyof typeof looks

const now = `${businessDate}T10:15:00.000Z`
/** A moment by the clock of the machine. Dates of the business have no fraction of a second. */
const moment = /(?<=")20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(?:Z|[+-]\d\d:\d\d)(?=")/g

export async function openLook(tested: ConsoleTest, look: Look): Promise<Opened> {
  const opened = await tested.open('/', { ...looks[look], login: user.login, loginPassword: user.password })
  await opened.page.clock.setFixedTime(now)
  await opened.page.route('**/api/v1/**', async (route) => {
    // A stream ends with its page: it is never answered as a whole.
    if (route.request().url().endsWith('/stream')) return route.continue()
    const response = await route.fetch()
    const isJson = /json/.test(response.headers()['content-type'] ?? '')
    await (isJson
      ? route.fulfill({ response, body: (await response.text()).replaceAll(moment, now) })
      : route.fulfill({ response }))
  })
  return opened
}

export async function openScreen(page: Page, { path, heading }: Screen): Promise<void> {
  await page.goto(path)
  await untilScreen(page, heading)
  await page.locator('[data-skeleton]').first().waitFor({ state: 'detached' })
  await page.waitForLoadState('networkidle')
  await setStyles(page, '')
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
}

/** Chromium's versions write 150k or 150K. */
const unlike = '.chart-ticks { visibility: hidden }'

/** A sheet made by a script: the policy of the page forbids style elements. */
export const setStyles = (page: Page, css: string): Promise<void> =>
  page.evaluate(async (text) => {
    document.adoptedStyleSheets = [await new CSSStyleSheet().replace(text)]
  }, unlike + css)

/** A PNG of what the window shows, once two in a row are equal. */
export async function takePicture(page: Page): Promise<Buffer> {
  const take = () => page.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' })
  let last = await take()
  for (;;) {
    const next = await take()
    if (next.equals(last)) return next
    last = next
  }
}
