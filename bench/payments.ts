/** Payments over HTTP, each on a case of its own: registered, allocated and booked. */
import { basePath } from '../contract/api.ts'
import { openDatabase } from '../server/database/database.ts'
import { verifyLedger } from '../server/cases/verify-ledger.ts'
import { chooseDriver } from './drive.ts'
import { signIn, startProduct } from './servers.ts'
import { medianOf } from './statistics.ts'
import { formatTable, markOf, targetConnections } from './table.ts'

const target = 500
/** Cases enough for the fastest machine: each is paid once. */
const mostASecond = 4000

export async function measurePayments(
  url: string,
  {
    seconds,
    rounds,
    folder,
    report,
  }: { seconds: number; rounds: number; folder: string; report: (line: string) => void },
): Promise<string> {
  const product = await startProduct({ url, folder })
  const sql = openDatabase(url, { max: 1, applicationName: 'fordra bench' })
  const rates: number[] = []
  try {
    const token = await signIn(product.address)
    const driver = chooseDriver(folder)
    for (let round = 1; round <= rounds; round++) {
      const cases = await sql<{ id: string }[]>`
        select id from debt_case where movement_count = 0 and status <> 'CLOSED' limit ${seconds * mostASecond}`
      report(`  payments, round ${round}`)
      const { rate, errors } = await driver.drive({
        address: product.address,
        headers: { authorization: `Bearer ${token}` },
        requests: cases.map(({ id }) => ({
          method: 'POST' as const,
          path: `${basePath}/system/forms/payment/register`,
          body: { caseGuid: id, amount: 10 },
        })),
        connections: targetConnections,
        seconds,
      })
      if (errors > 0) throw new Error(`${errors} payments failed.`)
      rates.push(rate)
    }
    const { faults } = await verifyLedger(sql)
    if (faults.length > 0) throw new Error(`The ledger has ${faults.length} faults.`)
  } finally {
    await sql.end({ timeout: 5 })
    await product.stop()
  }
  const rate = medianOf(rates)
  const rows = [['payments', rate.toFixed(0), `${target} ${markOf(rate >= target)}`]]
  return `Payments on distinct cases, ${targetConnections} connections.\n\n${formatTable(['', 'a second', 'target'], rows)}`
}
