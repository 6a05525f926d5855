import { isDeepStrictEqual } from 'node:util'
import type { StrategyItem } from '../../../contract/collection/strategies.ts'
import type { Strategy, StrategyStep } from '../../../core/cases/strategies.ts'
import { shippedStrategies } from '../../../core/cases/strategies.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { toJson, rowsHelper, runStatement } from '../../platform/database/statement.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { findRunningTrial } from '../trials/trials-of-strategy.ts'
import { canonicalStep } from './canonical-step.ts'

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
