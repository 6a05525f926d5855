/**
 * Payments that users enter at the same time are booked in one transaction, which takes as many statements as one payment
 * does. A payment that is not plain is left to a transaction of its own, which also says why it is refused.
 */
import type { PaymentInput } from '../../contract/cases/case-inputs.ts'
import { compareTexts } from '../../core/text/compare-texts.ts'
import type { ActOrigin } from '../access/approvals/second-person.ts'
import type { CaseRow } from '../claims/case-lock.ts'
import { emptyRows, insertMoney } from '../claims/money-rows.store.ts'
import { holdDateForFew, loadHistories, type CaseHistory } from '../ledger/ledger.store.ts'
import { batchQueries, changeBatches } from '../platform/database/query-batcher.ts'
import { inTransaction, type Db } from '../platform/database/transaction.ts'
import type { Caller } from '../platform/http/caller.ts'
import { ApiError } from '../platform/http/errors.ts'
import { isBackdated, noteLonePayments } from './payment-limit.ts'
import { catchRefusal, findTargets, type Target } from './payment-target.ts'
import { makePayment, registerPayment, type RegisteredPayment } from './payments.ts'
import * as store from './payments.store.ts'
import { appendRows } from './register-payments.ts'

export interface EnteredPayment {
  caller: Caller
  input: PaymentInput
  origin: ActOrigin
}

/** Registers a payment that a user enters, together with others of the same time. Throws what `registerPayment` throws. */
export async function enterPayment(db: Db, payment: EnteredPayment): Promise<RegisteredPayment> {
  const { caller, input, origin } = payment
  const mayBePlain = !input.debtorGuid && origin.actorId !== null && origin.approved === undefined
  const made = mayBePlain ? await enterBatched(db, payment, describeScope(caller)) : null
  return made ?? enterAlone(db, payment)
}

/** The same for callers who see the same cases. */
const describeScope = ({ partyIds }: Caller) => partyIds?.toSorted().join() ?? 'all'

const enterAlone = (db: Db, { caller, input, origin }: EnteredPayment) =>
  registerPayment(db, caller, input, { origin, isByHand: true })

/** Answers null for a payment that is not plain. */
const enterBatched = batchQueries<EnteredPayment, RegisteredPayment | null>(
  async (db, payments) =>
    payments.length === 1
      ? [await enterAlone(db, payments[0]!)]
      : inTransaction(db, (tx) => registerPlain(tx, payments)),
  changeBatches,
)

/**
 * Registers those payments that are plain: each on a case of its own that nobody holds, without a plan, on the business
 * date, by a user whose role has no limit.
 */
async function registerPlain(
  tx: Db,
  payments: readonly EnteredPayment[],
): Promise<(RegisteredPayment | null)[]> {
  await holdDateForFew(tx)
  const made = new Map<EnteredPayment, RegisteredPayment>()
  const rows = emptyRows()
  const origins: ActOrigin[] = []
  for (const { payment, target, row, history } of await lockFreeCases(tx, payments)) {
    const { caller, input, origin } = payment
    const own = emptyRows()
    const held = { rows: [row], histories: [history], plans: [] }
    const booked = await catchRefusal(() =>
      makePayment(tx, caller, own, { input, target, held, context: { origin } }),
    )
    // The transaction of its own says why it is refused.
    if (booked instanceof ApiError || isBackdated(own)) continue
    made.set(payment, booked)
    appendRows(rows, own)
    origins.push(...own.changes.map(() => origin))
  }
  if (made.size > 0) {
    await noteLonePayments(
      tx,
      rows,
      [...made.keys()].map(({ origin }) => origin),
    )
    await insertMoney(tx, rows, origins)
  }
  return payments.map((payment) => made.get(payment) ?? null)
}

interface AimedPayment {
  payment: EnteredPayment
  target: Target
}

/**
 * The payments whose cases are free, with these locked. Waits for nobody, and leaves out a second payment on a case.
 * Payers' references are unique for a debtor, so all transactions insert them in one order.
 */
async function lockFreeCases(
  tx: Db,
  payments: readonly EnteredPayment[],
): Promise<(AimedPayment & { row: CaseRow; history: CaseHistory })[]> {
  const { caller } = payments[0]!
  const targets = await findTargets(
    tx,
    caller,
    payments.map(({ input }) => input),
  )
  const aimed = new Map<string, AimedPayment>()
  for (const [place, payment] of payments.entries()) {
    const target = targets[place]!
    if (target instanceof ApiError || target.caseGuid === null || aimed.has(target.caseGuid)) continue
    aimed.set(target.caseGuid, { payment, target })
  }
  const roles = new Map([...aimed].map(([caseGuid, { payment }]) => [caseGuid, payment.caller.role]))
  const rows = await store.lockFreeCases(tx, caller, roles)
  const histories = await loadHistories(
    tx,
    rows.map(({ caseGuid }) => caseGuid),
  )
  return rows
    .map((row, place) => ({ ...aimed.get(row.caseGuid)!, row, history: histories[place]! }))
    .toSorted((a, b) => compareTexts(uniqueName(a), uniqueName(b)))
}

const uniqueName = ({ payment, row }: { payment: EnteredPayment; row: CaseRow }): string =>
  `${row.mainDebtorGuid} ${payment.input.payerReference?.toLowerCase() ?? ''}`
