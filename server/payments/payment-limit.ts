/** A payment that no bank file brought lowers the debt by somebody's word, so it may need a second person. */
import { daysBetween } from '../../core/calendar/calendar.ts'
import { insertLoneActs } from '../access/approvals/lone-acts.store.ts'
import { requireSecondPerson, type ActOrigin } from '../access/approvals/second-person.ts'
import type { MoneyRows } from '../claims/money-rows.store.ts'
import type { Caller, Origin } from '../platform/http/caller.ts'
import type { Db } from '../platform/database/transaction.ts'

type PaidRows = Pick<MoneyRows, 'payments' | 'movements'>

/** Each payment in the rows, with what it does to its cases. */
function readPaid(rows: PaidRows) {
  return rows.payments.map((payment) => ({
    value: { amount: BigInt(payment.amount), currencyCode: payment.currency_code },
    shares: rows.movements
      .filter((one) => one.payment_id === payment.id)
      .map((one) => ({ caseGuid: one.case_id, amount: BigInt(one.amount) })),
    daysBack: daysBetween(payment.value_date, payment.registered_date),
  }))
}

/**
 * Takes the rows of one payment. Throws `ApprovalNeeded` for its amount, or for a value date too far back, which saves
 * the interest of the days between. Whoever approves one of them has seen the whole payment, so it covers the other.
 */
export async function requireTwoForPayment(
  tx: Db,
  caller: Caller,
  rows: PaidRows,
  origin: ActOrigin,
): Promise<void> {
  const [payment] = readPaid(rows)
  const { daysBack, ...paid } = payment!
  const approved = origin.approved?.act
  if (approved !== 'BACKDATED_PAYMENT')
    await requireSecondPerson(tx, caller, origin, { act: 'PAYMENT', ...paid })
  if (approved !== 'PAYMENT')
    await requireSecondPerson(tx, caller, origin, { act: 'BACKDATED_PAYMENT', ...paid, daysBack })
}

export const isBackdated = (rows: PaidRows): boolean => readPaid(rows).some(({ daysBack }) => daysBack !== 0)

/** Notes payments of users whose roles have no limit, in the order of the rows, with an origin for each. */
export const noteLonePayments = (tx: Db, rows: PaidRows, origins: readonly Origin[]): Promise<void> =>
  insertLoneActs(
    tx,
    'PAYMENT',
    readPaid(rows).flatMap(({ value, shares }, place) => {
      const { actorId, businessDate: today } = origins[place]!
      return shares.map((share) => ({
        ...share,
        currencyCode: value.currencyCode,
        today,
        userGuid: actorId!,
      }))
    }),
  )
