import { sealAudit, verifyAudit } from '../server/events/audit-seal.ts'
import { verifyLedger } from '../server/cases/verify-ledger.ts'
import { openConfigured } from '../server/main.ts'
import { verifyTrust } from '../server/payment-files/verify-trust.ts'
import { loadSettings, report } from './settings.ts'

export async function runMigrate(): Promise<void> {
  const database = await openConfigured(loadSettings(), report)
  await database.close()
  report('The database is at this version.')
}

/** Sets the exit code to 2 when the chain is broken, or the books do not add up. */
export async function runVerify(): Promise<void> {
  const database = await openConfigured(loadSettings(), report)
  try {
    await sealAudit(database.sql)
    const { seals, entries, brokenAt } = await verifyAudit(database.sql)
    if (brokenAt === null) {
      process.stdout.write(`The audit trail is whole: ${entries} entries under ${seals} seals.\n`)
    } else {
      process.stdout.write(
        `The audit trail is broken at seal ${brokenAt}: an entry under it was changed, removed or added. The ${entries} entries before it are whole.\n`,
      )
      process.exitCode = 2
    }
    const { cases, transactions, faults } = await verifyLedger(database.sql)
    if (faults.length === 0) {
      process.stdout.write(`The books are right: ${cases} cases with ${transactions} transactions.\n`)
    } else {
      for (const { caseNumber, fault } of faults)
        process.stdout.write(`${caseNumber === null ? 'The books' : `Case ${caseNumber}`}: ${fault}.\n`)
      process.exitCode = 2
    }
    for (const fault of await verifyTrust(database.sql)) {
      process.stdout.write(`The books of bank files and payouts: ${fault}.\n`)
      process.exitCode = 2
    }
  } finally {
    await database.close()
  }
}
