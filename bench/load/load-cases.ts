/** Fills a database that has debtors with cases, through the product's own insert: open ones on which interest accrues. */
import { findClientTerms } from '../../server/claims/client-terms.ts'
import { insertCases } from '../../server/cases/insert-cases.ts'
import { holdDate } from '../../server/ledger/ledger.store.ts'
import { newCase, type BenchCase } from './plausible-cases.ts'
import { startBusinessClock } from '../../server/platform/clock/business-clock.ts'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { inTransaction } from '../../server/platform/database/transaction.ts'
import { findAgency, insertParty } from '../../server/access/users/parties.store.ts'

const debtorsAtOnce = 100
const casesBetweenReports = 30_000
const clientCode = 'BENCH-CASES'

/** So many cases for each debtor, or for as many debtors as `most` cases need. */
export async function loadCases(
  url: string,
  { perDebtor = 3, most = Infinity }: { perDebtor?: number; most?: number },
  report: (line: string) => void,
): Promise<number> {
  const sql = openDatabase(url, { max: 2, applicationName: 'fordra bench' })
  try {
    const clientGuid = await insertParty(sql, {
      referenceCode: clientCode,
      name: 'Bench AB',
      parentId: (await findAgency(sql))!,
    })
    const loader = await openCaseLoader(sql)
    const debtors = await sql<
      { id: string }[]
    >`select id from debtor order by id limit ${Math.ceil(Math.min(most, 1e9) / perDebtor)}`
    report(`Making ${debtors.length * perDebtor} cases`)
    const ids = debtors.map(({ id }) => id)
    const made = await loader.insert(clientGuid, ids, { perDebtor, report })
    await sql`vacuum (analyze)`
    return made
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Opens a loader, which gives a client its terms and inserts cases of that client. */
export async function openCaseLoader(sql: Sql) {
  const clock = await startBusinessClock(sql, { timeZone: 'UTC', steps: [], onError: () => {} })
  const today = clock.today()
  clock.stop()
  const origin = { actorId: null, requestId: null, operation: 'bench', businessDate: today }
  const insert = async (
    clientGuid: string,
    debtors: readonly string[],
    { perDebtor, report = () => {} }: { perDebtor: number; report?: (line: string) => void },
  ): Promise<number> => {
    await sql`update party set country_code = 'SE', currency_code = 'SEK', interest_rate = 11.5 where id = ${clientGuid}`
    const client = (await findClientTerms(sql, clientGuid))!
    let made = 0
    for (let first = 0; first < debtors.length; first += debtorsAtOnce) {
      const cases: BenchCase[] = debtors
        .slice(first, first + debtorsAtOnce)
        .flatMap((id) =>
          Array.from({ length: perDebtor }, (_, index) => newCase(client, id, made + index, today)),
        )
      await inTransaction(sql, async (tx) => {
        await holdDate(tx)
        await insertCases(tx, cases, { origin })
      })
      made += cases.length
      if (made % casesBetweenReports === 0) report(`  ${made}`)
    }
    return made
  }
  return { insert }
}
