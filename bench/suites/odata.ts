/** Whole lists by `/odata`, as Excel and Power BI load them: does a page take longer, or the memory grow, towards the end? */
import { computeMedian } from '../report/statistics.ts'
import { formatTable } from '../report/table.ts'
import { dropDatabase, prepareDatabase, type BenchServer } from '../load/databases.ts'
import { readMemory } from '../drive/memory.ts'
import { signIn, startProduct, type ServerProcess } from '../drive/servers.ts'

interface ODataOptions {
  debtors: number
  folder: string
  keep: boolean
  report: (line: string) => void
}

interface Page {
  ms: number
  rows: number
  bytes: number
  /** Bytes that the service holds after the page. */
  memory: number
}

const pageRows = 5_000
const queries = [
  '$count=true',
  '$orderby=fullName&$count=true',
  "$filter=countryCode eq 'SE'&$select=fullName,city,zipCode&$count=true",
]

export async function runODataBench(server: BenchServer, options: ODataOptions): Promise<void> {
  const url = await prepareDatabase(server, options.debtors, options.report)
  const product = await startProduct({ url, folder: options.folder })
  try {
    const rows: string[][] = []
    for (const query of queries) {
      options.report(`Reading /odata/Debtors?${query}`)
      rows.push([query, ...describe(await readAll(product, query))])
    }
    process.stdout.write(`${formatTable(header, rows)}\n`)
  } finally {
    await product.stop()
    if (!options.keep) await dropDatabase(server, url)
  }
}

/** All pages of a query. Throws when a row is missing or comes twice. */
async function readAll(product: ServerProcess, query: string): Promise<Page[]> {
  const headers = {
    authorization: `Bearer ${await signIn(product.address)}`,
    prefer: `odata.maxpagesize=${pageRows}`,
  }
  const pages: Page[] = []
  const seen = new Set<string>()
  let count: number | undefined
  let next: string | undefined = `${product.address}/odata/Debtors?${query}`
  while (next !== undefined) {
    const started = performance.now()
    const response: Response = await fetch(next, { headers })
    const text = await response.text()
    if (!response.ok) throw new Error(`${next} answered ${response.status}: ${text}`)
    const ms = performance.now() - started
    const page = JSON.parse(text) as ODataPage
    count ??= page['@odata.count']
    for (const row of page.value) seen.add(row.guid ?? JSON.stringify(row))
    const memory = readMemory(product.pid, 'VmRSS') ?? 0
    pages.push({ ms, rows: page.value.length, bytes: text.length, memory })
    next = page['@odata.nextLink']
  }
  const rows = pages.reduce((sum, page) => sum + page.rows, 0)
  if (rows !== count) throw new Error(`${query}: ${rows} rows came, @odata.count says ${count}.`)
  if (!query.includes('$select') && seen.size !== rows) throw new Error(`${query}: a row came twice.`)
  return pages
}

interface ODataPage {
  '@odata.count'?: number
  '@odata.nextLink'?: string
  value: { guid?: string }[]
}

const header = [
  'Debtors',
  'rows',
  'pages',
  's',
  'rows/s',
  'first pages ms',
  'last pages ms',
  'MB first',
  'MB most',
]

/** The first page is left out of the times: it also counts the rows. */
function describe(pages: readonly Page[]): string[] {
  const [, ...counted] = pages.filter(({ rows }) => rows === pageRows)
  const tenth = Math.max(1, Math.floor(counted.length / 10))
  const seconds = pages.reduce((sum, { ms }) => sum + ms, 0) / 1000
  const rows = pages.reduce((sum, page) => sum + page.rows, 0)
  const median = (some: readonly Page[]) =>
    some.length === 0 ? '–' : computeMedian(some.map(({ ms }) => ms)).toFixed(1)
  return [
    String(rows),
    String(pages.length),
    seconds.toFixed(1),
    (rows / seconds).toFixed(0),
    median(counted.slice(0, tenth)),
    median(counted.slice(-tenth)),
    inMegabytes(pages[0]!.memory),
    inMegabytes(Math.max(...pages.map(({ memory }) => memory))),
  ]
}

const inMegabytes = (bytes: number): string => (bytes / 1e6).toFixed(0)
