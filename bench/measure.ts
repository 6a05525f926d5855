/** Drives the product, the bare server and pgbench in turns, so that whatever else the machine does hits all alike. */
import { startCpuCount } from './cpu.ts'
import type { Driver } from './drive.ts'
import { drivePgbench, writePgbenchScript, type PgbenchScript } from './pgbench.ts'
import type { HttpRequest } from './requests.ts'
import type { Scenario, ScenarioKind, Supply } from './scenarios.ts'
import type { ServerProcess } from './servers.ts'
import type { Statement } from './statements.ts'
import { medianOf, mergeCpu, mergeFigures, ratioOf, type Cpu, type Figures } from './statistics.ts'

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
  bare: Figures
  /** Transactions per second; null where it was not measured. */
  pgbench: number | null
  ofBare: number
  ofPgbench: number | null
}

/** Keys in pgbench's list: enough to be random, few enough for the statement to stay small. */
const pgbenchKeys = 1000
const warmUpSeconds = 1
/** Requests that must be sent once only are made in advance: for so many times the rate of the warm-up. */
const distinctMargin = 2
const firstRate = 8000

export async function measureScenario(
  bench: Bench,
  scenario: Scenario,
  statements: readonly Statement[],
  connections: number,
): Promise<Result> {
  const keys = bench.supply.keys.slice(0, pgbenchKeys)
  const script = bench.pgbench ? await writePgbenchScript(statements, { keys, folder: bench.folder }) : null
  const authorization = { authorization: `Bearer ${await bench.signIn()}` }
  const sides = [
    { server: bench.product, make: scenario.product, headers: authorization },
    { server: bench.bare, make: scenario.bare, headers: {} },
  ].map((side) => openSide(bench, { ...side, distinct: scenario.distinct, connections }))
  const [product, bare] = sides as [Side, Side]

  await product.drive(warmUpSeconds)
  await bare.drive(warmUpSeconds)
  const rates: number[] = []
  const cpus: Cpu[] = []
  const [productRounds, bareRounds]: [Figures[], Figures[]] = [[], []]
  for (let round = 0; round < bench.rounds; round++) {
    const readCpu = startCpuCount({ server: bench.product.pid, postmaster: bench.postmaster })
    productRounds.push(await product.drive(bench.seconds))
    cpus.push(readCpu())
    bareRounds.push(await bare.drive(bench.seconds))
    if (script) rates.push(await runPgbench(bench, script, connections))
  }
  return summarise({ scenario, connections, productRounds, cpus, bareRounds, rates, seconds: bench.seconds })
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
  },
): Side {
  const { server, make, headers, distinct, connections } = options
  let rate = firstRate
  let requests: HttpRequest[] | undefined
  return {
    drive: async (seconds) => {
      if (distinct || !requests) {
        requests = make(supply, Math.ceil(rate * seconds * distinctMargin) + connections * 10)
      }
      const figures = await driver.drive({ address: server.address, headers, requests, connections, seconds })
      if (seconds === warmUpSeconds) rate = figures.rate
      return figures
    },
  }
}

function summarise(measured: {
  scenario: Scenario
  connections: number
  productRounds: Figures[]
  cpus: Cpu[]
  bareRounds: Figures[]
  rates: number[]
  seconds: number
}): Result {
  const { scenario, connections, productRounds, bareRounds, rates, seconds } = measured
  const product = mergeFigures(productRounds)
  const cpu = mergeCpu(measured.cpus)
  const perAnswer = (value: number | null) =>
    value === null ? null : (value / (product.rate * seconds)) * 1e6
  const productRates = productRounds.map(({ rate }) => rate)
  return {
    scenario: scenario.name,
    kind: scenario.kind,
    connections,
    product,
    cpu,
    cpuPerAnswer: { server: perAnswer(cpu.server), database: perAnswer(cpu.database) },
    bare: mergeFigures(bareRounds),
    pgbench: rates.length === 0 ? null : medianOf(rates),
    ofBare: ratioOf(
      productRates,
      bareRounds.map(({ rate }) => rate),
    )!,
    ofPgbench: ratioOf(productRates, rates),
  }
}
