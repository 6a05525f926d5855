import { openDatabase } from '../../server/platform/database/database.ts'
import { drawUpdate, openValues, readSubjects, type WriteSource } from '../drawn/drawn-writes.ts'
import { createRandom } from '../drawn/random.ts'
import type { Supply } from '../scenarios/scenarios.ts'
import { generateNewDebtors } from './load-debtors.ts'

const keysMax = 20_000

/** Takes random debtors out of the database; the same ones each time, so that runs compare. */
export async function openSupply(
  url: string,
  debtors: number,
): Promise<Supply & { keys: string[]; writes: WriteSource }> {
  const sql = openDatabase(url, { max: 1, applicationName: 'fordra bench' })
  try {
    const rows = await sql<{ id: string }[]>`
      select id from debtor order by md5(debtor_reference) limit ${keysMax}`
    const keys = rows.map(({ id }) => id)
    const newDebtors = generateNewDebtors(debtors)
    const nextDebtor = () => newDebtors.next().value!
    let number = 0
    const writes = {
      subjects: await readSubjects(sql),
      nextDebtor,
      nextNumber: () => ++number,
      nextValue: openValues(nextDebtor),
    }
    let key = 0
    const random = createRandom(1)
    return {
      keys,
      nextKey: () => keys[key++ % keys.length]!,
      nextDebtor,
      nextUpdate: () => drawUpdate(random, writes),
      writes,
    }
  } finally {
    await sql.end({ timeout: 5 })
  }
}
