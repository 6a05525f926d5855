/** Pings: an event delivered to one webhook alone, so that its receiver can be tried. */
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { insertRecords, toRecords } from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { lostOwner, requireWebhook } from './webhook-owner.ts'
import { scheduleDelivery } from './webhooks.store.ts'

/** Writes a ping and schedules its delivery. Runs inside a transaction. Returns the event's GUID. */
export async function insertPing(tx: Db, webhookGuid: string, origin: Origin): Promise<string> {
  const [webhook] = await tx<{ sequence: number }[]>`
    update webhook set event_sequence = event_sequence + 1 where id = ${webhookGuid}
    returning event_sequence as sequence`
  const { sequence } = webhook!
  const ping = {
    type: 'webhook.pinged',
    entityId: webhookGuid,
    subject: webhookGuid,
    sequence,
    data: { webhookGuid },
    changes: {},
  } as const
  await insertRecords(tx, toRecords(origin, [ping]))
  const [delivery] = await tx<{ eventGuid: string }[]>`
    insert into webhook_delivery (id, webhook_id, position, event_id, type, subject, sequence)
    select gen_random_uuid(), ${webhookGuid}, e.position, e.id, e.type, e.subject, e.sequence
    from event e where e.subject = ${webhookGuid} and e.sequence = ${sequence}
    returning event_id as "eventGuid"`
  await scheduleDelivery(tx, webhookGuid)
  return delivery!.eventGuid
}

/** The same on demand. Throws a 403, a 404, or a 409 for a webhook that cannot deliver. */
export async function pingWebhook(
  db: Db,
  caller: Caller,
  webhookGuid: string,
  origin: Origin,
): Promise<string> {
  return inTransaction(db, async (tx) => {
    const { webhook, owner } = await requireWebhook(tx, caller, webhookGuid)
    if (!owner) throw cannotDeliver(lostOwner)
    if (webhook.enabled !== true) throw cannotDeliver('It is disabled. Enable it first.')
    if (webhook.pausedAt !== null) throw cannotDeliver('It is paused. Enable it again first.')
    return insertPing(tx, webhookGuid, origin)
  })
}

const cannotDeliver = (why: string) => new ApiError('conflict', `The webhook cannot deliver. ${why}`)
