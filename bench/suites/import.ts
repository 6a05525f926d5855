/** `fordra import debtors` and `cases` beside a COPY of the same members into a table without indexes, events or audit entries. */
import { createReadStream } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { addDays } from '../../core/calendar/calendar.ts'
import { insertParty } from '../../server/access/users/parties.store.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { startBusinessClock } from '../../server/platform/clock/business-clock.ts'
import { demoColumns } from '../../cli/demo/debtors.ts'
import { writeDemo } from '../../cli/demo/write-demo.ts'
import { measureMachine } from '../drive/pgbench.ts'
import { runCommand, type CommandRun } from '../drive/run-command.ts'
import { dropDatabase, prepareEmptyDatabase, withBareDatabase, type BenchServer } from '../load/databases.ts'
import { formatTable, formatMark } from '../report/table.ts'

const targetRows = { debtors: 5000, cases: 4000 }
const targetBytes = 300e6
const source = 'bench'
const clientCode = 'BENCH-IMPORT'
const caseColumns = [
  'sourceReference',
  'partyReferenceCode',
  'debtorReference',
  'service',
  'currencyCode',
  'principal',
  'fee',
  'invoiceNumber',
  'invoiceDate',
  'dueDate',
]

type What = keyof typeof targetRows

interface ImportOptions {
  debtors: number
  seconds: number
  json: string | undefined
  folder: string
  report: (line: string) => void
}

interface Imported extends CommandRun {
  what: What
  /** Of the COPY. */
  copySeconds: number
}

export async function runImportBench(server: BenchServer, options: ImportOptions): Promise<void> {
  const { debtors, folder, seconds, report } = options
  const files = { debtors: join(folder, 'debtors.csv'), cases: join(folder, 'cases.csv') }
  report(`Writing ${debtors} debtors, each with a case`)
  await writeDemo({ debtors, seed: 1, out: files.debtors, report: () => {} })
  const url = await prepareEmptyDatabase(server)
  const sql = openDatabase(url, { max: 1, applicationName: 'fordra bench' })
  try {
    await insertClient(sql)
    await writeCases(sql, files.cases, debtors)
    const columns = { debtors: ['sourceReference', ...demoColumns], cases: caseColumns }
    const imported: Imported[] = []
    for (const what of ['debtors', 'cases'] as const) {
      report(`Copying ${what} into a bare table, and importing them`)
      const copySeconds = await copyRows(sql, { what, file: files[what], columns: columns[what] })
      const run = await runCommand(url, ['import', what, files[what], '--source', source])
      await requireRows(sql, what, debtors)
      imported.push({ what, copySeconds, ...run })
    }
    const transactions = await withBareDatabase(server, (bare) => measureMachine(bare, seconds))
    await printImport(options, imported, transactions)
  } finally {
    await sql.end({ timeout: 5 })
    await dropDatabase(server, url)
  }
}

async function insertClient(sql: Sql): Promise<void> {
  const parentId = await insertParty(sql, {
    referenceCode: 'BENCH-AGENCY',
    name: 'Bench agency',
    parentId: null,
  })
  const client = await insertParty(sql, { referenceCode: clientCode, name: 'Bench AB', parentId })
  await sql`update party set country_code = 'SE', currency_code = 'SEK', interest_rate = 11.5 where id = ${client}`
}

/** A case of each debtor, of one client. */
async function writeCases(sql: Sql, path: string, debtors: number): Promise<void> {
  const clock = await startBusinessClock(sql, { timeZone: 'UTC', steps: [], onError: () => {} })
  const today = clock.today()
  clock.stop()
  const file = await open(path, 'w')
  try {
    await file.appendFile(`${caseColumns.join(',')}\r\n`)
    for (let number = 1; number <= debtors; number++) {
      const padded = String(number).padStart(6, '0')
      const due = addDays(today, -30 - (number % 300))
      const principal = 500 + (number % 997) * 10
      await file.appendFile(
        `CASE-${padded},${clientCode},DEMO-1-${padded},COLLECTION,SEK,${principal},60,F${number},${addDays(due, -30)},${due}\r\n`,
      )
    }
  } finally {
    await file.close()
  }
}

/** Returns the seconds that it took. */
async function copyRows(
  sql: Sql,
  { what, file, columns }: { what: What; file: string; columns: readonly string[] },
): Promise<number> {
  await sql.unsafe(`create table bare_${what} (${columns.map((name) => `"${name}" text`).join(', ')})`)
  const begin = performance.now()
  const copying = await sql.unsafe(`copy bare_${what} from stdin (format csv, header match)`).writable()
  await pipeline(createReadStream(file), copying)
  return (performance.now() - begin) / 1000
}

async function requireRows(sql: Sql, what: What, wanted: number): Promise<void> {
  const [loaded] = await sql.unsafe<{ rows: number }[]>(
    `select count(*)::int as rows from ${{ debtors: 'debtor', cases: 'debt_case' }[what]}`,
  )
  if (loaded!.rows !== wanted) throw new Error(`The import left ${loaded!.rows} ${what} of ${wanted}.`)
}

async function printImport(
  { debtors: rows, json }: ImportOptions,
  imported: readonly Imported[],
  transactions: number | null,
): Promise<void> {
  const lines = imported.flatMap(({ what, copySeconds, seconds, peakBytes }) => {
    const rate = rows / seconds
    const memory =
      peakBytes === null ? '-' : `${(peakBytes / 1e6).toFixed(0)} MB ${formatMark(peakBytes < targetBytes)}`
    return [
      [`${what}: bare COPY`, (rows / copySeconds).toFixed(0), copySeconds.toFixed(1), '-', '-', '-'],
      [
        `${what}: fordra import`,
        `${rate.toFixed(0)} ${formatMark(rate >= targetRows[what])}`,
        seconds.toFixed(1),
        `${((copySeconds / seconds) * 100).toFixed(1)}%`,
        transactions === null ? '-' : (rate / transactions).toFixed(2),
        memory,
      ],
    ]
  })
  const targets = `targets ${targetRows.debtors} debtors/s, ${targetRows.cases} cases/s and less than ${targetBytes / 1e6} MB`
  const machine = transactions === null ? 'not installed' : `${transactions.toFixed(0)} a second`
  process.stdout.write(
    `${rows} debtors with their addresses and a case each; ${targets}. pgbench (simple-update): ${machine}.\n\n` +
      `${formatTable(['', 'rows/s', 's', 'of COPY', 'rows of pgbench', 'peak memory'], lines)}\n`,
  )
  if (json !== undefined)
    await writeFile(json, `${JSON.stringify({ debtors: rows, transactions, imported }, null, 2)}\n`)
}
