/**
 * Scenarios that nobody chose: `npm run bench -- drawn`. Requests are drawn by a seed that is printed, and sent to the
 * service and to a hand-written server on the same database in turns.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../server/platform/database/database.ts'
import { findPostmaster } from '../drive/cpu.ts'
import { chooseDriver } from '../drive/drive.ts'
import { findPgbench, writePgbenchScript } from '../drive/pgbench.ts'
import { startProduct, startReference } from '../drive/servers.ts'
import { byKeyText } from '../drive/reference-queries.ts'
import { dropDatabase, prepareDatabase, type BenchServer } from '../load/databases.ts'
import { portfolio } from '../load/portfolio.ts'
import { anyValue, poolSize } from '../scenarios/statements.ts'
import { countBlocks } from './cell-blocks.ts'
import { cellName, isWrite, listCells, type Cell } from './cells.ts'
import { measureCell, timeFirstAnswers, type CellResult, type DrawnBench } from './measure-cell.ts'
import { createRandom } from './random.ts'
import { formatRun, type DrawnRun } from './report-drawn.ts'
import { openSupplies } from './stock.ts'

interface DrawnOptions {
  debtors: number
  seconds: number
  rounds: number
  seed: number
  only: string[]
  json: string | undefined
  keep: boolean
  folder: string
  report: (line: string) => void
}

export async function runDrawnBench(server: BenchServer, options: DrawnOptions): Promise<void> {
  const { debtors, only, json, keep, report } = options
  const cells = listCells(only)
  if (cells.length === 0)
    throw new Error(`--only names nothing. There are ${listCells([]).map(cellName).join('; ')}.`)
  const url = await prepareDatabase(server, debtors, report, portfolio)
  try {
    const run = await measure(url, cells, options)
    const lastFile = join(process.env['FORDRA_DATA'] ?? './data-local', 'bench', `drawn-${debtors}.json`)
    const last = await readRun(lastFile)
    await writeFile(lastFile, JSON.stringify({ ...last, ...run, cells: mergeCells(last, run) }))
    if (json !== undefined) await writeFile(json, `${JSON.stringify(run, null, 2)}\n`)
    process.stdout.write(`${formatRun({ ...run, postgresql: server.version }, last)}\n`)
    const wrong = run.cells.flatMap(({ checks }) => checks?.wrong ?? [])
    if (wrong.length > 0) throw new Error(`${wrong.length} totals were wrong. ${wrong[0]!}`)
  } finally {
    if (!keep) await dropDatabase(server, url)
  }
}

const readRun = (file: string): Promise<DrawnRun | null> =>
  readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as DrawnRun,
    () => null,
  )

/** A run of some cells leaves the others as they were measured before. */
function mergeCells(last: DrawnRun | null, { cells }: DrawnRun): CellResult[] {
  const measured = new Set(cells.map(cellName))
  return [...(last?.cells ?? []).filter((cell) => !measured.has(cellName(cell))), ...cells]
}

async function measure(url: string, cells: readonly Cell[], options: DrawnOptions): Promise<DrawnRun> {
  const { debtors, seconds, rounds, seed, folder, report } = options
  const sql = openDatabase(url, { max: 2, applicationName: 'fordra bench' })
  const product = await startProduct({ url, folder })
  const reference = await startReference(url, { pool: poolSize, folder })
  try {
    const supplies = await openSupplies(url, {
      address: product.address,
      debtors,
      random: createRandom(seed),
    })
    const keys = supplies.stocks.unrestricted.debtors.slice(0, 1000)
    const anchored = [{ text: byKeyText, parameters: [anyValue], prepared: true }]
    const bench: DrawnBench = {
      url,
      sql,
      driver: chooseDriver(folder),
      product,
      reference,
      postmaster: await findPostmaster(sql),
      anchor: findPgbench() === null ? null : await writePgbenchScript([anchored], { keys, folder }),
      supplies,
      seed,
      seconds,
      rounds,
    }
    const results = await measureAll(bench, cells, report)
    await Promise.all([product.stop(), reference.stop()])
    report('  blocks')
    const blocks = await countBlocks(url, { cells, supplies, seed, folder: join(folder, 'anchor') })
    return { debtors, seconds, rounds, seed, cells: results, blocks: Object.fromEntries(blocks) }
  } finally {
    await Promise.all([product.stop(), reference.stop(), sql.end({ timeout: 5 })])
  }
}

async function measureAll(
  bench: DrawnBench,
  cells: readonly Cell[],
  report: (line: string) => void,
): Promise<CellResult[]> {
  const first = new Map<string, CellResult['first']>()
  for (const cell of cells)
    if (cell.mode === 'alone' && !isWrite(cell.family))
      first.set(cellName(cell), await timeFirstAnswers(bench, cell))
  const results: CellResult[] = []
  for (const cell of cells) {
    report(`  ${cellName(cell)}`)
    results.push(await measureCell(bench, cell, first.get(cellName(cell)) ?? null))
  }
  return results
}
