/**
 * Books movements on a case. The ledger is derived again (core/ledger/case-ledger.ts) and compared with the
 * stored transactions. The difference is appended: reversals of outdated transactions, then new ones. Pure:
 * nothing here reads or writes the database.
 */
import { allocationOrders, type AllocationOrderCode } from '../../core/ledger/allocation.ts'
import { latest } from '../../core/calendar/calendar.ts'
import { deriveLedger, type CaseLedger } from '../../core/ledger/case-ledger.ts'
import * as lives from '../../core/cases/case-lifecycle.ts'
import type { CaseLifecycle } from '../../core/cases/case-lifecycle.ts'
import type { LedgerInput, Movement, MovementEffect } from '../../core/ledger/case-movement.ts'
import {
  compareTransactions,
  computeClientsShare,
  emptyBalances,
  sumComponents,
  type Balances,
  type Transaction,
} from '../../core/ledger/case-transaction.ts'
import type { AccrualLine } from '../../core/interest/interest.ts'
import { largestMinor } from '../../core/money/money.ts'
import { makeId } from '../platform/database/make-id.ts'
import { ApiError } from '../platform/http/errors.ts'
import { lifecycleColumns, noteLifecycle, type CaseChangeNote } from '../claims/case-lock.ts'
import type { StoredTransaction } from './ledger.store.ts'
import { keepNumerator } from './stored-interest.ts'
import { limitationColumns, type CaseLimitation } from '../claims/limitation.rules.ts'
import type { CaseUpdate, MoneyRows } from '../claims/money-rows.store.ts'

/** A case to book on: its identity, counters, version and history. */
export interface BookedCase {
  caseGuid: string
  clientGuid: string
  currencyCode: string
  life: CaseLifecycle
  closureDate: string | null
  movementCount: number
  transactionCount: number
  version: number
  eventSequence: number
  input: LedgerInput
  stored: readonly StoredTransaction[]
  /** Payment id by movement id, for movements that belong to a payment. */
  payments: ReadonlyMap<string, string>
  businessDate: string
  limitation: CaseLimitation
  /** Null before the first booking. */
  limitationDate: string | null
}

export interface NewMovement {
  id: string
  effect: MovementEffect
  valueDate: string
  paymentId?: string
  details?: Record<string, unknown>
  /** The allocation order of this movement, if it differs from the case's. */
  order?: AllocationOrderCode
}

export interface Booking {
  ledger: CaseLedger
  life: CaseLifecycle
  /** Every column of the case that a booking changes. */
  columns: CaseUpdate
  appended: Transaction[]
}

export interface BookingRequest {
  movements: readonly NewMovement[]
  /** The lifecycle after a manual change. Booking then does not change the lifecycle itself. */
  life?: CaseLifecycle
  notes: readonly CaseChangeNote[]
}

/**
 * Derives the ledger with added movements. `ledger` is as of the business date; `whole` also covers later
 * movements, which exist when the business date was moved back.
 */
export function deriveWith(found: Pick<BookedCase, 'input' | 'businessDate'>, added: readonly NewMovement[]) {
  const last = found.input.movements.length
  const movements = added.map(({ id, effect, valueDate, order }, index) => ({
    id,
    valueDate,
    booking: last + index + 1,
    ...(order && { order: allocationOrders[order] }),
    ...effect,
  })) as Movement[]
  const input = { ...found.input, movements: [...found.input.movements, ...movements] }
  const horizon = input.movements.reduce(
    (date, { valueDate }) => latest(date, valueDate),
    latest(found.businessDate, input.opening.registeredOn),
  )
  const whole = deriveLedger(input, horizon)
  const ledger = horizon === found.businessDate ? whole : deriveLedger(input, found.businessDate)
  return { input, whole, ledger }
}

/**
 * Returns whether all sums of a case stay within the largest amount (core/money/money.ts), so that no figure
 * loses precision.
 */
export const fitsAmountLimit = ({ original, accrued, paid, credit }: Balances): boolean =>
  [sumComponents(original) + sumComponents(accrued), sumComponents(paid), credit, -credit].every(
    (sum) => sum <= largestMinor,
  )

function requireExact(balances: Balances): void {
  if (!fitsAmountLimit(balances))
    throw new ApiError(
      'unprocessable',
      'This would bring an amount of the case above 15 digits. Enter a smaller amount.',
    )
}

/**
 * Adds the rows of a booking to `rows` and returns the resulting state of the case. Throws a 422 when a sum
 * would exceed the largest amount.
 */
export function bookMovements(rows: MoneyRows, found: BookedCase, request: BookingRequest): Booking {
  const before = request.life ?? found.life
  let movements = request.movements
  let derived = deriveWith(found, movements)
  requireExact(derived.whole.balances)
  requireExact(derived.ledger.balances)
  const after = request.life ?? lifeAfter(before, derived, takesBack(found.input, movements))
  if (before.closureCode !== null && after.closureCode === null && isClosedByHand(derived.input)) {
    movements = [
      ...movements,
      { id: makeId(), effect: { kind: 'reopen' }, valueDate: findBookingDate(found) },
    ]
    derived = deriveWith(found, movements)
  }
  // A case that stays closed when it owes again, as after a reversed payment, bears no interest.
  if (after.closureCode !== null && derived.ledger.coveredOn === null && !isClosedByHand(derived.input)) {
    const closedOn = latest(found.closureDate ?? found.businessDate, found.input.opening.registeredOn)
    movements = [...movements, { id: makeId(), effect: { kind: 'close' }, valueDate: closedOn }]
    derived = deriveWith(found, movements)
  }
  const notes = [...request.notes]
  if (after !== before) {
    const action = after.closureCode === null ? 'reopened' : 'closed'
    notes.push(noteLifecycle(found.caseGuid, before, after, action))
  }
  const derivedRows = derived.whole.transactions.filter(({ entries }) => entries.length > 0)
  const { reverse, append } = compareTransactions(found.stored, derivedRows)
  addMovements(rows, found, movements)
  addTransactions(rows, found, { reverse, append })
  addHeldMoney(rows, found, derivedRows)
  notes.push(...allocationNotes(append, found, movements))
  const limitation = limitationColumns(found.limitation, derived.input)
  const dates = [found.limitationDate, limitation.limitation_date] as const
  // The event that caused the change records the new limitation date.
  const [cause, ...others] = notes
  const told =
    cause && dates[0] !== dates[1]
      ? [{ ...cause, changes: { ...cause.changes, limitationDate: dates } }, ...others]
      : notes
  addChanges(rows, found, told)
  const columns: CaseUpdate = {
    id: found.caseGuid,
    ...lifecycleColumns(after, found.closureDate ?? findBookingDate(found)),
    ...balanceColumns(postedBalances(found, derived.ledger)),
    ...accrualColumns(derived.ledger, found),
    ...limitation,
    movement_count: found.movementCount + movements.length,
    transaction_count: found.transactionCount + reverse.length + append.length,
    version: found.version + 1,
    event_sequence: found.eventSequence + notes.length,
  }
  return { ledger: derived.ledger, life: after, columns, appended: append }
}

/** What lowered the debt of a case. Without it the debtor owes again what the case was closed by. */
const lowering: ReadonlySet<Movement['kind']> = new Set([
  'payment',
  'thirdPartyPayment',
  'creditUse',
  'writeOff',
  'creditNote',
])

/** True if a movement is reversed that had lowered the debt. */
function takesBack({ movements }: LedgerInput, added: readonly NewMovement[]): boolean {
  const reversed = new Set(added.flatMap(({ effect }) => (effect.kind === 'reversal' ? effect.of : [])))
  return reversed.size > 0 && movements.some(({ id, kind }) => reversed.has(id) && lowering.has(kind))
}

/**
 * Closes a case that is covered. Reopens a case whose closure code no longer agrees with its balance, if what it was
 * closed by was taken back. Anything else that makes it owe again, such as a fee or corrected interest, leaves it
 * closed: the debtor paid what was demanded, and a person decides about the rest.
 */
function lifeAfter(
  life: CaseLifecycle,
  { ledger, input: { tolerance } }: { ledger: CaseLedger; input: LedgerInput },
  isTakenBack: boolean,
): CaseLifecycle {
  const balance = { remaining: sumComponents(ledger.balances.remaining), tolerance }
  if (life.closureCode === null) {
    if (ledger.closure === null) return life
    const closed = lives.closeCase(life, ledger.closure, balance)
    return closed.ok ? closed.life : life
  }
  const { balance: condition } = lives.closureCodes[life.closureCode]
  if (!isTakenBack || condition === 'owing' || lives.meetsBalance(life.closureCode, balance)) return life
  const reopened = lives.reopenCase(life)
  return reopened.ok ? reopened.life : life
}

/**
 * The booking date: the business date, or the registration date when the business date was moved back before
 * it.
 */
export const findBookingDate = ({
  businessDate,
  input,
}: Pick<BookedCase, 'businessDate' | 'input'>): string => latest(businessDate, input.opening.registeredOn)

/** True if the case was last closed manually. */
export const isClosedByHand = ({ movements }: LedgerInput): boolean =>
  movements.findLast(({ kind }) => kind === 'close' || kind === 'reopen')?.kind === 'close'

/** Balances posted up to the business date. Zero when the case was registered later. */
const postedBalances = ({ businessDate, input }: BookedCase, { posted }: CaseLedger): Balances =>
  businessDate < input.opening.registeredOn ? emptyBalances() : posted

/** The stored balances of a case. The remaining amounts follow from them. */
const balanceColumns = ({ original, accrued, paid, writtenOff, paidToThirdParty, credit }: Balances) => ({
  original_principal: Number(original.principal),
  original_interest: Number(original.interest),
  original_fee: Number(original.cost),
  added_interest: Number(accrued.interest),
  added_fee: Number(accrued.cost),
  paid_principal: Number(paid.principal),
  paid_interest: Number(paid.interest),
  paid_fee: Number(paid.cost),
  paid_to_third_party: Number(paidToThirdParty),
  written_off_principal: Number(writtenOff.principal),
  written_off_interest: Number(writtenOff.interest),
  written_off_fee: Number(writtenOff.cost),
  credit: Number(credit),
})

/** The columns of interest accrued since the last posting. Empty before the case was registered. */
export function accrualColumns(
  { line, accrued }: { line: AccrualLine; accrued: bigint },
  { businessDate, input }: Pick<BookedCase, 'businessDate' | 'input'>,
) {
  if (businessDate < input.opening.registeredOn) {
    return {
      accrual_from: null,
      accrual_exact: '0',
      accrual_per_day: '0',
      accrual_until: null,
      accrued_interest: 0,
    }
  }
  return {
    accrual_from: line.from,
    accrual_exact: keepNumerator(line.exact),
    accrual_per_day: keepNumerator(line.perDay),
    accrual_until: line.until,
    accrued_interest: Number(accrued),
  }
}

function addMovements(rows: MoneyRows, found: BookedCase, movements: readonly NewMovement[]): void {
  movements.forEach(({ id, effect, valueDate, paymentId, details, order }, index) => {
    rows.movements.push({
      id,
      case_id: found.caseGuid,
      number: found.movementCount + index + 1,
      kind: effect.kind,
      value_date: valueDate,
      booked_date: found.businessDate,
      amount: 'amount' in effect ? Number(effect.amount) : 0,
      invoice_id: effectInvoice(effect),
      payment_id: paymentId ?? null,
      reverses_id: effect.kind === 'reversal' ? effect.of : null,
      allocation_order: order ?? found.input.order.join('_').toUpperCase(),
      tolerance_minor: Number(found.input.tolerance),
      details: { ...effectDetails(effect), ...details },
    })
  })
}

const effectInvoice = (effect: MovementEffect): string | null => {
  if (effect.kind === 'claim') return effect.claim.id
  return effect.kind === 'creditNote' || effect.kind === 'terms' ? effect.claim : null
}

const effectDetails = (effect: MovementEffect): Record<string, unknown> => {
  if (effect.kind === 'terms') return { terms: effect.terms }
  if (effect.kind === 'claim') return effect.byTermsOfDay ? { byTermsOfDay: true } : {}
  return effect.kind === 'writeOff' && effect.component ? { component: effect.component } : {}
}

function addTransactions(
  rows: MoneyRows,
  found: BookedCase,
  { reverse, append }: { reverse: StoredTransaction[]; append: Transaction[] },
): void {
  let number = found.transactionCount
  const add = (
    transaction: Pick<Transaction, 'kind' | 'valueDate' | 'movementId' | 'entries'>,
    reversed: StoredTransaction | null,
  ) => {
    const id = makeId()
    rows.transactions.push({
      id,
      case_id: found.caseGuid,
      number: ++number,
      kind: transaction.kind,
      value_date: transaction.valueDate,
      booked_date: found.businessDate,
      movement_id: transaction.movementId,
      reverses_id: reversed?.id ?? null,
    })
    transaction.entries.forEach(({ account, claim, amount }, index) => {
      const signed = Number(reversed ? -amount : amount)
      rows.entries.push({ transaction_id: id, line: index + 1, account, invoice_id: claim, amount: signed })
    })
  }
  for (const transaction of reverse) add(transaction, transaction)
  for (const transaction of append) add(transaction, null)
}

/** What the bookings add to the client's money that is not paid out, or take from it. */
function addHeldMoney(rows: MoneyRows, found: BookedCase, derived: readonly Transaction[]): void {
  const amount = computeClientsShare(derived) - computeClientsShare(found.stored)
  if (amount === 0n) return
  rows.heldMoney.push({
    id: makeId(),
    case_id: found.caseGuid,
    client_id: found.clientGuid,
    currency_code: found.currencyCode,
    // Later than the booking only after the business date was moved back.
    counts_from: [...derived, ...found.stored].reduce(
      (date, { valueDate }) => latest(date, valueDate),
      found.businessDate,
    ),
    amount: Number(amount),
  })
}

/** Events that record how each payment was allocated, for the first time or again. */
function allocationNotes(
  append: readonly Transaction[],
  found: BookedCase,
  movements: readonly NewMovement[],
): CaseChangeNote[] {
  const added = new Map(movements.map(({ id, paymentId }) => [id, paymentId]))
  return append.flatMap(({ kind, movementId, lines, valueDate }) => {
    if (kind !== 'payment' && kind !== 'thirdPartyPayment') return []
    const shares = Object.fromEntries(
      ['principal', 'interest', 'cost'].map((component) => [
        component,
        Number(lines.reduce((sum, line) => (line.component === component ? sum + line.amount : sum), 0n)),
      ]),
    )
    const paymentGuid = found.payments.get(movementId!) ?? added.get(movementId!) ?? movementId!
    const data = { paymentGuid, valueDate, minorAmounts: shares }
    return [{ type: 'payment.allocated', entityId: paymentGuid, data, changes: {} }]
  })
}

function addChanges(rows: MoneyRows, found: BookedCase, notes: readonly CaseChangeNote[]): void {
  notes.forEach((note, index) => {
    rows.changes.push({
      ...note,
      data: { caseGuid: found.caseGuid, ...note.data },
      subject: found.caseGuid,
      sequence: found.eventSequence + index + 1,
    })
  })
}
