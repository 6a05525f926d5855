/** Drives the service, the reference and pgbench in turns with the requests of one cell. */
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { startCpuCount } from '../drive/cpu.ts'
import type { Driver } from '../drive/drive.ts'
import { drivePgbench, type PgbenchScript } from '../drive/pgbench.ts'
import { buildHeaders, type HttpRequest, type Load } from '../drive/requests.ts'
import { signIn, type ServerProcess } from '../drive/servers.ts'
import { callers } from '../load/portfolio.ts'
import { computeMedian, computePercentile, mergeCpu, type Cpu, type Figures } from '../report/statistics.ts'
import { targetConnections } from '../report/table.ts'
import { isWrite, type Cell } from './cells.ts'
import { startTotalChecks, type Checks } from './check-totals.ts'
import { drawReads, openRequests } from './draw-cell.ts'
import { createRandom } from './random.ts'
import { startSteadyWrites } from './steady-writes.ts'
import type { Supplies } from './stock.ts'

export interface DrawnBench {
  url: string
  sql: Sql
  driver: Driver
  product: ServerProcess
  reference: ServerProcess
  postmaster: number | null
  /** Reads a debtor by key; null where pgbench is not installed. */
  anchor: PgbenchScript | null
  supplies: Supplies
  seed: number
  seconds: number
  rounds: number
}

/** Of one server. Latencies in milliseconds. */
export interface Side {
  rates: number[]
  p50: number
  p99: number
  errors: number
  /** Microseconds of processor time for one answer. */
  cpu: Cpu
}

export interface CellResult extends Cell {
  product: Side
  reference: Side | null
  /** The first answer to each request of a service that has just started, one at a time. */
  first: { p50: number; p99: number } | null
  anchor: number[]
  load: number
  checks: Checks | null
}

type Measured = { figures: Figures; cpu: Cpu }[]
/** Writes must all be new: so many a second are drawn, which no server reaches on the machines that we have seen. */
const writesASecond = 4000
const settleMs = 200

export async function measureCell(
  bench: DrawnBench,
  cell: Cell,
  first: CellResult['first'],
): Promise<CellResult> {
  const token = await signIn(bench.product.address, callers[cell.caller])
  const authorised = { authorization: `Bearer ${token}` }
  const requests = openRequests(cell, bench.supplies, createRandom(bench.seed))
  const hasReference = isWrite(cell.family) || requests('reference', 1).length > 0
  const [product, reference]: [Measured, Measured] = [[], []]
  const anchor: number[] = []
  const loads: number[] = []
  const checks = { exact: 0, between: 0, wrong: [] as string[] }
  const drive = (side: 'product' | 'reference', seconds: number) =>
    driveSide(bench, cell, { side, seconds, requests, headers: side === 'product' ? authorised : {} })
  for (const side of hasReference ? (['product', 'reference'] as const) : (['product'] as const))
    await drive(side, 1)
  for (let round = 0; round < bench.rounds; round++) {
    const checking =
      cell.mode === 'beside'
        ? startTotalChecks(
            bench.sql,
            { address: bench.product.address, token },
            drawReads(cell, bench.supplies, createRandom(bench.seed)),
          )
        : null
    product.push(await drive('product', bench.seconds))
    const checked = await checking?.stop()
    checks.exact += checked?.exact ?? 0
    checks.between += checked?.between ?? 0
    checks.wrong.push(...(checked?.wrong ?? []))
    if (hasReference) reference.push(await drive('reference', bench.seconds))
    if (bench.anchor)
      anchor.push(await drivePgbench(bench.url, bench.anchor, { connections: targetConnections, seconds: 1 }))
    loads.push(loadavg()[0]!)
  }
  return {
    ...cell,
    product: summarise(product, bench.seconds),
    reference: hasReference ? summarise(reference, bench.seconds) : null,
    first,
    anchor,
    load: computeMedian(loads),
    checks: cell.mode === 'beside' && checks.exact + checks.between + checks.wrong.length > 0 ? checks : null,
  }
}

async function driveSide(
  bench: DrawnBench,
  cell: Cell,
  options: {
    side: 'product' | 'reference'
    seconds: number
    requests: ReturnType<typeof openRequests>
    headers: Record<string, string>
  },
): Promise<{ figures: Figures; cpu: Cpu }> {
  const { side, seconds, requests, headers } = options
  const server = bench[side]
  const load: Load = {
    address: server.address,
    headers,
    requests: requests(side, writesASecond * seconds),
    connections: targetConnections,
    seconds,
  }
  await sleep(settleMs)
  const writes =
    cell.mode === 'beside'
      ? startSteadyWrites(side, load, bench.supplies, createRandom(bench.seed + 1))
      : undefined
  const readCpu = startCpuCount({ server: server.pid, postmaster: bench.postmaster })
  const figures = await bench.driver.driveForLatency(load)
  const cpu = readCpu()
  await writes?.stop()
  return { figures, cpu }
}

function summarise(measured: Measured, seconds: number): Side {
  const median = (member: 'p50' | 'p99') => computeMedian(measured.map(({ figures }) => figures[member]))
  const perAnswer = measured.map(({ figures, cpu }) => {
    const spread = (used: number | null) => (used === null ? null : (used / (figures.rate * seconds)) * 1e6)
    return { server: spread(cpu.server), database: spread(cpu.database) }
  })
  return {
    rates: measured.map(({ figures }) => figures.rate),
    p50: median('p50'),
    p99: median('p99'),
    errors: measured.reduce((sum, { figures }) => sum + figures.errors, 0),
    cpu: mergeCpu(perAnswer),
  }
}

/** Asks each different request once, one after the other. Throws an Error when one is refused. */
export async function timeFirstAnswers(
  { product, supplies, seed }: DrawnBench,
  cell: Cell,
): Promise<{ p50: number; p99: number }> {
  const headers = { authorization: `Bearer ${await signIn(product.address, callers[cell.caller])}` }
  const times: number[] = []
  const drawn = drawReads(cell, supplies, createRandom(seed)).map(
    ({ product: asked }) => [asked.path, asked] as const,
  )
  const reads = [...new Map<string, HttpRequest>(drawn).values()]
  for (const request of reads) {
    const begin = performance.now()
    const answer = await fetch(product.address + request.path, {
      headers: buildHeaders({ headers }, request),
    })
    await answer.arrayBuffer()
    times.push(performance.now() - begin)
    if (answer.status !== 200) throw new Error(`${request.path} was answered ${answer.status}.`)
  }
  const sorted = times.toSorted((a, b) => a - b)
  return { p50: computePercentile(sorted, 50), p99: computePercentile(sorted, 99) }
}
