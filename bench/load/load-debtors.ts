/** Fills a database through the product's own checks and insert, so that its rows are what a caller would have made. */
import { prepareDebtor } from '../../server/parties/debtors/debtors.changes.ts'
import { insertDebtors } from '../../server/parties/debtors/insert-debtors.store.ts'
import { readSettings } from '../../server/platform/config.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { sealAudit } from '../../server/platform/events/audit-seal.ts'
import { ensureFirstUsers } from '../../server/access/users/first-users.ts'
import { findAgency } from '../../server/access/users/parties.store.ts'
import { beginCustomFields, finishCustomFields } from './custom-fields.ts'
import { generateDebtors, type DemoDebtor } from '../../cli/demo/debtors.ts'

/** Of the administrator that the bench signs in as. */
export const benchLogin = { login: 'bench@fordra.example', password: 'measured again and again' }

const chunkRows = 1000
const rowsBetweenReports = 100_000

export async function loadDebtors(url: string, count: number, report: (line: string) => void): Promise<void> {
  const sql = openDatabase(url, { applicationName: 'fordra bench' })
  const today = new Date().toISOString().slice(0, 10)
  const origin = { actorId: null, requestId: null, operation: 'bench', businessDate: today }
  try {
    const settings = readSettings({
      FORDRA_ADMIN_EMAIL: benchLogin.login,
      FORDRA_ADMIN_PASSWORD: benchLogin.password,
    })
    await ensureFirstUsers(sql, settings, today)
    const partyId = (await findAgency(sql)) ?? null
    await beginCustomFields(sql)
    let rows = 0
    for (const chunk of splitChunks(generateDebtors({ seed: 1, count }))) {
      const debtors = chunk.map((input) => ({
        ...prepareDebtor(input, { countryCode: settings.FORDRA_COUNTRY, today }),
        sourceReference: null,
      }))
      const inserted = await insertDebtors(sql, debtors, { origin, partyId })
      if (inserted.includes(undefined)) throw new Error('The demo has two debtors with one identity number.')
      await sealAudit(sql)
      rows += chunk.length
      if (rows % rowsBetweenReports === 0) report(`  ${rows} of ${count}`)
    }
    await finishCustomFields(sql)
    await sql`vacuum (analyze)`
    await sql`checkpoint`
  } finally {
    await sql.end({ timeout: 5 })
  }
}

function* splitChunks(debtors: Iterable<DemoDebtor>): Generator<DemoDebtor[]> {
  let chunk: DemoDebtor[] = []
  for (const debtor of debtors) {
    chunk.push(debtor)
    if (chunk.length < chunkRows) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

/**
 * Input for so many more debtors than the database has: those that the demo would make next, and when it has no more
 * identity numbers to give, others without.
 */
export function* generateNewDebtors(present: number): Generator<Partial<DemoDebtor>> {
  const most = 1_100_000
  let number = 0
  for (const debtor of generateDebtors({ seed: 1, count: most })) {
    if (number++ >= present) yield debtor
  }
  for (;;) {
    for (const { idNumber: _used, ...debtor } of generateDebtors({ seed: 2, count: most })) yield debtor
  }
}
