/** Writes all rows of a change to cases and their money in one statement. */
import {
  rowParameterCount,
  rowParameters,
  rowsFrom,
  updateFrom,
  type ColumnTypes,
} from '../platform/database/row-text.ts'
import { runStatement } from '../platform/database/statement.ts'
import type { Db } from '../platform/database/transaction.ts'
import { recordStatement, recordParameters, toRecords, type Change } from '../platform/events/record.ts'
import type { Origin } from '../platform/http/caller.ts'

/** The columns of a new payment that others read before it is written. The amount is in minor units. */
interface NewPaymentRow extends Record<string, unknown> {
  id: string
  currency_code: string
  amount: number
  value_date: string
  registered_date: string
}

/** Those of a new movement. The amount is in minor units. */
interface NewMovementRow extends Record<string, unknown> {
  case_id: string
  payment_id?: string | null
  amount: number
}

/** Rows to write by table, with their values by column. */
export interface MoneyRows {
  cases: Record<string, unknown>[]
  caseDebtors: Record<string, unknown>[]
  invoices: Record<string, unknown>[]
  payments: NewPaymentRow[]
  movements: NewMovementRow[]
  transactions: Record<string, unknown>[]
  entries: Record<string, unknown>[]
  heldMoney: Record<string, unknown>[]
  items: Record<string, unknown>[]
  /** Updates of existing cases: the identifier and every column in `updatedTypes`. */
  caseUpdates: CaseUpdate[]
  changes: Change[]
}

/** The balances of a case, each the sum of its ledger entries, in minor units. */
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

const columnsOfType = <const N extends readonly string[]>(type: string, names: N) =>
  Object.fromEntries(names.map((name) => [name, type])) as Record<N[number], string>

/** The columns of a case's lifecycle; see `lifecycleColumns`. */
export const lifecycleTypes = {
  status: 'text',
  sub_status: 'text',
  place_status: 'text',
  place_sub_status: 'text',
  hold: 'text',
  before_plan_status: 'text',
  before_plan_sub_status: 'text',
  closure_code: 'text',
  closure_date: 'date',
} as const

/** The columns of interest accrued since the last posting; see `accrualColumns`. */
export const accrualTypes = {
  accrual_from: 'date',
  accrual_exact: 'numeric',
  accrual_per_day: 'numeric',
  accrual_until: 'date',
  accrued_interest: 'bigint',
} as const

const updatedTypes = {
  ...lifecycleTypes,
  ...columnsOfType('bigint', balanceNames),
  ...accrualTypes,
  limitation_date: 'date',
  interrupted_by: 'text',
  interrupted_date: 'date',
  movement_count: 'int',
  transaction_count: 'int',
  version: 'int',
  event_sequence: 'bigint',
} satisfies Record<Exclude<keyof CaseUpdate, 'id'>, string>

/** The columns written to each table, with their types. */
const tables = {
  cases: {
    id: 'uuid',
    running_number: 'bigint',
    case_number: 'text',
    client_id: 'uuid',
    main_debtor_id: 'uuid',
    currency_code: 'text',
    minor_per_unit: 'int',
    service: 'text',
    ...updatedTypes,
    registration_date: 'date',
    client_reference_number: 'text',
    payment_reference_number: 'text',
    description: 'text',
    interest_rate: 'numeric',
    interest_series: 'text',
    interest_points: 'numeric',
    opening_interest: 'bigint',
    opening_fee: 'bigint',
    opening_court_costs: 'bigint',
    opening_fee_type: 'text',
    opening_fee_date: 'date',
    withheld_fee: 'bigint',
    allocation_order: 'text',
    tolerance_minor: 'bigint',
    claim_kind: 'text',
    limitation_country: 'text',
    governing_country: 'text',
    governing_from: 'date',
    reminder_fee_agreed: 'boolean',
    due_date_basis: 'text',
    notice_deadline: 'date',
    day_count: 'jsonb',
    source_reference: 'text',
  },
  caseDebtors: {
    case_id: 'uuid',
    debtor_id: 'uuid',
    client_id: 'uuid',
    debtor_role: 'text',
    added_date: 'date',
  },
  invoices: {
    id: 'uuid',
    case_id: 'uuid',
    number: 'int',
    invoice_number: 'text',
    invoice_date: 'date',
    due_date: 'date',
    description: 'text',
    principal: 'bigint',
    interest_rate: 'numeric',
    interest_series: 'text',
    interest_points: 'numeric',
    interest_from_date: 'date',
    interest_start_rule: 'text',
    opening: 'boolean',
    source_reference: 'text',
  },
  payments: {
    id: 'uuid',
    currency_code: 'text',
    amount: 'bigint',
    value_date: 'date',
    registered_date: 'date',
    payer_reference: 'text',
    to_third_party: 'boolean',
    debtor_id: 'uuid',
    case_id: 'uuid',
    source_reference: 'text',
    version: 'int',
    reversed_date: 'date',
    reversal_reason: 'text',
    bounced: 'boolean',
  },
  movements: {
    id: 'uuid',
    case_id: 'uuid',
    number: 'int',
    kind: 'text',
    value_date: 'date',
    booked_date: 'date',
    amount: 'bigint',
    invoice_id: 'uuid',
    payment_id: 'uuid',
    reverses_id: 'uuid',
    allocation_order: 'text',
    tolerance_minor: 'bigint',
    details: 'jsonb',
  },
  transactions: {
    id: 'uuid',
    case_id: 'uuid',
    number: 'int',
    kind: 'text',
    value_date: 'date',
    booked_date: 'date',
    movement_id: 'uuid',
    reverses_id: 'uuid',
  },
  entries: { transaction_id: 'uuid', line: 'int', account: 'text', invoice_id: 'uuid', amount: 'bigint' },
  heldMoney: {
    id: 'uuid',
    case_id: 'uuid',
    client_id: 'uuid',
    currency_code: 'text',
    counts_from: 'date',
    amount: 'bigint',
  },
  items: {
    guid: 'uuid',
    type: 'int',
    primary_description: 'text',
    secondary_description: 'text',
    party_id: 'uuid',
    search_keys: 'text[]',
  },
  caseUpdates: { id: 'uuid', ...updatedTypes },
} satisfies Record<Exclude<keyof MoneyRows, 'changes'>, ColumnTypes>
type Table = keyof typeof tables

export const emptyRows = (): MoneyRows => ({
  cases: [],
  caseDebtors: [],
  invoices: [],
  payments: [],
  movements: [],
  transactions: [],
  entries: [],
  heldMoney: [],
  items: [],
  caseUpdates: [],
  changes: [],
})

const insertInto = (name: string, table: Table) => (first: number) =>
  `insert into ${name} (${Object.keys(tables[table]).join(', ')}) select * from ${rowsFrom(tables[table], first)} n`

/** The write of each table, in the order of the statement. */
const tableWrites: readonly (readonly [Table, (first: number) => string])[] = [
  ['cases', insertInto('debt_case', 'cases')],
  ['caseDebtors', insertInto('case_debtor', 'caseDebtors')],
  ['invoices', insertInto('invoice', 'invoices')],
  ['payments', insertInto('payment', 'payments')],
  ['movements', insertInto('movement', 'movements')],
  ['transactions', insertInto('ledger_transaction', 'transactions')],
  ['entries', insertInto('ledger_entry', 'entries')],
  ['heldMoney', insertInto('held_money', 'heldMoney')],
  ['items', insertInto('item', 'items')],
  ['caseUpdates', (first) => updateFrom('debt_case', tables.caseUpdates, first)],
]

/**
 * Writes rows with their events and audit entries. A trigger checks the entries of a transaction and adds
 * them to the case when the statement ends, so they must arrive in one statement. Tables without rows are
 * left out: their triggers would run for nothing, and some lock rows that other transactions need. `origins` is that of all
 * changes, or of each.
 */
export async function insertMoney(
  tx: Db,
  rows: MoneyRows,
  origins: Origin | readonly Origin[],
): Promise<void> {
  const used = tableWrites.filter(([table]) => rows[table].length > 0)
  const parts = used.map(
    ([table, write], index) => `${table.toLowerCase()}_written as (${write(index * rowParameterCount + 1)})`,
  )
  const parameters = [
    ...used.flatMap(([table]) => rowParameters(tables[table], rows[table])),
    ...recordParameters(toRecords(origins, rows.changes)),
  ]
  const recorded = recordStatement(used.length * rowParameterCount + 1)
  // The money held for clients is written here: a trigger writes it for programs that do not know it.
  const text = `with ${[...parts, recorded].join(',\n')} select set_config('fordra.held_money', 'written', true)`
  await runStatement(tx, text, parameters, { prepare: true })
}
