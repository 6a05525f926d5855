import { sealAudit, verifyAudit } from '../server/events/audit-seal.ts'
import { openConfigured } from '../server/main.ts'
import { loadSettings, report } from './settings.ts'

export async function runMigrate(): Promise<void> {
  const database = await openConfigured(loadSettings(), report)
  await database.close()
  report('The database is at this version.')
}

/** Sets the exit code to 2 when the chain is broken. */
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
  } finally {
    await database.close()
  }
}
