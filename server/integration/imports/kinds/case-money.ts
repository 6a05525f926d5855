/** Imports of invoices and payments: the fields and checks of their forms; cases and debtors by reference. */
import { InvoiceRow, PaymentRow } from '../../../../contract/integration/case-imports.ts'
import type { CaseContext } from '../../../claims/case-lock.ts'
import { addInvoice } from '../../../cases/movements.ts'
import { lockTargets } from '../../../payments/payment-target.ts'
import { registerPayment } from '../../../payments/payments.ts'
import type { PaymentInput } from '../../../../contract/cases/case-inputs.ts'
import type { ImportedKind } from '../../../../contract/integration/imported-kinds.ts'
import { holdDate } from '../../../ledger/ledger.store.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import { ApiError, FieldErrors } from '../../../platform/http/errors.ts'
import { findReferenced, importCaller } from './case-references.store.ts'
import { sourceName } from './cases.ts'
import { findKeys, type ImportKind, type Outcome, type ReadyRow } from '../import-kind.ts'
import { toFaults } from '../reading/json-row.ts'
import { existingOutcome } from '../prepare-rows.ts'

/** Each row books on the history of its case. Small chunks hold the locks of those cases briefly. */
const rowsInChunk = 100

interface Found {
  caseGuid: string | null
  debtorGuid: string | null
}

interface Kind<Row extends { caseReference?: string | null; debtorReference?: string | null }> {
  what: ImportedKind
  table: 'invoice' | 'payment'
  schema: ImportKind<Row>['schema']
  check(row: Row, checks: FieldErrors): void
  /** What a row books on, as a payment names it. */
  toTarget(row: Row, found: Found): PaymentInput
  /** Books a row. Throws an `ApiError` before it writes anything. */
  book(tx: Db, row: Row, found: Found, context: CaseContext): Promise<unknown>
}

function moneyImport<Row extends { caseReference?: string | null; debtorReference?: string | null }>({
  what,
  table,
  schema,
  check,
  toTarget,
  book,
}: Kind<Row>): ImportKind<Row> {
  return {
    what,
    schema,
    rowsInChunk,
    findPresent: (db, keys) => findKeys(db, table, keys),
    prepare: (members) => {
      const row = members as Row
      const checks = new FieldErrors()
      check(row, checks)
      checks.throwIfAny()
      return row
    },
    // Two concurrent chunks that lock the same cases in different order would deadlock, so they go one after the other.
    listNames: () => [what],
    insert: async (tx, ready, _run, origin) => {
      await holdDate(tx)
      const chunk = await startChunk(tx, table, ready)
      // All cases of the chunk in one order, before the rows are booked in the order of the file.
      const aims = ready.map((one) => ({ made: one.made, found: chunk.find(one) }))
      await lockTargets(
        tx,
        importCaller,
        aims.flatMap(({ made, found }) => ('caseGuid' in found ? [toTarget(made, found)] : [])),
      )
      const outcomes: Outcome[] = []
      for (const one of ready) {
        const found = chunk.find(one)
        if (!('caseGuid' in found)) {
          outcomes.push(found.outcome)
          continue
        }
        try {
          await book(tx, one.made, found, { origin, sourceReference: one.row.key })
          chunk.note(one)
          outcomes.push('inserted')
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          outcomes.push(toFaults(error))
        }
      }
      return outcomes
    },
  }
}

async function startChunk<Row extends { caseReference?: string | null; debtorReference?: string | null }>(
  tx: Db,
  table: 'invoice' | 'payment',
  ready: readonly ReadyRow<Row>[],
) {
  const keys = ready.map(({ row }) => row.key)
  const source = sourceName(keys[0]!)
  const present = await findKeys(tx, table, keys)
  const cases = await findReferenced(
    tx,
    'case',
    source,
    ready.map(({ made }) => made.caseReference?.trim()),
  )
  const debtors = await findReferenced(
    tx,
    'debtor',
    source,
    ready.map(({ made }) => made.debtorReference?.trim()),
  )
  return {
    note: ({ row }: ReadyRow<Row>) => present.add(row.key),
    /** The case or debtor of a row, or why the row is rejected. */
    find: (one: ReadyRow<Row>): Found | { outcome: Outcome } => {
      if (present.has(one.row.key)) return { outcome: existingOutcome(one) }
      const [caseReference, debtorReference] = [
        one.made.caseReference?.trim(),
        one.made.debtorReference?.trim(),
      ]
      const caseGuid = caseReference ? cases.get(caseReference) : null
      const debtorGuid = debtorReference ? debtors.get(debtorReference) : null
      if (caseGuid === undefined) return { outcome: [{ field: 'caseReference', reason: 'is not a case.' }] }
      if (debtorGuid === undefined)
        return { outcome: [{ field: 'debtorReference', reason: 'is not a debtor.' }] }
      return { caseGuid, debtorGuid }
    },
  }
}

export const invoiceImport: ImportKind<InvoiceRow> = moneyImport<InvoiceRow>({
  what: 'invoices',
  table: 'invoice',
  schema: InvoiceRow,
  check: ({ caseReference }, checks) => {
    if (!caseReference?.trim()) checks.add('caseReference', 'is required.')
  },
  toTarget: (_row, found) => found,
  book: (tx, row, { caseGuid }, context) =>
    addInvoice(tx, importCaller, { caseGuid: caseGuid!, input: row }, context),
})

export const paymentImport: ImportKind<PaymentRow> = moneyImport<PaymentRow>({
  what: 'payments',
  table: 'payment',
  schema: PaymentRow,
  check: ({ caseReference, debtorReference, paymentReferenceNumber }, checks) => {
    if ([caseReference, debtorReference, paymentReferenceNumber].filter((one) => one?.trim()).length !== 1)
      checks.add(
        'caseReference',
        'or paymentReferenceNumber or debtorReference is required: one of them, to say what the payment is for.',
      )
  },
  toTarget: ({ paymentReferenceNumber = null }, found) => ({ ...found, paymentReferenceNumber }),
  book: (tx, row, found, context) => registerPayment(tx, importCaller, { ...row, ...found }, context),
})
