/** `fordra import debtors` beside a COPY of the same members into a table without indexes, events or audit entries. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { demoColumns } from '../../cli/demo/debtors.ts'
import { writeDemo } from '../../cli/demo/write-demo.ts'
import { dropDatabase, prepareEmptyDatabase, type BenchServer } from '../load/databases.ts'
import { formatTable, formatMark } from '../report/table.ts'

const targetRows = 5000
const targetBytes = 300e6
const root = join(import.meta.dirname, '../..')

interface ImportOptions {
  debtors: number
  json: string | undefined
  folder: string
  report: (line: string) => void
}

export async function runImportBench(server: BenchServer, options: ImportOptions): Promise<void> {
  const { debtors, folder, report } = options
  const file = join(folder, 'debtors.csv')
  report(`Writing ${debtors} debtors`)
  await writeDemo({ debtors, seed: 1, out: file, report: () => {} })
  const url = await prepareEmptyDatabase(server)
  const sql = openDatabase(url, { max: 1, applicationName: 'fordra bench' })
  try {
    report('Copying them into a bare table')
    const copied = await copyRows(sql, file)
    const imported = await importRows(url, file, report)
    const [loaded] = await sql<{ rows: number }[]>`select count(*) as rows from debtor`
    if (imported && loaded!.rows !== debtors)
      throw new Error(`The import left ${loaded!.rows} debtors of ${debtors}.`)
    await printImport(options, { copied, imported })
  } finally {
    await sql.end({ timeout: 5 })
    await dropDatabase(server, url)
  }
}

/** Returns the seconds that it took. */
async function copyRows(sql: Sql, file: string): Promise<number> {
  const columns = ['sourceReference', ...demoColumns].map((name) => `"${name}" text`).join(', ')
  await sql.unsafe(`create table bare_copy (${columns})`)
  const begin = performance.now()
  const copying = await sql`copy bare_copy from stdin (format csv, header match)`.writable()
  await pipeline(createReadStream(file), copying)
  return (performance.now() - begin) / 1000
}

interface Imported {
  seconds: number
  /** Of the import's process; null where it cannot be read. */
  peakBytes: number | null
}

async function importRows(
  url: string,
  file: string,
  report: ImportOptions['report'],
): Promise<Imported | null> {
  if (!existsSync(join(root, 'cli', 'import.ts'))) {
    report('There is no import to measure yet.')
    return null
  }
  report('Importing them')
  const begin = performance.now()
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'cli', 'main.ts'), 'import', 'debtors', file],
    { cwd: root, env: { ...process.env, DATABASE_URL: url }, stdio: ['ignore', 'ignore', 'ignore'] },
  )
  let peakBytes: number | null = null
  const watch = setInterval(() => (peakBytes = readPeakBytes(child.pid!) ?? peakBytes), 100)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearInterval(watch)
  if (code !== 0) throw new Error(`The import ended with ${code}. Run it by hand to see why.`)
  return { seconds: (performance.now() - begin) / 1000, peakBytes }
}

/** The largest resident set that the process ever had. */
function readPeakBytes(pid: number): number | null {
  try {
    const kibibytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kibibytes === undefined ? null : Number(kibibytes) * 1024
  } catch {
    return null
  }
}

async function printImport(
  { debtors, json }: ImportOptions,
  { copied, imported }: { copied: number; imported: Imported | null },
): Promise<void> {
  const rate = imported && debtors / imported.seconds
  const memory =
    imported?.peakBytes == null
      ? '-'
      : `${(imported.peakBytes / 1e6).toFixed(0)} MB ${formatMark(imported.peakBytes < targetBytes)}`
  const rows = [
    ['bare COPY', (debtors / copied).toFixed(0), copied.toFixed(1), '-', '-'],
    ...(imported && rate !== null
      ? [
          [
            'fordra import',
            `${rate.toFixed(0)} ${formatMark(rate >= targetRows)}`,
            imported.seconds.toFixed(1),
            `${((rate / (debtors / copied)) * 100).toFixed(1)}%`,
            memory,
          ],
        ]
      : []),
  ]
  process.stdout.write(
    `${debtors} debtors with their addresses; targets ${targetRows} rows/s and less than ${targetBytes / 1e6} MB.\n\n` +
      `${formatTable(['', 'rows/s', 's', 'of COPY', 'peak memory'], rows)}\n`,
  )
  if (json !== undefined)
    await writeFile(json, `${JSON.stringify({ debtors, copySeconds: copied, import: imported }, null, 2)}\n`)
}
