/** Settles money in suspense: allocates it to a case as a payment, or refunds it. */
import type { SuspenseAllocation, SuspenseRefund } from '../../../contract/treasury/payment-files.ts'
import type { EventType } from '../../../contract/platform/event-types.ts'
import { fromMinor } from '../../../core/money/money.ts'
import { holdDate } from '../../ledger/ledger.store.ts'
import { registerPayment } from '../../payments/payments.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { insertRecords, toRecords } from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, invalid } from '../../platform/http/errors.ts'
import {
  lockSuspense,
  requireSuspense,
  settleSuspense,
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
    const valueDate = input.valueDate?.slice(0, 10) || held.valueDate
    if (valueDate < held.valueDate)
      throw invalid({ valueDate: [`must not be before the money arrived, ${held.valueDate}.`] })
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
