/**
 * Registers many payments in few statements: their cases are held together, and what they change is written together. Each
 * is made by the function that makes a single one, so that the books cannot tell them apart.
 */
import type { PaymentInput } from '../../contract/cases/case-inputs.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Caller, Origin } from '../platform/http/caller.ts'
import { ApiError } from '../platform/http/errors.ts'
import { settlePlans } from '../plans/plan-payments.ts'
import { holdDate } from '../ledger/ledger.store.ts'
import { insertMoney, noRows, type MoneyRows } from '../claims/money-rows.store.ts'
import { findTargets, refusalOr, type Target } from './payment-target.ts'
import { holdPaid, makePayment, type HeldCases, type RegisteredPayment } from './payments.ts'

export interface PaymentRequest {
  input: PaymentInput
  /** Kept with the payment; unique among all of them. */
  sourceReference: string
}

/**
 * One outcome for each, in their order: the payment, or why it was refused (as `registerPayment` would). Two on one case are
 * booked one after the other. In the caller's transaction; throws only for what is no refusal, and then nothing may stay.
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

/** Registers those that have no case in common; returns the others, whose cases are other ones by then. */
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
  const held = await holdPaid(tx, caller, [...new Set(aimed.flatMap(({ target }) => target.caseGuids))])
  const places = new Map(held.rows.map(({ caseGuid }, place) => [caseGuid, place]))
  const used = new Set<string>()
  const rows = noRows()
  const plans = new Set<string>()
  const later: PaymentRequest[] = []
  for (const { request, target } of aimed) {
    const own = heldFor(held, places, target)
    const mustWait = own.rows.some(({ caseGuid }) => used.has(caseGuid))
    // Also those of one that waits: what comes after it must not overtake it.
    for (const { caseGuid } of own.rows) used.add(caseGuid)
    if (mustWait) {
      later.push(request)
      continue
    }
    const context = { origin, sourceReference: request.sourceReference }
    // What a refused one has made so far must not stay.
    const made = noRows()
    const outcome = await refusalOr(() =>
      makePayment(tx, caller, made, { input: request.input, target, held: own, context }),
    )
    outcomes.set(request, outcome)
    if (outcome instanceof ApiError) continue
    append(rows, made)
    for (const { planGuid } of own.plans) plans.add(planGuid)
  }
  if (rows.payments.length > 0) await insertMoney(tx, rows, origin)
  await settlePlans(tx, [...plans], origin)
  return later
}

/** Of the cases that are held those that a payment is for, and those under a plan with them. */
function heldFor(held: HeldCases, places: ReadonlyMap<string, number>, target: Target): HeldCases {
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

function append(rows: MoneyRows, made: MoneyRows): void {
  for (const table of Object.keys(rows) as (keyof MoneyRows)[])
    (rows[table] as unknown[]).push(...made[table])
}
