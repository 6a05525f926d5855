/** Writing everything that a change of cases and their money leaves behind, in one statement. */
import type { Db } from '../database/transaction.ts'
import { recordedText, recordParameters, recordsOf, type Change } from '../events/record.ts'
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

const itemColumns = 'guid, type, primary_description, secondary_description, debtor_id, party_id, search_keys'
const columnsOfCase = caseColumns.join(', ')
/** The rows of a table, as JSON in the statement's parameter. */
const rowsAt = (table: string, parameter: number) =>
  `from jsonb_populate_recordset(null::${table}, $${parameter}::text::jsonb)`
const insertText = `
  with made_cases as (
    insert into debt_case (${columnsOfCase}) select ${columnsOfCase} ${rowsAt('debt_case', 1)}
  ),
  made_debtors as (insert into case_debtor select * ${rowsAt('case_debtor', 2)}),
  made_invoices as (insert into invoice select * ${rowsAt('invoice', 3)}),
  made_payments as (insert into payment select * ${rowsAt('payment', 4)}),
  made_movements as (insert into movement select * ${rowsAt('movement', 5)}),
  made_transactions as (insert into ledger_transaction select * ${rowsAt('ledger_transaction', 6)}),
  made_entries as (insert into ledger_entry select * ${rowsAt('ledger_entry', 7)}),
  made_items as (insert into item (${itemColumns}) select ${itemColumns} ${rowsAt('item', 8)}),
  changed_cases as (
    update debt_case c set ${updatedColumns.map((name) => `${name} = n.${name}`).join(', ')}
    ${rowsAt('debt_case', 9)} n where c.id = n.id
  ),
  ${recordedText(10)} select`

/**
 * Writes rows with their events and audit entries. One statement, because the entries of a transaction come together
 * and are counted on their cases when it ends.
 */
export async function insertMoney(tx: Db, rows: MoneyRows, origin: Origin): Promise<void> {
  const lists = [
    rows.cases,
    rows.caseDebtors,
    rows.invoices,
    rows.payments,
    rows.movements,
    rows.transactions,
    rows.entries,
    rows.items,
    rows.caseUpdates,
  ]
  const parameters = [
    ...lists.map((list) => JSON.stringify(list)),
    ...recordParameters(recordsOf(origin, rows.changes)),
  ]
  await tx.unsafe(insertText, parameters, { prepare: true })
}
