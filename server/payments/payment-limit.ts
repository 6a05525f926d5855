/** A payment that no bank file brought lowers the debt by somebody's word, so it may need a second person. */
import { daysBetween } from '../../core/calendar/calendar.ts'
import { requireSecondPerson, type ActOrigin } from '../access/approvals/second-person.ts'
import type { MoneyRows } from '../claims/money-rows.store.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Db } from '../platform/database/transaction.ts'

interface PaymentRow {
  id: string
  currency_code: string
  amount: number
  value_date: string
  registered_date: string
}

/**
 * Takes the rows of one payment. Throws `ApprovalNeeded` for its amount, or for a value date too far back, which saves
 * the interest of the days between. Whoever approves one of them has seen the whole payment, so it covers the other.
 */
export async function requireTwoForPayment(
  tx: Db,
  caller: Caller,
  rows: Pick<MoneyRows, 'payments' | 'movements'>,
  origin: ActOrigin,
): Promise<void> {
  const [payment] = rows.payments as unknown as PaymentRow[]
  const { id, currency_code: currencyCode, amount, value_date: from, registered_date: to } = payment!
  const movements = rows.movements as { case_id: string; payment_id?: string | null; amount: number }[]
  const shares = movements
    .filter((one) => one.payment_id === id)
    .map((one) => ({ caseGuid: one.case_id, amount: BigInt(one.amount) }))
  const paid = { value: { amount: BigInt(amount), currencyCode }, shares }
  const dated = { act: 'BACKDATED_PAYMENT', ...paid, daysBack: daysBetween(from, to) } as const
  const approved = origin.approved?.act
  if (approved !== 'BACKDATED_PAYMENT')
    await requireSecondPerson(tx, caller, origin, { act: 'PAYMENT', ...paid })
  if (approved !== 'PAYMENT') await requireSecondPerson(tx, caller, origin, dated)
}
