import { Webhook, WebhookDelivery } from '../../../contract/integration/webhooks.ts'
import { memberColumns, selectList } from '../../platform/database/columns.ts'
import { rowsIn } from '../../platform/database/row-text.ts'
import { findRow } from '../../platform/database/find-row.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { visibleWebhooks, webhookDeliveries } from './events.scope.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'

const columns = memberColumns(Object.keys(Webhook.properties), 'w', { webhookGuid: 'id' })
const source: ListSource<'webhook'> = {
  entity: 'webhook',
  from: 'webhook w',
  key: 'w.id',
  select: selectList(columns),
  properties: filterableProperties(Webhook, columns),
}

export const listWebhooks = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<Webhook>> => listRows<Webhook, 'webhook'>(db, source, visibleWebhooks(caller), query, context)

export type FoundWebhook = Webhook & { version: number }

export const findWebhook = (db: Db, caller: Caller, id: string): Promise<FoundWebhook | undefined> =>
  findRow<FoundWebhook, 'webhook'>(
    db,
    { ...source, select: `${source.select}, w.version` },
    id,
    visibleWebhooks(caller),
  )

/** The user with whose rights a webhook delivers; undefined when there is no such webhook. */
export async function findOwner(db: Db, webhookGuid: string): Promise<string | undefined> {
  const [row] = await db<
    { owner: string }[]
  >`select created_by as owner from webhook where id = ${webhookGuid}`
  return row?.owner
}

const deliveryColumns = memberColumns(Object.keys(WebhookDelivery.properties), 'd', {
  deliveryGuid: 'id',
  eventGuid: 'event_id',
})
const deliverySource: ListSource<'delivery'> = {
  entity: 'delivery',
  from: 'webhook_delivery d',
  key: 'd.id',
  select: selectList(deliveryColumns),
  properties: filterableProperties(WebhookDelivery, deliveryColumns),
  defaultOrder: { terms: [], keyDescending: true, text: 'd.number desc', reversedText: 'd.number' },
}

export const listDeliveries = (
  db: Db,
  webhookGuid: string,
  query: PageQuery,
  context: ListContext,
): Promise<Page<WebhookDelivery>> =>
  listRows<WebhookDelivery, 'delivery'>(db, deliverySource, webhookDeliveries(webhookGuid), query, context)

export interface DueDelivery {
  id: string
  position: number
  attempts: number
  createdAt: string
  eventId: string
  type: string
  version: number
  occurredAt: string
  sequence: number
  subject: string
  data: Record<string, unknown>
}

/** True for the first waiting delivery of its subject. */
const isFirstOfSubject = (db: Db) => db`
  not exists (
    select from webhook_delivery before
    where before.webhook_id = d.webhook_id and before.subject = d.subject and before.status = 'waiting'
      and before.number < d.number)`

/** The due deliveries, of each subject only the first: later ones wait until it is done. */
export const listDue = (db: Db, webhookGuid: string, limit: number) => db<DueDelivery[]>`
  select d.id, d.position, d.attempts, d.created_at as "createdAt", e.id as "eventId", e.type, e.version, e.occurred_at as "occurredAt",
    e.sequence, e.subject, e.data
  from webhook_delivery d join event e on e.position = d.position
  where d.webhook_id = ${webhookGuid} and d.status = 'waiting' and d.next_try_at <= now()
    and ${isFirstOfSubject(db)}
  order by d.number limit ${limit}`

export interface DeliveryOutcome {
  id: string
  status: 'waiting' | 'delivered' | 'failed'
  responseStatus: number | null
  milliseconds: number
  lastError: string | null
  /** Seconds until the next attempt. */
  waitSeconds: number
}

const outcomeTypes = {
  id: 'uuid',
  status: 'text',
  responseStatus: 'int',
  milliseconds: 'int',
  lastError: 'text',
  waitSeconds: 'int',
}

/** Writes down how a round of deliveries went. */
export async function saveOutcomes(db: Db, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  await db`
    update webhook_delivery d set status = o.status, attempts = attempts + 1, response_status = o.responseStatus,
      milliseconds = o.milliseconds, last_error = o.lastError,
      next_try_at = now() + o.waitSeconds * interval '1 second',
      delivered_at = case o.status when 'delivered' then now() end
    from ${rowsIn(db, outcomeTypes, outcomes)} o
    where d.id = o.id`
}

/** The job name of webhook deliveries. */
export const deliveryTask = 'webhook'

const deliveryKey = (webhookGuid: string): string => `webhook:${webhookGuid}`

/** Of what is due at once, the queue takes other jobs first. */
const behindJobs = 10

/** Schedules the deliveries of a webhook, now or later. The queue of that name runs one job at a time. */
export async function scheduleDelivery(db: Db, webhookGuid: string, waitSeconds = 0): Promise<void> {
  const key = deliveryKey(webhookGuid)
  await db`
    select from graphile_worker.add_job(${deliveryTask}::text, json_build_object('id', ${webhookGuid}::text),
      queue_name := ${key}::text, run_at := now() + ${waitSeconds} * interval '1 second', max_attempts := 1000,
      job_key := ${key}::text, priority := ${behindJobs})`
}

/** Schedules the webhooks whose deliveries wait without an entry in the queue. Returns their number. */
export async function queueLostDeliveries(db: Db): Promise<number> {
  const lost = await db<{ id: string }[]>`
    select w.id from webhook w
    where w.enabled and w.paused_at is null
      and exists (select from webhook_delivery d where d.webhook_id = w.id and d.status = 'waiting')
      and not exists (select from graphile_worker.jobs q where q.key = ${deliveryKey('')} || w.id)`
  for (const { id } of lost) await scheduleDelivery(db, id)
  return lost.length
}

/** Seconds until the next delivery that is first of its subject is due; null when none waits. */
export async function findNextTry(db: Db, webhookGuid: string): Promise<number | null> {
  const [row] = await db<{ seconds: number | null }[]>`
    select ceil(extract(epoch from min(next_try_at) - now()))::int as seconds
    from webhook_delivery d where d.webhook_id = ${webhookGuid} and d.status = 'waiting' and ${isFirstOfSubject(db)}`
  const { seconds } = row!
  // Not in SQL: `greatest` ignores null, so that what waits for nothing would be due at once, again and again.
  return seconds === null ? null : Math.max(0, seconds)
}

/** Counts rounds without a successful delivery. Returns how many there were in a row. */
export async function countFailure(db: Db, webhookGuid: string, failed: boolean): Promise<number> {
  const [row] = await db<{ failures: number }[]>`
    update webhook set failures = ${failed ? db`failures + 1` : db`0`} where id = ${webhookGuid} returning failures`
  return row?.failures ?? 0
}

/** Pauses a webhook, unless what is wrong with it was changed meanwhile: its owner or its address. */
export async function pauseWebhook(
  db: Db,
  webhookGuid: string,
  { reason, ...wrong }: { reason: string } & ({ owner: string } | { url: string }),
): Promise<void> {
  const isStill = 'owner' in wrong ? db`created_by = ${wrong.owner}` : db`url = ${wrong.url}`
  await db`
    update webhook set paused_at = now(), paused_reason = ${reason}
    where id = ${webhookGuid} and paused_at is null and ${isStill}`
}

export interface Target {
  owner: string
  url: string
  types: string[]
  secret: Buffer
  sealed: boolean
  /** The secret before, while it still signs. */
  previousSecret: Buffer | null
  previousSealed: boolean | null
  cloudEvents: boolean
}

/** The target of a webhook's deliveries. Undefined when it is deleted, disabled or paused. */
export async function findTarget(db: Db, webhookGuid: string): Promise<Target | undefined> {
  const [row] = await db<Target[]>`
    select created_by as owner, url, types, secret, sealed,
      case when previous_until > now() then previous_secret end as "previousSecret", previous_sealed as "previousSealed",
      cloud_events as "cloudEvents"
    from webhook where id = ${webhookGuid} and enabled and paused_at is null`
  return row
}

/** Whether the address is still that of the webhook, which then keeps it for the rest of the transaction. */
export async function holdAddress(tx: Db, webhookGuid: string, url: string): Promise<boolean> {
  const kept = await tx`select from webhook where id = ${webhookGuid} and url = ${url} for share`
  return kept.length > 0
}

/** Stores the same secret under another key. Does nothing when the secret was changed meanwhile. */
export async function replaceSecret(
  db: Db,
  webhookGuid: string,
  before: Buffer,
  { seed, sealed }: { seed: Buffer; sealed: boolean },
): Promise<void> {
  await db`update webhook set secret = ${seed}, sealed = ${sealed} where id = ${webhookGuid} and secret = ${before}`
}

/** Deletes old finished deliveries, and secrets that no longer sign. */
export async function purgeDeliveries(db: Db): Promise<void> {
  await db`
    delete from webhook_delivery where status <> 'waiting' and created_at < now() - interval '30 days'`
  await db`
    update webhook set previous_secret = null, previous_sealed = null, previous_until = null
    where previous_until < now()`
}

export interface DeliveryCounts {
  waiting: number
  /** Webhooks that are enabled and paused. */
  paused: number
}

/** Counts waiting deliveries up to `max`, and paused webhooks. */
export async function countWaitingDeliveries(db: Db, max: number): Promise<DeliveryCounts> {
  const [row] = await db<DeliveryCounts[]>`
    select (select count(*)::int from (select from webhook_delivery where status = 'waiting' limit ${max}) d) as waiting,
      (select count(*)::int from webhook where enabled and paused_at is not null) as paused`
  return row!
}
