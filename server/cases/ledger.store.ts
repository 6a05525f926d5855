/** Loading what a case's ledger is derived from, and writing what was derived: all rows of a change in one statement. */
import type { AllocationOrderCode } from '../../core/allocation.ts'
import { allocationOrders } from '../../core/allocation.ts'
import type { Claim, LedgerInput, Movement, MovementEffect } from '../../core/case-movement.ts'
import type { Entry, TransactionKind } from '../../core/case-transaction.ts'
import type { Db } from '../database/transaction.ts'
import { recordedText, recordParameters, recordsOf, type Change } from '../events/record.ts'
import type { Origin } from '../http/caller.ts'
import { interestOfRow } from './client-terms.ts'
import { findRates } from './reference-rates.store.ts'

/** While one posts, the business date stands still; see the roll in accrual.ts. */
export const moneyLock = 0x464f5244

/** Waits for a roll of the business date; to be taken before any case. */
export const holdDate = (tx: Db) => tx`select pg_advisory_xact_lock_shared(${moneyLock})`

export interface StoredTransaction {
  id: string
  kind: TransactionKind
  valueDate: string
  movementId: string | null
  entries: Entry[]
}

/** A held case with its history. */
export interface CaseHistory {
  caseGuid: string
  input: LedgerInput
  /** Those not reversed, in order. */
  stored: StoredTransaction[]
  businessDate: string
  invoiceCount: number
}

interface HistoryRow {
  id: string
  registrationDate: string
  allocationOrder: AllocationOrderCode
  toleranceMinor: number
  openingInterest: number
  openingFee: number
  interestRate: string | null
  interestSeries: string | null
  interestPoints: string | null
  businessDate: string
  ratesVersion: string
  invoices: InvoiceRow[] | null
  movements: MovementRow[] | null
  transactions: TransactionRow[] | null
}

interface InvoiceRow {
  id: string
  opening: boolean
  principal: number
  dueDate: string | null
  interestFrom: string | null
  interestRate: string | null
  interestSeries: string | null
  interestPoints: string | null
}

interface MovementRow {
  id: string
  number: number
  kind: Movement['kind']
  valueDate: string
  amount: number
  invoiceId: string | null
  reversesId: string | null
  details: Record<string, unknown>
}

interface TransactionRow {
  id: string
  kind: TransactionKind
  valueDate: string
  movementId: string | null
  entries: [account: Entry['account'], claim: string | null, amount: number][]
}

/** The histories of cases, in the order of their identifiers. Those that are posted to must be held. */
export async function loadHistories(
  tx: Db,
  caseGuids: readonly string[],
  { withTransactions = true } = {},
): Promise<CaseHistory[]> {
  const rows = await tx<HistoryRow[]>`
    select c.id, c.registration_date as "registrationDate", c.allocation_order as "allocationOrder",
      c.tolerance_minor as "toleranceMinor", c.opening_interest as "openingInterest", c.opening_fee as "openingFee",
      trim_scale(c.interest_rate)::text as "interestRate", c.interest_series as "interestSeries",
      trim_scale(c.interest_points)::text as "interestPoints",
      (select business_date from business_clock) as "businessDate", (select version from reference_version) as "ratesVersion",
      (select jsonb_agg(jsonb_build_object('id', i.id, 'opening', i.opening, 'principal', i.principal, 'dueDate', i.due_date,
          'interestFrom', i.interest_from_date, 'interestRate', trim_scale(i.interest_rate)::text,
          'interestSeries', i.interest_series, 'interestPoints', trim_scale(i.interest_points)::text) order by i.number)
        from invoice i where i.case_id = c.id) as invoices,
      (select jsonb_agg(jsonb_build_object('id', m.id, 'number', m.number, 'kind', m.kind, 'valueDate', m.value_date,
          'amount', m.amount, 'invoiceId', m.invoice_id, 'reversesId', m.reverses_id, 'details', m.details) order by m.number)
        from movement m where m.case_id = c.id) as movements,
      case when ${withTransactions}::boolean then
        (select jsonb_agg(jsonb_build_object('id', t.id, 'kind', t.kind, 'valueDate', t.value_date, 'movementId', t.movement_id,
            'entries', (select jsonb_agg(jsonb_build_array(e.account, e.invoice_id, e.amount) order by e.line)
              from ledger_entry e where e.transaction_id = t.id)) order by t.number)
          from ledger_transaction t where t.case_id = c.id and t.reverses_id is null
            and not exists (select from ledger_transaction r where r.reverses_id = t.id))
      end as transactions
    from debt_case c where c.id = any(${[...caseGuids]}::uuid[]) order by c.id`
  if (rows.length === 0) return []
  const rates = await findRates(tx, rows[0]!.ratesVersion)
  return rows.map((row) => historyOf(row, rates))
}

function historyOf(row: HistoryRow, rates: LedgerInput['rates']): CaseHistory {
  const invoices = row.invoices ?? []
  const claims = new Map(invoices.map((invoice) => [invoice.id, claimOf(invoice)]))
  const input: LedgerInput = {
    opening: {
      registeredOn: row.registrationDate,
      claims: invoices.filter(({ opening }) => opening).map(({ id }) => claims.get(id)!),
      interest: BigInt(row.openingInterest),
      cost: BigInt(row.openingFee),
      terms: interestOfRow(row),
    },
    movements: (row.movements ?? []).map((movement) => movementOf(movement, claims)),
    order: allocationOrders[row.allocationOrder],
    tolerance: BigInt(row.toleranceMinor),
    rates,
  }
  const stored = (row.transactions ?? []).map(({ entries, ...transaction }) => ({
    ...transaction,
    entries: entries.map(([account, claim, amount]) => ({ account, claim, amount: BigInt(amount) })),
  }))
  return {
    caseGuid: row.id,
    input,
    stored,
    businessDate: row.businessDate,
    invoiceCount: invoices.length,
  }
}

const claimOf = (row: InvoiceRow): Claim => {
  const terms = interestOfRow(row)
  return {
    id: row.id,
    principal: BigInt(row.principal),
    dueDate: row.dueDate,
    interestFrom: row.interestFrom,
    terms: terms.kind === 'none' ? null : terms,
  }
}

function movementOf(row: MovementRow, claims: ReadonlyMap<string, Claim>): Movement {
  return {
    id: row.id,
    valueDate: row.valueDate,
    booking: row.number,
    ...(typeof row.details['order'] === 'string' && {
      order: allocationOrders[row.details['order'] as AllocationOrderCode],
    }),
    ...effectOf(row, claims),
  } as Movement
}

function effectOf(row: MovementRow, claims: ReadonlyMap<string, Claim>): MovementEffect {
  const amount = BigInt(row.amount)
  switch (row.kind) {
    case 'claim':
      return { kind: 'claim', claim: claims.get(row.invoiceId!)! }
    case 'creditNote':
      return { kind: 'creditNote', amount, claim: row.invoiceId! }
    case 'writeOff':
      return { kind: 'writeOff', amount, component: (row.details['component'] ?? null) as null }
    case 'terms':
      return { kind: 'terms', terms: row.details['terms'] as never, claim: row.invoiceId }
    case 'close':
    case 'reopen':
      return { kind: row.kind }
    case 'reversal':
      return { kind: 'reversal', of: row.reversesId! }
    default:
      return { kind: row.kind, amount }
  }
}

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

const itemColumns = 'guid, type, primary_description, secondary_description, debtor_id, party_id'
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
