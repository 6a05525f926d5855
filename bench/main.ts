/** The bench: `npm run bench`. Prints a table that compares from run to run, since every figure has its ceilings beside it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAccrualBench } from './suites/accrual.ts'
import { runAccessBench } from './suites/access.ts'
import { caseScenarios } from './scenarios/case-scenarios.ts'
import { runPlanBench } from './suites/core-plans.ts'
import { readPostmaster } from './drive/cpu.ts'
import { runDrawnBench } from './drawn/drawn.ts'
import { runConsoleListBench } from './suites/console-list.ts'
import { dropDatabase, openBenchServer, prepareDatabase, type BenchServer } from './load/databases.ts'
import { chooseDriver } from './drive/drive.ts'
import { printPlans } from './scenarios/explain.ts'
import { runFindingBench } from './suites/finding.ts'
import { runForwardBench } from './suites/forward.ts'
import { runGrowthBench } from './growth/growth.ts'
import { runImportBench } from './suites/import.ts'
import { runJobBench } from './suites/jobs.ts'
import { loadCases } from './load/load-cases.ts'
import { measureScenario, type Bench, type Result } from './drive/measure.ts'
import { benchUsage, readOptions, type BenchOptions } from './options.ts'
import { runOverloadBench } from './suites/overload.ts'
import { runODataBench } from './suites/odata.ts'
import { runPaymentFileBench } from './suites/payment-file.ts'
import { runPaymentBench } from './suites/payments.ts'
import { findPgbench } from './drive/pgbench.ts'
import { checkScenario } from './scenarios/plausible.ts'
import { runProcessBench } from './suites/processes.ts'
import { runStoredPlanBench } from './suites/stored-plans.ts'
import { runStrategyBench } from './suites/strategies.ts'
import { scenarios, type Scenario } from './scenarios/scenarios.ts'
import { signIn, startBare, startProduct } from './drive/servers.ts'
import { poolSize, type Statement } from './scenarios/statements.ts'
import { openSupply } from './load/supply.ts'
import { formatResults, legend } from './report/table.ts'

const report = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

const ownBenches: Record<
  string,
  | typeof runAccessBench
  | typeof runImportBench
  | typeof runFindingBench
  | typeof runPaymentFileBench
  | typeof runStrategyBench
  | typeof runGrowthBench
  | typeof runDrawnBench
  | typeof runForwardBench
  | typeof runODataBench
> = {
  finding: runFindingBench,
  import: runImportBench,
  access: runAccessBench,
  accrual: runAccrualBench,
  'stored-plans': runStoredPlanBench,
  strategies: runStrategyBench,
  payments: runPaymentBench,
  'payment-file': runPaymentFileBench,
  jobs: runJobBench,
  processes: runProcessBench,
  overload: runOverloadBench,
  'console-list': runConsoleListBench,
  growth: runGrowthBench,
  drawn: runDrawnBench,
  forward: runForwardBench,
  odata: runODataBench,
}

/** Runs the bench by the command line's arguments. Throws an Error saying what stands in the way. */
export async function runBench(args: string[]): Promise<void> {
  const [first, ...rest] = args
  if (first === 'plans') {
    runPlanBench()
    return
  }
  const own = ownBenches[first ?? ''] ?? null
  const cases = first === 'cases'
  const options = readOptions(own || cases ? rest : args)
  if (!options) {
    process.stdout.write(`${benchUsage}\n`)
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'fordra-bench-'))
  const server = await openBenchServer(report)
  try {
    if (own) await own(server, { ...options, folder, report })
    else if (cases) await measureCases(server, options, folder)
    else await measureAll(server, options, folder)
  } finally {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Three cases for each debtor: D5 and D6. */
async function measureCases(server: BenchServer, options: BenchOptions, folder: string): Promise<void> {
  const url = await prepareDatabase(server, options.debtors, report)
  try {
    await loadCases(url, {}, report)
    await printAll(server, options, await measureScenarios(url, caseScenarios, options, folder))
  } finally {
    if (!options.keep) await dropDatabase(server, url)
  }
}

async function measureAll(server: BenchServer, options: BenchOptions, folder: string): Promise<void> {
  const chosen = scenarios.filter(
    ({ name, fewestDebtors }) =>
      fewestDebtors <= options.debtors &&
      (options.only.length === 0 || options.only.some((start) => name.startsWith(start))),
  )
  if (chosen.length === 0) {
    throw new Error(
      `--only names no scenario for so many debtors. There are ${scenarios.map(({ name }) => name).join(', ')}.`,
    )
  }
  const url = await prepareDatabase(server, options.debtors, report)
  try {
    if (options.explain) {
      await printPlans(url, chosen, await openSupply(url, options.debtors))
      return
    }
    await printAll(server, options, await measureScenarios(url, chosen, options, folder))
  } finally {
    if (!options.keep) await dropDatabase(server, url)
  }
}

async function measureScenarios(
  url: string,
  chosen: readonly Scenario[],
  options: BenchOptions,
  folder: string,
): Promise<Result[]> {
  const supply = await openSupply(url, options.debtors)
  const statements = new Map<string, Statement[][]>()
  for (const scenario of chosen) statements.set(scenario.name, await scenario.statements(url, supply))
  const reads = Object.fromEntries(
    chosen.filter(({ kind }) => kind !== 'write').map(({ name }) => [name, statements.get(name)!]),
  )
  const product = await startProduct({ url, folder, profile: options.profile })
  const bare = await startBare({ url, pool: poolSize, reads }, folder)
  const bench: Bench = {
    ...options,
    url,
    folder,
    driver: chooseDriver(folder),
    supply,
    product,
    bare,
    postmaster: await readPostmaster(url),
    pgbench: findPgbench() !== null,
    signIn: () => signIn(product.address),
  }
  const results: Result[] = []
  try {
    for (const scenario of chosen) {
      await checkScenario(bench, scenario)
      for (const connections of options.concurrency) {
        report(`  ${scenario.name}, ${connections} connections`)
        results.push(await measureScenario(bench, scenario, statements.get(scenario.name)!, connections))
      }
    }
  } finally {
    await Promise.all([product.stop(), bare.stop()])
  }
  return results
}

async function printAll(
  server: BenchServer,
  options: BenchOptions,
  results: readonly Result[],
): Promise<void> {
  const { debtors, seconds, rounds, json } = options
  const machine = cpus()
  const about = {
    debtors,
    seconds,
    rounds,
    node: process.version,
    postgresql: server.version,
    driver: chooseDriver('').name,
    pgbench: findPgbench(),
    processors: `${machine.length} × ${machine[0]?.model ?? 'unknown'}`,
  }
  const lines = [
    `${debtors} debtors; medians of ${rounds} rounds of ${seconds} s, in turns with the bare route and pgbench.`,
    `Node ${about.node}, PostgreSQL ${about.postgresql}, driven by ${about.driver}, pgbench ${about.pgbench ?? 'not installed (-)'}, ${about.processors}.`,
    '',
    formatResults(results),
    '',
    legend,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  if (json !== undefined) await writeFile(json, `${JSON.stringify({ ...about, results }, null, 2)}\n`)
}
