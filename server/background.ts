/** What runs in the background, of every slice: the steps of the day-end, the books to check, what expires, the commands. */
import { rollCases } from './ledger/accrual.ts'
import { closeDue } from './cases/day-end.ts'
import { describeFault, verifyLedger } from './ledger/verify-ledger.ts'
import type { CommandHandler } from './platform/jobs/command.ts'
import { dayEndCommand, type DayEndStep } from './integration/commands/day-end.ts'
import {
  checkAuditChain,
  purgeExpiredCommand,
  rebuildSearchCommand,
  retryJobsCommand,
  verifyLedgerCommand,
  type LedgerCheck,
} from './integration/commands/upkeep.ts'
import { inTransaction } from './platform/database/transaction.ts'
import { purgeDeliveries } from './integration/feed/webhooks.store.ts'
import { ApiError } from './platform/http/errors.ts'
import { deleteOldAnswers } from './platform/http/idempotency.ts'
import type { Service } from './access/serve/service.ts'
import { importCommand } from './integration/imports/import-upload.ts'
import { purgeUploads } from './integration/imports/uploads.store.ts'
import { JobFailure } from './platform/jobs/job.ts'
import { purgeJobs } from './platform/jobs/jobs.store.ts'
import { purgeMessages } from './platform/messages/messages.store.ts'
import { runChunks } from './platform/jobs/chunked-work.ts'
import { checkTrust } from './treasury/bank-files/verify-trust.ts'
import { checkPlans } from './plans/check-plans.ts'
import { purgeServiceData } from './integration/services/services.store.ts'
import { applyStrategies, applyStrategiesCommand } from './collection/strategies/apply-strategies.ts'
import { deleteOldChallenges } from './access/second-factors/mfa.store.ts'
import { deleteEndedSessions } from './access/sessions/sessions.store.ts'
import { deleteOldResets } from './access/users/password-reset.store.ts'

/**
 * What the end of a business date does, in this order. The date itself brings the interest (`dateSteps`). A chunk has as many
 * rows as suits its step, unless given.
 */
export const dayEndSteps = (chunkRows?: number): readonly DayEndStep[] => [
  { name: 'close-time-barred', work: closeDue('TIME_BARRED', chunkRows) },
  { name: 'close-small-balances', work: closeDue('SMALL_BALANCE', chunkRows) },
  { name: 'check-payment-plans', work: checkPlans(chunkRows) },
  { name: 'apply-strategies', work: applyStrategies(chunkRows) },
]

const checkMoney: LedgerCheck = async (sql) => {
  const { cases, transactions, faults } = await verifyLedger(sql)
  const [first] = faults
  if (first) throw new JobFailure(`${describeFault(first)} ${faults.length} faults were found in all.`)
  return { cases, ledgerTransactions: transactions }
}

/** The books that `verify-ledger` checks. */
export const ledgerChecks: readonly LedgerCheck[] = [checkAuditChain, checkMoney, checkTrust]

/** What has expired, in any slice. */
export const purges = [
  deleteOldAnswers,
  deleteEndedSessions,
  deleteOldChallenges,
  deleteOldResets,
  purgeMessages,
  purgeJobs,
  purgeServiceData,
  purgeDeliveries,
  purgeUploads,
]

/** Interest follows the business date by itself; this reckons it anew for a date that has come. */
const accrueInterestCommand = ({ clock }: Service): CommandHandler => ({
  command: 'accrue-interest',
  check: ([date]) => {
    if (date === undefined || date === clock.today()) return
    const today = clock.today()
    throw new ApiError(
      'unprocessable',
      `Interest is that of the business date, ${today}. Set the date by PUT /system/systemdate first.`,
      {
        errors: { 'argument[0]': [`must be the business date, ${today}.`] },
      },
    )
  },
  run: async ({ sql }) => {
    await clock.roll()
    const today = clock.today()
    await inTransaction(sql, (tx) => rollCases(tx, { from: today, to: today }))
    const [row] = await sql<{ cases: number }[]>`
      select count(*)::int as cases from debt_case where accrual_per_day <> 0`
    return { date: today, cases: row!.cases }
  },
})

const checkPlansCommand: CommandHandler = {
  command: 'check-payment-plans',
  run: async ({ sql, origin, progress }) => {
    const work = checkPlans()
    const total = await work.count(sql, origin)
    return { ...(await runChunks(sql, work, origin, (worked) => progress(Math.min(worked, total), total))) }
  },
}

/** What the commands do. */
export const commandHandlers = (service: Service): CommandHandler[] => [
  dayEndCommand(service.clock, dayEndSteps()),
  accrueInterestCommand(service),
  applyStrategiesCommand(service.clock),
  checkPlansCommand,
  verifyLedgerCommand(ledgerChecks),
  retryJobsCommand,
  purgeExpiredCommand(purges),
  rebuildSearchCommand,
  importCommand({
    countryCode: service.settings.FORDRA_COUNTRY,
    currencyCode: service.settings.FORDRA_CURRENCY,
  }),
]
