/** The steps of strategies that are due for cases, and what was taken of them. */
import type { StepAction } from '../../../core/cases/strategies.ts'
import { listBundlingCountries } from '../../../core/law/bundling.ts'
import { isSameDemand } from '../../cases/demands/demand-groups.store.ts'
import { isOpen, owed, owedBeside } from '../../claims/remaining-amounts.ts'
import { rowsIn } from '../../platform/database/row-text.ts'
import { anyUuid, runStatement, type Parameter } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { sinceDay } from './waiting-cases.store.ts'

/** A step that is due for a case. */
export interface DueStep {
  caseGuid: string
  caseNumber: string
  debtorGuid: string
  strategy: string
  stepGuid: string
  step: string
  status: string
  subStatus: string
  actions: StepAction[]
}

/** Parties with their own strategy, country and wish to bundle, or those of the party above: `served`. */
export const servedParties = `
  with recursive served as (
    select id, strategy_id, country_code, bundle_claims from party where parent_id is null
    union all
    select p.id, coalesce(p.strategy_id, s.strategy_id), coalesce(p.country_code, s.country_code),
      coalesce(p.bundle_claims, s.bundle_claims)
    from party p join served s on p.parent_id = s.id
  )`

/**
 * The strategy of a case `c` of a served party `v`: that of its arm, as long as the party has the champion of the trial.
 * A party that gets another strategy takes its cases along.
 */
export const caseStrategy = `coalesce((
    select a.strategy_id from trial_case tc
      join trial_debtor td on td.trial_id = tc.trial_id and td.debtor_id = tc.debtor_id
      join trial t on t.id = td.trial_id and t.champion_id = v.strategy_id
      join trial_arm a on a.trial_id = td.trial_id and a.number = td.arm
    where tc.case_id = c.id
  ), v.strategy_id)`

/** True if claims of a case `c` are demanded together: `$2` and `$3` are `listBundlingCountries`, `v` has the client's wish. */
const isBundledCase = `(not c.demanded_alone and (v.bundle_claims is true or c.governing_country = any($2::text[])
  or (c.governing_country = any($3::text[]) and v.bundle_claims is distinct from false)))`

const groupIn = (caseId: string) =>
  `(select k.group_id from demand_group_case k where k.case_id = ${caseId} and k.left_date is null)`

/**
 * The amount that a step's limits ask of a case `c`: claims that are demanded together are one amount, so that the
 * fee on one of them does not part them.
 */
const judgedMinor = `(case when ${isBundledCase} then (
    select sum(${owedBeside}) from debt_case m
    where ${isSameDemand('c', 'm')} and m.service = c.service
      and m.place_status = c.place_status and m.place_sub_status = c.place_sub_status
      and m.closure_code is null and m.hold is null and not m.demanded_alone
      and ${groupIn('m.id')} is not distinct from ${groupIn('c.id')}
  ) else r.minor end)`

/**
 * What was taken of a case, read before anything is joined to it: there are few rows of a case, and the planner would rather
 * ask for each of a strategy's steps.
 */
const selectTakenSteps = (caseId: string) =>
  `(select step_id, refused, business_date from strategy_step_taken where case_id = ${caseId} offset 0)`

/**
 * Steps of the cases `c` of a common table expression `stretch`, in the order of cases. A case under hold, closed, or with
 * nothing remaining has none; one that was taken, or refused on the date `$1`, does not come again. A case of which a step was
 * taken goes by that step's version, any other by the newest. `$2` and `$3` are `listBundlingCountries`.
 */
export const stepsText = ({
  stretch,
  key = 'c.id',
  columns = '',
  condition,
}: {
  stretch: string
  /** Of the steps of a key only the first of the strategy is answered. */
  key?: string
  columns?: string
  condition: string
}): string => `${servedParties},
  ${stretch}
  select distinct on (${key}) c.id as "caseGuid", c.case_number as "caseNumber", c.main_debtor_id as "debtorGuid",
    g.code as strategy, s.id as "stepGuid", s.code as step, c.place_status as status, c.place_sub_status as "subStatus",
    s.actions${columns}
  from stretch c join served v on v.id = c.client_id join strategy g on g.id = ${caseStrategy}
    cross join lateral (
      select coalesce(
        (select greatest(max(t.version), g.running_from) from ${selectTakenSteps('c.id')} k join strategy_step t on t.id = k.step_id
         where k.refused is null and t.strategy_id = g.id having count(*) > 0),
        g.version) as version
    ) e
    join strategy_step s on s.strategy_id = g.id and s.version = e.version and s.status = c.status
    cross join lateral (
      select ${owed} as minor
    ) r
  where r.minor > 0
    and (s.sub_status is null or s.sub_status = c.place_sub_status)
    and (s.service is null or s.service = c.service)
    and ${condition}
    and (s.countries is null or coalesce(c.governing_country, v.country_code) = any(s.countries))
    and (s.currencies is null or c.currency_code = any(s.currencies))
    and (s.amount_from is null or ${judgedMinor} >= s.amount_from * c.minor_per_unit)
    and (s.amount_below is null or ${judgedMinor} < s.amount_below * c.minor_per_unit)
    and (s.on_plan is null or s.on_plan = (c.place_sub_status = 'PAYMENT_PLAN'))
    and not exists (
      select from ${selectTakenSteps('c.id')} k join strategy_step t on t.id = k.step_id
      where t.strategy_id = g.id and t.code = s.code and (k.refused is null or k.business_date = $1::date))
  order by ${key}, s.number`

const isDue = `${sinceDay} + s.after_days <= $1::date`

/** True if a step of any strategy may be due for a case `c`: rules out most cases before more is read about them. */
const mayBeDue = `exists (select from soonest s where s.status = c.status
  and (s.sub_status is null or s.sub_status = c.place_sub_status) and ${isDue})`

/** The shortest waiting time of each status in the steps of all strategies. */
const soonest = `soonest as materialized (
  select status, sub_status, min(after_days) as after_days from strategy_step group by status, sub_status)`

const dueText = (condition: string) =>
  stepsText({
    stretch: `${soonest}, stretch as materialized (
      select * from debt_case c where ${isOpen} and c.hold is null and ${condition} and ${mayBeDue}
    )`,
    condition: isDue,
  })

const findDue = (
  db: Db,
  condition: string,
  parameters: readonly [date: string, ...Parameter[]],
): Promise<DueStep[]> => {
  const [date, ...others] = parameters
  const { always, unlessRefused } = listBundlingCountries(date)
  return runStatement<DueStep>(db, dueText(condition), [date, always, unlessRefused, ...others], {
    prepare: true,
  })
}

/** The steps of cases that are due on a date, one of a case: set-based. */
export const listDueSteps = async (db: Db, date: string, caseGuids: readonly string[]): Promise<DueStep[]> =>
  caseGuids.length === 0 ? [] : findDue(db, `c.id = ${anyUuid('$4')}`, [date, caseGuids])

/** The same of all cases of these debtors. */
export const listStepsOfDebtors = (
  db: Db,
  date: string,
  debtorGuids: readonly string[],
): Promise<DueStep[]> => findDue(db, `c.main_debtor_id = ${anyUuid('$4')}`, [date, debtorGuids])

const pairTypes = { caseGuid: 'uuid', stepGuid: 'uuid' }

/** Notes steps of held cases as taken before they are; returns the cases: another node may have taken some. */
export async function noteTaken(tx: Db, due: readonly DueStep[], date: string): Promise<Set<string>> {
  const noted = await tx<{ id: string }[]>`
    insert into strategy_step_taken (case_id, step_id, business_date)
    select n.caseGuid, n.stepGuid, ${date}::date from ${rowsIn(tx, pairTypes, due)} n
      join strategy_step s on s.id = n.stepGuid
    where not exists (
      select from ${tx.unsafe(selectTakenSteps('n.caseGuid'))} k join strategy_step t on t.id = k.step_id
      where k.refused is null and t.strategy_id = s.strategy_id and t.code = s.code)
    on conflict (case_id, step_id) do update set business_date = excluded.business_date, refused = null, taken_at = now()
      where strategy_step_taken.refused is not null
    returning case_id as id`
  return new Set(noted.map(({ id }) => id))
}

export async function noteRefused(
  tx: Db,
  refused: readonly { due: DueStep; reason: string }[],
  date: string,
): Promise<void> {
  if (refused.length === 0) return
  const rows = refused.map(({ due: { caseGuid, stepGuid }, reason }) => ({ caseGuid, stepGuid, reason }))
  await tx`
    insert into strategy_step_taken (case_id, step_id, business_date, refused)
    select n.caseGuid, n.stepGuid, ${date}::date, n.reason
    from ${rowsIn(tx, { ...pairTypes, reason: 'text' }, rows)} n
    on conflict (case_id, step_id) do update set business_date = excluded.business_date, refused = excluded.refused
      where strategy_step_taken.refused is not null`
}
