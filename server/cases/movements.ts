/** What happens to a case's money by hand, apart from payments: invoices, credits, fees, write-offs and terms. */
import type {
  CreditInput,
  FeeInput,
  InvoiceInput,
  TermsInput,
  WriteOffInput,
} from '../../contract/case-inputs.ts'
import { components } from '../../core/allocation.ts'
import type { MovementEffect } from '../../core/case-movement.ts'
import { formatMinor } from '../../core/money.ts'
import { makeId } from '../database/make-id.ts'
import { inTransaction, type Db } from '../database/transaction.ts'
import { changesOfNew } from '../events/record.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, MemberChecks, notFound } from '../http/errors.ts'
import { findBookedCase } from './booked-case.ts'
import { bookMovements, deriveWith, type BookedCase, type Booking, type NewMovement } from './booking.ts'
import {
  checkRatesKnown,
  readChoice,
  readDate,
  readMoney,
  readRate,
  readValueDate,
  readTerms,
} from './case-inputs.rules.ts'
import { lockCase, type CaseChangeNote, type CaseContext, type CaseRow } from './case-lock.ts'
import type { CaseChange } from './case-status.ts'
import { findFeeAmount } from './fees.store.ts'
import { addInvoiceRows } from './insert-cases.ts'
import { findInvoiceCase } from './invoices.store.ts'
import { holdDate, insertMoney, noRows, type MoneyRows } from './ledger.store.ts'

/** A held case that is open, and its history. */
interface OpenCase {
  row: CaseRow
  found: BookedCase
}

interface Prepared {
  movement: NewMovement
  note: CaseChangeNote
}

/** Holds a case, lets `prepare` make a movement of it, and books that. */
async function bookOn<T extends Prepared>(
  db: Db,
  caller: Caller,
  { caseGuid, open = true }: { caseGuid: string; open?: boolean },
  context: CaseContext,
  prepare: (tx: Db, held: OpenCase, rows: MoneyRows) => Promise<T> | T,
): Promise<T & { booking: Booking }> {
  return inTransaction(db, async (tx) => {
    await holdDate(tx)
    const row = await lockCase(tx, caller, caseGuid, context)
    if (open && row.closureCode !== null)
      throw new ApiError('conflict', 'The case is closed. Reopen it first.', {
        members: { allowedTransitions: [row.placeStatus] },
      })
    const found = await findBookedCase(tx, row)
    const rows = noRows()
    const prepared = await prepare(tx, { row, found }, rows)
    const booking = bookMovements(rows, found, { movements: [prepared.movement], notes: [prepared.note] })
    rows.caseUpdates.push(booking.columns)
    await insertMoney(tx, rows, context.origin)
    return { ...prepared, booking }
  })
}

/** Throws a 422 when a value date is before the case. */
export function requireNotBefore(row: CaseRow, valueDate: string): void {
  if (valueDate >= row.registrationDate) return
  const message = `must not be before the case was registered, ${row.registrationDate}.`
  throw new ApiError('unprocessable', `valueDate ${message}`, { errors: { valueDate: [message] } })
}

const above = (member: string, what: string) =>
  new ApiError('unprocessable', `${member} ${what}`, { errors: { [member]: [what] } })

/** Throws a 422 when a movement would lower more than there is on its date, or takes from a later one. */
function requireApplied(row: CaseRow, found: BookedCase, movement: NewMovement): void {
  const { unapplied } = deriveWith(found, [movement]).whole
  if (unapplied.length === 0) return
  const own = unapplied.find(({ movementId }) => movementId === movement.id)
  if (!own)
    throw above('valueDate', 'is before a movement that then would find nothing left. Reverse that first.')
  const left = BigInt('amount' in movement.effect ? (movement.effect.amount ?? 0n) : 0n) - own.amount
  throw above('amount', `is more than what remains: at most ${formatMinor(left, row.currencyCode)}.`)
}

const noteOf = (type: string, entityId: string, changes: object, data: Record<string, unknown> = {}) => ({
  type,
  entityId,
  data,
  changes: changesOfNew(changes),
})

/** Adds an invoice to an open case, as of the business date. */
export async function addInvoice(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<InvoiceInput>,
  context: CaseContext,
): Promise<{ invoiceGuid: string }> {
  const made = await bookOn(db, caller, { caseGuid }, context, async (tx, { row, found }, rows) => {
    const checks = new MemberChecks()
    const invoice = readInvoice(input, { row, found }, checks)
    checks.throwIfAny()
    const count =
      found.input.opening.claims.length + found.input.movements.filter((m) => m.kind === 'claim').length
    if (invoice.invoiceNumber !== null) {
      const [same] = await tx`
        select from invoice where case_id = ${caseGuid} and invoice_number = ${invoice.invoiceNumber}`
      if (same)
        throw new ApiError('conflict', 'The case has an invoice of this number already.', {
          errors: { invoiceNumber: ['belongs to another invoice of the case.'] },
        })
    }
    addInvoiceRows(rows, { ...row, number: count + 1 }, { ...invoice, opening: false })
    const { claim } = invoice
    return {
      invoiceGuid: claim.id,
      movement: { id: makeId(), effect: { kind: 'claim', claim }, valueDate: found.businessDate },
      note: noteOf(
        'invoice.created',
        claim.id,
        {
          invoiceNumber: invoice.invoiceNumber,
          invoiceDate: invoice.invoiceDate,
          dueDate: claim.dueDate,
          minorPrincipal: Number(claim.principal),
          interestTerms: claim.terms,
          interestFromDate: claim.interestFrom,
        },
        { invoiceGuid: claim.id },
      ),
    }
  })
  return { invoiceGuid: made.invoiceGuid }
}

function readInvoice(input: InvoiceInput, { row, found }: OpenCase, checks: MemberChecks) {
  const currency = row.currencyCode
  const principal = readMoney(
    input.principal,
    'principal',
    { currency, least: 'above zero', required: true },
    checks,
  )
  const invoiceDate = readDate(input.invoiceDate, 'invoiceDate', checks)
  const dueDate = readDate(input.dueDate, 'dueDate', checks)
  if (invoiceDate !== null && dueDate !== null && dueDate < invoiceDate)
    checks.add('dueDate', 'must not be before the invoice date.')
  const rate = readRate(input.interestRate, 'interestRate', checks)
  const terms = rate === null ? null : ({ kind: 'fixed', rate } as const)
  const given = readDate(input.interestFromDate, 'interestFromDate', checks)
  const interestFrom = given ?? dueDate ?? found.businessDate
  const { opening, rates } = found.input
  checkRatesKnown(terms ?? opening.terms, interestFrom, rates, 'interestFromDate', checks)
  return {
    claim: { id: makeId(), principal: principal!, dueDate, interestFrom, terms },
    invoiceNumber: input.invoiceNumber?.trim() || null,
    invoiceDate,
    description: input.description?.trim() || null,
  }
}

/** Lowers what an invoice claims, no further than to what remains of its principal. */
export async function creditInvoice(
  db: Db,
  caller: Caller,
  { invoiceGuid, input }: { invoiceGuid: string; input: CreditInput },
  context: CaseContext,
): Promise<{ movementGuid: string }> {
  const caseGuid = await findInvoiceCase(db, invoiceGuid)
  if (caseGuid === undefined) throw notFound('invoice')
  return movementOf(
    await bookOn(db, caller, { caseGuid }, context, (_tx, { row, found }) => {
      const { amount, valueDate } = readMovement(input, { row, found })
      const movement = newMovement({ kind: 'creditNote', amount, claim: invoiceGuid }, valueDate)
      requireApplied(row, found, movement)
      return {
        movement,
        note: noteOf(
          'invoice.credited',
          invoiceGuid,
          { minorAmount: Number(amount), valueDate },
          { invoiceGuid },
        ),
      }
    }),
  )
}

/** Adds a fee: of the given amount, or as the client's terms or the statute say. */
export async function addFee(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<FeeInput>,
  context: CaseContext,
): Promise<{ movementGuid: string; feeGuid: string }> {
  const feeType = input.feeType?.trim()
  if (!feeType)
    throw new ApiError('invalid', 'feeType is required.', { errors: { feeType: ['is required.'] } })
  const made = movementOf(
    await bookOn(db, caller, { caseGuid }, context, async (tx, { row, found }) => {
      const statutory =
        typeof input.amount === 'number'
          ? null
          : await findFeeAmount(tx, row, feeType, input.valueDate?.slice(0, 10) || found.businessDate)
      const { amount, valueDate } = readMovement(
        { ...input, amount: input.amount ?? statutory },
        { row, found },
      )
      const movement = newMovement({ kind: 'fee', amount }, valueDate, { feeType })
      return {
        movement,
        note: noteOf('case.fee_added', caseGuid, { feeType, minorAmount: Number(amount), valueDate }),
      }
    }),
  )
  return { ...made, feeGuid: made.movementGuid }
}

/** Writes off an amount, or all that remains; of one component or in the order of allocation. */
export async function registerWriteOff(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<WriteOffInput>,
  context: CaseContext,
): Promise<{ movementGuid: string; writeoffGuid: string }> {
  const checks = new MemberChecks()
  const wanted = readChoice(input.component, 'component', ['PRINCIPAL', 'INTEREST', 'COST'] as const, checks)
  checks.throwIfAny()
  const component = components.find((one) => one === wanted?.toLowerCase()) ?? null
  const made = movementOf(
    await bookOn(db, caller, { caseGuid }, context, (_tx, { row, found }) => {
      const { amount, valueDate } = readMovement(input, { row, found })
      const movement = newMovement({ kind: 'writeOff', amount, component }, valueDate)
      requireApplied(row, found, movement)
      return {
        movement,
        note: noteOf('case.written_off', caseGuid, { minorAmount: Number(amount), component, valueDate }),
      }
    }),
  )
  return { ...made, writeoffGuid: made.movementGuid }
}

/** Gives a case other interest terms after a day. */
export async function changeTerms(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<TermsInput>,
  context: CaseContext,
): Promise<{ movementGuid: string }> {
  return movementOf(
    await bookOn(db, caller, { caseGuid }, context, (_tx, { row, found }) => {
      const checks = new MemberChecks()
      const terms = readTerms(input, checks)
      if (terms === null) checks.add('interestRate', 'is required: a rate, or a series with points.')
      const valueDate = readValueDate(input.valueDate, found.businessDate, checks)
      if (terms) checkRatesKnown(terms, valueDate, found.input.rates, 'interestSeries', checks)
      checks.throwIfAny()
      requireNotBefore(row, valueDate)
      const movement = newMovement({ kind: 'terms', terms: terms!, claim: null }, valueDate)
      return { movement, note: noteOf('case.terms_changed', caseGuid, { interestTerms: terms, valueDate }) }
    }),
  )
}

const movementOf = ({ movement }: Prepared) => ({ movementGuid: movement.id })

const newMovement = (
  effect: MovementEffect,
  valueDate: string,
  details?: Record<string, unknown>,
): NewMovement => ({ id: makeId(), effect, valueDate, ...(details && { details }) })

/** An amount and a value date on a held case. */
export function readMovement(
  input: { amount?: number | null; valueDate?: string | null },
  { row, found }: OpenCase,
): { amount: bigint; valueDate: string } {
  const checks = new MemberChecks()
  const expected = { currency: row.currencyCode, least: 'above zero', required: true } as const
  const amount = readMoney(input.amount, 'amount', expected, checks)
  const valueDate = readValueDate(input.valueDate, found.businessDate, checks)
  checks.throwIfAny()
  requireNotBefore(row, valueDate)
  return { amount: amount!, valueDate }
}
