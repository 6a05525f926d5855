/** Writing everything that a change of cases and their money leaves behind, in one statement. */
import { runStatement } from '../database/statement.ts'
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

/** The columns of a case that its entries sum to, in minor units. */
export const balanceNames = [
  'original_principal',
  'original_interest',
  'original_fee',
  'added_interest',
  'added_fee',
  'paid_principal',
  'paid_interest',
  'paid_fee',
  'paid_to_third_party',
  'written_off_principal',
  'written_off_interest',
  'written_off_fee',
  'credit',
] as const

export interface CaseUpdate extends Record<(typeof balanceNames)[number], number> {
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
  limitation_date: string | null
  interrupted_by: string | null
  interrupted_date: string | null
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
  ...balanceNames,
  'accrual_from',
  'accrual_exact',
  'accrual_per_day',
  'accrual_until',
  'accrued_interest',
  'limitation_date',
  'interrupted_by',
  'interrupted_date',
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
  'claim_kind',
  'limitation_country',
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
type Table = Exclude<keyof MoneyRows, 'changes'>

/** The rows of a table, as JSON in the statement's parameter. */
const rowsAt = (table: string, parameter: number) =>
  `from jsonb_populate_recordset(null::${table}, $${parameter}::text::jsonb)`
const insertAll = (table: string) => (parameter: number) =>
  `insert into ${table} select * ${rowsAt(table, parameter)}`
const insertColumns = (table: string, columns: string) => (parameter: number) =>
  `insert into ${table} (${columns}) select ${columns} ${rowsAt(table, parameter)}`

/** What writes the rows of each, in the order of the statement. */
const writes: readonly (readonly [Table, (parameter: number) => string])[] = [
  ['cases', insertColumns('debt_case', columnsOfCase)],
  ['caseDebtors', insertAll('case_debtor')],
  ['invoices', insertAll('invoice')],
  ['payments', insertAll('payment')],
  ['movements', insertAll('movement')],
  ['transactions', insertAll('ledger_transaction')],
  ['entries', insertAll('ledger_entry')],
  ['items', insertColumns('item', itemColumns)],
  [
    'caseUpdates',
    (parameter) =>
      `update debt_case c set ${updatedColumns.map((name) => `${name} = n.${name}`).join(', ')}
       ${rowsAt('debt_case', parameter)} n where c.id = n.id`,
  ],
]

/**
 * Writes rows with their events and audit entries. One statement, because the entries of a transaction come together
 * and are counted on their cases when it ends. Tables without rows are left out of it: their triggers would run for
 * nothing, and some of them hold rows that others want.
 */
export async function insertMoney(tx: Db, rows: MoneyRows, origin: Origin): Promise<void> {
  const used = writes.filter(([table]) => rows[table].length > 0)
  const parts = used.map(([table, write], index) => `${table.toLowerCase()}_written as (${write(index + 1)})`)
  const parameters = [
    ...used.map(([table]) => JSON.stringify(rows[table])),
    ...recordParameters(recordsOf(origin, rows.changes)),
  ]
  const text = `with ${[...parts, recordedText(used.length + 1)].join(',\n')} select`
  await runStatement(tx, text, parameters, { prepare: true })
}
