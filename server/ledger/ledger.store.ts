/** Loads the history from which a case's ledger is derived. */
import type { AllocationOrderCode, Component } from '../../core/ledger/allocation.ts'
import { allocationOrders } from '../../core/ledger/allocation.ts'
import type { Claim, LedgerInput, Movement, MovementEffect } from '../../core/ledger/case-movement.ts'
import type { Entry, TransactionKind } from '../../core/ledger/case-transaction.ts'
import type { ClaimKind, InterruptionEvent } from '../../core/limitation/limitation.ts'
import { readDayCounts, type DayCountTerm } from '../../core/interest/day-count.ts'
import type { InterestTerms } from '../../core/interest/interest.ts'
import { anyUuid, runStatement } from '../platform/database/statement.ts'
import type { Db } from '../platform/database/transaction.ts'
import { readInterest } from '../claims/client-terms.ts'
import type { CaseLimitation } from '../claims/limitation.rules.ts'
import { referenceCountry } from '../claims/payment-reference.rules.ts'
import { findRates } from './rates/reference-rates.store.ts'

/** Advisory lock: bookings share it, the roll of the business date (accrual.ts) holds it exclusively. */
export const bookingLock = 0x464f5244

/** Keeps the business date fixed for the transaction. Call it before locking any case, to avoid deadlocks. */
export const holdDate = (tx: Db) => tx`select pg_advisory_xact_lock_shared(${bookingLock})`

/**
 * Like `holdDate`, for work on a few cases. It also switches to generic plans: these statements find rows by
 * key, and planning each list anew would cost more than running it.
 */
export const holdDateForFew = (tx: Db) => tx`
  select pg_advisory_xact_lock_shared(${bookingLock}), set_config('plan_cache_mode', 'force_generic_plan', true)`

export interface StoredTransaction {
  id: string
  kind: TransactionKind
  valueDate: string
  movementId: string | null
  entries: Entry[]
}

/** The history of a locked case. */
export interface CaseHistory {
  caseGuid: string
  input: LedgerInput
  /** Transactions that are not reversed, in order. */
  stored: StoredTransaction[]
  /** Payment id by movement id, for movements that belong to a payment. */
  payments: ReadonlyMap<string, string>
  businessDate: string
  ratesVersion: string
  invoiceCount: number
  limitation: CaseLimitation
  governingCountry: string | null
  /** Null where the law of the governing country decides. */
  dayCount: readonly DayCountTerm[] | null
}

export interface HistoryRow {
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
  currencyCode: string
  claimKind: ClaimKind
  limitationCountry: string | null
  governingCountry: string | null
  /** Null where the law of the governing country decides. */
  dayCount: DayCountTerm[] | null
  interruptions: InterruptionEvent[] | null
  invoices: InvoiceRow[] | null
  movements: MovementRow[] | null
  transactions: TransactionRow[] | null
}

interface InvoiceRow {
  id: string
  opening: boolean
  principal: number
  invoiceDate: string | null
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
  paymentId: string | null
  reversesId: string | null
  order: AllocationOrderCode
  tolerance: number
  /** The terms of a `terms` movement, or the component of a write-off. */
  details: { terms?: InterestTerms; component?: Component; byTermsOfDay?: true }
}

interface TransactionRow {
  id: string
  kind: TransactionKind
  valueDate: string
  movementId: string | null
  entries: [account: Entry['account'], claim: string | null, amount: number][]
}

/**
 * Columns with the history of a case `c`. Read-only computations skip posted transactions and interruptions.
 */
export const historyColumns = ({
  withTransactions,
  withInterruptions = withTransactions,
}: {
  withTransactions: boolean
  withInterruptions?: boolean
}): string => `
  c.id, c.registration_date as "registrationDate", c.allocation_order as "allocationOrder",
  c.tolerance_minor as "toleranceMinor", c.opening_interest as "openingInterest", c.opening_fee as "openingFee",
  trim_scale(c.interest_rate)::text as "interestRate", c.interest_series as "interestSeries",
  trim_scale(c.interest_points)::text as "interestPoints",
  (select business_date from business_clock) as "businessDate", (select version from reference_version) as "ratesVersion",
  c.currency_code as "currencyCode", c.claim_kind as "claimKind", c.limitation_country as "limitationCountry",
  c.governing_country as "governingCountry", c.day_count as "dayCount",
  (select json_agg(json_build_object('id', i.id, 'opening', i.opening, 'principal', i.principal,
      'invoiceDate', i.invoice_date, 'dueDate', i.due_date,
      'interestFrom', i.interest_from_date, 'interestRate', trim_scale(i.interest_rate)::text,
      'interestSeries', i.interest_series, 'interestPoints', trim_scale(i.interest_points)::text) order by i.number)
    from invoice i where i.case_id = c.id) as invoices,
  (select json_agg(json_build_object('id', m.id, 'number', m.number, 'kind', m.kind, 'valueDate', m.value_date,
      'amount', m.amount, 'invoiceId', m.invoice_id, 'paymentId', m.payment_id, 'reversesId', m.reverses_id,
      'order', m.allocation_order, 'tolerance', m.tolerance_minor, 'details', m.details) order by m.number)
    from movement m where m.case_id = c.id) as movements,
  ${
    withTransactions
      ? `${interruptionColumn}, ${transactionColumn}`
      : `${withInterruptions ? interruptionColumn : 'null::json as interruptions'}, null::json as transactions`
  }`

const interruptionColumn = `
  (select json_agg(json_build_object('kind', l.kind, 'date', l.interrupted_date, 'inWriting', l.in_writing))
    from limitation_interruption l where l.case_id = c.id) as interruptions`
const transactionColumn = `
  (select json_agg(json_build_object('id', t.id, 'kind', t.kind, 'valueDate', t.value_date, 'movementId', t.movement_id,
      'entries', (select json_agg(json_build_array(e.account, e.invoice_id, e.amount) order by e.line)
        from ledger_entry e where e.transaction_id = t.id)) order by t.number)
    from ledger_transaction t where t.case_id = c.id and t.reverses_id is null
      and not exists (select from ledger_transaction r where r.reverses_id = t.id)) as transactions`

const historiesText = (withTransactions: boolean, withInterruptions = withTransactions): string =>
  `select ${historyColumns({ withTransactions, withInterruptions })} from debt_case c where c.id = ${anyUuid('$1')} order by c.id`
const texts = {
  posted: historiesText(true),
  reckoned: historiesText(false),
  limited: historiesText(false, true),
}

/** The histories of cases, in the order of their identifiers. Lock the cases before posting to them. */
export async function loadHistories(
  tx: Db,
  caseGuids: readonly string[],
  { withTransactions = true, withInterruptions = false } = {},
): Promise<CaseHistory[]> {
  const text = withTransactions ? texts.posted : withInterruptions ? texts.limited : texts.reckoned
  return readHistories(tx, await runStatement<HistoryRow>(tx, text, [caseGuids], { prepare: true }))
}

/** Converts rows of `historyColumns` to the types of core. */
export async function readHistories(db: Db, rows: readonly HistoryRow[]): Promise<CaseHistory[]> {
  if (rows.length === 0) return []
  const rates = await findRates(db, rows[0]!.ratesVersion)
  return rows.map((row) => toHistory(row, rates))
}

function toHistory(row: HistoryRow, rates: LedgerInput['rates']): CaseHistory {
  const invoices = row.invoices ?? []
  const claims = new Map(invoices.map((invoice) => [invoice.id, toClaim(invoice)]))
  const input: LedgerInput = {
    opening: {
      registeredOn: row.registrationDate,
      claims: invoices.filter(({ opening }) => opening).map(({ id }) => claims.get(id)!),
      interest: BigInt(row.openingInterest),
      cost: BigInt(row.openingFee),
      terms: readInterest(row),
    },
    movements: (row.movements ?? []).map((movement) => toMovement(movement, claims)),
    order: allocationOrders[row.allocationOrder],
    tolerance: BigInt(row.toleranceMinor),
    rates,
    dayCounts: readDayCounts(row.dayCount, row.governingCountry),
  }
  const stored = (row.transactions ?? []).map(({ entries, ...transaction }) => ({
    ...transaction,
    entries: entries.map(([account, claim, amount]) => ({ account, claim, amount: BigInt(amount) })),
  }))
  const payments = (row.movements ?? []).flatMap(({ id, paymentId }) =>
    paymentId === null ? [] : [[id, paymentId] as const],
  )
  return {
    caseGuid: row.id,
    input,
    stored,
    payments: new Map(payments),
    businessDate: row.businessDate,
    ratesVersion: row.ratesVersion,
    invoiceCount: invoices.length,
    governingCountry: row.governingCountry,
    dayCount: row.dayCount,
    limitation: {
      country: row.limitationCountry ?? referenceCountry(row.currencyCode),
      claim: row.claimKind,
      originDate: earliestDay(invoices.map(({ invoiceDate }) => invoiceDate)),
      interruptions: row.interruptions ?? [],
    },
  }
}

const earliestDay = (days: readonly (string | null)[]): string | null =>
  days.reduce((first, day) => (day !== null && (first === null || day < first) ? day : first), null)

const toClaim = (row: InvoiceRow): Claim => {
  const terms = readInterest(row)
  return {
    id: row.id,
    principal: BigInt(row.principal),
    dueDate: row.dueDate,
    interestFrom: row.interestFrom,
    terms: terms.kind === 'none' ? null : terms,
  }
}

/** A stored movement as core takes it. */
export function toMovement(row: MovementRow, claims: ReadonlyMap<string, Claim>): Movement {
  return {
    id: row.id,
    valueDate: row.valueDate,
    booking: row.number,
    order: allocationOrders[row.order],
    tolerance: BigInt(row.tolerance),
    ...toEffect(row, claims),
  } as Movement
}

function toEffect(row: MovementRow, claims: ReadonlyMap<string, Claim>): MovementEffect {
  const amount = BigInt(row.amount)
  switch (row.kind) {
    case 'claim':
      return {
        kind: 'claim',
        claim: claims.get(row.invoiceId!)!,
        ...(row.details.byTermsOfDay === true && { byTermsOfDay: true }),
      }
    case 'creditNote':
      return { kind: 'creditNote', amount, claim: row.invoiceId! }
    case 'writeOff':
      return { kind: 'writeOff', amount, component: row.details.component ?? null }
    case 'terms':
      return { kind: 'terms', terms: row.details.terms!, claim: row.invoiceId }
    case 'close':
    case 'reopen':
    case 'pause':
    case 'resume':
      return { kind: row.kind }
    case 'reversal':
      return { kind: 'reversal', of: row.reversesId! }
    default:
      return { kind: row.kind, amount }
  }
}
