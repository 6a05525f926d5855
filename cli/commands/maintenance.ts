import { anchorFolder } from '../../server/platform/events/anchor.ts'
import { sealAudit, verifyAudit } from '../../server/platform/events/audit-seal.ts'
import { describeAudit, isWhole } from '../../server/platform/events/describe-audit.ts'
import { readStampRules } from '../../server/platform/events/time-stamper.ts'
import { verifyAnchor, type AnchorCheck } from '../../server/platform/events/verify-anchor.ts'
import { describeFault, verifyLedger, type LedgerProof } from '../../server/ledger/verify-ledger.ts'
import { describeTimeStamps } from '../../server/platform/events/verify-time-stamps.ts'
import { readEffective } from '../../server/platform/sandbox/sandbox.ts'
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

/**
 * Sets the exit code to 2 when the chain is broken, is not what was anchored, or the ledger is wrong. Works beside a
 * running server.
 */
export async function runVerify(options: { json?: boolean; anchor?: boolean }): Promise<void> {
  const given = loadSettings()
  const database = await openConfigured(given, report, { beside: true, existing: true })
  try {
    const settings = await readEffective(database.sql, given)
    await sealAudit(database.sql)
    const { audit, anchor } = options.anchor
      ? await verifyAnchor(database.sql, anchorFolder(settings), readStampRules(settings))
      : { audit: await verifyAudit(database.sql), anchor: undefined }
    const books = await verifyLedger(database.sql)
    const trust = await verifyTrust(database.sql)
    const isRight =
      isWhole(audit) && (anchor?.faults ?? []).length === 0 && books.faults.length === 0 && trust.length === 0
    if (options.json) process.stdout.write(`${JSON.stringify({ isRight, audit, anchor, books, trust })}\n`)
    else {
      const lines = [...describeAudit(audit), ...describeAnchor(anchor), ...describeBooks(books, trust)]
      process.stdout.write([...lines, ''].join('\n'))
    }
    if (!isRight) process.exitCode = 2
  } finally {
    await database.close()
  }
}

function describeAnchor(anchor: AnchorCheck | undefined): string[] {
  if (!anchor) return []
  const { heads, lastHead, timeStamps, restores, acceptedKeys, unreadable, faults } = anchor
  return [
    ...(faults.length === 0 && lastHead
      ? [
          `The audit trail is what was anchored: ${heads} heads, the last one seal ${lastHead.seal} of ${lastHead.at}.`,
        ]
      : []),
    ...faults.map((fault) => `The anchor: ${fault}`),
    ...describeTimeStamps(timeStamps),
    ...restores.map((moment) => `The database was restored as of ${moment}.`),
    ...acceptedKeys.map((key) => `A person accepted the key ${key}, which nobody handed over.`),
    ...(unreadable > 0 ? [`The anchor has ${unreadable} lines that cannot be read.`] : []),
  ]
}

function describeBooks({ cases, transactions, faults }: LedgerProof, trust: readonly string[]): string[] {
  if (faults.length + trust.length === 0)
    return [`The books are right: ${cases} cases with ${transactions} transactions.`]
  return [...faults.map(describeFault), ...trust.map((fault) => `The trust books: ${fault}.`)]
}
