import { sealAudit, verifyAudit } from '../../server/platform/events/audit-seal.ts'
import { describeFault, verifyLedger, type LedgerProof } from '../../server/ledger/verify-ledger.ts'
import { openConfigured } from '../../server/main.ts'
import { verifyTrust } from '../../server/treasury/bank-files/verify-trust.ts'
import { loadSettings, report } from '../settings.ts'

export async function runMigrate(options: { json?: boolean }): Promise<void> {
  const database = await openConfigured(loadSettings(), report)
  const [row] = await database.sql<{ last: number }[]>`select max(number) as last from schema_migration`
  await database.close()
  report('The database is at this version.')
  if (options.json) process.stdout.write(`${JSON.stringify({ migration: row!.last })}\n`)
}

/** Sets the exit code to 2 when the chain is broken or the ledger is wrong. Works beside a running server. */
export async function runVerify(options: { json?: boolean }): Promise<void> {
  const database = await openConfigured(loadSettings(), report, { beside: true, existing: true })
  try {
    await sealAudit(database.sql)
    const audit = await verifyAudit(database.sql)
    const books = await verifyLedger(database.sql)
    const trust = await verifyTrust(database.sql)
    const isRight = audit.brokenAt === null && books.faults.length === 0 && trust.length === 0
    if (options.json) process.stdout.write(`${JSON.stringify({ isRight, audit, books, trust })}\n`)
    else process.stdout.write([describeAudit(audit), ...describeBooks(books, trust), ''].join('\n'))
    if (!isRight) process.exitCode = 2
  } finally {
    await database.close()
  }
}

function describeAudit({ seals, entries, brokenAt }: Awaited<ReturnType<typeof verifyAudit>>): string {
  if (brokenAt === null) return `The audit trail is whole: ${entries} entries under ${seals} seals.`
  return `The audit trail is broken at seal ${brokenAt}: an entry under it was changed, removed or added. The ${entries} entries before it are whole.`
}

function describeBooks({ cases, transactions, faults }: LedgerProof, trust: readonly string[]): string[] {
  if (faults.length + trust.length === 0)
    return [`The books are right: ${cases} cases with ${transactions} transactions.`]
  return [...faults.map(describeFault), ...trust.map((fault) => `The trust books: ${fault}.`)]
}
