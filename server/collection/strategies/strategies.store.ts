import { isDeepStrictEqual } from 'node:util'
import type { StrategyItem } from '../../../contract/collection/strategies.ts'
import type { StepAction, Strategy, StrategyStep } from '../../../core/cases/strategies.ts'
import { shippedStrategies } from '../../../core/cases/strategies.ts'
import { listBundlingCountries } from '../../../core/law/bundling.ts'
import { isSameDemand } from '../../cases/demands/demand-groups.store.ts'
import { isOpen, owed, owedBeside } from '../../claims/remaining-amounts.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { rowsIn } from '../../platform/database/row-text.ts'
import {
  anyUuid,
  toJson,
  rowsHelper,
  runStatement,
  type Parameter,
} from '../../platform/database/statement.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { findRunningTrial } from '../trials/trials-of-strategy.ts'
import { canonicalStep } from './canonical-step.ts'
import { sinceDay } from './waiting-cases.store.ts'

const loadLock = 0x53545241

/**
 * Brings the strategies that are shipped with this version into the database. One that is there and that
 * nobody has changed gets the shipped steps as its next version; a changed one stays as it is, and so does one of a
 * running trial.
 */
export async function loadShippedStrategies(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx`select pg_advisory_xact_lock(${loadLock})`
    for (const strategy of shippedStrategies)
      if ((await insertStrategy(tx, strategy)) === undefined) await renewStrategy(tx, strategy)
  })
}

async function renewStrategy(tx: Db, { code, name, source, steps }: Strategy): Promise<void> {
  const [held] = await tx<{ id: string; version: number; sequence: number }[]>`
    select id, version, event_sequence as sequence from strategy where code = ${code}`
  if (held!.sequence > 0 || (await findRunningTrial(tx, held!.id)) !== undefined) return
  const stored = (await findStrategy(tx, held!.id))!.steps.map((step) => canonicalStep(step as StrategyStep))
  if (isDeepStrictEqual(stored, steps.map(canonicalStep))) return
  const version = held!.version + 1
  // Without an event: nobody has changed it yet.
  await tx`
    update strategy set name = ${name}, source = ${source || null}, version = ${version}, running_from = ${version}
    where id = ${held!.id}`
  await insertSteps(tx, { strategyGuid: held!.id, version }, steps)
}

/** Returns its guid; undefined when there is one of the code already. */
export async function insertStrategy(tx: Db, strategy: Strategy): Promise<string | undefined> {
  const { code, name, source, unverified, steps } = strategy
  const id = makeId()
  const made = await tx`
    insert into strategy (id, code, name, source, unverified) values (${id}, ${code}, ${name}, ${source || null}, ${unverified})
    on conflict (code) do nothing returning id`
  if (made.length === 0) return undefined
  await insertSteps(tx, { strategyGuid: id, version: 1 }, steps)
  return id
}

/** Writes the steps of a version. */
export async function insertSteps(
  tx: Db,
  { strategyGuid, version }: { strategyGuid: string; version: number },
  steps: readonly StrategyStep[],
): Promise<void> {
  const rows = steps.map((step, index) => ({
    id: makeId(),
    strategy_id: strategyGuid,
    version,
    number: index + 1,
    code: step.code,
    status: step.status,
    sub_status: step.subStatus ?? null,
    service: step.service ?? null,
    after_days: step.afterDays,
    countries: step.countries ?? null,
    currencies: step.currencies ?? null,
    amount_from: step.amountFrom ?? null,
    amount_below: step.amountBelow ?? null,
    on_plan: step.onPlan ?? null,
    actions: toJson(tx, step.actions),
    source: step.source ?? null,
  }))
  await tx`insert into strategy_step ${rowsHelper(tx, rows)}`
}

/** Gives a party, and those below it that have none of their own, a strategy; null takes it away. Throws for an unknown code. */
export async function assignStrategy(db: Db, partyId: string, code: string | null): Promise<void> {
  const [strategy] = await db<{ id: string }[]>`select id from strategy where code = ${code}`
  if (code !== null && !strategy) throw new RangeError(`There is no strategy ${code}.`)
  await db`update party set strategy_id = ${strategy?.id ?? null} where id = ${partyId}`
}

/** The code of a party's own strategy; null where it has that of the party above. */
export async function findPartyStrategy(db: Db, partyId: string): Promise<string | null> {
  const [row] = await db<{ code: string }[]>`
    select g.code from party p join strategy g on g.id = p.strategy_id where p.id = ${partyId}`
  return row?.code ?? null
}

/** `$1`: the parties among which a strategy's clients are counted, null for all. */
const strategySelect = (version: string) => `
  select g.id as "strategyGuid", g.code, g.name, g.source, g.unverified, g.version,
    (select count(*)::int from party p where p.strategy_id = g.id and ($1::uuid[] is null or p.id = any($1::uuid[]))) as clients,
    (select coalesce(jsonb_agg(jsonb_build_object('code', s.code, 'status', s.status, 'subStatus', s.sub_status,
      'service', s.service, 'afterDays', s.after_days, 'countries', s.countries, 'currencies', s.currencies,
      'amountFrom', s.amount_from, 'amountBelow', s.amount_below, 'onPlan', s.on_plan, 'actions', s.actions,
      'source', s.source) order by s.number), '[]')
      from strategy_step s where s.strategy_id = g.id and s.version = ${version}) as steps
  from strategy g`

/** Whose clients a caller may see; null for everybody's. */
type PartyIds = readonly string[] | null

/** All strategies with the steps of their newest version: they are the installation's, and few. */
export const listStrategies = (db: Db, partyIds: PartyIds = null): Promise<StrategyItem[]> =>
  runStatement<StrategyItem>(db, `${strategySelect('g.version')} order by g.code`, [partyIds])

/** A strategy with the steps of a version, the newest unless given; undefined when there is none. */
export async function findStrategy(
  db: Db,
  strategyGuid: string,
  { version = null, partyIds = null }: { version?: number | null; partyIds?: PartyIds } = {},
): Promise<StrategyItem | undefined> {
  const [row] = await runStatement<StrategyItem>(
    db,
    `${strategySelect('coalesce($3::int, g.version)')} where g.id = $2 and ($3::int is null or $3::int <= g.version)`,
    [partyIds, strategyGuid, version],
    { prepare: true },
  )
  return row
}

/** Where a held strategy stands. */
export interface HeldStrategy {
  code: string
  version: number
  eventSequence: number
}

export async function lockStrategy(tx: Db, strategyGuid: string): Promise<HeldStrategy | undefined> {
  const [row] = await tx<HeldStrategy[]>`
    select code, version, event_sequence as "eventSequence" from strategy where id = ${strategyGuid} for update`
  return row
}

/** Writes name and source of a new version; `running` has cases that go by older ones follow. */
export async function updateStrategy(
  tx: Db,
  strategyGuid: string,
  {
    name,
    source,
    version,
    running,
  }: { name: string; source: string | null; version: number; running: boolean },
): Promise<void> {
  await tx`
    update strategy set name = ${name}, source = ${source}, version = ${version}, event_sequence = event_sequence + 1,
      running_from = case when ${running} then ${version} else running_from end
    where id = ${strategyGuid}`
}

/** Whether one of its steps was ever taken. */
export async function isStrategyUsed(tx: Db, strategyGuid: string): Promise<boolean> {
  const rows = await tx`
    select from strategy_step_taken k join strategy_step s on s.id = k.step_id where s.strategy_id = ${strategyGuid} limit 1`
  return rows.length > 0
}

export async function deleteStrategy(tx: Db, strategyGuid: string): Promise<void> {
  await tx`delete from strategy where id = ${strategyGuid}`
}

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
