/**
 * The daily look at active plans: invoice fees posted, payments that are late marked as missed, plans breached or found
 * completed. The database says which plans have something to do; these are worked through in chunks, each a transaction.
 */
import { runStatement } from '../database/statement.ts'
import { inTransaction, type Db } from '../database/transaction.ts'
import { holdDate } from '../cases/ledger.store.ts'
import type { Origin } from '../http/caller.ts'
import { holdPlans, writeHeldPlans } from './held-plans.ts'
import { runPlan } from './run-plans.ts'

export interface PlanCheck {
  checked: number
  missed: number
  breached: number
  completed: number
}

const chunkRows = 100

/** A hold stops automatic steps: what it held up is made up for once it is lifted. */
const due = `
  select pp.id from payment_plan pp
  where pp.active = 1 and pp.id > $1 and (pp.next_check <= (select business_date from business_clock)
      or not exists (
        select from payment_plan_case pc join debt_case c on c.id = pc.case_id
        where pc.plan_id = pp.id and c.closure_code is null
          and c.remaining_principal + c.remaining_interest + c.remaining_fee + c.accrued_interest > 0))
    and not exists (
      select from payment_plan_case pc join debt_case c on c.id = pc.case_id
      where pc.plan_id = pp.id and c.closure_code is null and c.hold is not null)
  order by pp.id limit ${chunkRows}`

/** Brings every active plan to the business date; run again for the same date it changes nothing. */
export async function checkPaymentPlans(db: Db, origin: Origin): Promise<PlanCheck> {
  const sums: PlanCheck = { checked: 0, missed: 0, breached: 0, completed: 0 }
  for (let after: string | undefined = '00000000-0000-0000-0000-000000000000'; after !== undefined;)
    after = await inTransaction(db, (tx) => checkChunk(tx, after!, sums, origin))
  return sums
}

/** The last plan of the chunk; undefined after the last chunk. */
async function checkChunk(
  tx: Db,
  after: string,
  sums: PlanCheck,
  origin: Origin,
): Promise<string | undefined> {
  await holdDate(tx)
  const ids = await runStatement<{ id: string }>(tx, due, [after], { prepare: true })
  const plans = await holdPlans(
    tx,
    ids.map(({ id }) => id),
  )
  const active = plans.filter(({ record }) => record.active === 1)
  for (const plan of active) await runPlan(tx, plan, { steps: true })
  await writeHeldPlans(tx, active, origin)
  sums.checked += active.length
  const types = active.flatMap(({ changes }) => changes.map(({ type }) => type))
  sums.missed += types.filter((type) => type === 'paymentplan.instalment_missed').length
  sums.breached += types.filter((type) => type === 'paymentplan.breached').length
  sums.completed += types.filter((type) => type === 'paymentplan.completed').length
  return ids.length < chunkRows ? undefined : ids.at(-1)!.id
}
