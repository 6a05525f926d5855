/** Databases of two sizes for the test of growth: debtors, cases of 50 clients of unlike size, and payments. */
import { insertParty, findAgency } from '../../server/access/users/parties.store.ts'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import type { Report } from '../load/databases.ts'
import { startClaims } from '../load/load-cases.ts'

const clients = 50
/** The first client has two of five debtors; the others share the rest. */
const shareOfLargest = 0.4

export const clientCode = (number: number): string => `GROWTH-${number}`

/** One case for each debtor. */
export async function loadPortfolio(url: string, report: Report): Promise<void> {
  const sql = openDatabase(url, { max: 2, applicationName: 'fordra bench' })
  try {
    const claims = await startClaims(sql)
    const debtors = await listDebtors(sql)
    const parts = divideDebtors(debtors)
    for (const [number, part] of parts.entries()) {
      const clientGuid = await insertParty(sql, {
        referenceCode: clientCode(number),
        name: `Client ${number}`,
        parentId: (await findAgency(sql))!,
      })
      await claims.insert(clientGuid, part, { perDebtor: 1 })
      if (number % 10 === 0) report(`  cases of client ${number} of ${clients}`)
    }
    await sql`vacuum (analyze)`
    await sql`checkpoint`
  } finally {
    await sql.end({ timeout: 5 })
  }
}

const listDebtors = async (sql: Sql): Promise<string[]> =>
  (await sql<{ id: string }[]>`select id from debtor order by md5(debtor_reference)`).map(({ id }) => id)

function divideDebtors(debtors: readonly string[]): string[][] {
  const first = Math.round(debtors.length * shareOfLargest)
  const each = Math.ceil((debtors.length - first) / (clients - 1))
  const begins = Array.from({ length: clients }, (_, number) =>
    number === 0 ? 0 : first + (number - 1) * each,
  )
  return begins.map((begin, number) => debtors.slice(begin, begins[number + 1] ?? debtors.length))
}
