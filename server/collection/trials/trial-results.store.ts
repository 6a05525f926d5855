/** The outcomes of a trial's cases, from the ledger, and what the intervals need of them: one set-based statement. */
import type { EffectTotals } from '../../../core/trials/effect-sequence.ts'
import type { TrialOutcome } from '../../../contract/collection/trials.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'

export interface ArmCounts {
  cases: number
  matureCases: number
  /** Null without a mature case. */
  means: Record<TrialOutcome, number> | null
}

export interface TrialFigures {
  /** By number, the champion first. */
  arms: ArmCounts[]
  /** Of each challenger, by its number from 1 on. */
  totals: Record<TrialOutcome, EffectTotals>[]
  lastAssigned: string | null
}

const outcomes = ['collectedShare', 'paidInFull', 'collectedAmount'] as const satisfies TrialOutcome[]
const forEachOutcome = (write: (name: TrialOutcome) => string, between = ', ') =>
  outcomes.map(write).join(between)

/**
 * A case is mature once the days after its assignment are over. What was booked later does not change its outcome, so
 * that each look sees the outcomes of the looks before. `$2` is the days, `$3` the business date, `$4` the highest amount.
 */
const outcomesText = `
  assigned as materialized (
    select d.arm, d.case_id, d.assigned_date, d.claim, d.tolerance, d.assigned_date + $2::int < $3::date as is_mature
    from trial_debtor d where d.trial_id = $1
  ), money as (
    select m.case_id,
      coalesce(-sum(e.amount) filter (where e.account like 'receivable:%'
        and t.kind in ('payment', 'thirdPartyPayment', 'creditUse')), 0) as paid,
      coalesce(sum(e.amount) filter (where e.account like 'receivable:%' or e.account = 'write-off'), 0) as unpaid
    from assigned m
      join ledger_transaction t on t.case_id = m.case_id and t.booked_date <= m.assigned_date + $2::int
      join ledger_entry e on e.transaction_id = t.id
    where m.is_mature
    group by m.case_id
  ), outcomes as materialized (
    select m.arm, m.case_id, m.assigned_date,
      greatest(0, least(1, o.paid / m.claim::float8)) as "collectedShare",
      (o.paid > 0 and o.unpaid <= m.tolerance)::int::float8 as "paidInFull",
      greatest(0, least(1, o.paid / $4::float8)) as "collectedAmount"
    from assigned m join money o on o.case_id = m.case_id
  )`

/** The estimates of core/trials/effect-sequence.ts: of each case, with the means of former cases of its arm. */
const sequencesText = `
  former as (
    select h.number, h.share / (h.share + c.share)::float8 as part, o.arm > 0 as is_challenger,
      ${forEachOutcome((name) => `o."${name}"`)},
      1 + count(*) filter (where o.arm = 0) over w as champion_cases,
      1 + count(*) filter (where o.arm > 0) over w as challenger_cases,
      ${forEachOutcome(
        (name) => `0.5 + coalesce(sum(o."${name}") filter (where o.arm = 0) over w, 0) as "champion_${name}",
          0.5 + coalesce(sum(o."${name}") filter (where o.arm > 0) over w, 0) as "challenger_${name}"`,
      )}
    from trial_arm h
      join trial_arm c on c.trial_id = h.trial_id and c.number = 0
      join outcomes o on o.arm in (0, h.number)
    where h.trial_id = $1 and h.number > 0
    window w as (partition by h.number order by o.assigned_date, o.case_id
      rows between unbounded preceding and 1 preceding)
  ), surprises as (
    select number, ${forEachOutcome(
      (
        name,
      ) => `"challenger_${name}" / challenger_cases - "champion_${name}" / champion_cases as "mean_${name}",
        case when is_challenger then ("${name}" - "challenger_${name}" / challenger_cases) / part
          else ("champion_${name}" / champion_cases - "${name}") / (1 - part) end as "surprise_${name}"`,
    )}
    from former
  ), totals as (
    select number, jsonb_build_object(${forEachOutcome(
      (
        name,
      ) => `'${name}', jsonb_build_object('cases', count(*), 'sum', sum("mean_${name}" + "surprise_${name}"),
        'variance', sum("surprise_${name}" * "surprise_${name}"))`,
    )}) as value
    from surprises group by number
  )`

const nothing = `jsonb_build_object(${forEachOutcome(
  (name) => `'${name}', jsonb_build_object('cases', 0, 'sum', 0, 'variance', 0)`,
)})`

const figuresText = `
  with ${outcomesText}, ${sequencesText},
  counted as (select arm, count(*) as cases from assigned group by arm),
  means as (
    select arm, count(*) as cases,
      jsonb_build_object(${forEachOutcome((name) => `'${name}', avg("${name}")`)}) as value
    from outcomes group by arm
  )
  select
    (select jsonb_agg(jsonb_build_object('cases', coalesce(n.cases, 0), 'matureCases', coalesce(m.cases, 0),
        'means', m.value) order by a.number)
      from trial_arm a left join counted n on n.arm = a.number left join means m on m.arm = a.number
      where a.trial_id = $1) as arms,
    (select jsonb_agg(coalesce(s.value, ${nothing}) order by a.number)
      from trial_arm a left join totals s on s.number = a.number
      where a.trial_id = $1 and a.number > 0) as totals,
    (select to_char(max(assigned_date), 'YYYY-MM-DD') from assigned) as "lastAssigned"`

/** `highestMinor` is the highest amount that counts, in minor units. */
export async function findFigures(
  db: Db,
  trialGuid: string,
  { days, date, highestMinor }: { days: number; date: string; highestMinor: number },
): Promise<TrialFigures> {
  const [row] = await runStatement<TrialFigures>(db, figuresText, [trialGuid, days, date, highestMinor], {
    prepare: true,
  })
  return row!
}
