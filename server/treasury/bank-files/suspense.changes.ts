/** Settles money in suspense: allocates it to a case as a payment, or refunds it. */
import { findReader } from '../../platform/dictionary/reader.ts'
import type {
  SuspenseAllocation,
  SuspenseDivision,
  SuspenseRefund,
} from '../../../contract/treasury/suspense.ts'
import type { EventType } from '../../../contract/platform/event-types.ts'
import { fromMinor } from '../../../core/money/money.ts'
import { holdDate } from '../../ledger/ledger.store.ts'
import { readMoney } from '../../claims/case-inputs.rules.ts'
import { registerPayment, type RegisteredPayment } from '../../payments/payments.ts'
import { registerPayments } from '../../payments/register-payments.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { insertRecords, toRecords, type Change } from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, FieldErrors, invalid, type MemberErrors, writeDay } from '../../platform/http/errors.ts'
import {
  insertPart,
  lockSuspense,
  requireSuspense,
  settleSuspense,
  updateRest,
  type HeldSuspense,
} from '../../payments/suspense.store.ts'

/** Throws what `registerPayment` throws, and a 409 when the money is already settled. */
export async function allocateSuspense(
  db: Db,
  caller: Caller,
  { suspenseGuid, input }: { suspenseGuid: string; input: SuspenseAllocation },
  origin: Origin,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await holdDate(tx)
    const held = await lockOpen(tx, caller, suspenseGuid)
    const valueDate = readValueDate(input, held, caller)
    const amount = fromMinor(BigInt(held.amount), held.currencyCode)
    const payment = { ...input, valueDate, amount, currencyCode: held.currencyCode }
    // The number keeps the reference unique when wrongly placed money is allocated again.
    const sourceReference = `suspense/${suspenseGuid}/${held.eventSequence + 1}`
    const context = { origin, sourceReference }
    const { paymentGuid } = await registerPayment(tx, caller, payment, context)
    const settled = { suspenseGuid, status: 'ALLOCATED', paymentGuid, note: null, valueDate } as const
    await settleSuspense(tx, held, { ...settled, settledBy: origin.actorId })
    await note(tx, { suspenseGuid, held, type: 'suspense.allocated', changes: { paymentGuid } }, origin)
  })
}

/**
 * Registers a payment for each part and keeps the rest in suspense. A part is money in suspense of its own, so that it
 * returns there by itself when its payment is reversed. Returns the parts' GUIDs. All of it happens or nothing: throws a
 * 400, 404 or 422 that names the parts, and a 409 when the money is already settled.
 */
export async function divideSuspense(
  db: Db,
  caller: Caller,
  { suspenseGuid, input }: { suspenseGuid: string; input: SuspenseDivision },
  origin: Origin,
): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    await holdDate(tx)
    const held = await lockOpen(tx, caller, suspenseGuid)
    const valueDate = readValueDate(input, held, caller)
    const amounts = readAmounts(input, held)
    const rest = held.amount - amounts.reduce((sum, amount) => sum + amount, 0)
    if (rest < 0) {
      const { formats } = findReader(caller.language)
      const most = formats.money(BigInt(held.amount), held.currencyCode)
      throw new ApiError('unprocessable', `The parts are more than the money, ${most}. Lower them.`, {
        errors: { parts: [`must be at most ${most} together.`] },
      })
    }
    // What leaves nothing is the last part itself.
    const guids = amounts.map((_, index) =>
      rest === 0 && index === amounts.length - 1 ? suspenseGuid : makeId(),
    )
    const requests = input.parts.map((part, index) => ({
      input: { ...part, valueDate, currencyCode: held.currencyCode },
      sourceReference: `suspense/${guids[index]}/${guids[index] === suspenseGuid ? held.eventSequence + 2 : 1}`,
    }))
    const outcomes = await registerPayments(tx, caller, requests, origin)
    throwRefusals(outcomes)
    await updateRest(tx, suspenseGuid, rest === 0 ? amounts.at(-1)! : rest)
    const divided = { ...held, eventSequence: held.eventSequence + 1 }
    await insertRecords(tx, toRecords(origin, [dividedNote(suspenseGuid, divided, { amounts, rest })]))
    for (const [index, amount] of amounts.entries()) {
      const guid = guids[index]!
      const part = guid === suspenseGuid ? { ...divided, amount } : { ...held, amount, eventSequence: 0 }
      if (guid !== suspenseGuid) await insertPart(tx, suspenseGuid, { suspenseGuid: guid, amount })
      const { paymentGuid } = outcomes[index] as RegisteredPayment
      const settled = { suspenseGuid: guid, status: 'ALLOCATED', paymentGuid, note: null, valueDate } as const
      await settleSuspense(tx, part, { ...settled, settledBy: origin.actorId })
      const changes = { paymentGuid }
      await note(tx, { suspenseGuid: guid, held: part, type: 'suspense.allocated', changes }, origin)
    }
    return guids
  })
}

/** The amounts of the parts, in minor units. Throws a 400 that names the wrong ones. */
function readAmounts({ parts }: SuspenseDivision, { currencyCode }: HeldSuspense): number[] {
  const checks = new FieldErrors()
  const rule = { currency: currencyCode, least: 'above zero', required: true } as const
  const amounts = parts.map(({ amount }, index) => readMoney(amount, `parts[${index}].amount`, rule, checks))
  checks.throwIfAny()
  return amounts.map(Number)
}

/** Throws the first refusal of a part, with the members of every refused part. */
function throwRefusals(outcomes: readonly (RegisteredPayment | ApiError)[]): void {
  const refused = outcomes.flatMap((one, index) => (one instanceof ApiError ? [{ error: one, index }] : []))
  const [first] = refused
  if (!first) return
  const errors = refused.flatMap(({ error, index }) =>
    Object.entries(error.errors ?? { '': [error.message] }).map(([member, messages]) => [
      member === '' ? `parts[${index}]` : `parts[${index}].${member}`,
      messages,
    ]),
  )
  throw new ApiError(first.error.kind, `Part ${first.index + 1}: ${first.error.message}`, {
    errors: Object.fromEntries(errors) as MemberErrors,
  })
}

const dividedNote = (
  suspenseGuid: string,
  { amount, eventSequence }: HeldSuspense,
  { amounts, rest }: { amounts: number[]; rest: number },
): Change => ({
  type: 'suspense.divided',
  entityId: suspenseGuid,
  subject: suspenseGuid,
  sequence: eventSequence,
  data: { suspenseGuid },
  changes: { minorAmount: [amount, rest], parts: [null, amounts.length] },
})

function readValueDate(
  { valueDate }: { valueDate?: string | null },
  held: HeldSuspense,
  { language }: Caller,
): string {
  const given = valueDate?.slice(0, 10) || held.valueDate
  if (given < held.valueDate)
    throw invalid({
      valueDate: [`must not be before the money arrived, ${writeDay(held.valueDate, language)}.`],
    })
  return given
}

/** Books that the money was refunded. Throws a 409 when the money is already settled. */
export async function refundSuspense(
  db: Db,
  caller: Caller,
  { suspenseGuid, input }: { suspenseGuid: string; input: SuspenseRefund },
  origin: Origin,
): Promise<void> {
  const why = input.note?.trim()
  await inTransaction(db, async (tx) => {
    await holdDate(tx)
    const held = await lockOpen(tx, caller, suspenseGuid)
    if (!why) throw invalid({ note: ['is required: enter to whom and why the money is refunded.'] })
    const settled = { suspenseGuid, status: 'REFUNDED', paymentGuid: null, note: why } as const
    const valueDate = held.today > held.valueDate ? held.today : held.valueDate
    await settleSuspense(tx, held, { ...settled, valueDate, settledBy: origin.actorId })
    await note(tx, { suspenseGuid, held, type: 'suspense.refunded', changes: { note: why } }, origin)
  })
}

async function lockOpen(tx: Db, caller: Caller, suspenseGuid: string): Promise<HeldSuspense> {
  await requireSuspense(tx, caller, suspenseGuid)
  const held = await lockSuspense(tx, suspenseGuid)
  if (held.status === 'OPEN') return held
  const became = held.status === 'ALLOCATED' ? 'allocated' : 'refunded'
  throw new ApiError('conflict', `The money is already ${became}: it is no longer in suspense.`)
}

async function note(
  tx: Db,
  {
    suspenseGuid,
    held,
    type,
    changes,
  }: { suspenseGuid: string; held: HeldSuspense; type: EventType; changes: Record<string, unknown> },
  origin: Origin,
): Promise<void> {
  const status = type === 'suspense.allocated' ? 'ALLOCATED' : 'REFUNDED'
  const told = Object.entries({ ...changes }).map(([name, value]) => [name, [null, value]] as const)
  await insertRecords(
    tx,
    toRecords(origin, [
      {
        type,
        entityId: suspenseGuid,
        subject: suspenseGuid,
        sequence: held.eventSequence + 1,
        data: { suspenseGuid },
        changes: { status: ['OPEN', status], ...Object.fromEntries(told) },
      },
    ]),
  )
}
