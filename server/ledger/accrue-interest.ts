import type { ServerContext } from '../access/serve/server-context.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { ApiError, writeDay } from '../platform/http/errors.ts'
import type { CommandHandler } from '../platform/jobs/command.ts'
import { rollCases } from './accrual.ts'

/**
 * Recomputes interest for the current business date. The roll of the business date already does this; the
 * command repeats it.
 */
export const accrueInterestCommand = ({ clock }: Pick<ServerContext, 'clock'>): CommandHandler => ({
  command: 'accrue-interest',
  check: ([date], _db, { language }) => {
    if (date === undefined || date === clock.today()) return
    const today = writeDay(clock.today(), language)
    throw new ApiError(
      'unprocessable',
      `Interest can be accrued only for the business date, ${today}. To accrue for another date, change the business date first.`,
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
