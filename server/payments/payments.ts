/**
 * Registers, previews and books payments on a case, a payment reference or a debtor. The ledger allocates
 * them.
 */
import type { Language } from '../../contract/platform/languages.ts'
import type { PaymentInput } from '../../contract/cases/case-inputs.ts'
import { sumComponents } from '../../core/ledger/case-transaction.ts'
import { fromMinor } from '../../core/money/money.ts'
import { makeId } from '../platform/database/make-id.ts'
import { inTransaction, violatedUniqueness, type Db } from '../platform/database/transaction.ts'
import { initialChanges } from '../platform/events/record.ts'
import type { Caller } from '../platform/http/caller.ts'
import { ApiError, FieldErrors } from '../platform/http/errors.ts'
import { findPayingPlans, settlePlans, type PayingPlan } from '../plans/plan-payments.ts'
import { bookMovements, type Booking, type NewMovement } from '../ledger/booking.ts'
import { readCurrency, readMoney, readValueDate } from '../claims/case-inputs.rules.ts'
import type { CaseChangeNote, CaseContext, CaseRow } from '../claims/case-lock.ts'
import { holdDateForFew, loadHistories, type CaseHistory } from '../ledger/ledger.store.ts'
import { insertMoney, emptyRows, type MoneyRows } from '../claims/money-rows.store.ts'
import { requireTwoForPayment } from './payment-limit.ts'
import { findTarget, targetNotFound, type Target } from './payment-target.ts'
import * as store from './payments.store.ts'
import { findPaidCases, shareOut, type ReadPayment, type Share } from './share-payment.ts'

export interface PaymentPart {
  caseGuid: string
  caseNumber: string
  principal: number
  interest: number
  fee: number
  /** The overpayment, which becomes the debtor's credit. */
  credit: number
  /** The amount that then remains on the case. */
  remainingSum: number
}

export interface RegisteredPayment {
  paymentGuid: string
  parts: PaymentPart[]
}

/** `isByHand`: no bank file brought the payment. */
export type PaymentContext = CaseContext & { isByHand?: true }

/**
 * Books a payment. One that a user enters by hand may need a second person. Throws a 400 naming the wrong fields, a 404 without a visible target, a 409 for a payer's
 * reference already booked, and a 422 for another currency or a value date before the case.
 */
export function registerPayment(
  db: Db,
  caller: Caller,
  input: PaymentInput,
  context: PaymentContext,
): Promise<RegisteredPayment> {
  return inTransaction(db, (tx) => settlePayment(tx, caller, input, context, true))
}

/** Previews a payment: how it would be allocated. Stores nothing. */
export async function previewPayment(
  db: Db,
  caller: Caller,
  input: PaymentInput,
  context: CaseContext,
): Promise<PaymentPart[]> {
  const { parts } = await inTransaction(db, (tx) => settlePayment(tx, caller, input, context, false))
  return parts
}

async function settlePayment(
  tx: Db,
  caller: Caller,
  input: PaymentInput,
  context: PaymentContext,
  books: boolean,
): Promise<RegisteredPayment> {
  const [, target] = await Promise.all([holdDateForFew(tx), findTarget(tx, caller, input)])
  const held = await lockPaidCases(tx, caller, target.caseGuids)
  const rows = emptyRows()
  const made = await makePayment(tx, caller, rows, { input, target, held, context })
  if (!books) return made
  if (context.isByHand) await requireTwoForPayment(tx, caller, rows, context.origin)
  await insertPayment(tx, rows, context)
  await settlePlans(
    tx,
    held.plans.map(({ planGuid }) => planGuid),
    context.origin,
  )
  return made
}

/** Cases locked for a payment, with cases in the same plans, in the order of their identifiers. */
export interface LockedCases {
  rows: CaseRow[]
  histories: CaseHistory[]
  plans: PayingPlan[]
}

/**
 * Locks cases for a payment. Loads histories at the same time, because usually no plan adds further cases.
 */
export async function lockPaidCases(
  tx: Db,
  caller: Caller,
  caseGuids: readonly string[],
): Promise<LockedCases> {
  const [rows, asked] = await Promise.all([
    store.lockCases(tx, caller, caseGuids),
    loadHistories(tx, caseGuids),
  ])
  const all = rows.map(({ caseGuid }) => caseGuid)
  const isSame = all.length === asked.length && all.every((guid, index) => guid === asked[index]!.caseGuid)
  const histories = isSame ? asked : await loadHistories(tx, all)
  return { rows, histories, plans: await findPlansPaid(tx, rows) }
}

/**
 * Adds all rows of a payment on locked cases to `rows`. After an error `rows` may be incomplete; discard
 * them.
 */
export async function makePayment(
  tx: Db,
  caller: Caller,
  rows: MoneyRows,
  {
    input,
    target,
    held,
    context,
  }: { input: PaymentInput; target: Target; held: LockedCases; context: CaseContext },
): Promise<RegisteredPayment> {
  const { histories, plans } = held
  if (held.rows.length === 0) throw targetNotFound('case', target.member)
  const payment = readPayment(input, held.rows[0]!, {
    today: histories[0]!.businessDate,
    language: caller.language,
  })
  const meant = held.rows.find(({ caseGuid }) => caseGuid === target.caseGuid) ?? held.rows[0]!
  const debtorGuid = target.debtorGuid ?? meant.mainDebtorGuid
  if (payment.payerReference !== null) await refuseDuplicate(tx, debtorGuid, payment.payerReference, caller)
  const cases = findPaidCases(held, payment, target, caller)
  const paymentGuid = makeId()
  rows.payments.push({
    ...paymentRow(paymentGuid, payment, { ...target, debtorGuid }, histories[0]!.businessDate),
    source_reference: context.sourceReference ?? null,
  })
  const parts = shareOut(cases, payment, plans).map((share) =>
    bookShare(rows, share, { paymentGuid, payment }),
  )
  return { paymentGuid, parts }
}

function bookShare(
  rows: MoneyRows,
  { row, found, amount, order }: Share,
  { paymentGuid, payment }: { paymentGuid: string; payment: ReadPayment },
): PaymentPart {
  const kind = payment.toThirdParty ? ('thirdPartyPayment' as const) : ('payment' as const)
  const movement: NewMovement = {
    id: makeId(),
    effect: { kind, amount },
    valueDate: payment.valueDate,
    paymentId: paymentGuid,
    ...(order && { order }),
  }
  const booking = bookMovements(rows, found, {
    movements: [movement],
    notes: [paymentNote(paymentGuid, payment, amount)],
  })
  rows.caseUpdates.push(booking.columns)
  return paymentPart(row, movement.id, booking)
}

/** The active plans of the paid cases. */
const findPlansPaid = async (tx: Db, held: readonly CaseRow[]): Promise<PayingPlan[]> => {
  const planned = held.filter(({ beforePlanStatus }) => beforePlanStatus !== null)
  return planned.length === 0
    ? []
    : findPayingPlans(
        tx,
        planned.map(({ caseGuid }) => caseGuid),
      )
}

async function insertPayment(tx: Db, rows: Parameters<typeof insertMoney>[1], { origin }: CaseContext) {
  try {
    await insertMoney(tx, rows, origin)
  } catch (error) {
    if (violatedUniqueness(error) === 'payment_payer_reference') throw duplicateError({})
    throw error
  }
}

function readPayment(
  input: PaymentInput,
  row: CaseRow,
  { today, language }: { today: string; language: Language },
): ReadPayment {
  const checks = new FieldErrors(language)
  const currencyCode = readCurrency(input.currencyCode, row.currencyCode, checks)
  const expected = { currency: currencyCode, least: 'above zero', required: true } as const
  const amount = readMoney(input.amount, 'amount', expected, checks)
  const valueDate = readValueDate(input.valueDate, today, checks)
  checks.throwIfAny()
  return {
    currencyCode: currencyCode!,
    amount: amount!,
    valueDate,
    payerReference: input.payerReference?.trim() || null,
    toThirdParty: input.toThirdParty === true,
  }
}

export const paymentRow = (
  id: string,
  payment: ReadPayment,
  { debtorGuid, caseGuid }: { debtorGuid: string; caseGuid: string | null },
  today: string,
) => ({
  id,
  currency_code: payment.currencyCode,
  amount: Number(payment.amount),
  value_date: payment.valueDate,
  registered_date: today,
  payer_reference: payment.payerReference,
  to_third_party: payment.toThirdParty,
  debtor_id: debtorGuid,
  case_id: caseGuid,
  version: 1,
})

/**
 * The event of a payment on one case, with that case's part only, since its readers may not see the other
 * cases.
 */
export const paymentNote = (paymentGuid: string, payment: ReadPayment, amount: bigint): CaseChangeNote => ({
  type: 'payment.registered',
  entityId: paymentGuid,
  data: { paymentGuid, valueDate: payment.valueDate, toThirdParty: payment.toThirdParty },
  changes: initialChanges({
    minorAmount: Number(amount),
    currencyCode: payment.currencyCode,
    valueDate: payment.valueDate,
    toThirdParty: payment.toThirdParty,
    payerReference: payment.payerReference,
  }),
})

/** The result of one movement. A backdated payment also reallocates later ones in the same booking. */
function paymentPart(row: CaseRow, movementGuid: string, { ledger, appended }: Booking): PaymentPart {
  const money = (minor: bigint) => fromMinor(minor, row.currencyCode)
  const own = appended.find(({ movementId }) => movementId === movementGuid)!
  const share = (component: string) =>
    money(own.lines.reduce((sum, line) => (line.component === component ? sum + line.amount : sum), 0n))
  const credit = own.entries.reduce(
    (sum, { account, amount }) =>
      account === 'credit' || account === 'third-party-credit' ? sum - amount : sum,
    0n,
  )
  return {
    caseGuid: row.caseGuid,
    caseNumber: row.caseNumber,
    principal: share('principal'),
    interest: share('interest'),
    fee: share('cost'),
    credit: money(credit),
    remainingSum: money(sumComponents(ledger.balances.remaining)),
  }
}

async function refuseDuplicate(
  tx: Db,
  debtorGuid: string,
  payerReference: string,
  caller: Caller,
): Promise<void> {
  const same = await store.findSamePayment(tx, debtorGuid, payerReference)
  if (!same) return
  const seen = same.caseGuid === null ? [] : await store.lockCases(tx, caller, [same.caseGuid])
  throw duplicateError(
    seen.some(({ caseGuid }) => caseGuid === same.caseGuid) || caller.partyIds === null
      ? { existingPaymentGuid: same.paymentGuid }
      : {},
  )
}

const duplicateError = (members: { existingPaymentGuid?: string }) =>
  new ApiError(
    'conflict',
    `A payment with this payer's reference is already registered${members.existingPaymentGuid ? ` (${members.existingPaymentGuid})` : ''}. Reverse that payment first if it was wrong.`,
    { errors: { payerReference: ['belongs to another payment of the debtor.'] }, members },
  )
