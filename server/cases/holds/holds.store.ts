/** Reads and writes the days of holds, and the movements of their interest pauses. */
import type { Db } from '../../platform/database/transaction.ts'

export interface HoldMovement {
  movementGuid: string
  kind: 'pause' | 'resume'
  valueDate: string
}

/** The hold of a case. All null without one. */
export interface StoredHold {
  holdId: string | null
  from: string | null
  until: string | null
  /** True if interest pauses in its days. */
  paused: boolean
  /** The movements of the pause that are not reversed. */
  movements: HoldMovement[]
}

export async function findHold(db: Db, caseGuid: string): Promise<StoredHold> {
  const [row] = await db<Omit<StoredHold, 'paused' | 'movements'>[]>`
    select hold_id as "holdId", hold_from as "from", hold_until as "until" from debt_case where id = ${caseGuid}`
  const { holdId } = row!
  if (holdId === null) return { ...row!, paused: false, movements: [] }
  const movements = await db<HoldMovement[]>`
    select m.id as "movementGuid", m.kind, m.value_date as "valueDate" from movement m
    where m.case_id = ${caseGuid} and m.kind in ('pause', 'resume') and m.details ->> 'hold' = ${holdId}
      and not exists (select from movement r where r.reverses_id = m.id)
    order by m.number`
  return { ...row!, paused: movements.some(({ kind }) => kind === 'pause'), movements }
}

export async function updateHold(
  tx: Db,
  caseGuid: string,
  { holdId, from, until }: { holdId: string | null; from: string | null; until: string | null },
): Promise<void> {
  await tx`
    update debt_case set hold_id = ${holdId}, hold_from = ${from}, hold_until = ${until} where id = ${caseGuid}`
}
