/**
 * What a night brings, apart from the date itself (accrual.ts): claims that are time-barred, balances so small that
 * nobody asks for them, and payment plans that are not kept. In chunks, each a transaction: it can be stopped and run again, and twice changes nothing.
 */
import * as lives from '../../core/case-life.ts'
import { makeId } from '../database/make-id.ts'
import { inTransaction, type Db } from '../database/transaction.ts'
import type { Origin } from '../http/caller.ts'
import { checkPaymentPlans, type PlanCheck } from '../plans/check-plans.ts'
import { bookedCaseOf } from './booked-case.ts'
import { bookingDateOf, bookMovements, deriveWith } from './booking.ts'
import { caseRowSelect, lifeOf, noteOfLife, type CaseRow } from './case-lock.ts'
import { holdDate, loadHistories } from './ledger.store.ts'
import { insertMoney, noRows } from './money-rows.store.ts'

export interface DayEnd {
  timeBarred: number
  smallBalances: number
  plans: PlanCheck
}

const chunkRows = 200

/** A hold stops automatic steps, and so does an active payment plan. */
const due = {
  TIME_BARRED: `c.limitation_date < (select business_date from business_clock)
    and c.remaining_principal + c.remaining_interest + c.remaining_fee + c.accrued_interest > 0`,
  SMALL_BALANCE: `c.remaining_principal + c.remaining_interest + c.remaining_fee + c.accrued_interest between 1 and c.tolerance_minor
    and c.paid_principal + c.paid_interest + c.paid_fee > 0`,
} as const

/** Closes what is to be closed on the business date. */
export async function runDayEnd(db: Db, origin: Origin): Promise<DayEnd> {
  return {
    timeBarred: await closeDue(db, 'TIME_BARRED', origin),
    smallBalances: await closeDue(db, 'SMALL_BALANCE', origin),
    plans: await checkPaymentPlans(db, origin),
  }
}

async function closeDue(db: Db, code: keyof typeof due, origin: Origin): Promise<number> {
  for (let closed = 0; ;) {
    const now = await inTransaction(db, async (tx) => {
      await holdDate(tx)
      const rows = await tx.unsafe<CaseRow[]>(
        `select ${caseRowSelect} from debt_case c where c.status <> 'CLOSED' and c.hold is null and c.before_plan_status is null and ${due[code]}
         order by c.id limit ${chunkRows} for update`,
      )
      await closeAll(tx, rows, code, origin)
      return rows.length
    })
    closed += now
    if (now < chunkRows) return closed
  }
}

async function closeAll(
  tx: Db,
  held: readonly CaseRow[],
  code: keyof typeof due,
  origin: Origin,
): Promise<void> {
  if (held.length === 0) return
  const histories = await loadHistories(
    tx,
    held.map(({ caseGuid }) => caseGuid),
  )
  const rows = noRows()
  held.forEach((row, index) => {
    const found = bookedCaseOf(row, histories[index]!)
    const before = lifeOf(row)
    const life: lives.CaseLife = { ...before, closureCode: code }
    const runs = deriveWith(found, []).ledger.coveredOn === null
    const movements = runs
      ? [{ id: makeId(), effect: { kind: 'close' } as const, valueDate: bookingDateOf(found) }]
      : []
    const notes = [noteOfLife(found.caseGuid, before, life, 'closed')]
    rows.caseUpdates.push(bookMovements(rows, found, { movements, life, notes }).columns)
  })
  await insertMoney(tx, rows, origin)
}
