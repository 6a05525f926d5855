/** Assigns the debtors of new cases to the arms of running trials (decision 0281). */
import { assignArm } from '../../../core/trials/assignment.ts'
import { rowParameters, rowsFrom } from '../../platform/database/row-text.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'

/** A condition, as part of another statement: without trials PostgreSQL evaluates nothing else. */
export const hasTrials = `exists (select from trial where status <> 'DRAFT')`

interface Candidate {
  caseGuid: string
  debtorGuid: string
  trialGuid: string
  /** Null for a debtor who has an arm. */
  seed: string | null
  shares: number[]
}

/**
 * Each new case with its trial. It goes with the open cases of its debtor and client, so that claims which are demanded
 * together have one strategy. Without such a case it goes to the running trial of the strategy in use. A case that was
 * registered before, in another system, takes no part.
 */
const candidatesText = `
  with recursive given as (
    select c.id, c.running_number, c.client_id, c.main_debtor_id as debtor_id, c.currency_code
    from debt_case c
    where c.id = any($1::uuid[]) and c.registration_date = $2::date
  ), above as (
    select p.id as client_id, p.id, p.parent_id, p.strategy_id, 0 as level
    from party p where p.id in (select client_id from given)
    union all
    select a.client_id, p.id, p.parent_id, p.strategy_id, a.level + 1
    from above a join party p on p.id = a.parent_id
  ), used as (
    select distinct on (client_id) client_id, strategy_id from above
    where strategy_id is not null order by client_id, level
  )
  select g.id as "caseGuid", g.debtor_id as "debtorGuid", t.id as "trialGuid",
    case when d.debtor_id is null then t.seed end as seed,
    (select array_agg(a.share order by a.number) from trial_arm a where a.trial_id = t.id) as shares
  from given g
    left join lateral (
      select true as is_open, k.trial_id from debt_case o
        left join trial_case k on k.case_id = o.id and k.debtor_id = o.main_debtor_id
      where o.main_debtor_id = g.debtor_id and o.client_id = g.client_id and o.closure_code is null
        and o.id not in (select id from given)
      order by o.running_number limit 1
    ) beside on true
    cross join lateral (
      select r.id, r.seed from trial r
      where case when beside.is_open then r.id = beside.trial_id
        else r.status = 'RUNNING' and r.currency_code = g.currency_code
          and r.champion_id = (select u.strategy_id from used u where u.client_id = g.client_id)
          and (r.client_id is null or r.client_id in (select a.id from above a where a.client_id = g.client_id)) end
      order by r.started_date, r.id limit 1
    ) t
    left join trial_debtor d on d.trial_id = t.id and d.debtor_id = g.debtor_id
  order by g.running_number`

const drawnTypes = { trial_id: 'uuid', debtor_id: 'uuid', case_id: 'uuid', arm: 'int' }
const followingTypes = { case_id: 'uuid', trial_id: 'uuid', debtor_id: 'uuid' }

/** A debtor who was assigned meanwhile has the same arm, because the seed decides it. */
const assignText = `
  with drawn as (
    insert into trial_debtor (trial_id, debtor_id, arm, case_id, assigned_date, claim, tolerance)
    select n.trial_id, n.debtor_id, n.arm, n.case_id, $1::date,
      c.original_principal + c.original_interest + c.original_fee, c.tolerance_minor
    from ${rowsFrom(drawnTypes, 2)} n join debt_case c on c.id = n.case_id
    order by n.trial_id, n.debtor_id
    on conflict (trial_id, debtor_id) do nothing
  )
  insert into trial_case (case_id, trial_id, debtor_id)
  select n.case_id, n.trial_id, n.debtor_id from ${rowsFrom(followingTypes, 4)} n`

/** Assigns cases that were just inserted, in their transaction. */
export async function assignToTrials(tx: Db, caseGuids: readonly string[], date: string): Promise<void> {
  const candidates = await runStatement<Candidate>(tx, candidatesText, [caseGuids, date], { prepare: true })
  if (candidates.length === 0) return
  const drawn = new Map<string, object>()
  for (const { caseGuid, debtorGuid, trialGuid, seed, shares } of candidates) {
    const key = `${trialGuid} ${debtorGuid}`
    if (seed === null || drawn.has(key)) continue
    const arm = assignArm(seed, debtorGuid, shares)
    drawn.set(key, { trial_id: trialGuid, debtor_id: debtorGuid, case_id: caseGuid, arm })
  }
  const following = candidates.map(({ caseGuid, trialGuid, debtorGuid }) => ({
    case_id: caseGuid,
    trial_id: trialGuid,
    debtor_id: debtorGuid,
  }))
  await runStatement(
    tx,
    assignText,
    [date, ...rowParameters(drawnTypes, [...drawn.values()]), ...rowParameters(followingTypes, following)],
    { prepare: true },
  )
}
