/** A payment that no bank file brought lowers the debt by somebody's word, so it may need a second person. */
import { requireSecondPerson } from '../access/approvals/second-person.ts'
import type { MoneyRows } from '../claims/money-rows.store.ts'
import type { Caller, Origin } from '../platform/http/caller.ts'
import type { Db } from '../platform/database/transaction.ts'

/** Takes the rows of one payment. Throws `ApprovalNeeded`. */
export async function requireTwoForPayment(
  tx: Db,
  caller: Caller,
  rows: Pick<MoneyRows, 'payments' | 'movements'>,
  origin: Origin,
): Promise<void> {
  const [payment] = rows.payments as { id: string; currency_code: string; amount: number }[]
  const { id, currency_code: currencyCode, amount } = payment!
  const movements = rows.movements as { case_id: string; payment_id?: string | null; amount: number }[]
  const shares = movements
    .filter((one) => one.payment_id === id)
    .map((one) => ({ caseGuid: one.case_id, amount: BigInt(one.amount) }))
  const value = { amount: BigInt(amount), currencyCode }
  await requireSecondPerson(tx, caller, origin, { act: 'PAYMENT', value, shares })
}
