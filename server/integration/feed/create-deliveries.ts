/**
 * Creates deliveries: for each webhook those of the events after its cursor. The cursor moves in the same transaction.
 */
import { runStatement } from '../../platform/database/statement.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { typeCondition, findFeedEnd, readTypes, type Cursor } from './event-feed.ts'
import { findOwnerCaller, lostOwner, ownerCondition } from './webhook-owner.ts'
import { pauseWebhook, scheduleDelivery } from './webhooks.store.ts'

const windowMax = 2_000

/**
 * Called about twice a second on each node; one node at a time serves a webhook. Returns how many deliveries were
 * created.
 */
export async function createDeliveries(sql: Sql): Promise<number> {
  const live = await sql<{ id: string; afterXid: number; afterPosition: number }[]>`
    select id, after_xid as "afterXid", after_position as "afterPosition" from webhook
    where enabled and paused_at is null`
  if (live.length === 0) return 0
  const end = await findFeedEnd(sql)
  const behind = live.filter(
    ({ afterXid, afterPosition }) =>
      afterXid < end.xid || (afterXid === end.xid && afterPosition < end.position),
  )
  let count = 0
  for (const { id } of behind) count += await createDeliveriesFor(sql, id)
  return count
}

interface WebhookBacklog {
  owner: string
  types: string[]
  xid: number
  position: number
}

async function createDeliveriesFor(sql: Sql, id: string): Promise<number> {
  return inTransaction(sql, async (tx) => {
    const [webhook] = await tx<WebhookBacklog[]>`
      select created_by as owner, types, after_xid as xid, after_position as position from webhook
      where id = ${id} and enabled and paused_at is null for update skip locked`
    if (!webhook) return 0
    const reached = await findWindowEnd(tx, webhook)
    if (!reached) return 0
    const owner = await findOwnerCaller(tx, webhook.owner)
    if (!owner) {
      await pauseWebhook(tx, id, { owner: webhook.owner, reason: lostOwner })
      return 0
    }
    const wanted = typeCondition(readTypes(webhook.types), 6)
    const seen = ownerCondition(owner, 6 + wanted.parameters.length)
    const made = await runStatement(
      tx,
      `insert into webhook_delivery (id, webhook_id, position, event_id, type, subject, sequence)
       select gen_random_uuid(), $1, e.position, e.id, e.type, e.subject, e.sequence from event e
       where (e.xid, e.position) > ($2::bigint, $3::bigint) and (e.xid, e.position) <= ($4::bigint, $5::bigint) and ${wanted.text}
         and ${seen.text}
       order by e.xid, e.position`,
      [
        id,
        webhook.xid,
        webhook.position,
        reached.xid,
        reached.position,
        ...wanted.parameters,
        ...seen.parameters,
      ],
    )
    await tx`update webhook set after_xid = ${reached.xid}, after_position = ${reached.position} where id = ${id}`
    if (made.count > 0) await scheduleDelivery(tx, id)
    return made.count
  })
}

async function findWindowEnd(tx: Db, { xid, position }: Cursor): Promise<Cursor | undefined> {
  const [row] = await tx<Cursor[]>`
    select xid, position from (
      select xid, position from event
      where (xid, position) > (${xid}::bigint, ${position}::bigint)
        and xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
      order by xid, position limit ${windowMax}) w
    order by xid desc, position desc limit 1`
  return row
}
