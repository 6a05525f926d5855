/** Writing everything that a change of cases and their money leaves behind, in one statement. */
import type { Db } from '../database/transaction.ts'
import { recorded, recordsOf, type Change } from '../events/record.ts'
import type { Origin } from '../http/caller.ts'

/** Rows to write, by table; columns by their names. */
export interface MoneyRows {
  cases: Record<string, unknown>[]
  caseDebtors: Record<string, unknown>[]
  invoices: Record<string, unknown>[]
  payments: Record<string, unknown>[]
  movements: Record<string, unknown>[]
  transactions: Record<string, unknown>[]
  entries: Record<string, unknown>[]
  items: Record<string, unknown>[]
  /** Of cases that there are: identifier and every column in `updatedColumns`. */
  caseUpdates: CaseUpdate[]
  changes: Change[]
}

export interface CaseUpdate {
  id: string
  status: string
  sub_status: string
  place_status: string
  place_sub_status: string
  hold: string | null
  before_plan_status: string | null
  before_plan_sub_status: string | null
  closure_code: string | null
  closure_date: string | null
  accrual_from: string | null
  accrual_exact: string
  accrual_per_day: string
  accrual_until: string | null
  accrued_interest: number
  movement_count: number
  transaction_count: number
  version: number
  event_sequence: number
}

const updatedColumns = [
  'status',
  'sub_status',
  'place_status',
  'place_sub_status',
  'hold',
  'before_plan_status',
  'before_plan_sub_status',
  'closure_code',
  'closure_date',
  'accrual_from',
  'accrual_exact',
  'accrual_per_day',
  'accrual_until',
  'accrued_interest',
  'movement_count',
  'transaction_count',
  'version',
  'event_sequence',
] as const satisfies (keyof CaseUpdate)[]

const caseColumns = [
  'id',
  'running_number',
  'case_number',
  'client_id',
  'main_debtor_id',
  'currency_code',
  'minor_per_unit',
  'service',
  ...updatedColumns,
  'registration_date',
  'client_reference_number',
  'payment_reference_number',
  'description',
  'interest_rate',
  'interest_series',
  'interest_points',
  'opening_interest',
  'opening_fee',
  'allocation_order',
  'tolerance_minor',
  'limitation_date',
  'source_reference',
]

export const noRows = (): MoneyRows => ({
  cases: [],
  caseDebtors: [],
  invoices: [],
  payments: [],
  movements: [],
  transactions: [],
  entries: [],
  items: [],
  caseUpdates: [],
  changes: [],
})

/**
 * Writes rows with their events and audit entries. One statement, because the entries of a transaction come together
 * and are counted on their cases when it ends.
 */
export async function insertMoney(tx: Db, rows: MoneyRows, origin: Origin): Promise<void> {
  const json = (list: readonly object[]) => tx.json(list as never)
  const columns = tx.unsafe(caseColumns.join(', '))
  await tx`
    with made_cases as (
      insert into debt_case (${columns})
      select ${columns} from jsonb_populate_recordset(null::debt_case, ${json(rows.cases)})
    ),
    made_debtors as (
      insert into case_debtor select * from jsonb_populate_recordset(null::case_debtor, ${json(rows.caseDebtors)})
    ),
    made_invoices as (
      insert into invoice select * from jsonb_populate_recordset(null::invoice, ${json(rows.invoices)})
    ),
    made_payments as (
      insert into payment select * from jsonb_populate_recordset(null::payment, ${json(rows.payments)})
    ),
    made_movements as (
      insert into movement select * from jsonb_populate_recordset(null::movement, ${json(rows.movements)})
    ),
    made_transactions as (
      insert into ledger_transaction select * from jsonb_populate_recordset(null::ledger_transaction, ${json(rows.transactions)})
    ),
    made_entries as (
      insert into ledger_entry select * from jsonb_populate_recordset(null::ledger_entry, ${json(rows.entries)})
    ),
    made_items as (
      insert into item select * from jsonb_populate_recordset(null::item, ${json(rows.items)})
    ),
    changed_cases as (
      update debt_case c set ${tx.unsafe(updatedColumns.map((name) => `${name} = n.${name}`).join(', '))}
      from jsonb_populate_recordset(null::debt_case, ${json(rows.caseUpdates)}) n where c.id = n.id
    ),
    ${recorded(tx, recordsOf(origin, rows.changes))} select`
}
