/** The cases that a debtor could include in a plan, with the data for its calculation, in one statement. */
import { readHistories, historyColumns, type CaseHistory, type HistoryRow } from '../ledger/ledger.store.ts'
import { findVisible } from '../platform/database/find-row.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { VisibleDebtor } from '../parties/debtors/debtor-lock.ts'
import type { Caller } from '../platform/http/caller.ts'
import { notFound } from '../platform/http/errors.ts'
import { visibleCases } from '../claims/cases.scope.ts'
import { visibleDebtors } from '../parties/debtors/debtors.scope.ts'
import { termsByClient, type PlanTermsFound } from './plan-defaults.store.ts'

export interface PayableCase {
  caseGuid: string
  caseNumber: string
  clientReference: string | null
  clientGuid: string
  currencyCode: string
  closed: boolean
  registrationDate: string
  /** The active plan of the case, if any. */
  planGuid: string | null
  /** Loaded only for a requested case that can join a plan; otherwise null. */
  history: CaseHistory | null
}

/** A case that can join a plan: open and in no active plan. */
export type FreeCase = PayableCase & { history: CaseHistory }
export const isFree = (one: PayableCase): one is FreeCase => one.history !== null

export interface PayableCases extends PlanTermsFound {
  debtor: VisibleDebtor
  /** Limited to the clients that the caller may see. The case registered first comes first. */
  cases: PayableCase[]
}

interface FoundRow extends PlanTermsFound {
  cases: (Omit<PayableCase, 'history'> & { history: HistoryRow | null })[] | null
}

/**
 * Finds the named cases, or all when none are named. Throws a 404 for a debtor that the caller may not see.
 */
export async function findPayableCases(
  db: Db,
  caller: Caller,
  { debtorGuid, cases = null }: { debtorGuid: string; cases?: readonly string[] | null | undefined },
): Promise<PayableCases> {
  const scope = visibleCases(caller).at(3)
  const source = {
    entity: 'debtor',
    from: 'debtor d',
    key: 'd.id',
    select: `${selectCases(scope.text)} as cases,
      ${termsByClient('select cd.client_id from case_debtor cd where cd.debtor_id = d.id')} as "byClient",
      (select settings from system_setting) as settings`,
    parameters: [cases, ...scope.parameters],
  } as const
  const found = await findVisible<'debtor', FoundRow>(db, source, debtorGuid, visibleDebtors(caller))
  if (!found) throw notFound('debtor')
  const { row, guid } = found
  const rows = row.cases ?? []
  const histories = await readHistories(
    db,
    rows.flatMap(({ history }) => history ?? []),
  )
  const byGuid = new Map(histories.map((history) => [history.caseGuid, history]))
  return {
    ...row,
    debtor: guid,
    cases: rows.map((one) => ({ ...one, history: byGuid.get(one.caseGuid) ?? null })),
  }
}

const selectCases = (condition: string): string => `(
  select jsonb_agg(jsonb_build_object('caseGuid', c.id, 'caseNumber', c.case_number,
    'clientReference', c.client_reference_number, 'clientGuid', c.client_id, 'currencyCode', c.currency_code,
    'closed', c.closure_code is not null, 'registrationDate', c.registration_date, 'planGuid', pc.plan_id,
    'history', case when c.closure_code is null and pc.plan_id is null and ($2::uuid[] is null or c.id = any($2))
      then (select to_jsonb(h) from (select ${historyColumns({ withTransactions: false })}) h) end) order by c.running_number)
  from case_debtor cd join debt_case c on c.id = cd.case_id
    left join payment_plan_case pc on pc.case_id = c.id and pc.active
  where cd.debtor_id = d.id and cd.debtor_role in ('MAIN_DEBTOR', 'CO_DEBTOR', 'GUARANTOR', 'ESTATE') and ${condition})`
