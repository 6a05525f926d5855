/** The maintenance commands of an installation. */
import { sealAudit, verifyAudit } from '../../platform/events/audit-seal.ts'
import { describeAudit, isWhole } from '../../platform/events/describe-audit.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { JobFailure, type JobResult, type RunningJob } from '../../platform/jobs/job.ts'
import { retryJobs } from '../../platform/jobs/jobs.store.ts'
import type { LedgerCheck } from '../../access/serve/slice.ts'
import type { CommandHandler } from '../../platform/jobs/command.ts'
import { rebuildItems } from './commands.store.ts'

/** Verifies the hash chain over the audit entries. */
export const checkAuditChain: LedgerCheck = async (sql) => {
  await sealAudit(sql)
  const audit = await verifyAudit(sql)
  if (!isWhole(audit)) throw new JobFailure(describeAudit(audit).join(' '))
  const { seals, entries } = audit
  return { auditSeals: seals, auditEntries: entries }
}

/** Runs items one after the other. Reports progress before each item and at the end. */
async function runInTurn<T>(
  items: readonly T[],
  progress: RunningJob['progress'],
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    await progress(index, items.length)
    await work(item)
  }
  await progress(items.length, items.length)
}

export const verifyLedgerCommand = (checks: readonly LedgerCheck[]): CommandHandler => ({
  command: 'verify-ledger',
  run: async ({ sql, progress }) => {
    const figures: JobResult = {}
    await runInTurn(checks, progress, async (check) => void Object.assign(figures, await check(sql)))
    return figures
  },
})

export const purgeExpiredCommand = (purges: readonly ((db: Db) => Promise<void>)[]): CommandHandler => ({
  command: 'purge-expired',
  run: async ({ sql, progress }) => {
    await runInTurn(purges, progress, (purge) => purge(sql))
    return { purged: purges.length }
  },
})

export const retryJobsCommand: CommandHandler = {
  command: 'retry-jobs',
  run: (job) => job.complete(async (tx) => ({ retried: await retryJobs(tx, null) })),
}

export const rebuildSearchCommand: CommandHandler = {
  command: 'rebuild-search',
  run: (job) => job.complete(async (tx) => ({ ...(await rebuildItems(tx)) })),
}
