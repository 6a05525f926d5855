import { openDatabase } from '../../server/platform/database/database.ts'
import { generateNewDebtors } from './load-debtors.ts'
import type { Supply } from '../scenarios/scenarios.ts'

const keysMax = 20_000

/** Takes random debtors out of the database; the same ones each time, so that runs compare. */
export async function openSupply(url: string, debtors: number): Promise<Supply & { keys: string[] }> {
  const sql = openDatabase(url, { max: 1, applicationName: 'fordra bench' })
  let keys: string[]
  try {
    const rows = await sql<{ id: string }[]>`
      select id from debtor order by md5(debtor_reference) limit ${keysMax}`
    keys = rows.map(({ id }) => id)
  } finally {
    await sql.end({ timeout: 5 })
  }
  const newDebtors = generateNewDebtors(debtors)
  let key = 0
  let number = 0
  return {
    keys,
    nextKey: () => keys[key++ % keys.length]!,
    nextDebtor: () => newDebtors.next().value!,
    nextNumber: () => ++number,
  }
}
