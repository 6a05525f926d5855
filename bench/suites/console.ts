/**
 * What the console weighs and how quick it is, in a real browser on 200 invented debtors and 30 cases:
 * `node bench/suites/console.ts`. Sizes are of scripts as they are sent, by gzip and by Brotli.
 */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { chromium, type Page } from 'playwright-core'
import { startApi, type TestApi } from '../../server/testing/api.ts'
import { generateDebtors } from '../../cli/demo/debtors.ts'

const password = 'en lång mening som är min'
const login = 'bench@agency.example'
const rounds = 9

interface Weights {
  files: number
  gzip: number
  brotli: number
}

const brotli = (text: Buffer) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })

/** Sums up the scripts that the page asks for from now on. */
function weighScripts(page: Page): () => Promise<Weights> {
  const bodies: Promise<Buffer>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') bodies.push(response.body())
  })
  return async () => {
    const scripts = await Promise.all(bodies)
    return {
      files: scripts.length,
      gzip: scripts.reduce((sum, text) => sum + gzipSync(text, { level: 6 }).length, 0),
      brotli: scripts.reduce((sum, text) => sum + brotli(text).length, 0),
    }
  }
}

const show = ({ files, gzip, brotli: small }: Weights) =>
  `${(gzip / 1000).toFixed(0).padStart(5)} kB gzip ${(small / 1000).toFixed(0).padStart(5)} kB brotli in ${files} files`

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Milliseconds from a click on a link until its screen's heading stands there. */
async function timeNavigation(page: Page, link: string, heading: string | RegExp): Promise<number> {
  return page.evaluate(
    async ([name, pattern]) => {
      const anchor = [...document.querySelectorAll('nav a')].find(
        (one) => one.textContent === name,
      ) as HTMLElement
      const began = performance.now()
      anchor.click()
      while (!new RegExp(pattern!).test(document.querySelector('h1')?.textContent ?? ''))
        await new Promise(requestAnimationFrame)
      return performance.now() - began
    },
    [link, typeof heading === 'string' ? `^${heading}$` : heading.source],
  )
}

async function fill(api: TestApi): Promise<void> {
  await api.addUser({ email: login, password, userRole: 2 })
  const clientGuid = await api.addParty('KRAFT')
  const guids: string[] = []
  for (const body of generateDebtors({ seed: 1, count: 200, today: '2026-11-21' })) {
    const headers = { 'x-allow-duplicate': 'true' }
    guids.push(
      (await api.call<{ debtorGuid: string }>('POST', '/debtors', { body, headers })).body.debtorGuid,
    )
  }
  // More than a page of the worklist.
  for (const debtorGuid of guids.slice(0, 30)) {
    const body = { clientGuid, debtorGuid, principal: 1200, currencyCode: 'SEK' }
    await api.call('POST', '/system/forms/case/register', { body })
  }
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
  const page = await browser.newPage({ locale: 'en-GB' })
  const weigh = weighScripts(page)
  await page.goto(api.address)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  const before = await weigh()
  await page.getByLabel('E-mail or user code').fill(login)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'My work today' }).waitFor()
  await page.waitForTimeout(2000)
  const after = await weigh()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    times.push(
      await timeNavigation(page, 'Debtors', 'Debtors'),
      await timeNavigation(page, 'Worklist', 'Worklist'),
    )
  }
  const shift = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) =>
          resolve(
            list
              .getEntries()
              .reduce(
                (sum, entry) => sum + (entry as unknown as { value: number; hadRecentInput: boolean }).value,
                0,
              ),
          ),
        ).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(0), 500)
      }),
  )
  process.stdout.write(
    [
      `sign-in page      ${show(before)} (target under 250 kB)`,
      `first screen      ${show(after)} (target under 400 kB, the palette included)`,
      `navigation        ${median(times.slice(2)).toFixed(0)} ms between loaded screens (target under 100 ms)`,
      `layout shift      ${shift.toFixed(3)}`,
      '',
    ].join('\n'),
  )
} finally {
  await browser.close()
  await api.close()
}
