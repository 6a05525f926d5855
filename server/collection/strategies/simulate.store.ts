import { addDays } from '../../../core/calendar/calendar.ts'
import type { ExpectedClaim } from '../../../core/cases/expected-weeks.ts'
import type { StrategyStep } from '../../../core/cases/strategies.ts'
import type { Claim } from '../../../core/cases/simulate-together.ts'
import type { SimulatedCase } from '../../../core/cases/simulated-case.ts'
import type { LegalCase } from '../../../core/law/legal-case.ts'
import { owingDebtors } from '../../cases/demands/demand-groups.store.ts'
import { findFeeFacts, type FeeFacts } from '../../ledger/fees.store.ts'
import { findLegalCases } from '../../ledger/legal-cases.store.ts'
import { isOpen, owed } from '../../claims/remaining-amounts.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { caseStrategy, servedParties } from './due-steps.store.ts'

/** The steps of each version of a strategy. */
export async function listStepsByVersion(db: Db, strategyGuid: string): Promise<Map<number, StrategyStep[]>> {
  const rows = await db<{ version: number; step: StrategyStep }[]>`
    select s.version, jsonb_strip_nulls(jsonb_build_object('code', s.code, 'status', s.status, 'subStatus', s.sub_status,
      'service', s.service, 'afterDays', s.after_days, 'countries', s.countries, 'currencies', s.currencies,
      'amountFrom', s.amount_from, 'amountBelow', s.amount_below, 'onPlan', s.on_plan, 'actions', s.actions)) as step
    from strategy_step s where s.strategy_id = ${strategyGuid} order by s.version, s.number`
  const byVersion = Map.groupBy(rows, ({ version }) => version)
  return new Map([...byVersion].map(([version, steps]) => [version, steps.map(({ step }) => step)]))
}

export interface StoredSimulatedCase {
  caseNumber: string
  /** The version that the case follows. */
  version: number
  together: Claim['together']
  stored: Omit<SimulatedCase, 'remaining' | 'interestPerDay' | 'country' | 'feeOn' | 'law' | 'lawFees'> & {
    remaining: string
    interestPerDay: string
  }
  lastLetter: ExpectedClaim['lastLetter']
  channel: ExpectedClaim['channel']
  fees: FeeFacts
  law: LegalCase
}

interface Row extends Omit<StoredSimulatedCase, 'fees' | 'law' | 'channel'> {
  /** True if the main debtor has an e-mail address to which letters may go. */
  hasMailbox: boolean
  caseGuid: string
  clientGuid: string
  currencyCode: string
}

const simulatedCases = `${servedParties}
    select c.id as "caseGuid", c.client_id as "clientGuid", c.currency_code as "currencyCode", c.case_number as "caseNumber",
      coalesce(greatest(k.version, g.running_from), g.version) as version,
      case when not c.demanded_alone then jsonb_build_object(
        'key', concat_ws(' ', c.client_id, c.main_debtor_id, c.currency_code, coalesce(c.governing_country, '-'), c.service, ${owingDebtors('c.id')}),
        'group', (select m.group_id from demand_group_case m where m.case_id = c.id and m.left_date is null),
        'wish', v.bundle_claims) end as together,
      jsonb_build_object('place', jsonb_build_object('status', c.place_status, 'subStatus', c.place_sub_status),
        'service', c.service, 'currency', c.currency_code, 'minorPerUnit', c.minor_per_unit,
        'remaining', ${owed}::text,
        'interestPerDay', case when c.accrual_until is null or c.accrual_until > $3::date then c.accrual_per_day else 0 end::text,
        'since', to_char(coalesce(c.status_since, c.registration_date), 'YYYY-MM-DD'),
        'beforePlan', case when c.before_plan_status is not null then
          jsonb_build_object('status', c.before_plan_status, 'subStatus', c.before_plan_sub_status) end,
        'taken', coalesce(k.taken, '[]'), 'refusedToday', coalesce(k.refused_today, '[]')) as stored,
      (select jsonb_build_object('letter', o.kind, 'days', $3::date - o.business_date) from document o
        where o.id in (select f.id from document f where f.case_id = c.id
            union all select j.document_id from demand_letter_case j where j.case_id = c.id)
          and o.kind in ('reminder', 'notice', 'demand', 'legal', 'surveillance') and o.business_date <= $3::date
        order by o.business_date desc, o.id desc limit 1) as "lastLetter",
      exists (select from debtor d where d.id = c.main_debtor_id and d.email is not null
        and d.country_code is distinct from 'NO') as "hasMailbox"
    from strategy g
      join served v on v.strategy_id = g.id or v.strategy_id in (
        select t.champion_id from trial t join trial_arm a on a.trial_id = t.id where a.strategy_id = g.id)
      join debt_case c on c.client_id = v.id and ${caseStrategy} = g.id
      cross join lateral (
        select max(t.version) filter (where k.refused is null) as version,
          jsonb_agg(t.code) filter (where k.refused is null) as taken,
          jsonb_agg(t.code) filter (where k.refused is not null and k.business_date = $3::date) as refused_today
        from strategy_step_taken k join strategy_step t on t.id = k.step_id
        where k.case_id = c.id and t.strategy_id = g.id
      ) k
    where g.id = $1 and ${isOpen} and c.hold is null and ${owed} > 0
    order by c.id limit $2`

/** Open cases without a hold of the parties with the strategy, in the order of their guids. */
export async function findCasesToSimulate(
  db: Db,
  strategyGuid: string,
  { today, days, limit }: { today: string; days: number; limit: number },
): Promise<StoredSimulatedCase[]> {
  const rows = await runStatement<Row>(db, simulatedCases, [strategyGuid, limit, today], { prepare: true })
  const caseGuids = rows.map(({ caseGuid }) => caseGuid)
  const fees = await findFeeFacts(db, rows, { from: today, to: addDays(today, days) })
  const laws = await findLegalCases(db, caseGuids, today)
  const byEmail = await findClientsByEmail(
    db,
    rows.map(({ clientGuid }) => clientGuid),
  )
  return rows.map(
    ({ caseGuid, clientGuid, hasMailbox, caseNumber, version, together, lastLetter, stored }) => ({
      caseNumber,
      version,
      together,
      lastLetter,
      stored,
      channel: hasMailbox && byEmail.has(clientGuid) ? ('email' as const) : ('letter' as const),
      fees: fees.get(caseGuid)!,
      law: laws.get(caseGuid)!,
    }),
  )
}

/** Of the clients those whose letters may leave by e-mail. */
async function findClientsByEmail(db: Db, clientGuids: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select k.id from (select distinct unnest(${[...clientGuids]}::uuid[]) as id) k where sends_letters_by_email(k.id)`
  return new Set(rows.map(({ id }) => id))
}
