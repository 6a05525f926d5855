/** Many payments on one case, booked at once: one by one, each would derive the whole ledger again. */
import { registerPayments } from '../../payments/register-payments.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { TestApi } from '../api.ts'
import { agencyCaller, contextOn } from './cases.ts'

/** So many payments of 1. */
export async function payOften(
  { sql }: TestApi,
  { caseGuid, times, date }: { caseGuid: string; times: number; date: string },
): Promise<void> {
  const requests = Array.from({ length: times }, (_, number) => ({
    input: { caseGuid, amount: 1 },
    sourceReference: `${caseGuid}/${number}`,
  }))
  const { origin } = contextOn(date)
  const outcomes = await inTransaction(sql, (tx) => registerPayments(tx, agencyCaller, requests, origin))
  for (const outcome of outcomes) if (outcome instanceof ApiError) throw outcome
}
