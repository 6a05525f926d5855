/**
 * Closes cases at the end of the day: time-barred claims, and balances within the tolerance. The roll of the
 * date is in ledger/accrual.ts, payment plans are in plans/check-plans.ts.
 */
import { NIL } from 'uuid'
import * as lives from '../../core/cases/case-lifecycle.ts'
import { makeId } from '../platform/database/make-id.ts'
import { runStatement } from '../platform/database/statement.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Origin } from '../platform/http/caller.ts'
import type { ChunkedWork } from '../platform/jobs/chunked-work.ts'
import { toBookedCase } from '../ledger/booked-case.ts'
import { findBookingDate, bookMovements, deriveWith } from '../ledger/booking.ts'
import { caseRowSelect, readLifecycle, noteLifecycle, type CaseRow } from '../claims/case-lock.ts'
import { holdDate, loadHistories } from '../ledger/ledger.store.ts'
import { insertMoney, emptyRows } from '../claims/money-rows.store.ts'
import { owed } from '../claims/remaining-amounts.ts'

export interface Closed {
  closed: number
}

/** Conditions for closing. `open` excludes cases on hold or in an active payment plan. */
const dueConditions = {
  TIME_BARRED: `c.limitation_date < (select business_date from business_clock)
    and ${owed} > 0`,
  SMALL_BALANCE: `${owed} between 1 and c.tolerance_minor
    and c.paid_principal + c.paid_interest + c.paid_fee > 0`,
} as const

const open = `c.status <> 'CLOSED' and c.hold is null and c.before_plan_status is null`

/** Closes the cases that are due on the business date, in chunks. */
export const closeDue = (code: keyof typeof dueConditions, chunkRows = 200): ChunkedWork<Closed, string> => ({
  none: { closed: 0 },
  count: async (db) => {
    const [row] = await runStatement<{ count: number }>(
      db,
      `select count(*)::int as count from debt_case c where ${open} and ${dueConditions[code]}`,
      [],
    )
    return row!.count
  },
  run: async (tx, { figures, place }, origin) => {
    await holdDate(tx)
    const rows = await runStatement<CaseRow>(
      tx,
      `select ${caseRowSelect} from debt_case c where ${open} and ${dueConditions[code]}
         and c.id > coalesce($1::uuid, '${NIL}'::uuid)
       order by c.id limit ${chunkRows} for no key update`,
      [place],
    )
    await closeCases(tx, rows, code, origin)
    return {
      figures: { closed: figures.closed + rows.length },
      place: rows.at(-1)?.caseGuid ?? place,
      isDone: rows.length < chunkRows,
      worked: rows.length,
    }
  },
})

async function closeCases(
  tx: Db,
  held: readonly CaseRow[],
  code: keyof typeof dueConditions,
  origin: Origin,
): Promise<void> {
  if (held.length === 0) return
  const histories = await loadHistories(
    tx,
    held.map(({ caseGuid }) => caseGuid),
  )
  const rows = emptyRows()
  held.forEach((row, index) => {
    const found = toBookedCase(row, histories[index]!)
    const before = readLifecycle(row)
    const life: lives.CaseLifecycle = { ...before, closureCode: code }
    const runs = deriveWith(found, []).ledger.coveredOn === null
    const movements = runs
      ? [{ id: makeId(), effect: { kind: 'close' } as const, valueDate: findBookingDate(found) }]
      : []
    const notes = [noteLifecycle(found.caseGuid, before, life, 'closed')]
    rows.caseUpdates.push(bookMovements(rows, found, { movements, life, notes }).columns)
  })
  await insertMoney(tx, rows, origin)
}
