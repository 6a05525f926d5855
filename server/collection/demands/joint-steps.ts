/** Finds the claims that are demanded together with those whose step is due (core/law/bundling.ts), set-based. */
import {
  findBundling,
  isBundled,
  listBundlingCountries,
  mayBeBundled,
  type Bundling,
} from '../../../core/law/bundling.ts'
import { owingDebtors } from '../../cases/demands/demand-groups.store.ts'
import { isOpen } from '../../claims/remaining-amounts.ts'
import { rowParameters, rowsFrom } from '../../platform/database/row-text.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { stepsText, type DueStep } from '../strategies/due-steps.store.ts'

/** Steps that are taken together: of one case, or of the cases that are demanded together. */
export interface StepUnit {
  /** The oldest case first. */
  steps: UnitStep[]
  /** Null for a step of one case. */
  joint: JointDemand | null
}

export interface UnitStep {
  due: DueStep
  /** False for a case whose step is not due yet, and that is demanded early with the others. */
  isDue: boolean
}

export interface JointDemand {
  bundling: Bundling
  /** The group in which the cases were demanded before. Null for the first demand. */
  groupGuid: string | null
}

interface JoinableStep extends DueStep {
  /** The same for cases that may be demanded together. */
  key: string
  groupGuid: string | null
  country: string | null
  isBusiness: boolean
  wish: boolean | null
}

const leadTypes = { lead: 'uuid', code: 'text' }

/**
 * Cases that stand where a leading case `l` stands, of the same parties, currency and law; the leading ones too. None for a
 * lead whose debtor has no other open case with the client, as most have.
 */
const joinableText = stepsText({
  stretch: `stretch as materialized (
    select distinct on (c.id, w.code) c.*, w.code as wanted, k.group_id,
      concat_ws(' ', w.code, c.client_id, c.main_debtor_id, c.currency_code, c.governing_country, c.service,
        c.place_status, c.place_sub_status, coalesce(k.group_id::text, '-'), ${owingDebtors('c.id')}) as unit_key
    from ${rowsFrom(leadTypes, 4)} w
      join debt_case l on l.id = w.lead and not l.demanded_alone
      left join demand_group_case lk on lk.case_id = l.id and lk.left_date is null
      join debt_case c on c.main_debtor_id = l.main_debtor_id and c.client_id = l.client_id
        and c.currency_code = l.currency_code and c.service = l.service and not c.demanded_alone
        and c.governing_country is not distinct from l.governing_country
        and c.place_status = l.place_status and c.place_sub_status = l.place_sub_status
      left join demand_group_case k on k.case_id = c.id and k.left_date is null
    where ${isOpen} and c.hold is null and k.group_id is not distinct from lk.group_id
      and exists (select from debt_case o where o.main_debtor_id = l.main_debtor_id and o.id <> l.id
        and o.client_id = l.client_id and o.closure_code is null and o.hold is null)
  )`,
  key: 'c.id, c.wanted',
  columns: `, c.unit_key || ' ' || g.code as key, c.group_id as "groupGuid", c.governing_country as country, v.bundle_claims as wish,
    (select d.juridical_type is not distinct from 1 from debtor d where d.id = c.main_debtor_id) as "isBusiness"`,
  condition: 's.code = c.wanted',
})

const alone = (due: DueStep): StepUnit => ({ steps: [{ due, isDue: true }], joint: null })

/** The due steps as units, in the order of their first cases. */
export async function formUnits(db: Db, due: readonly DueStep[], date: string): Promise<StepUnit[]> {
  const leads = due.filter(({ actions }) => mayBeBundled(actions))
  if (leads.length === 0) return due.map(alone)
  const joinable = await findJoinable(db, leads, date)
  const byCase = new Map(due.map((one) => [one.caseGuid, one]))
  const units: StepUnit[] = []
  const joined = new Set<string>()
  for (const found of Map.groupBy(joinable, ({ key }) => key).values()) {
    const rows = found.filter(({ caseGuid }) => !joined.has(caseGuid))
    const steps = rows.map((row) => {
      const own = byCase.get(row.caseGuid)
      const isDue = own !== undefined && own.step === row.step
      return { due: isDue ? own : toDueStep(row), isDue }
    })
    const [first] = rows
    const lead = steps.find(({ isDue }) => isDue)
    if (rows.length < 2 || !lead) continue
    const bundling = findBundling(first!.country, {
      date,
      debtor: first!.isBusiness ? 'business' : 'consumer',
      wish: first!.wish,
    })
    if (bundling === null || !isBundled(bundling, lead.due.actions)) continue
    const { actions } = lead.due
    units.push({
      steps: steps.map((step) => ({ ...step, due: { ...step.due, actions } })),
      joint: { bundling, groupGuid: first!.groupGuid },
    })
    for (const { caseGuid } of rows) joined.add(caseGuid)
  }
  const others = due.filter(({ caseGuid }) => !joined.has(caseGuid)).map(alone)
  return [...units, ...others].toSorted((a, b) => (firstCase(a) < firstCase(b) ? -1 : 1))
}

const firstCase = ({ steps }: StepUnit): string => steps[0]!.due.caseGuid

const findJoinable = async (db: Db, leads: readonly DueStep[], date: string): Promise<JoinableStep[]> => {
  const rows = leads.map(({ caseGuid, step }) => ({ lead: caseGuid, code: step }))
  const { always, unlessRefused } = listBundlingCountries(date)
  const found = await runStatement<JoinableStep>(
    db,
    joinableText,
    [date, always, unlessRefused, ...rowParameters(leadTypes, rows)],
    {
      prepare: true,
    },
  )
  return found.toSorted(byCaseNumber)
}

/** The case registered first is the oldest. */
const byCaseNumber = ({ caseNumber: a }: DueStep, { caseNumber: b }: DueStep): number =>
  a.length - b.length || (a < b ? -1 : 1)

const toDueStep = ({
  caseGuid,
  caseNumber,
  debtorGuid,
  strategy,
  stepGuid,
  step,
  status,
  subStatus,
  actions,
}: JoinableStep): DueStep => ({
  caseGuid,
  caseNumber,
  debtorGuid,
  strategy,
  stepGuid,
  step,
  status,
  subStatus,
  actions,
})
