/** A debtor's credit from overpayments: refunds it, or uses it on another case. */
import type { CreditMoveInput } from '../../contract/cases/case-inputs.ts'
import { runStatement } from '../platform/database/statement.ts'
import { onCase, requireSecondPerson } from '../access/approvals/second-person.ts'
import { lockCases } from './payments.store.ts'
import { findReader } from '../platform/dictionary/reader.ts'
import { inTransaction, type Db } from '../platform/database/transaction.ts'
import type { Caller } from '../platform/http/caller.ts'
import { ApiError } from '../platform/http/errors.ts'
import { visibleCases } from '../claims/cases.scope.ts'
import { findPayingPlans, settlePlans } from '../plans/plan-payments.ts'
import {
  bookOnCase,
  movementAnswer,
  newMovement,
  makeNote,
  readMovement,
  requireApplied,
} from '../ledger/book-on-case.ts'
import { holdDateForFew } from '../ledger/ledger.store.ts'
import type { CaseContext, CaseRow } from '../claims/case-lock.ts'
import type { CaseChange } from '../cases/case-status.ts'

/** Refunds credit of a case to its debtor. Throws a 422 above the available credit. */
export async function refundCredit(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<CreditMoveInput>,
  context: CaseContext,
): Promise<{ movementGuid: string }> {
  return inTransaction(db, async (tx) => {
    const made = await bookOnCase(
      tx,
      caller,
      { caseGuid, open: false },
      context,
      async (_tx, { row, found }) => {
        await lockMainDebtor(tx, row)
        const { amount, valueDate } = readMovement(input, { row, found }, caller)
        await requireCredit(tx, caller, row, amount)
        await requireSecondPerson(tx, caller, context.origin, onCase('REFUND', row, amount))
        const note = makeNote('case.credit_refunded', caseGuid, { minorAmount: Number(amount), valueDate })
        return { movement: newMovement({ kind: 'refund', amount }, valueDate), note }
      },
    )
    return movementAnswer(made)
  })
}

/** Keeps others from using the debtor's credit meanwhile. The case is locked before (docs/decisions/0317). */
async function lockMainDebtor(tx: Db, { mainDebtorGuid }: CaseRow): Promise<void> {
  await tx`select from debtor where id = ${mainDebtorGuid} for no key update`
}

/** Pays a case from its debtor's credit, including credit of other cases that the caller may see. */
export async function useCredit(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<CreditMoveInput>,
  context: CaseContext,
): Promise<{ movementGuid: string }> {
  return inTransaction(db, async (tx) => {
    await holdDateForFew(tx)
    // With the cases of its plan, which it may change too.
    await lockCases(tx, caller, [caseGuid])
    const made = await bookOnCase(tx, caller, { caseGuid }, context, async (_tx, { row, found }) => {
      await lockMainDebtor(tx, row)
      const { amount, valueDate } = readMovement(input, { row, found }, caller)
      await requireCredit(tx, caller, row, amount)
      const movement = newMovement({ kind: 'creditUse', amount }, valueDate)
      requireApplied({ row, found }, movement, caller)
      const note = makeNote('case.credit_used', caseGuid, { minorAmount: Number(amount), valueDate })
      return { movement, note, inPlan: row.beforePlanStatus !== null }
    })
    const plans = made.inPlan ? await findPayingPlans(tx, [caseGuid]) : []
    await settlePlans(
      tx,
      plans.map(({ planGuid }) => planGuid),
      context.origin,
    )
    return movementAnswer(made)
  })
}

/**
 * Throws a 422 when the amount exceeds the debtor's credit in the currency. The credit is that of the visible
 * cases, and at most that of all cases, since other cases may have used it. The debtor is locked against
 * concurrent use.
 */
async function requireCredit(tx: Db, caller: Caller, row: CaseRow, amount: bigint): Promise<void> {
  const scope = visibleCases(caller).at(3)
  const [found] = await runStatement<{ credit: number }>(
    tx,
    `select least(coalesce(sum(c.credit), 0), coalesce(sum(c.credit) filter (where ${scope.text}), 0))::bigint as credit
     from debt_case c where c.main_debtor_id = $1 and c.currency_code = $2`,
    [row.mainDebtorGuid, row.currencyCode, ...scope.parameters],
    { prepare: true },
  )
  const credit = BigInt(found!.credit)
  if (credit >= amount) return
  const most = credit > 0n ? credit : 0n
  const message = `is more than the debtor's credit. Enter at most ${findReader(caller.language).formats.money(most, row.currencyCode)}.`
  throw new ApiError('unprocessable', `amount ${message}`, { errors: { amount: [message] } })
}
