/**
 * Registers many payments in few statements: locks their cases together and writes their changes together.
 * `makePayment` makes each one, as for a single payment, so the resulting books are the same.
 */
import type { PaymentInput } from '../../contract/cases/case-inputs.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Caller, Origin } from '../platform/http/caller.ts'
import { ApiError } from '../platform/http/errors.ts'
import { settlePlans } from '../plans/plan-payments.ts'
import { holdDate } from '../ledger/ledger.store.ts'
import { insertMoney, emptyRows, type MoneyRows } from '../claims/money-rows.store.ts'
import { findTargets, catchRefusal, type Target } from './payment-target.ts'
import { lockPaidCases, makePayment, type LockedCases, type RegisteredPayment } from './payments.ts'

export interface PaymentRequest {
  input: PaymentInput
  /** Identifies the payment in its source; unique among all payments. */
  sourceReference: string
}

/**
 * Returns one outcome per payment, in order: the payment, or the error that `registerPayment` would throw.
 * Payments on one case are booked one after the other. Runs in the caller's transaction. If it throws, the
 * caller must roll back.
 */
export async function registerPayments(
  tx: Db,
  caller: Caller,
  requests: readonly PaymentRequest[],
  origin: Origin,
): Promise<(RegisteredPayment | ApiError)[]> {
  await holdDate(tx)
  const outcomes = new Map<PaymentRequest, RegisteredPayment | ApiError>()
  let waiting = [...requests]
  while (waiting.length > 0) waiting = await registerWave(tx, caller, waiting, { origin, outcomes })
  return requests.map((request) => outcomes.get(request)!)
}

interface Wave {
  origin: Origin
  outcomes: Map<PaymentRequest, RegisteredPayment | ApiError>
}

/** Registers payments that share no case. Returns the others, whose cases must be loaded again. */
async function registerWave(
  tx: Db,
  caller: Caller,
  requests: readonly PaymentRequest[],
  { origin, outcomes }: Wave,
): Promise<PaymentRequest[]> {
  const aimed: { request: PaymentRequest; target: Target }[] = []
  const targets = await findTargets(
    tx,
    caller,
    requests.map(({ input }) => input),
  )
  for (const [place, request] of requests.entries()) {
    const target = targets[place]!
    if (target instanceof ApiError) outcomes.set(request, target)
    else aimed.push({ request, target })
  }
  if (aimed.length === 0) return []
  const held = await lockPaidCases(tx, caller, [...new Set(aimed.flatMap(({ target }) => target.caseGuids))])
  const places = new Map(held.rows.map(({ caseGuid }, place) => [caseGuid, place]))
  const used = new Set<string>()
  const rows = emptyRows()
  const plans = new Set<string>()
  const later: PaymentRequest[] = []
  for (const { request, target } of aimed) {
    const own = selectHeld(held, places, target)
    const mustWait = own.rows.some(({ caseGuid }) => used.has(caseGuid))
    // Cases of a waiting payment count as used too: later payments must not overtake it.
    for (const { caseGuid } of own.rows) used.add(caseGuid)
    if (mustWait) {
      later.push(request)
      continue
    }
    const context = { origin, sourceReference: request.sourceReference }
    // A payment that fails halfway must leave no rows behind.
    const made = emptyRows()
    const outcome = await catchRefusal(() =>
      makePayment(tx, caller, made, { input: request.input, target, held: own, context }),
    )
    outcomes.set(request, outcome)
    if (outcome instanceof ApiError) continue
    appendRows(rows, made)
    for (const { planGuid } of own.plans) plans.add(planGuid)
  }
  if (rows.payments.length > 0) await insertMoney(tx, rows, origin)
  await settlePlans(tx, [...plans], origin)
  return later
}

/** Of the locked cases, those that a payment targets and those in a plan with them. */
function selectHeld(held: LockedCases, places: ReadonlyMap<string, number>, target: Target): LockedCases {
  const aimed = new Set(target.caseGuids)
  const plans = held.plans.filter(({ cases }) => cases.some(({ caseGuid }) => aimed.has(caseGuid)))
  const guids = new Set([...aimed, ...plans.flatMap(({ cases }) => cases.map(({ caseGuid }) => caseGuid))])
  const own = [...guids].flatMap((guid) => places.get(guid) ?? []).toSorted((a, b) => a - b)
  return {
    rows: own.map((place) => held.rows[place]!),
    histories: own.map((place) => held.histories[place]!),
    plans,
  }
}

/** Adds the rows of one change to those of others. */
export function appendRows(rows: MoneyRows, made: MoneyRows): void {
  for (const table of Object.keys(rows) as (keyof MoneyRows)[])
    (rows[table] as unknown[]).push(...made[table])
}
