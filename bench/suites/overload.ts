/**
 * What the service still answers when five times as many requests arrive as it can answer. They arrive whether or not
 * others are answered, and nobody heeds Retry-After.
 */
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../server/testing/servers/free-port.ts'
import { readPostmaster, startCpuCount } from '../drive/cpu.ts'
import { sendAtRate, sendInTurns, type PlainRequest, type Sent } from '../drive/open-loop.ts'
import { startProduct } from '../drive/servers.ts'
import { openSupplies } from '../drawn/stock.ts'
import { createRandom } from '../drawn/random.ts'
import { dropDatabase, prepareDatabase, type BenchServer } from '../load/databases.ts'
import { portfolio } from '../load/portfolio.ts'
import { computePercentile } from '../report/statistics.ts'
import {
  formatOverload,
  goodput,
  sum,
  type Measured,
  type OverloadRun,
  type Recovery,
} from '../report/overload-table.ts'
import { addUsers, openDrawing, signInAll, type Kind } from './overload-requests.ts'

interface OverloadOptions {
  debtors: number
  seconds: number
  seed: number
  folder: string
  report: (line: string) => void
}

const times = 5
const usersMax = 64
/** With few users each has more requests open than one may have, and is answered 429 at once. Many wait for their turn. */
const userCounts = [4, usersMax]
const peakConnections = [16, 64, 256]
/** Fewer than the service accepts, so that health checks are accepted too. */
const connections = 3_000
/** So long a request waits for its turn by default: only then refusals of those who wait begin. */
const queueSeconds = 8
/** No node and driver on two processors have answered so many a second. */
const rateMax = 6_000
const recoverySeconds = 15
const probeEveryMs = 250

interface Bench {
  address: string
  /** The port for health checks alone. */
  healthAddress: string
  pids: { server: number; postmaster: number | null }
  drawRequests: (count: number, users: number) => PlainRequest<Kind>[]
  seconds: number
  report: (line: string) => void
}

export async function runOverloadBench(server: BenchServer, options: OverloadOptions): Promise<void> {
  const { debtors, seconds, seed, folder, report } = options
  const url = await prepareDatabase(server, debtors, report, portfolio)
  try {
    const users = await addUsers(url, usersMax)
    const healthPort = await findFreePort()
    // As behind a proxy: the connections are its own.
    const product = await startProduct({
      url,
      folder,
      settings: { FORDRA_TRUST_PROXY: '1', FORDRA_HEALTH_PORT: String(healthPort) },
    })
    try {
      const { address, pid } = product
      const random = createRandom(seed)
      const supplies = await openSupplies(url, { address, debtors, random })
      const drawRequests = openDrawing(supplies, await signInAll(address, users), seed)
      const pids = { server: pid, postmaster: await readPostmaster(url) }
      const healthAddress = `http://127.0.0.1:${healthPort}`
      await measureAll({ address, healthAddress, pids, drawRequests, seconds, report })
    } finally {
      await product.stop()
    }
  } finally {
    await dropDatabase(server, url)
  }
}

async function measureAll(bench: Bench): Promise<void> {
  const peak = await findPeak(bench)
  const perSecond = goodput(peak)
  bench.report(`Half of the peak, ${Math.round(perSecond / 2)} requests a second`)
  const half = await measure(bench, bench.seconds, async (plan) => {
    const { sent, rest } = await sendAtRate(plan, perSecond / 2)
    await rest
    return sent
  })
  const normalMs = computePercentile(sortLatencies(half.sent), 95)
  const overloads: OverloadRun['overloads'][number][] = []
  for (const users of userCounts) overloads.push(await overload(bench, { perSecond, normalMs, users }))
  process.stdout.write(`${formatOverload({ peak, half, normalMs, overloads })}\n`)
}

async function findPeak(bench: Bench): Promise<Measured> {
  await measure(bench, 2, (plan) => sendInTurns({ ...plan, connections: 64 }))
  const peaks: Measured[] = []
  for (const own of peakConnections) {
    bench.report(`Peak: ${own} connections that wait for their answers`)
    peaks.push(await measure(bench, bench.seconds, (plan) => sendInTurns({ ...plan, connections: own })))
  }
  return peaks.reduce((best, one) => (goodput(one) > goodput(best) ? one : best))
}

async function overload(
  bench: Bench,
  { perSecond, normalMs, users }: { perSecond: number; normalMs: number; users: number },
): Promise<OverloadRun['overloads'][number]> {
  const offered = times * perSecond
  const lasts = bench.seconds + queueSeconds
  bench.report(`${times} times the peak, ${Math.round(offered)} a second for ${lasts} s, of ${users} users`)
  const requests = bench.drawRequests(Math.ceil(offered * lasts), users)
  let rest: Promise<void> | undefined
  const measured = await measure(
    bench,
    lasts,
    async (plan) => {
      const begun = await sendAtRate(plan, offered)
      rest = begun.rest
      return begun.sent
    },
    requests,
  )
  bench.report(`Then half of the peak for ${recoverySeconds} s`)
  const recovery = await recover(bench, perSecond / 2, normalMs)
  await rest
  return { load: { users, offered, ...measured }, recovery }
}

const sortLatencies = ({ latencies }: Sent) => latencies.toSorted((a, b) => a - b)

/** Sends while health checks are made and processor time is counted. */
async function measure(
  bench: Bench,
  seconds: number,
  send: (plan: Parameters<typeof sendInTurns>[0]) => Promise<Sent>,
  requests = bench.drawRequests(rateMax * seconds, usersMax),
): Promise<Measured> {
  const { address, healthAddress, pids } = bench
  const countServers = startCpuCount(pids)
  const own = process.cpuUsage()
  const startedAt = performance.now()
  const health = watchHealth([healthAddress, address])
  const sent = await send({ address, connections, seconds, requests })
  const elapsed = (performance.now() - startedAt) / 1_000
  const { user, system } = process.cpuUsage(own)
  const cpu = { ...countServers(), generator: (user + system) / 1e6 }
  return { sent, seconds, elapsed, cpu, healthMs: await health.stop() }
}

/** Of each address the slowest check. */
function watchHealth(addresses: readonly string[]) {
  const watch = { isOver: false }
  const look = async (address: string) => {
    let slowest = 0
    while (!watch.isOver) {
      const startedAt = performance.now()
      const status = await checkHealth(address)
      slowest = status === 200 ? Math.max(slowest, performance.now() - startedAt) : Infinity
      await sleep(probeEveryMs)
    }
    return slowest
  }
  const looking = Promise.all(addresses.map(look))
  return {
    stop: () => {
      watch.isOver = true
      return looking
    },
  }
}

/** Over a connection of its own, as an orchestrator does. */
const checkHealth = (address: string) =>
  new Promise<number | undefined>((resolve) => {
    get(`${address}/health/ready`, { agent: false }, (response) => {
      response.resume().on('close', () => resolve(response.statusCode))
    }).on('error', () => resolve(undefined))
  })

/** Normal again: nothing is refused any more, and a second's 95th percentile is at most twice that of before. */
async function recover(bench: Bench, perSecond: number, normalMs: number): Promise<Recovery> {
  const { address, healthAddress, drawRequests } = bench
  const count = Math.round(perSecond)
  const requests = drawRequests(count * recoverySeconds, usersMax)
  const health = watchHealth([healthAddress, address])
  const begun: Awaited<ReturnType<typeof sendAtRate>>[] = []
  for (let second = 0; second < recoverySeconds; second++) {
    const own = requests.slice(second * count, (second + 1) * count)
    begun.push(await sendAtRate({ address, connections: 1_000, seconds: 1, requests: own }, perSecond))
  }
  const healthMs = await health.stop()
  await Promise.all(begun.map(({ rest }) => rest))
  const lastAbnormal = begun.findLastIndex(({ sent }) => !isNormal(sent, normalMs))
  return { normalAfter: lastAbnormal === recoverySeconds - 1 ? null : lastAbnormal + 1, healthMs }
}

function isNormal(sent: Sent, normalMs: number): boolean {
  const { refused, wrong, unsent, latencies } = sent
  if (refused + unsent + sum(wrong) > 0 || latencies.length === 0) return false
  return computePercentile(sortLatencies(sent), 95) <= 2 * normalMs
}
