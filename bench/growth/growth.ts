/**
 * What grows with the number of debtors: the blocks that drawn requests read on two databases, one ten times the other.
 * Blocks do not depend on the machine or on what else it does.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Operation } from '../../contract/platform/operation.ts'
import { dropDatabase, prepareDatabase, type BenchServer } from '../load/databases.ts'
import { benchLogin } from '../load/load-debtors.ts'
import { formatTable } from '../report/table.ts'
import { createRandom, type Random } from '../drawn/random.ts'
import { drawRequests, listOperations, listPath } from './drawn-requests.ts'
import { findLost, judge, type Judged, type Reading } from './judge.ts'
import { portfolio } from '../load/portfolio.ts'
import { openWatchedService, type WatchedService } from '../drive/watched-service.ts'
import { sumBlocks, type Executed } from '../../server/testing/watched-database.ts'
import { steadyKinds } from './steady-kinds.ts'

interface GrowthOptions {
  debtors: number
  only: string[]
  json: string | undefined
  keep: boolean
  folder: string
  report: (line: string) => void
}

/** A list with fewer rows is not looked at: it does not grow with the debtors. */
const fewestRows = 1000
const samples = 8

export async function runGrowthBench(server: BenchServer, options: GrowthOptions): Promise<void> {
  const { debtors, json, report } = options
  const smaller = await readSize(server, Math.round(debtors / 10), options)
  const larger = await readSize(server, debtors, options)
  const judged = judge(smaller, larger)
  report(`${judged.length} kinds of requests on ${Math.round(debtors / 10)} and ${debtors} debtors`)
  process.stdout.write(`${formatGrowth(judged)}\n`)
  const lost = findLost(judged, steadyKinds)
  for (const { kind, smaller: few, larger: many } of lost)
    report(`No longer steady: ${kind} reads ${few} and ${many} blocks.`)
  if (lost.length > 0) process.exitCode = 1
  if (json !== undefined) await writeFile(json, `${JSON.stringify(judged, null, 2)}\n`)
}

async function readSize(server: BenchServer, debtors: number, options: GrowthOptions): Promise<Reading[]> {
  const url = await prepareDatabase(server, debtors, options.report, portfolio)
  const service = await openWatchedService(url, join(options.folder, 'anchor'))
  try {
    return await readLists(service, options)
  } finally {
    await service.close()
    if (!options.keep) await dropDatabase(server, url)
  }
}

async function readLists(service: WatchedService, { only, report }: GrowthOptions): Promise<Reading[]> {
  const signedIn = await service.ask({ method: 'POST', path: '/auth/login', body: benchLogin, token: '' })
  const token = String(signedIn.body['accessToken'])
  const get = async (path: string) => {
    const answer = await service.ask({ method: 'GET', path, token })
    if (answer.status !== 200)
      throw new Error(`${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer
  }
  const readings: Reading[] = []
  for (const operation of listOperations) {
    if (only.length > 0 && !only.includes(operation.name)) continue
    // The same draws on both sizes, and for each list whatever came before.
    const random = createRandom(1)
    const { total, sample } = await drawSample(operation, { random, get })
    if (total < fewestRows) continue
    report(`  ${operation.name}: ${total} rows`)
    for (const { kind, path } of drawRequests(operation, { sample, total, random })) {
      const { executed } = await get(path)
      readings.push({ kind, path, blocks: sumBlocks(executed), counted: sumCounted(executed) })
    }
  }
  return readings
}

async function drawSample(
  { path }: Operation,
  { random, get }: { random: Random; get: (path: string) => Promise<{ body: Record<string, unknown> }> },
) {
  const total = Number((await get(path)).body['total'])
  const sample: Record<string, unknown>[] = []
  for (let drawn = 0; drawn < samples; drawn++) {
    const page = await get(listPath(path, { $skip: Math.floor(random() * total), $top: 5 }))
    sample.push(...(page.body['value'] as Record<string, unknown>[]))
  }
  return { total, sample }
}

type Plan = Record<string, unknown>

/** Totals are subqueries that a statement runs once. */
const sumCounted = (executed: readonly Executed[]): number =>
  executed.reduce((sum, { plan }) => sum + countTotals(plan), 0)

function countTotals(plan: Plan): number {
  const isTotal =
    plan['Parent Relationship'] === 'InitPlan' && !String(plan['Subplan Name']).startsWith('CTE')
  if (isTotal) return Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks'])
  return ((plan['Plans'] ?? []) as Plan[]).reduce((sum, part) => sum + countTotals(part), 0)
}

function formatGrowth(judged: readonly Judged[]): string {
  const count = (verdict: Judged['verdict']) => judged.filter((one) => one.verdict === verdict).length
  const rows = judged
    .toSorted((a, b) => b.larger - a.larger)
    .map(({ kind, smaller, larger, growth, verdict, causes }) => [
      kind,
      String(smaller),
      String(larger),
      growth.toFixed(1),
      verdict,
      causes.join(', '),
    ])
  return [
    formatTable(['', 'smaller', 'larger', 'growth', '', 'causes'], rows),
    '',
    `${count('steady')} steady, ${count('grows')} grow by more than half, ${count('large')} of them read more than 1,000 blocks.`,
  ].join('\n')
}
