/** Creates and changes webhooks, for the forms and every other caller. */
import { randomBytes } from 'node:crypto'
import type { WebhookInput } from '../../../contract/integration/webhooks.ts'
import type { EventAction } from '../../../contract/platform/event-types.ts'
import type { Settings } from '../../platform/config.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import {
  changesBetween,
  initialChanges,
  insertRecords,
  toRecords,
  type Change,
} from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { FieldErrors, notFound } from '../../platform/http/errors.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import type { Outbound } from '../../platform/outbound/post.ts'
import { requireUserRights } from '../../access/users/grants.ts'
import { sealSeed } from '../../access/second-factors/second-factor-seed.ts'
import { findFeedEnd } from './event-feed.ts'
import { checkTypes } from './event-types.rules.ts'
import { requireWebhook } from './webhook-owner.ts'
import { scheduleDelivery } from './webhooks.store.ts'

interface WebhookRecord {
  url: string
  description: string | null
  types: string[]
  enabled: boolean
  cloudEvents: boolean
}

export interface WebhookContext {
  origin: Origin
  settings: Settings
  outbound: Outbound
}

const noWebhook: WebhookRecord = { url: '', description: null, types: [], enabled: true, cloudEvents: false }
const typesMax = 50

/**
 * Creates a webhook that gets the events from now on. Only this answer has the secret. Throws a 400 that names each
 * wrong member.
 */
export async function createWebhook(
  db: Db,
  caller: Caller,
  input: WebhookInput,
  { origin, settings, outbound }: WebhookContext,
): Promise<{ webhookGuid: string; secret: string }> {
  // A token narrowed to a scope must not make a webhook that delivers more than the token reads.
  if (caller.narrowed === true) await requireUserRights(db, caller, caller.userId, 'A webhook for a user')
  const record = applyInput(noWebhook, input, outbound)
  const secret = input.secret || `whsec_${randomBytes(32).toString('base64')}`
  const id = makeId()
  const { seed, sealed } = sealSeed(settings, id, secret)
  await inTransaction(db, async (tx) => {
    const end = await findFeedEnd(tx)
    await tx`
      insert into webhook (id, url, description, types, enabled, cloud_events, secret, sealed, after_xid, after_position, created_by, event_sequence)
      values (${id}, ${record.url}, ${record.description}, ${record.types}, ${record.enabled}, ${record.cloudEvents}, ${seed}, ${sealed},
        ${end.xid}, ${end.position}, ${origin.actorId ?? nobody}, 1)`
    await note(tx, origin, { id, action: 'created', sequence: 1, changes: initialChanges(record) })
  })
  return { webhookGuid: id, secret }
}

const nobody = '00000000-0000-0000-0000-000000000000'

/**
 * Changes a webhook. Enabling a paused webhook resumes it, and makes the caller the owner if the owner may no longer have
 * webhooks. For a day after a change of the secret, the one before signs too. Returns the version after the change. Throws a 400, 403, 404 or 412.
 */
export async function changeWebhook(
  db: Db,
  caller: Caller,
  webhookGuid: string,
  input: WebhookInput,
  { origin, settings, outbound }: WebhookContext,
  ifMatch?: IfMatch,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { owner } = await requireWebhook(tx, caller, webhookGuid)
    const [before] = await tx<(WebhookRecord & Counters)[]>`
      select url, description, types, enabled, cloud_events as "cloudEvents", version, event_sequence as sequence from webhook
      where id = ${webhookGuid} for update`
    if (!before) throw notFound('webhook')
    const { sequence, version, ...known } = before
    requireMatch(ifMatch, version)
    const record = applyInput(known, input, outbound)
    const changes = changesBetween(known, record)
    if (input.secret) {
      const { seed, sealed } = sealSeed(settings, webhookGuid, input.secret)
      await tx`
        update webhook set previous_secret = secret, previous_sealed = sealed, previous_until = now() + interval '24 hours',
          secret = ${seed}, sealed = ${sealed}
        where id = ${webhookGuid}`
      changes['secret'] = [null, 'changed']
    }
    if (input.enabled === true) {
      if (!owner) {
        await tx`update webhook set created_by = ${caller.userId} where id = ${webhookGuid}`
        changes['owner'] = [null, 'changed']
      }
      await resumeWebhook(tx, webhookGuid)
    }
    if ('url' in changes) await retryAnew(tx, webhookGuid)
    if (Object.keys(changes).length === 0) return version
    await tx`
      update webhook set url = ${record.url}, description = ${record.description}, types = ${record.types},
        enabled = ${record.enabled}, cloud_events = ${record.cloudEvents}, version = version + 1, event_sequence = event_sequence + 1
      where id = ${webhookGuid}`
    await note(tx, origin, { id: webhookGuid, action: 'updated', sequence: sequence + 1, changes })
    return version + 1
  })
}

interface Counters {
  version: number
  sequence: number
}

/**
 * Resumes a webhook: waiting deliveries are tried at once. If it was paused or disabled, their three days start again
 * now.
 */
export async function resumeWebhook(tx: Db, webhookGuid: string): Promise<void> {
  // Locks the webhook before its deliveries, the same order as in every change, to avoid deadlocks.
  await tx`select from webhook where id = ${webhookGuid} for no key update`
  await tx`
    update webhook_delivery d set next_try_at = now(),
      created_at = case when w.enabled and w.paused_at is null then d.created_at else now() end,
      attempts = case when w.enabled and w.paused_at is null then d.attempts else 0 end
    from webhook w where w.id = ${webhookGuid} and d.webhook_id = w.id and d.status = 'waiting'`
  await tx`update webhook set paused_at = null, paused_reason = null, failures = 0 where id = ${webhookGuid}`
  await scheduleDelivery(tx, webhookGuid)
}

/** Another address has failed nothing yet: what waits is tried at once, with three days from now. */
async function retryAnew(tx: Db, webhookGuid: string): Promise<void> {
  await tx`
    update webhook_delivery set next_try_at = now(), created_at = now(), attempts = 0
    where webhook_id = ${webhookGuid} and status = 'waiting'`
  await tx`update webhook set failures = 0 where id = ${webhookGuid}`
  await scheduleDelivery(tx, webhookGuid)
}

/** Removes a webhook with its deliveries. Throws a 403, 404 or 412. */
export async function removeWebhook(
  db: Db,
  caller: Caller,
  webhookGuid: string,
  origin: Origin,
  ifMatch?: IfMatch,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await requireWebhook(tx, caller, webhookGuid)
    const [removed] = await tx<(WebhookRecord & Counters)[]>`
      delete from webhook where id = ${webhookGuid}
      returning url, description, types, enabled, cloud_events as "cloudEvents", version, event_sequence as sequence`
    if (!removed) throw notFound('webhook')
    const { sequence, version, ...record } = removed
    requireMatch(ifMatch, version)
    const nothing = Object.fromEntries(Object.keys(record).map((name) => [name, null]))
    const changes = changesBetween(record, nothing)
    await note(tx, origin, { id: webhookGuid, action: 'deleted', sequence: sequence + 1, changes })
  })
}

function applyInput(before: WebhookRecord, input: WebhookInput, outbound: Outbound): WebhookRecord {
  const checks = new FieldErrors()
  const record: WebhookRecord = {
    url: input.url?.trim() ?? before.url,
    description: input.description === '' ? null : (input.description ?? before.description),
    types: input.types ?? before.types,
    enabled: input.enabled ?? before.enabled,
    cloudEvents: input.cloudEvents ?? before.cloudEvents,
  }
  const urlFault =
    record.url.length > 2000 ? 'must have at most 2000 characters.' : outbound.findFault(record.url)
  if (urlFault !== undefined) checks.add('url', urlFault)
  if ((record.description?.length ?? 0) > 200) checks.add('description', 'must have at most 200 characters.')
  // Stored types that are no longer valid may stay.
  const added = record.types.filter((type) => !before.types.includes(type))
  const typesFault = record.types.length > typesMax ? `must be at most ${typesMax} types.` : checkTypes(added)
  if (typesFault !== undefined) checks.add('types', typesFault)
  if (input.secret && !/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(input.secret)) {
    checks.add('secret', 'must be whsec_ and 24 to 64 random bytes in Base64.')
  }
  checks.throwIfAny()
  return record
}

async function note(
  tx: Db,
  origin: Origin,
  {
    id,
    action,
    sequence,
    changes,
  }: { id: string; action: EventAction<'webhook'>; sequence: number; changes: Change['changes'] },
): Promise<void> {
  const change: Change = {
    type: `webhook.${action}`,
    entityId: id,
    subject: id,
    sequence,
    data: { webhookGuid: id },
    changes,
  }
  await insertRecords(tx, toRecords(origin, [change]))
}
