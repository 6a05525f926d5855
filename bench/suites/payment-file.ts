/** `fordra import payment-file` of a camt.054 with a payment on each of many cases. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { verifyLedger } from '../../server/ledger/verify-ledger.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { camtDetail, camtEntry, camtFrame } from '../../server/testing/records/files.ts'
import { dropDatabase, prepareDatabase, type BenchServer } from '../load/databases.ts'
import { loadCases } from '../load/load-cases.ts'
import { formatTable, formatMark } from '../report/table.ts'

const targetSeconds = 60
const root = join(import.meta.dirname, '../..')

interface PaymentFileOptions {
  debtors: number
  folder: string
  keep: boolean
  report: (line: string) => void
}

/** As many entries as there are debtors, each with a case of its own. */
export async function runPaymentFileBench(
  server: BenchServer,
  { debtors, folder, keep, report }: PaymentFileOptions,
): Promise<void> {
  const url = await prepareDatabase(server, debtors, report)
  const sql = openDatabase(url, { max: 1, applicationName: 'fordra bench' })
  try {
    await loadCases(url, { perDebtor: 1 }, report)
    const file = join(folder, 'camt054.xml')
    const entries = await writeFile(sql, file)
    report(`Importing a camt.054 with ${entries} entries`)
    const begin = performance.now()
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(root, 'cli', 'main.ts'), 'import', 'payment-file', file],
      { cwd: root, env: { ...process.env, DATABASE_URL: url }, stdio: 'inherit' },
    )
    const [code] = (await once(child, 'exit')) as [number | null]
    const seconds = (performance.now() - begin) / 1000
    if (code !== 0) throw new Error(`The import ended with ${code}.`)
    const { faults } = await verifyLedger(sql)
    if (faults.length > 0) throw new Error(`The ledger has ${faults.length} faults.`)
    const rate = (entries / seconds).toFixed(0)
    const limit = (targetSeconds * entries) / 100_000
    const rows = [
      [`camt.054, ${entries} entries`, seconds.toFixed(1), rate, `${limit} s ${formatMark(seconds < limit)}`],
    ]
    process.stdout.write(`${formatTable(['', 'seconds', 'a second', 'target'], rows)}\n`)
  } finally {
    await sql.end({ timeout: 5 })
    if (!keep) await dropDatabase(server, url)
  }
}

async function writeFile(sql: Sql, file: string): Promise<number> {
  const cases = await sql<{ reference: string }[]>`
    select payment_reference_number as reference from debt_case where status <> 'CLOSED' order by md5(id::text)`
  const out = createWriteStream(file)
  const total = cases.reduce((sum, _, index) => sum + makeAmount(index), 0)
  const { head, foot } = camtFrame({ count: cases.length, total, date: today() })
  out.write(head)
  for (const [index, { reference }] of cases.entries()) {
    const amount = makeAmount(index)
    const detail = camtDetail({ reference, amount, payer: `Payer ${index}`, bankReference: `BENCH${index}` })
    if (!out.write(camtEntry(amount, detail, { date: today() }))) await once(out, 'drain')
  }
  out.end(foot)
  await once(out, 'close')
  return cases.length
}

const makeAmount = (index: number) => 10_000 + (index % 997)
const today = () => new Date().toISOString().slice(0, 10)
