/** Payments: found by case, reference or debtor, shared out by the ledger, shown before they are booked, and reversed. */
import type { PaymentInput } from '../../contract/case-inputs.ts'
import type { AllocationOrderCode } from '../../core/allocation.ts'
import { deriveLedger } from '../../core/case-ledger.ts'
import { sumOf } from '../../core/case-transaction.ts'
import { fromMinor } from '../../core/money.ts'
import { makeId } from '../database/make-id.ts'
import { inTransaction, violatedUniqueness, type Db } from '../database/transaction.ts'
import { changesOfNew } from '../events/record.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, MemberChecks } from '../http/errors.ts'
import {
  findPayingPlans,
  planOrder,
  settlePlans,
  sharePlanPayment,
  type PayingPlan,
} from '../plans/plan-payments.ts'
import { bookedCaseOf } from './booked-case.ts'
import { bookMovements, type BookedCase, type Booking, type NewMovement } from './booking.ts'
import { readCurrency, readMoney, readValueDate } from './case-inputs.rules.ts'
import type { CaseContext, CaseRow } from './case-lock.ts'
import { holdDateForFew, loadHistories, type CaseHistory } from './ledger.store.ts'
import { insertMoney, noRows } from './money-rows.store.ts'
import { requireNotBefore } from './book-on-case.ts'
import { findTarget, noTarget, type Target } from './payment-target.ts'
import * as store from './payments.store.ts'

export interface PaymentPart {
  caseGuid: string
  caseNumber: string
  principal: number
  interest: number
  fee: number
  /** What is left for the debtor. */
  credit: number
  /** What then remains on the case. */
  remainingSum: number
}

export interface RegisteredPayment {
  paymentGuid: string
  parts: PaymentPart[]
}

export interface ReadPayment {
  currencyCode: string
  amount: bigint
  valueDate: string
  payerReference: string | null
  toThirdParty: boolean
}

/**
 * Books a payment. Throws a 400 naming the wrong fields, a 404 when nothing that the caller may see is paid, a 409 for a
 * payer's reference that was booked already, and a 422 for another currency or a value date before the case.
 */
export function registerPayment(
  db: Db,
  caller: Caller,
  input: PaymentInput,
  context: CaseContext,
): Promise<RegisteredPayment> {
  return inTransaction(db, (tx) => settlePayment(tx, caller, input, context, true))
}

/** The same without booking: how the payment would be shared out. */
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
  context: CaseContext,
  books: boolean,
): Promise<RegisteredPayment> {
  const [, target] = await Promise.all([holdDateForFew(tx), findTarget(tx, caller, input)])
  const { held, histories } = await holdCases(tx, caller, target.caseGuids)
  if (held.length === 0) throw noTarget('case', target.member)
  const plans = await findPlansPaid(tx, held)
  const payment = readPayment(input, held[0]!, histories[0]!.businessDate)
  const meant = held.find(({ caseGuid }) => caseGuid === target.caseGuid) ?? held[0]!
  const debtorGuid = target.debtorGuid ?? meant.mainDebtorGuid
  if (payment.payerReference !== null) await refuseSame(tx, debtorGuid, payment.payerReference, caller)
  const cases = findPaidCases({ held, histories }, payment, target)
  const paymentGuid = makeId()
  const rows = noRows()
  rows.payments.push({
    ...paymentRow(paymentGuid, payment, { ...target, debtorGuid }, histories[0]!.businessDate),
    source_reference: context.sourceReference ?? null,
  })
  const parts = shareOut(cases, payment, plans).map(({ row, found, amount, order }, index) => {
    const kind = payment.toThirdParty ? ('thirdPartyPayment' as const) : ('payment' as const)
    const movement: NewMovement = {
      id: makeId(),
      effect: { kind, amount },
      valueDate: payment.valueDate,
      paymentId: paymentGuid,
      ...(order && { order }),
    }
    const notes = [paymentNote(paymentGuid, payment, amount, index === 0)]
    const booking = bookMovements(rows, found, { movements: [movement], notes })
    rows.caseUpdates.push(booking.columns)
    return partOf(row, movement.id, booking)
  })
  if (!books) return { paymentGuid, parts }
  await insertPayment(tx, rows, context)
  await settlePlans(
    tx,
    plans.map(({ planGuid }) => planGuid),
    context.origin,
  )
  return { paymentGuid, parts }
}

/**
 * The cases that a payment may go to, the one registered first first: none of another currency, none that there was not
 * yet on its value date. Throws a 422 where that is the case named, or all of them.
 */
function findPaidCases(
  { held, histories }: { held: readonly CaseRow[]; histories: readonly CaseHistory[] },
  payment: ReadPayment,
  target: Target,
): OpenCase[] {
  const payable = held
    .map((row, index) => ({ row, found: bookedCaseOf(row, histories[index]!) }))
    .filter(({ row }) => row.currencyCode === payment.currencyCode)
    // What a third party got stays with what it was for.
    .filter(({ row }) => !payment.toThirdParty || target.caseGuids.includes(row.caseGuid))
    .toSorted(byCaseNumber)
  const cases = payable.filter(({ row }) => row.registrationDate <= payment.valueDate)
  const first = payable.find(({ row }) => row.caseGuid === target.caseGuid) ?? cases[0] ?? payable[0]
  if (first) requireNotBefore(first.row, payment.valueDate)
  return cases
}

/**
 * Cases, held with those that are in a plan with one of them, and then their histories: both asked for at once, since
 * mostly there are no others.
 */
async function holdCases(tx: Db, caller: Caller, caseGuids: readonly string[]) {
  const [held, asked] = await Promise.all([
    store.lockCases(tx, caller, caseGuids),
    loadHistories(tx, caseGuids),
  ])
  const all = held.map(({ caseGuid }) => caseGuid)
  const isSame = all.length === asked.length && all.every((guid, index) => guid === asked[index]!.caseGuid)
  return { held, histories: isSame ? asked : await loadHistories(tx, all) }
}

/** The case registered first comes first. */
const byCaseNumber = ({ row: a }: OpenCase, { row: b }: OpenCase) =>
  a.caseNumber.length - b.caseNumber.length || (a.caseNumber < b.caseNumber ? -1 : 1)

/** The active plans of the cases paid on. */
const findPlansPaid = async (tx: Db, held: readonly CaseRow[]): Promise<PayingPlan[]> => {
  const planned = held.filter(({ beforePlanStatus }) => beforePlanStatus !== null)
  return planned.length === 0
    ? []
    : findPayingPlans(
        tx,
        planned.map(({ caseGuid }) => caseGuid),
      )
}

const casesUnder = (plans: readonly PayingPlan[]) =>
  plans.flatMap(({ cases }) => cases.map(({ caseGuid }) => caseGuid))

async function insertPayment(tx: Db, rows: Parameters<typeof insertMoney>[1], { origin }: CaseContext) {
  try {
    await insertMoney(tx, rows, origin)
  } catch (error) {
    if (violatedUniqueness(error) === 'payment_payer_reference') throw samePayment({})
    throw error
  }
}

function readPayment(input: PaymentInput, row: CaseRow, today: string): ReadPayment {
  const checks = new MemberChecks()
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

interface OpenCase {
  row: CaseRow
  found: BookedCase
}

type Share = OpenCase & { amount: bigint; order?: AllocationOrderCode }

/**
 * What each case gets: those under a plan as it says, then the others what they owe on the value date, the oldest first;
 * what is left over stays with the last that got some.
 */
function shareOut(
  cases: readonly OpenCase[],
  { amount, valueDate, toThirdParty }: ReadPayment,
  plans: readonly PayingPlan[],
): Share[] {
  if (cases.length === 0) {
    const message = 'is not the currency of the case. Money is booked in the currency of the debt.'
    throw new ApiError('unprocessable', `currencyCode ${message}`, { errors: { currencyCode: [message] } })
  }
  const owedBy = ({ found }: OpenCase) => deriveLedger(found.input, valueDate).balances.remaining
  const byGuid = new Map(cases.map((one) => [one.row.caseGuid, one]))
  const shares: Share[] = []
  let left = amount
  for (const plan of toThirdParty ? [] : plans) {
    const own = plan.cases.filter(({ caseGuid }) => byGuid.has(caseGuid))
    const under = own.map(({ caseGuid }) => byGuid.get(caseGuid)!)
    const owed = under
      .map(owedBy)
      .map(({ principal, interest, cost }) => ({ principal, interest, costs: cost }))
    const shared = sharePlanPayment({ ...plan, cases: own }, left, owed)
    for (const [index, share] of shared.shares.entries()) {
      if (share > 0n) shares.push({ ...under[index]!, amount: share, order: planOrder })
    }
    left = shared.left
  }
  const planned = new Set(toThirdParty ? [] : casesUnder(plans))
  const others = cases.filter(({ row }) => !planned.has(row.caseGuid))
  if (shares.length === 0 && others.length === 1) return [{ ...others[0]!, amount: left }]
  for (const one of others) {
    const owed = sumOf(owedBy(one))
    const share = owed < left ? owed : left
    if (share > 0n) shares.push({ ...one, amount: share })
    left -= share > 0n ? share : 0n
  }
  if (shares.length === 0) return [{ ...cases[0]!, amount }]
  shares.at(-1)!.amount += left
  return shares
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

/** A payment on several cases is registered in the events of each, and whole in those of the first. */
export const paymentNote = (paymentGuid: string, payment: ReadPayment, amount: bigint, first: boolean) => ({
  type: 'payment.registered',
  entityId: paymentGuid,
  data: { paymentGuid, valueDate: payment.valueDate, toThirdParty: payment.toThirdParty },
  changes: changesOfNew({
    minorAmount: Number(amount),
    currencyCode: payment.currencyCode,
    valueDate: payment.valueDate,
    toThirdParty: payment.toThirdParty,
    payerReference: payment.payerReference,
    ...(first && amount !== payment.amount && { minorAmountInAll: Number(payment.amount) }),
  }),
})

/** What one movement did; a payment dated back has later ones shared out anew in the same booking. */
function partOf(row: CaseRow, movementGuid: string, { ledger, appended }: Booking): PaymentPart {
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
    remainingSum: money(sumOf(ledger.balances.remaining)),
  }
}

async function refuseSame(tx: Db, debtorGuid: string, payerReference: string, caller: Caller): Promise<void> {
  const same = await store.findSamePayment(tx, debtorGuid, payerReference)
  if (!same) return
  const seen = same.caseGuid === null ? [] : await store.lockCases(tx, caller, [same.caseGuid])
  throw samePayment(
    seen.some(({ caseGuid }) => caseGuid === same.caseGuid) || caller.partyIds === null
      ? { existingPaymentGuid: same.paymentGuid }
      : {},
  )
}

const samePayment = (members: { existingPaymentGuid?: string }) =>
  new ApiError(
    'conflict',
    `A payment with this payer's reference was registered already${members.existingPaymentGuid ? ` (${members.existingPaymentGuid})` : ''}. Reverse that one first if it was wrong.`,
    { errors: { payerReference: ['belongs to another payment of the debtor.'] }, members },
  )
