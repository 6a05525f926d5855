/** `fordra import payment-file` of a camt.054 with a payment on each of many cases. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { verifyLedger } from '../../server/ledger/verify-ledger.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { camtDetail, camtEntry, camtFrame } from '../../server/testing/records/files.ts'
import { measureMachine } from '../drive/pgbench.ts'
import { runCommand } from '../drive/run-command.ts'
import { dropDatabase, prepareDatabase, withBareDatabase, type BenchServer } from '../load/databases.ts'
import { loadCases } from '../load/load-cases.ts'
import { formatTable, formatMark } from '../report/table.ts'

/** Of 20,000 entries. */
const targetSeconds = 5
const targetEntries = 20_000
const targetBytes = 300e6

interface PaymentFileOptions {
  debtors: number
  seconds: number
  folder: string
  keep: boolean
  report: (line: string) => void
}

/** As many entries as there are debtors, each with a case of its own. */
export async function runPaymentFileBench(
  server: BenchServer,
  { debtors, folder, keep, seconds: measured, report }: PaymentFileOptions,
): Promise<void> {
  const url = await prepareDatabase(server, debtors, report)
  const sql = openDatabase(url, { max: 1, applicationName: 'fordra bench' })
  try {
    await loadCases(url, { perDebtor: 1 }, report)
    const file = join(folder, 'camt054.xml')
    const entries = await writeFile(sql, file)
    report(`Importing a camt.054 with ${entries} entries`)
    const { seconds, peakBytes } = await runCommand(url, ['import', 'payment-file', file])
    const { faults } = await verifyLedger(sql)
    if (faults.length > 0) throw new Error(`The ledger has ${faults.length} faults.`)
    const transactions = await withBareDatabase(server, (bare) => measureMachine(bare, measured))
    print({ entries, seconds, peakBytes, transactions })
  } finally {
    await sql.end({ timeout: 5 })
    if (!keep) await dropDatabase(server, url)
  }
}

function print({
  entries,
  seconds,
  peakBytes,
  transactions,
}: {
  entries: number
  seconds: number
  peakBytes: number | null
  /** Of pgbench, a second. */
  transactions: number | null
}): void {
  const rate = entries / seconds
  const limit = (targetSeconds * entries) / targetEntries
  const memory =
    peakBytes === null ? '-' : `${(peakBytes / 1e6).toFixed(0)} MB ${formatMark(peakBytes < targetBytes)}`
  const row = [
    `camt.054, ${entries} entries`,
    seconds.toFixed(1),
    rate.toFixed(0),
    transactions === null ? '-' : (rate / transactions).toFixed(2),
    `${limit} s ${formatMark(seconds < limit)}`,
    memory,
  ]
  process.stdout.write(
    `${formatTable(['', 'seconds', 'a second', 'of pgbench', 'target', 'peak memory'], [row])}\n`,
  )
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
