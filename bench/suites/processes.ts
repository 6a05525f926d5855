/** One server process beside two on the same database, where the database is not the limit. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { basePath } from '../../contract/api.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { dropDatabase, prepareDatabase, type BenchServer } from '../load/databases.ts'
import { chooseDriver } from '../drive/drive.ts'
import type { HttpRequest } from '../drive/requests.ts'
import { signIn, startProduct } from '../drive/servers.ts'
import { computeMedian, computeMedianRatio } from '../report/statistics.ts'
import { formatTable, formatMark, targetConnections } from '../report/table.ts'

const targetRatio = 1.6

interface ProcessOptions {
  debtors: number
  seconds: number
  rounds: number
  json: string | undefined
  folder: string
  report: (line: string) => void
}

interface Asked {
  name: string
  /** Answered without the database, so that the target holds. */
  alone: boolean
  requests: HttpRequest[]
}

/** Sends the requests to the first so many servers, shared among them; returns the answers a second of all. */
type Drive = (asked: Asked, servers: number, seconds: number) => Promise<number>

export async function runProcessBench(server: BenchServer, options: ProcessOptions): Promise<void> {
  const { folder, rounds, seconds, report } = options
  const url = await prepareDatabase(server, options.debtors, report)
  try {
    const asked = await drawAsked(url)
    const products = [await startProduct({ url, folder })]
    try {
      products.push(await startProduct({ url, folder }))
      const drive = await openDrive(
        products.map(({ address }) => address),
        folder,
      )
      const rates = asked.map(({ name, alone }) => ({
        name,
        alone,
        one: [] as number[],
        two: [] as number[],
      }))
      for (const one of asked) for (const servers of [1, 2]) await drive(one, servers, 1)
      for (let round = 1; round <= rounds; round++) {
        report(`  processes, round ${round} of ${rounds}`)
        for (const [index, { one, two }] of rates.entries()) {
          one.push(await drive(asked[index]!, 1, seconds))
          two.push(await drive(asked[index]!, 2, seconds))
        }
      }
      await print(options, rates)
    } finally {
      for (const product of products) await product.stop()
    }
  } finally {
    await dropDatabase(server, url)
  }
}

async function drawAsked(url: string): Promise<Asked[]> {
  const sql = openDatabase(url, { max: 1, applicationName: 'fordra bench' })
  const debtors = await sql<{ id: string }[]>`select id from debtor order by random() limit 500`
  await sql.end({ timeout: 5 })
  return [
    {
      name: 'lookup of a country',
      alone: true,
      requests: ['swe', 'den', 'ger', 'nor', 'fin'].map((searchStr) => ({
        method: 'POST',
        path: `${basePath}/system/lookups/country`,
        body: { searchStr },
      })),
    },
    {
      name: 'debtor by key',
      alone: false,
      requests: debtors.map(({ id }) => ({ method: 'GET', path: `${basePath}/debtors/${id}` })),
    },
  ]
}

async function openDrive(addresses: readonly string[], folder: string): Promise<Drive> {
  // The session is the same on both.
  const token = await signIn(addresses[0]!)
  const drivers = await Promise.all(
    addresses.map(async (address, index) => {
      const own = join(folder, `driver-${index}`)
      await mkdir(own)
      return { address, driver: chooseDriver(own) }
    }),
  )
  return async ({ requests }, servers, seconds) => {
    const figures = await Promise.all(
      drivers.slice(0, servers).map(({ address, driver }) =>
        driver.drive({
          address,
          headers: { authorization: `Bearer ${token}` },
          requests,
          connections: targetConnections / servers,
          seconds,
        }),
      ),
    )
    const errors = figures.reduce((sum, one) => sum + one.errors, 0)
    if (errors > 0) throw new Error(`${errors} requests failed.`)
    return figures.reduce((sum, { rate }) => sum + rate, 0)
  }
}

interface Rates {
  name: string
  alone: boolean
  one: number[]
  two: number[]
}

async function print({ json }: ProcessOptions, rates: readonly Rates[]): Promise<void> {
  const rows = rates.map(({ name, alone, one, two }) => {
    const ratio = computeMedianRatio(two, one)!
    const target = alone ? `${targetRatio} ${formatMark(ratio >= targetRatio)}` : '-'
    return [name, computeMedian(one).toFixed(0), computeMedian(two).toFixed(0), ratio.toFixed(2), target]
  })
  const heading = ['', 'one, req/s', 'two, req/s', 'ratio', 'target']
  process.stdout.write(`${formatTable(heading, rows)}\n`)
  if (json !== undefined) await writeFile(json, JSON.stringify({ targetRatio, rates }, null, 2))
}
