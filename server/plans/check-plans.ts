/**
 * The daily check of active plans. It charges invoice fees, marks late payments as missed, and ends plans
 * that are breached or completed.
 * SQL selects the plans that are due. They are processed in chunks, one transaction each.
 */
import type { EventType } from '../../contract/platform/event-types.ts'
import { runStatement } from '../platform/database/statement.ts'
import { holdDate } from '../ledger/ledger.store.ts'
import { isOpen, owed } from '../claims/remaining-amounts.ts'
import type { ChunkedWork } from '../platform/jobs/chunked-work.ts'
import { holdPlans, writeHeldPlans, type LockedPlan } from './locked-plans.ts'
import { runPlan } from './run-plans.ts'

export interface PlanCheck {
  checked: number
  missed: number
  breached: number
  completed: number
}

/**
 * Plans that are due for a check. A case on hold stops automatic steps; they are made up for when the hold
 * ends.
 */
const dueCondition = `pp.active = 1 and (pp.next_check <= (select business_date from business_clock)
      or not exists (
        select from payment_plan_case pc join debt_case c on c.id = pc.case_id
        where pc.plan_id = pp.id and ${isOpen} and ${owed} > 0))
    and not exists (
      select from payment_plan_case pc join debt_case c on c.id = pc.case_id
      where pc.plan_id = pp.id and ${isOpen} and c.hold is not null)`

/** Brings every active plan to the business date. Running it twice for one date changes nothing more. */
export const checkPlans = (chunkRows = 100): ChunkedWork<PlanCheck, string> => ({
  none: { checked: 0, missed: 0, breached: 0, completed: 0 },
  count: async (db) => {
    const [row] = await runStatement<{ count: number }>(
      db,
      `select count(*)::int as count from payment_plan pp where ${dueCondition}`,
      [],
    )
    return row!.count
  },
  run: async (tx, { figures, place }, origin) => {
    await holdDate(tx)
    const ids = await runStatement<{ id: string }>(
      tx,
      `select pp.id from payment_plan pp where ${dueCondition} and ($1::uuid is null or pp.id > $1::uuid)
       order by pp.id limit ${chunkRows}`,
      [place],
      { prepare: true },
    )
    const plans = await holdPlans(
      tx,
      ids.map(({ id }) => id),
    )
    const active = plans.filter(({ record }) => record.active === 1)
    for (const plan of active) await runPlan(tx, plan, { steps: true })
    await writeHeldPlans(tx, active, origin)
    return {
      figures: addFigures(figures, active),
      place: ids.at(-1)?.id ?? place,
      isDone: ids.length < chunkRows,
      worked: ids.length,
    }
  },
})

function addFigures(before: PlanCheck, active: readonly LockedPlan[]): PlanCheck {
  const types = active.flatMap(({ changes }) => changes.map(({ type }) => type))
  const count = (wanted: EventType) => types.filter((type) => type === wanted).length
  return {
    checked: before.checked + active.length,
    missed: before.missed + count('paymentplan.instalment_missed'),
    breached: before.breached + count('paymentplan.breached'),
    completed: before.completed + count('paymentplan.completed'),
  }
}
