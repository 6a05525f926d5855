/** The trials that a strategy is part of: they keep it from being changed or deleted. */
import type { Db } from '../../platform/database/transaction.ts'

/** The name of a running trial with the strategy as one of its arms. */
export async function findRunningTrial(tx: Db, strategyGuid: string): Promise<string | undefined> {
  const [row] = await tx<{ name: string }[]>`
    select t.name from trial t join trial_arm a on a.trial_id = t.id
    where a.strategy_id = ${strategyGuid} and t.status = 'RUNNING' order by t.id limit 1`
  return row?.name
}

/** The name of any trial with the strategy as one of its arms. */
export async function findAnyTrial(tx: Db, strategyGuid: string): Promise<string | undefined> {
  const [row] = await tx<{ name: string }[]>`
    select t.name from trial t join trial_arm a on a.trial_id = t.id
    where a.strategy_id = ${strategyGuid} order by t.id limit 1`
  return row?.name
}
