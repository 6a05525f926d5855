/**
 * Payments over HTTP, each on a case of its own: registered, allocated and booked. Beside them, on the same PostgreSQL,
 * payments of the hand-written reference, which write the same rows, and transfers that change two balances and write one row.
 */
import { writeFile } from 'node:fs/promises'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { basePath } from '../../contract/api.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { verifyLedger } from '../../server/ledger/verify-ledger.ts'
import { createRandom, type Random } from '../drawn/random.ts'
import { findPostmaster, startCpuCount } from '../drive/cpu.ts'
import { dropDatabase, prepareDatabase, type BenchServer } from '../load/databases.ts'
import { chooseDriver, type Driver } from '../drive/drive.ts'
import type { HttpRequest } from '../drive/requests.ts'
import { signIn, startProduct, startReference, type ServerProcess } from '../drive/servers.ts'
import { accounts, checkAccounts, createAccounts } from '../drive/transfers.ts'
import { portfolio } from '../load/portfolio.ts'
import { computeMedian, computeMedianRatio } from '../report/statistics.ts'
import { formatMark, formatTable, targetConnections } from '../report/table.ts'
import { poolSize } from '../scenarios/statements.ts'
import { countWritten, readWritten, type Written } from './written-rows.ts'

interface PaymentOptions {
  debtors: number
  seconds: number
  rounds: number
  seed: number
  json: string | undefined
  keep: boolean
  folder: string
  report: (line: string) => void
}

/** More than the fastest machine that we have seen: each case is paid once. */
const mostASecond = { service: 1500, byHand: 5000 }
const transfersDrawn = 20_000
/** What rounds leave to the background is not to be counted in the next one. */
const warmUpSeconds = 2

interface Way {
  name: string
  server: ServerProcess
  headers: Record<string, string>
  requests(seconds: number): Promise<HttpRequest[]>
  /** The place of the way that does the same by hand. */
  byHand?: number
}

interface Measured {
  name: string
  byHand: number | undefined
  rates: number[]
  p50: number[]
  p99: number[]
  /** Microseconds of processor time of Node and PostgreSQL, for each answer. */
  cpu: number[]
  written: Written
}

export async function runPaymentBench(server: BenchServer, options: PaymentOptions): Promise<void> {
  const { debtors, folder, keep, json, report } = options
  const url = await prepareDatabase(server, debtors, report, portfolio)
  const sql = openDatabase(url, { max: 2, applicationName: 'fordra bench' })
  try {
    await createAccounts(sql)
    const product = await startProduct({ url, folder })
    const reference = await startReference(url, { pool: poolSize, folder })
    const ways = listWays(sql, {
      product,
      reference,
      token: await signIn(product.address),
      seed: options.seed,
    })
    const measured = await measureWays(sql, ways, { ...options, driver: chooseDriver(folder) }).finally(() =>
      Promise.all([product.stop(), reference.stop()]),
    )
    const { faults } = await verifyLedger(sql)
    if (faults.length > 0) throw new Error(`The ledger has ${faults.length} faults.`)
    await checkAccounts(sql)
    print(measured, options)
    if (json !== undefined) await writeFile(json, `${JSON.stringify(measured, null, 2)}\n`)
  } finally {
    await sql.end({ timeout: 5 })
    if (!keep) await dropDatabase(server, url)
  }
}

function listWays(
  sql: Sql,
  {
    product,
    reference,
    token,
    seed,
  }: { product: ServerProcess; reference: ServerProcess; token: string; seed: number },
): Way[] {
  const random = createRandom(seed)
  const paying = (name: string, ofLargest: boolean, byHand: number): Way => ({
    name,
    server: product,
    headers: { authorization: `Bearer ${token}` },
    requests: (length) => drawPayments(sql, length * mostASecond.service, { path: paymentPath, ofLargest }),
    byHand,
  })
  const payingByHand = (name: string, ofLargest: boolean): Way => ({
    name,
    server: reference,
    headers: {},
    requests: (length) => drawPayments(sql, length * mostASecond.byHand, { path: '/payment/', ofLargest }),
  })
  const moving = (scheme: 'atomic' | 'batched', name: string, drawAccount: () => number): Way => ({
    name: `${scheme} transfers, ${name}`,
    server: reference,
    headers: {},
    requests: async () =>
      Array.from({ length: transfersDrawn }, () => ({
        method: 'POST',
        path: `/${scheme}/`,
        body: drawTransfer(drawAccount),
      })),
  })
  const uniform = () => 1 + Math.floor(random() * accounts)
  const uneven = openZipf(random, accounts)
  return [
    paying('payments, cases of all clients', false, 2),
    paying('payments, cases of one client', true, 3),
    payingByHand('by hand, cases of all clients', false),
    payingByHand('by hand, cases of one client', true),
    moving('atomic', 'accounts alike', uniform),
    moving('atomic', 'few accounts often', uneven),
    moving('batched', 'accounts alike', uniform),
    moving('batched', 'few accounts often', uneven),
  ]
}

const paymentPath = `${basePath}/system/forms/payment/register`

async function drawPayments(
  sql: Sql,
  count: number,
  { path, ofLargest }: { path: string; ofLargest: boolean },
): Promise<HttpRequest[]> {
  const cases = await sql<{ id: string }[]>`
    select id from debt_case where movement_count = 0 and status <> 'CLOSED' and accrued_interest > 1000 and remaining_fee = 0
      and (not ${ofLargest} or client_id = (select client_id from debt_case group by 1 order by count(*) desc limit 1))
    order by random() limit ${count}`
  if (cases.length < count / 3) throw new Error('Too few cases are left: take more debtors, or fewer rounds.')
  return cases.map(({ id }) => ({
    method: 'POST',
    path,
    body: { caseGuid: id, amount: 10 },
  }))
}

function drawTransfer(drawAccount: () => number) {
  const source = drawAccount()
  let target = drawAccount()
  while (target === source) target = drawAccount()
  return { source, target, amount: 10 }
}

/** Numbers from 1, the n-th as often as 1/n. */
function openZipf(random: Random, count: number): () => number {
  const sums = new Float64Array(count)
  let sum = 0
  for (let place = 0; place < count; place++) sums[place] = sum += 1 / (place + 1)
  return () => {
    const wanted = random() * sum
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle]! < wanted) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

async function measureWays(
  sql: Sql,
  ways: readonly Way[],
  { seconds, rounds, report, driver }: PaymentOptions & { driver: Driver },
): Promise<Measured[]> {
  const postmaster = await findPostmaster(sql)
  const drive = async ({ server, headers, requests }: Way, length: number) => {
    const load = { address: server.address, headers, requests: await requests(length) }
    const readCpu = startCpuCount({ server: server.pid, postmaster })
    const figures = await driver.driveForLatency({ ...load, connections: targetConnections, seconds: length })
    const cpu = readCpu()
    if (figures.errors > 0) throw new Error(`${figures.errors} requests failed.`)
    const answers = figures.rate * length
    const used = ((cpu.server ?? Number.NaN) + (cpu.database ?? Number.NaN)) / answers
    return { figures, answers, cpu: used * 1e6 }
  }
  const measured: Measured[] = []
  for (const way of ways) {
    report(`  rows of ${way.name}`)
    const before = await readWritten(sql)
    const { answers } = await drive(way, warmUpSeconds)
    const written = countWritten(before, await readWritten(sql), answers)
    measured.push({ name: way.name, byHand: way.byHand, rates: [], p50: [], p99: [], cpu: [], written })
  }
  for (let round = 1; round <= rounds; round++) {
    report(`  payments, round ${round} of ${rounds}`)
    for (const [place, way] of ways.entries()) {
      const { figures, cpu } = await drive(way, seconds)
      const into = measured[place]!
      into.rates.push(figures.rate)
      into.p50.push(figures.p50)
      into.p99.push(figures.p99)
      into.cpu.push(cpu)
    }
  }
  return measured
}

function print(measured: readonly Measured[], { debtors, rounds, seconds }: PaymentOptions): void {
  const [payments] = measured as [Measured]
  const rows = measured.map(({ name, rates, p50, p99, cpu, written }) => [
    name,
    computeMedian(rates).toFixed(0),
    `${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)}`,
    computeMedian(p50).toFixed(1),
    computeMedian(p99).toFixed(1),
    computeMedian(cpu).toFixed(0),
    written.rows.toFixed(1),
    (written.log / 1000).toFixed(1),
    computeMedianRatio(payments.rates, rates)!.toFixed(2),
  ])
  const heading = [
    '',
    'a second',
    'from–to',
    'p50 ms',
    'p99 ms',
    'CPU µs',
    'rows',
    'log kB',
    'payments by these',
  ]
  const tables = payments.written.tables.map(({ table, inserted, updated }) => [
    table,
    inserted.toFixed(2),
    updated.toFixed(2),
  ])
  const ratios = measured.flatMap(({ name, byHand, rates, cpu }) => {
    if (byHand === undefined) return []
    const reference = measured[byHand]!
    return [
      [
        name,
        formatRatio(computeMedianRatio(rates, reference.rates)),
        formatRatio(computeMedianRatio(reference.cpu, cpu)),
      ],
    ]
  })
  process.stdout.write(
    `${debtors} debtors with a case each; ${targetConnections} connections, medians of ${rounds} rounds of ${seconds} s in turns.\n` +
      `Rows and log: written for one payment or transfer.\n\n${formatTable(heading, rows)}\n\n` +
      `${formatTable(['of the reference that writes the same rows', 'by rate', 'by CPU'], ratios)}\n\n` +
      `${formatTable(['rows of one payment', 'inserted', 'updated'], tables)}\n`,
  )
}

const wantedShare = 0.6
const formatRatio = (ratio: number | null): string =>
  ratio === null ? '-' : `${ratio.toFixed(2)} ${formatMark(ratio >= wantedShare)}`
