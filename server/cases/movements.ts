/** Books manual movements other than payments: invoices, credit notes, fees and write-offs. */
import type { CreditInput, FeeInput, InvoiceInput, WriteOffInput } from '../../contract/cases/case-inputs.ts'
import { dueDateBases } from '../../core/law/terms.ts'
import { components } from '../../core/ledger/allocation.ts'
import { makeId } from '../platform/database/make-id.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Caller } from '../platform/http/caller.ts'
import { ApiError, FieldErrors, invalid, notFound } from '../platform/http/errors.ts'
import {
  bookOnCase,
  movementAnswer,
  newMovement,
  makeNote,
  readMovement,
  requireApplied,
  type OpenCase,
  type Prepared,
} from '../ledger/book-on-case.ts'
import { findBookingDate } from '../ledger/booking.ts'
import { checkRatesKnown, readChoice, readDate, readMoney, readRate } from '../claims/case-inputs.rules.ts'
import type { CaseContext } from '../claims/case-lock.ts'
import type { CaseChange } from './case-status.ts'
import { explainUnknownFeeType, findFeeType } from '../ledger/fee-types.rules.ts'
import { findFeeAmount, findFeeTypes } from '../ledger/fees.store.ts'
import { requireLawfulFee, type FeeLaw } from '../ledger/lawful-fees.ts'
import { onCase, requireSecondPerson } from '../access/approvals/second-person.ts'
import { addInvoiceRows } from './insert-cases.ts'
import { beginInvoiceInterest } from './interest-start/begin-interest.ts'
import { findInvoiceCase } from '../claims/invoices.store.ts'

/** Adds an invoice to an open case, as of the business date. */
export async function addInvoice(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<InvoiceInput>,
  context: CaseContext,
): Promise<{ invoiceGuid: string }> {
  const made = await bookOnCase(db, caller, { caseGuid }, context, async (tx, { row, found }, rows) => {
    const checks = new FieldErrors(caller.language)
    const invoice = await beginAsked(tx, caller, input, {
      held: { row, found },
      read: readInvoice(input, { row, found }, checks),
      checks,
    })
    const count =
      found.input.opening.claims.length + found.input.movements.filter((m) => m.kind === 'claim').length
    if (invoice.invoiceNumber !== null) {
      const [same] = await tx`
        select from invoice where case_id = ${caseGuid} and invoice_number = ${invoice.invoiceNumber}`
      if (same)
        throw new ApiError(
          'conflict',
          'The case already has an invoice with this number. Enter another number.',
          {
            errors: { invoiceNumber: ['belongs to another invoice of the case.'] },
          },
        )
    }
    const source = context.sourceReference ?? null
    addInvoiceRows(rows, { ...row, number: count + 1 }, { ...invoice, opening: false, source })
    const { claim } = invoice
    return {
      invoiceGuid: claim.id,
      movement: {
        id: makeId(),
        effect: { kind: 'claim', claim, byTermsOfDay: true },
        valueDate: findBookingDate(found),
      },
      note: noteInvoice(invoice),
    }
  })
  return { invoiceGuid: made.invoiceGuid }
}

const noteInvoice = ({
  claim,
  invoiceNumber,
  invoiceDate,
  dueDateBasis,
  interestStartRule,
}: Awaited<ReturnType<typeof beginAsked>>) =>
  makeNote(
    'invoice.created',
    claim.id,
    {
      invoiceNumber,
      invoiceDate,
      dueDate: claim.dueDate,
      minorPrincipal: Number(claim.principal),
      interestTerms: claim.terms,
      interestFromDate: claim.interestFrom,
      ...(dueDateBasis !== null && { dueDateBasis }),
      ...(interestStartRule !== null && { interestStartRule }),
    },
    { invoiceGuid: claim.id },
  )

/** The invoice with the day on which the law lets its interest begin. Throws a 400 or 422. */
async function beginAsked<T extends ReturnType<typeof readInvoice>>(
  tx: Db,
  caller: Caller,
  input: InvoiceInput,
  { held: { row, found }, read, checks }: { held: OpenCase; read: T; checks: FieldErrors },
): Promise<T & { interestStartRule: string | null }> {
  checks.throwIfAny()
  if (input.interestFromDate) return { ...read, interestStartRule: null }
  const { claim, invoiceDate } = read
  const { interestFrom, interestStartRule } = await beginInvoiceInterest(
    tx,
    row.caseGuid,
    {
      dueDateBasis: read.dueDateBasis,
      invoiceDate,
      dueDate: claim.dueDate,
      interestFrom: claim.interestFrom,
      terms: claim.terms ?? found.input.opening.terms,
      today: found.businessDate,
    },
    caller,
  )
  return { ...read, claim: { ...claim, interestFrom }, interestStartRule }
}

function readInvoice(input: InvoiceInput, { row, found }: OpenCase, checks: FieldErrors) {
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
  const dueDateBasis = readChoice(input.dueDateBasis, 'dueDateBasis', dueDateBases, checks)
  const given = readDate(input.interestFromDate, 'interestFromDate', checks)
  const interestFrom = given ?? dueDate ?? found.businessDate
  const { opening, rates } = found.input
  checkRatesKnown(terms ?? opening.terms, interestFrom, rates, 'interestFromDate', checks)
  return {
    claim: { id: makeId(), principal: principal!, dueDate, interestFrom, terms },
    invoiceNumber: input.invoiceNumber?.trim() || null,
    invoiceDate,
    dueDateBasis,
    description: input.description?.trim() || null,
  }
}

/** Books a credit note on an invoice, up to the remaining principal of that invoice. */
export async function creditInvoice(
  db: Db,
  caller: Caller,
  { invoiceGuid, input }: { invoiceGuid: string; input: CreditInput },
  context: CaseContext,
): Promise<{ movementGuid: string }> {
  const caseGuid = await findInvoiceCase(db, invoiceGuid)
  if (caseGuid === undefined) throw notFound('invoice')
  return movementAnswer(
    await bookOnCase(db, caller, { caseGuid }, context, async (tx, { row, found }) => {
      const { amount, valueDate } = readMovement(input, { row, found }, caller)
      const movement = newMovement({ kind: 'creditNote', amount, claim: invoiceGuid }, valueDate)
      requireApplied({ row, found }, movement, caller)
      await requireSecondPerson(tx, caller, context.origin, onCase('CREDIT_NOTE', row, amount))
      return {
        movement,
        note: makeNote(
          'invoice.credited',
          invoiceGuid,
          { minorAmount: Number(amount), valueDate },
          { invoiceGuid },
        ),
      }
    }),
  )
}

/** Adds a fee: the given amount, else the amount of the client's terms or of the statute. */
export async function addFee(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<FeeInput>,
  context: CaseContext,
): Promise<{ movementGuid: string; feeGuid: string }> {
  const wanted = input.feeType?.trim()
  if (!wanted) throw invalid({ feeType: ['is required.'] })
  const made = movementAnswer(
    await bookOnCase(db, caller, { caseGuid }, context, async (tx, { row, found }) => {
      const known = await findFeeTypes(tx, row.clientGuid)
      const feeType = findFeeType(wanted, known)
      if (feeType === undefined) throw invalid({ feeType: [explainUnknownFeeType(wanted, known)] })
      const date = input.valueDate?.slice(0, 10) || found.businessDate
      const own = typeof input.amount === 'number'
      const { amount, valueDate } = readMovement(
        { ...input, amount: own ? input.amount : await findFeeAmount(tx, row, feeType, date) },
        { row, found },
        caller,
      )
      const fee = { feeType, amount, valueDate }
      const { highest, ...law } = await requireLawfulFee(tx, caller, row, {
        ...fee,
        isOwn: own,
        overrideReason: input.overrideReason?.trim() || null,
      })
      if (law.overrideReason !== undefined)
        await requireSecondPerson(tx, caller, context.origin, onCase('FEE_OVERRIDE', row, highest))
      return prepareFee(caseGuid, { ...fee, amount: highest }, law)
    }),
  )
  return { ...made, feeGuid: made.movementGuid }
}

/** A fee, ready for booking. */
export const prepareFee = (
  caseGuid: string,
  { feeType, amount, valueDate }: { feeType: string; amount: bigint; valueDate: string },
  law: FeeLaw = {},
): Prepared => ({
  movement: newMovement({ kind: 'fee', amount }, valueDate, { feeType, ...law }),
  note: makeNote('case.fee_added', caseGuid, { feeType, minorAmount: Number(amount), valueDate, ...law }),
})

/** Writes off an amount, or everything that remains, from one component or in allocation order. */
export async function registerWriteOff(
  db: Db,
  caller: Caller,
  { caseGuid, input }: CaseChange<WriteOffInput>,
  context: CaseContext,
): Promise<{ movementGuid: string; writeoffGuid: string }> {
  const checks = new FieldErrors(caller.language)
  const wanted = readChoice(input.component, 'component', ['PRINCIPAL', 'INTEREST', 'COST'] as const, checks)
  checks.throwIfAny()
  const component = components.find((one) => one === wanted?.toLowerCase()) ?? null
  const made = movementAnswer(
    await bookOnCase(db, caller, { caseGuid }, context, async (tx, { row, found }) => {
      const { amount, valueDate } = readMovement(input, { row, found }, caller)
      const movement = newMovement({ kind: 'writeOff', amount, component }, valueDate)
      requireApplied({ row, found }, movement, caller)
      await requireSecondPerson(tx, caller, context.origin, onCase('WRITE_OFF', row, amount))
      return {
        movement,
        note: makeNote('case.written_off', caseGuid, { minorAmount: Number(amount), component, valueDate }),
      }
    }),
  )
  return { ...made, writeoffGuid: made.movementGuid }
}
