import { findBundling, isBundled, listBundlingCountries } from '../../../../core/law/bundling.ts'
import type { StrategyItem } from '../../../../contract/collection/strategies.ts'
import { owingDebtors } from '../../../cases/demands/demand-groups.store.ts'
import { caseRowSelect, type CaseRow } from '../../../claims/case-lock.ts'
import { isOpen } from '../../../claims/remaining-amounts.ts'
import { runStatement } from '../../../platform/database/statement.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import { caseStrategy, servedParties, stepsText, type DueStep } from '../due-steps.store.ts'
import { sinceDay } from '../waiting-cases.store.ts'

export interface CaseStrategy {
  row: CaseRow
  strategyGuid: string | null
  strategyName: string | null
  since: string
  /** The last day of its hold. */
  holdUntil: string | null
  /** True if the day-end of the business date has taken the steps. */
  isNightDone: boolean
}

export interface CandidateStep extends DueStep {
  conditions: StrategyItem['steps'][number]
  dueDate: string
  number: number
  /** Why the night of the business date refused it. */
  refusedToday: string | null
}

interface CandidateRow extends CandidateStep {
  key: string
  isBusiness: boolean
  country: string | null
  wish: boolean | null
}

/** `$1` is the case, `$2` the business date. */
const caseStrategyText = `${servedParties}
  select to_jsonb(r) as row, g.id as "strategyGuid", g.name as "strategyName", ${sinceDay}::text as since,
    c.hold_until::text as "holdUntil",
    exists (select from day_end_step n where n.business_date = $2::date and n.step = 'apply-strategies' and n.is_done)
      as "isNightDone"
  from debt_case c join served v on v.id = c.client_id left join strategy g on g.id = ${caseStrategy}
    cross join lateral (select ${caseRowSelect}) r
  where c.id = $1`

export async function findCaseStrategy(db: Db, caseGuid: string, date: string): Promise<CaseStrategy> {
  const [found] = await runStatement<CaseStrategy>(db, caseStrategyText, [caseGuid, date], { prepare: true })
  return found!
}

/** What keeps claims apart that stand in different places or are owed by others, as for the night. */
const unitKey = `concat_ws(' ', c.currency_code, c.governing_country, c.service, c.place_status, c.place_sub_status,
  (select k.group_id from demand_group_case k where k.case_id = c.id and k.left_date is null), ${owingDebtors('c.id')})`

/**
 * The steps of a case `$4` that are still to come in its status, and those of other claims of its client on its debtor.
 * `$1` is the day after the business date: a step that was refused on the business date is a candidate again.
 */
const candidatesText = stepsText({
  stretch: `stretch as materialized (
    select c.*, ${unitKey} as unit_key from debt_case l
      join debt_case c on c.main_debtor_id = l.main_debtor_id and c.client_id = l.client_id
    where l.id = $4 and ${isOpen} and (c.id = l.id
      or (l.hold is null and c.hold is null and not l.demanded_alone and not c.demanded_alone))
  )`,
  key: 'c.id, s.id',
  columns: `, c.unit_key || ' ' || g.id as key, (${sinceDay} + s.after_days)::text as "dueDate", s.number,
    jsonb_build_object('code', s.code, 'status', s.status, 'subStatus', s.sub_status, 'service', s.service,
      'afterDays', s.after_days, 'countries', s.countries, 'currencies', s.currencies, 'amountFrom', s.amount_from,
      'amountBelow', s.amount_below, 'onPlan', s.on_plan, 'source', s.source, 'actions', s.actions) as conditions,
    (select k.refused from strategy_step_taken k where k.case_id = c.id and k.step_id = s.id
      and k.business_date = $1::date - 1) as "refusedToday",
    c.governing_country as country, v.bundle_claims as wish,
    (select d.juridical_type is not distinct from 1 from debtor d where d.id = c.main_debtor_id) as "isBusiness"`,
  condition: 'true',
})

/**
 * The steps of a case that are still to come, each with the day on which it is due. A step for claims that are demanded
 * together is due with the first of them.
 */
export async function listCandidates(
  db: Db,
  caseGuid: string,
  { date, dayAfter }: { date: string; dayAfter: string },
): Promise<(CandidateStep & { demandedWith: string | null })[]> {
  const { always, unlessRefused } = listBundlingCountries(date)
  const rows = await runStatement<CandidateRow>(
    db,
    candidatesText,
    [dayAfter, always, unlessRefused, caseGuid],
    {
      prepare: true,
    },
  )
  const own = rows.filter((row) => row.caseGuid === caseGuid)
  return own.map((step) => {
    const bundling = findBundling(step.country, {
      date,
      debtor: step.isBusiness ? 'business' : 'consumer',
      wish: step.wish,
    })
    if (bundling === null || !isBundled(bundling, step.actions)) return { ...step, demandedWith: null }
    const together = rows.filter((row) => row.key === step.key && row.step === step.step)
    const first = together.reduce((one, other) => (other.dueDate < one.dueDate ? other : one), step)
    return {
      ...step,
      dueDate: first.dueDate,
      demandedWith: first.caseGuid === caseGuid ? null : first.caseNumber,
    }
  })
}
