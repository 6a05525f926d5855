/** Builds the rows of a case with its history: the ledger is derived from the movements as they are. */
import type { CaseHistoryRow } from '../../../../contract/integration/history-imports.ts'
import { makeCaseNumber, makeCaseReference } from '../../../../core/identity/payment-reference.ts'
import { readDayCounts, type DayCountTerm } from '../../../../core/interest/day-count.ts'
import type { RateTable } from '../../../../core/interest/interest.ts'
import { allocationOrders, type AllocationOrderCode } from '../../../../core/ledger/allocation.ts'
import type { Movement } from '../../../../core/ledger/case-movement.ts'
import type { ClaimKind, InterruptionEvent } from '../../../../core/limitation/limitation.ts'
import { addInvoiceRows } from '../../../cases/insert-cases.ts'
import { emptyRows, type MoneyRows } from '../../../claims/money-rows.store.ts'
import { referenceCountry } from '../../../claims/payment-reference.rules.ts'
import { bookMovements } from '../../../ledger/booking.ts'
import { toMovement } from '../../../ledger/ledger.store.ts'
import { makeId } from '../../../platform/database/make-id.ts'
import { caseColumns, registrationNote, searchItem, type HistoryContext } from './history-rows.ts'
import { day, type ReadHistory } from './read-history.ts'

/** What a row of money has no column for. */
export interface HistoryExtras {
  id: string
  hold_id: string | null
  hold_from: string | null
  hold_until: string | null
  demanded_alone: boolean
  minor_claim_checked: boolean
  status_since: string | null
}

export interface BuiltHistory {
  rows: MoneyRows
  extras: HistoryExtras
  interruptions: {
    id: string
    case_id: string
    kind: string
    interrupted_date: string
    in_writing: boolean
  }[]
}

/** Throws a RangeError where the movements cannot be derived, and an `ApiError` for sums above the limit. */
export function buildHistory(read: ReadHistory, context: HistoryContext): BuiltHistory {
  const { row, invoices } = read
  const { caseGuid, client, today } = context
  const rows = emptyRows()
  const caseNumber = makeCaseNumber(context.number)
  const country = client.countryCode ?? referenceCountry(read.currencyCode)
  const names = { caseNumber, paymentReferenceNumber: makeCaseReference(caseNumber, country) }
  const interruptions = (row.interruptions ?? []).map((one) => ({
    kind: one.interruption as InterruptionEvent['kind'],
    date: day(one.interruptedDate)!,
    inWriting: one.inWriting === true,
  }))
  const movements = toMovements(read, context.payments)
  const found = {
    caseGuid,
    clientGuid: client.clientGuid,
    currencyCode: read.currencyCode,
    life: read.life,
    closureDate: day(row.closureDate),
    movementCount: movements.length,
    transactionCount: 0,
    version: 0,
    eventSequence: 0,
    input: toInput(read, context.rates, movements),
    stored: [],
    payments: new Map(
      movements.flatMap(({ id, paymentId }) => (paymentId ? [[id, paymentId] as const] : [])),
    ),
    businessDate: today,
    limitation: {
      country: row.limitationCountry ?? country,
      claim: row.claimKind as ClaimKind,
      originDate: earliest(invoices.map(({ invoiceDate }) => invoiceDate)),
      interruptions,
    },
    limitationDate: null,
  }
  const note = registrationNote(read, context, names)
  const { columns } = bookMovements(rows, found, { movements: [], life: read.life, notes: [note] })
  rows.cases.push({
    ...columns,
    ...caseColumns(read, context, names),
    limitation_country: found.limitation.country,
  })
  rows.movements.unshift(...movements.map((one, index) => movementRow(read, one, { caseGuid, index })))
  rows.caseDebtors.push(debtorRow(context, context.debtorGuid, 'MAIN_DEBTOR', read.registeredOn))
  const of = { caseGuid, caseNumber, clientGuid: client.clientGuid }
  for (const [index, invoice] of invoices.entries())
    addInvoiceRows(rows, { ...of, number: index + 1 }, { ...invoice, source: null })
  rows.items.push(searchItem(read, context, names))
  return {
    rows,
    extras: toExtras(caseGuid, row),
    interruptions: interruptions.map((one) => interruptionRow(caseGuid, one)),
  }
}

const interruptionRow = (caseGuid: string, { kind, date, inWriting }: InterruptionEvent) => ({
  id: makeId(),
  case_id: caseGuid,
  kind,
  interrupted_date: date,
  in_writing: inWriting === true,
})

const earliest = (days: readonly (string | null)[]): string | null =>
  days.reduce((first, one) => (one !== null && (first === null || one < first) ? one : first), null)

type Carried = Parameters<typeof toMovement>[0] & { bookedDate: string | null }

function toMovements(
  { movements, invoices, row }: ReadHistory,
  payments: ReadonlyMap<string, string>,
): Carried[] {
  return movements.map((one, index) => ({
    id: one.id,
    number: index + 1,
    kind: one.kind,
    valueDate: one.on,
    bookedDate: day(one.bookedDate),
    amount: Number(one.minor),
    invoiceId: one.invoice ? invoices[one.invoice - 1]!.claim.id : null,
    paymentId: one.paymentReference ? payments.get(one.paymentReference)! : null,
    reversesId: one.reverses ? movements[one.reverses - 1]!.id : null,
    order: (one.allocationOrder ?? row.allocationOrder) as AllocationOrderCode,
    tolerance: Number(one.toleranceMinor),
    details: one.details ?? {},
  }))
}

function toInput(
  { row, registeredOn, terms, minor, invoices }: ReadHistory,
  rates: RateTable,
  movements: Carried[],
) {
  const claims = new Map(invoices.map(({ claim }) => [claim.id, claim]))
  return {
    opening: {
      registeredOn,
      claims: invoices.filter(({ opening }) => opening).map(({ claim }) => claim),
      interest: minor.interest,
      cost: minor.fee,
      terms,
    },
    movements: movements.map((one): Movement => toMovement(one, claims)),
    order: allocationOrders[row.allocationOrder as AllocationOrderCode],
    tolerance: minor.tolerance,
    rates,
    dayCounts: readDayCounts(
      (row.dayCount ?? null) as readonly DayCountTerm[] | null,
      row.governingCountry ?? null,
    ),
  }
}

const movementRow = (
  read: ReadHistory,
  one: Carried,
  { caseGuid, index }: { caseGuid: string; index: number },
) => ({
  id: one.id,
  case_id: caseGuid,
  number: index + 1,
  kind: one.kind,
  value_date: one.valueDate,
  booked_date: one.bookedDate ?? one.valueDate,
  amount: one.amount,
  invoice_id: one.invoiceId,
  payment_id: one.paymentId,
  reverses_id: one.reversesId,
  allocation_order: one.order,
  tolerance_minor: one.tolerance,
  details: one.details,
})

export const debtorRow = (
  { caseGuid, client }: HistoryContext,
  debtorGuid: string,
  role: string,
  addedDate: string,
) => ({
  case_id: caseGuid,
  debtor_id: debtorGuid,
  client_id: client.clientGuid,
  debtor_role: role,
  added_date: addedDate,
})

const toExtras = (id: string, row: CaseHistoryRow): HistoryExtras => ({
  id,
  hold_id: row.holdReference ?? null,
  hold_from: day(row.holdFrom),
  hold_until: day(row.holdUntil),
  demanded_alone: row.demandedAlone === true,
  minor_claim_checked: row.minorClaimChecked === true,
  status_since: day(row.statusSince),
})
