import type { StrategyItem } from '../../contract/strategies.ts'
import type { StepAction, Strategy } from '../../core/strategies.ts'
import { shippedStrategies } from '../../core/strategies.ts'
import { makeId } from '../database/make-id.ts'
import { jsonOf, valuesOf } from '../database/statement.ts'
import { inTransaction, type Db } from '../database/transaction.ts'

const loadLock = 0x53545241

/** Brings the strategies that are shipped with this version into the database; one that is there stays as it is. */
export async function loadShippedStrategies(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx`select pg_advisory_xact_lock(${loadLock})`
    for (const strategy of shippedStrategies) await insertStrategy(tx, strategy)
  })
}

/** Returns whether it is new. */
export async function insertStrategy(tx: Db, strategy: Strategy): Promise<boolean> {
  const { code, name, source, unverified } = strategy
  const id = makeId()
  const made = await tx`
    insert into strategy (id, code, name, source, unverified) values (${id}, ${code}, ${name}, ${source}, ${unverified})
    on conflict (code) do nothing returning id`
  if (made.length === 0) return false
  for (const [index, step] of strategy.steps.entries()) {
    const row = {
      id: makeId(),
      strategy_id: id,
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
      actions: jsonOf(tx, step.actions),
      source: step.source ?? null,
    }
    await tx`insert into strategy_step ${valuesOf(tx, row)}`
  }
  return true
}

/** Gives a party, and those below it that have none of their own, a strategy; null takes it away. Throws for an unknown code. */
export async function assignStrategy(db: Db, partyId: string, code: string | null): Promise<void> {
  const [strategy] = await db<{ id: string }[]>`select id from strategy where code = ${code}`
  if (code !== null && !strategy) throw new RangeError(`There is no strategy ${code}.`)
  await db`update party set strategy_id = ${strategy?.id ?? null} where id = ${partyId}`
}

/** The code of a party's own strategy; null where it has that of the party above. */
export async function findStrategyOf(db: Db, partyId: string): Promise<string | null> {
  const [row] = await db<{ code: string }[]>`
    select g.code from party p join strategy g on g.id = p.strategy_id where p.id = ${partyId}`
  return row?.code ?? null
}

/** All strategies with their steps: they are the installation's, and few. */
export async function listStrategies(db: Db): Promise<StrategyItem[]> {
  return db<StrategyItem[]>`
    select g.code, g.name, g.source, g.unverified,
      (select coalesce(jsonb_agg(jsonb_build_object('code', s.code, 'status', s.status, 'subStatus', s.sub_status,
        'service', s.service, 'afterDays', s.after_days, 'countries', s.countries, 'currencies', s.currencies,
        'amountFrom', s.amount_from, 'amountBelow', s.amount_below, 'onPlan', s.on_plan, 'actions', s.actions,
        'source', s.source) order by s.number), '[]') from strategy_step s where s.strategy_id = g.id) as steps
    from strategy g order by g.code`
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

/**
 * The steps that are due on a date, one of a case: set-based, in the order of cases, beginning after one. A case under hold,
 * closed, or with nothing remaining has none; one that was taken, or refused on this date, does not come again.
 */
export const listDueSteps = (
  db: Db,
  { date, after, limit }: { date: string; after: string | null; limit: number },
): Promise<DueStep[]> => db<DueStep[]>`
  with recursive served as (
    select id, strategy_id, country_code from party where parent_id is null
    union all
    select p.id, coalesce(p.strategy_id, s.strategy_id), coalesce(p.country_code, s.country_code)
    from party p join served s on p.parent_id = s.id
  )
  select distinct on (c.id) c.id as "caseGuid", c.case_number as "caseNumber", c.main_debtor_id as "debtorGuid",
    g.code as strategy, s.id as "stepGuid", s.code as step, c.place_status as status, c.place_sub_status as "subStatus",
    s.actions
  from served v join strategy g on g.id = v.strategy_id join strategy_step s on s.strategy_id = g.id
    join debt_case c on c.client_id = v.id and c.status = s.status
    cross join lateral (
      select c.remaining_principal + c.remaining_interest + c.remaining_fee + c.accrued_interest as minor
    ) r
  where c.hold is null and c.closure_code is null and r.minor > 0
    and (s.sub_status is null or s.sub_status = c.place_sub_status)
    and (s.service is null or s.service = c.service)
    and coalesce(c.status_since, c.registration_date) + s.after_days <= ${date}::date
    and (s.countries is null or v.country_code = any(s.countries))
    and (s.currencies is null or c.currency_code = any(s.currencies))
    and (s.amount_from is null or r.minor >= s.amount_from * c.minor_per_unit)
    and (s.amount_below is null or r.minor < s.amount_below * c.minor_per_unit)
    and (s.on_plan is null or s.on_plan = (c.place_sub_status = 'PAYMENT_PLAN'))
    and (${after}::uuid is null or c.id > ${after}::uuid)
    and not exists (
      select from strategy_step_taken k
      where k.case_id = c.id and k.step_id = s.id and (k.refused is null or k.business_date = ${date}::date))
  order by c.id, s.number limit ${limit}`

/** Notes a step as taken before it is: false when it was taken already, by whichever node. */
export async function noteTaken(tx: Db, { caseGuid, stepGuid }: DueStep, date: string): Promise<boolean> {
  const noted = await tx`
    insert into strategy_step_taken (case_id, step_id, business_date) values (${caseGuid}, ${stepGuid}, ${date})
    on conflict (case_id, step_id) do update set business_date = excluded.business_date, refused = null, taken_at = now()
      where strategy_step_taken.refused is not null
    returning case_id`
  return noted.length > 0
}

export async function noteRefused(
  tx: Db,
  { caseGuid, stepGuid }: DueStep,
  date: string,
  reason: string,
): Promise<void> {
  await tx`
    insert into strategy_step_taken (case_id, step_id, business_date, refused)
    values (${caseGuid}, ${stepGuid}, ${date}, ${reason})
    on conflict (case_id, step_id) do update set business_date = excluded.business_date, refused = excluded.refused
      where strategy_step_taken.refused is not null`
}
