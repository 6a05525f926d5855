/** Payments over HTTP, each on a case of its own: registered, allocated and booked. */
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { basePath } from '../../contract/api.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { verifyLedger } from '../../server/ledger/verify-ledger.ts'
import { dropDatabase, prepareDatabase, type BenchServer } from '../load/databases.ts'
import { chooseDriver } from '../drive/drive.ts'
import { loadCases } from '../load/load-cases.ts'
import { signIn, startProduct } from '../drive/servers.ts'
import { computeMedian } from '../report/statistics.ts'
import { formatTable, formatMark, targetConnections } from '../report/table.ts'

const target = 500
/** Cases enough for the fastest machine: each is paid once. */
const mostASecond = 4000

interface PaymentOptions {
  debtors: number
  seconds: number
  rounds: number
  keep: boolean
  folder: string
  report: (line: string) => void
}

export async function runPaymentBench(
  server: BenchServer,
  { debtors, seconds, rounds, keep, folder, report }: PaymentOptions,
): Promise<void> {
  const url = await prepareDatabase(server, debtors, report)
  const sql = openDatabase(url, { max: 1, applicationName: 'fordra bench' })
  try {
    await loadCases(url, {}, report)
    const product = await startProduct({ url, folder })
    const measured = measurePayments(sql, { address: product.address, seconds, rounds, folder, report })
    const rate = computeMedian(await measured.finally(() => product.stop()))
    const { faults } = await verifyLedger(sql)
    if (faults.length > 0) throw new Error(`The ledger has ${faults.length} faults.`)
    const rows = [['payments', rate.toFixed(0), `${target} ${formatMark(rate >= target)}`]]
    process.stdout.write(
      `Payments on distinct cases, ${targetConnections} connections, median of ${rounds} rounds of ${seconds} s.\n\n` +
        `${formatTable(['', 'a second', 'target'], rows)}\n`,
    )
  } finally {
    await sql.end({ timeout: 5 })
    if (!keep) await dropDatabase(server, url)
  }
}

/** The rate of each round. */
async function measurePayments(
  sql: Sql,
  {
    address,
    seconds,
    rounds,
    folder,
    report,
  }: Pick<PaymentOptions, 'seconds' | 'rounds' | 'folder' | 'report'> & { address: string },
): Promise<number[]> {
  const token = await signIn(address)
  const driver = chooseDriver(folder)
  const drive = async (length: number) => {
    const cases = await sql<{ id: string }[]>`
        select id from debt_case where movement_count = 0 and status <> 'CLOSED' limit ${length * mostASecond}`
    const { rate, errors } = await driver.drive({
      address,
      headers: { authorization: `Bearer ${token}` },
      requests: cases.map(({ id }) => ({
        method: 'POST' as const,
        path: `${basePath}/system/forms/payment/register`,
        body: { caseGuid: id, amount: 10 },
      })),
      connections: targetConnections,
      seconds: length,
    })
    if (errors > 0) throw new Error(`${errors} payments failed.`)
    return rate
  }
  await drive(2)
  // What the database has planned for empty tables reads them whole; within a minute autovacuum sees to that.
  await sql`analyze payment, movement`
  const rates: number[] = []
  for (let round = 1; round <= rounds; round++) {
    report(`  payments, round ${round}`)
    rates.push(await drive(seconds))
  }
  return rates
}
