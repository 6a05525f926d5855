/** The console's list of debtors in a real browser: how long its pages take, on as many debtors as wanted. */
import { chromium, type Page } from 'playwright-core'
import { setTimeout as sleep } from 'node:timers/promises'
import { dropDatabase, prepareDatabase, type BenchServer } from '../load/databases.ts'
import { benchLogin } from '../load/load-debtors.ts'
import { startProduct } from '../drive/servers.ts'
import { computeMedian } from '../report/statistics.ts'
import { formatTable } from '../report/table.ts'

interface ListOptions {
  debtors: number
  rounds: number
  folder: string
  report: (line: string) => void
}

const filters = ["startswith(fullName,'And') and city eq 'Malmö'", "contains(fullName,'berg')"]

export async function runConsoleListBench(server: BenchServer, options: ListOptions): Promise<void> {
  const url = await prepareDatabase(server, options.debtors, options.report)
  try {
    const product = await startProduct({ url, folder: options.folder })
    const browser = await chromium.launch({
      executablePath: process.env['FORDRA_CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
    })
    try {
      const page = await browser.newPage({ baseURL: product.address, locale: 'en-GB' })
      const faults: string[] = []
      page.on('pageerror', ({ message }) => faults.push(message))
      await signIn(page)
      const rows = await measure(page, options.rounds)
      if (faults.length > 0) throw new Error(`The console had faults: ${faults.join(' ')}`)
      process.stdout.write(`${formatTable([`of ${options.debtors} debtors`, 'ms'], rows)}\n`)
    } finally {
      await browser.close()
      await product.stop()
    }
  } finally {
    await dropDatabase(server, url)
  }
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/debtors')
  await page.getByLabel('E-mail or user code').fill(benchLogin.login)
  await page.getByLabel('Password', { exact: true }).fill(benchLogin.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await findFirstRow(page).waitFor()
}

/** The first row with a debtor. */
const findFirstRow = (page: Page) => page.getByRole('row').nth(1)

async function measure(page: Page, rounds: number): Promise<string[][]> {
  const addresses = ['/debtors', ...filters.map((filter) => `/debtors?filter=${encodeURIComponent(filter)}`)]
  const found: string[][] = []
  for (const address of addresses) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      times.push(
        await timed(() =>
          page.goto(address).then(() => findFirstRow(page).getByRole('link').first().waitFor()),
        ),
      )
    }
    found.push([`loaded anew: ${decodeURIComponent(address)}`, computeMedian(times).toFixed(0)])
  }
  await page.goto('/debtors')
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    times.push(await timed(() => turnPage(page)))
  }
  found.push(['next page', computeMedian(times).toFixed(0)])
  return found
}

/** Until the first row is another one. */
async function turnPage(page: Page): Promise<void> {
  const before = await findFirstRow(page).innerText()
  await page.getByRole('button', { name: 'Next page' }).click()
  while ((await findFirstRow(page).innerText()) === before) await sleep(5)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
