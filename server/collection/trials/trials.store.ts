import type { TrialItem } from '../../../contract/collection/trials.ts'
import { fromMinor } from '../../../core/money/money.ts'
import { findRow } from '../../platform/database/find-row.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { rowHelper, rowsHelper, runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { servedParties } from '../strategies/due-steps.store.ts'
import type { ReadTrial } from './trials.rules.ts'
import { visibleTrials } from './trials.scope.ts'

const select = `t.id as "trialGuid", t.name, t.status, t.client_id as "clientGuid", p.name as "clientName",
  (select jsonb_agg(jsonb_build_object('strategy', g.code, 'strategyName', g.name, 'share', a.share,
      'isChampion', a.number = 0) order by a.number)
    from trial_arm a join strategy g on g.id = a.strategy_id where a.trial_id = t.id) as arms,
  t.outcome_days as "outcomeDays", t.highest_amount as "highestMinor", t.currency_code as "currencyCode",
  t.planned_cases as "plannedCases", (select count(*)::int from trial_debtor d where d.trial_id = t.id) as cases,
  t.started_date::timestamptz as "startedDate", t.stopped_date::timestamptz as "stoppedDate",
  case when t.status = 'STOPPED' then t.seed end as seed, t.version`
const from = 'trial t left join party p on p.id = t.client_id'

type TrialRow = Omit<TrialItem, 'highestAmount'> & { highestMinor: number; version: number }
export interface FoundTrial {
  item: TrialItem
  version: number
}

const toFound = ({ highestMinor, version, ...rest }: TrialRow): FoundTrial => ({
  item: { ...rest, highestAmount: fromMinor(BigInt(highestMinor), rest.currencyCode) },
  version,
})

/** The newest first. They are few. */
export async function listTrials(db: Db, caller: Caller): Promise<TrialItem[]> {
  const scope = visibleTrials(caller).at(1)
  const rows = await runStatement<TrialRow>(
    db,
    `select ${select} from ${from} where ${scope.text} order by t.id desc`,
    scope.parameters,
  )
  return rows.map((row) => toFound(row).item)
}

const source = { entity: 'trial', from, key: 't.id', select } as const

export async function findTrial(db: Db, caller: Caller, trialGuid: string): Promise<FoundTrial | undefined> {
  const row = await findRow<TrialRow, 'trial'>(db, source, trialGuid, visibleTrials(caller))
  return row && toFound(row)
}

/** Where a held trial stands. */
export interface HeldTrial {
  status: TrialItem['status']
  version: number
  eventSequence: number
}

export async function lockTrial(tx: Db, trialGuid: string): Promise<HeldTrial | undefined> {
  const [row] = await tx<HeldTrial[]>`
    select status, version, event_sequence as "eventSequence" from trial where id = ${trialGuid} for update`
  return row
}

const columns = ({ trial, championGuid }: { trial: ReadTrial; championGuid: string }) => ({
  name: trial.name,
  client_id: trial.clientGuid,
  champion_id: championGuid,
  outcome_days: trial.outcomeDays,
  highest_amount: Number(trial.highestMinor),
  currency_code: trial.currencyCode,
  planned_cases: trial.plannedCases,
})

/** A draft. Its arms are those of strategies by code. */
export async function insertTrial(tx: Db, trial: ReadTrial): Promise<string> {
  const id = makeId()
  const guids = await findStrategyGuids(tx, trial)
  const row = { id, event_sequence: 1, ...columns({ trial, championGuid: guids[0]! }) }
  await tx`insert into trial ${rowHelper(tx, row)}`
  await insertArms(tx, id, { trial, guids })
  return id
}

export async function updateTrial(tx: Db, trialGuid: string, trial: ReadTrial): Promise<void> {
  const guids = await findStrategyGuids(tx, trial)
  await tx`
    update trial set ${rowHelper(tx, columns({ trial, championGuid: guids[0]! }))},
      version = version + 1, event_sequence = event_sequence + 1 where id = ${trialGuid}`
  await tx`delete from trial_arm where trial_id = ${trialGuid}`
  await insertArms(tx, trialGuid, { trial, guids })
}

async function insertArms(
  tx: Db,
  trialGuid: string,
  { trial, guids }: { trial: ReadTrial; guids: readonly string[] },
): Promise<void> {
  const rows = trial.arms.map(({ share }, number) => ({
    trial_id: trialGuid,
    number,
    strategy_id: guids[number]!,
    share,
  }))
  await tx`insert into trial_arm ${rowsHelper(tx, rows)}`
}

/** In the order of the arms. */
async function findStrategyGuids(tx: Db, { arms }: ReadTrial): Promise<string[]> {
  const codes = arms.map(({ strategy }) => strategy)
  const rows = await tx<{ id: string; code: string }[]>`
    select id, code from strategy where code = any(${codes}::text[])`
  const byCode = new Map(rows.map(({ id, code }) => [code, id]))
  return codes.map((code) => byCode.get(code)!)
}

export async function deleteTrial(tx: Db, trialGuid: string): Promise<void> {
  await tx`delete from trial where id = ${trialGuid}`
}

/** Keeps the trial's strategies from being changed meanwhile, in the order of their guids. */
export async function lockStrategies(tx: Db, trialGuid: string): Promise<void> {
  await tx`
    select from strategy where id in (select strategy_id from trial_arm where trial_id = ${trialGuid})
    order by id for update`
}

/** The name of another running trial of the champion that has clients of this trial. */
export async function findOverlap(tx: Db, trialGuid: string): Promise<string | undefined> {
  const [row] = await runStatement<{ name: string }>(
    tx,
    `with recursive up as (
       select p.id as client_id, p.id, p.parent_id from party p
       where p.id in (select client_id from trial where id = $1 or status = 'RUNNING')
       union all
       select u.client_id, p.id, p.parent_id from up u join party p on p.id = u.parent_id
     )
     select o.name from trial t join trial o on o.champion_id = t.champion_id and o.status = 'RUNNING' and o.id <> t.id
     where t.id = $1 and (t.client_id is null or o.client_id is null
       or exists (select from up u where (u.client_id, u.id) in ((t.client_id, o.client_id), (o.client_id, t.client_id))))
     order by o.id limit 1`,
    [trialGuid],
  )
  return row?.name
}

/** Whether a client of the trial has the champion. */
export async function isChampionUsed(tx: Db, trialGuid: string): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `${servedParties}, scope as (
       select p.id from party p join trial t on t.id = $1 and (p.id = t.client_id or t.client_id is null)
       union
       select p.id from party p join scope s on p.parent_id = s.id
     )
     select from served v join scope s on s.id = v.id join trial t on t.id = $1
     where v.strategy_id = t.champion_id limit 1`,
    [trialGuid],
  )
  return rows.length > 0
}

/** Begins or ends the trial on a business date. */
export async function moveTrial(
  tx: Db,
  trialGuid: string,
  to: { status: 'RUNNING' | 'STOPPED'; date: string },
): Promise<void> {
  await tx`
    update trial set status = ${to.status}, version = version + 1, event_sequence = event_sequence + 1,
      started_date = coalesce(started_date, ${to.date}::date),
      stopped_date = case when ${to.status} = 'STOPPED' then ${to.date}::date end
    where id = ${trialGuid}`
}
