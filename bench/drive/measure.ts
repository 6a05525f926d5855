/** Drives the product, the bare server and pgbench in turns, so that whatever else the machine does hits all alike. */
import { setTimeout as sleep } from 'node:timers/promises'
import { startCpuCount } from './cpu.ts'
import type { Driver } from './drive.ts'
import { drivePgbench, writePgbenchScript, type PgbenchScript } from './pgbench.ts'
import type { HttpRequest } from './requests.ts'
import type { Scenario, ScenarioKind, Supply } from '../scenarios/scenarios.ts'
import type { ServerProcess } from './servers.ts'
import type { Statement } from '../scenarios/statements.ts'
import {
  computeMedian,
  mergeCpu,
  mergeFigures,
  computeMedianRatio,
  type Cpu,
  type Figures,
} from '../report/statistics.ts'

export interface Bench {
  url: string
  folder: string
  driver: Driver
  supply: Supply & { keys: string[] }
  product: ServerProcess
  bare: ServerProcess
  postmaster: number | null
  pgbench: boolean
  seconds: number
  rounds: number
  /** An access token of now: they do not live long. */
  signIn(): Promise<string>
}

export interface Result {
  scenario: string
  kind: ScenarioKind
  connections: number
  product: Figures
  /** Seconds over one measurement, and microseconds for one answer. */
  cpu: Cpu
  cpuPerAnswer: Cpu
  /** Its percentiles are the driver's own, see `drive.ts`. */
  bare: Figures
  bareCpuPerAnswer: Cpu
  /** Transactions per second; null where it was not measured. */
  pgbench: number | null
  ofBare: number
  /** The bare route's processor time for an answer by the product's: other processes' load changes it little. */
  ofBareCpu: number | null
  ofPgbench: number | null
}

/** Keys in pgbench's list: enough to be random, few enough for the statement to stay small. */
const pgbenchKeys = 1000
const warmUpSeconds = 1
/** What the round before leaves to be done, as connections that end, is not to be counted in the next one. */
const settleMs = 300
/** Requests that must be sent once only are made in advance: for so many times the highest rate seen, or the least. */
const distinctMargin = 2
const firstRate = 8000
const leastRate = 3000

export async function measureScenario(
  bench: Bench,
  scenario: Scenario,
  statements: readonly (readonly Statement[])[],
  connections: number,
): Promise<Result> {
  const keys = bench.supply.keys.slice(0, pgbenchKeys)
  const script = bench.pgbench ? await writePgbenchScript(statements, { keys, folder: bench.folder }) : null
  const authorization = { authorization: `Bearer ${await bench.signIn()}` }
  const shared = { distinct: scenario.distinct, connections }
  const ours = { ...shared, server: bench.product, make: scenario.product, headers: authorization }
  const product = openSide(bench, ours)
  const latency = openSide(bench, { ...ours, forLatency: true })
  const bare = openSide(bench, { ...shared, server: bench.bare, make: scenario.bare, headers: {} })

  await product.drive(warmUpSeconds)
  await bare.drive(warmUpSeconds)
  const rates: number[] = []
  const [productCpus, bareCpus]: [Cpu[], Cpu[]] = [[], []]
  const [productRounds, bareRounds]: [Figures[], Figures[]] = [[], []]
  for (let round = 0; round < bench.rounds; round++) {
    await sleep(settleMs)
    const readProduct = startCpuCount({ server: bench.product.pid, postmaster: bench.postmaster })
    const figures = await product.drive(bench.seconds)
    productCpus.push(readProduct())
    const timed = await latency.drive(bench.seconds)
    productRounds.push({ ...timed, rate: figures.rate, errors: figures.errors + timed.errors })
    await sleep(settleMs)
    const readBare = startCpuCount({ server: bench.bare.pid, postmaster: bench.postmaster })
    bareRounds.push(await bare.drive(bench.seconds))
    bareCpus.push(readBare())
    if (script) rates.push(await runPgbench(bench, script, connections))
  }
  return summarise({
    scenario,
    connections,
    productRounds,
    productCpus,
    bareRounds,
    bareCpus,
    rates,
    seconds: bench.seconds,
  })
}

const runPgbench = ({ url, seconds }: Bench, script: PgbenchScript, connections: number) =>
  drivePgbench(url, script, { connections, seconds })

interface Side {
  drive(seconds: number): Promise<Figures>
}

function openSide(
  { driver, supply }: Bench,
  options: {
    server: ServerProcess
    make(supply: Supply, count: number): HttpRequest[]
    headers: Record<string, string>
    distinct: boolean
    connections: number
    forLatency?: boolean
  },
): Side {
  const { server, make, headers, distinct, connections, forLatency } = options
  const drive = forLatency ? driver.driveForLatency : driver.drive
  let highest = 0
  let requests: HttpRequest[] | undefined
  return {
    drive: async (seconds) => {
      if (distinct || !requests) {
        const rate = highest === 0 ? firstRate : Math.max(highest, leastRate)
        requests = make(supply, Math.ceil(rate * seconds * distinctMargin) + connections * 10)
      }
      const figures = await drive({ address: server.address, headers, requests, connections, seconds })
      highest = Math.max(highest, figures.rate)
      return figures
    },
  }
}

function summarise(measured: {
  scenario: Scenario
  connections: number
  productRounds: Figures[]
  productCpus: Cpu[]
  bareRounds: Figures[]
  bareCpus: Cpu[]
  rates: number[]
  seconds: number
}): Result {
  const { scenario, connections, productRounds, bareRounds, rates, seconds } = measured
  const product = mergeFigures(productRounds)
  const bare = mergeFigures(bareRounds)
  const [productCpu, bareCpu] = [mergeCpu(measured.productCpus), mergeCpu(measured.bareCpus)]
  const cpuPerAnswer = spreadCpu(productCpu, product.rate * seconds)
  const bareCpuPerAnswer = spreadCpu(bareCpu, bare.rate * seconds)
  const [productSum, bareSum] = [sumCpu(cpuPerAnswer), sumCpu(bareCpuPerAnswer)]
  const productRates = productRounds.map(({ rate }) => rate)
  return {
    scenario: scenario.name,
    kind: scenario.kind,
    connections,
    product,
    cpu: productCpu,
    cpuPerAnswer,
    bare,
    bareCpuPerAnswer,
    pgbench: rates.length === 0 ? null : computeMedian(rates),
    ofBare: computeMedianRatio(
      productRates,
      bareRounds.map(({ rate }) => rate),
    )!,
    ofBareCpu: productSum === null || bareSum === null ? null : bareSum / productSum,
    ofPgbench: computeMedianRatio(productRates, rates),
  }
}

/** Microseconds for one of some answers. */
function spreadCpu({ server, database }: Cpu, answers: number): Cpu {
  const spread = (seconds: number | null) => (seconds === null ? null : (seconds / answers) * 1e6)
  return { server: spread(server), database: spread(database) }
}

const sumCpu = ({ server, database }: Cpu): number | null =>
  server === null || database === null ? null : server + database
