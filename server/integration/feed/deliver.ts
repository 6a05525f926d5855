/**
 * Delivers events to a webhook by signed POSTs (Standard Webhooks). Deliveries of one subject go one after the other,
 * those of several subjects concurrently. A failed delivery is retried for three days with growing delays; then the
 * webhook is paused.
 */
import { isDeepStrictEqual } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import { basePath } from '../../../contract/api.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { Webhook } from 'standardwebhooks'
import type { Settings } from '../../platform/config.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { OutboundBusy, OutboundFailure, type Outbound } from '../../platform/outbound/post.ts'
import { needsSealing, openSeed, sealSeed } from '../../access/second-factors/second-factor-seed.ts'
import { findDeliverable, findOwnerCaller, lostOwner } from './webhook-owner.ts'
import { Turns } from '../../platform/jobs/turns.ts'
import * as store from './webhooks.store.ts'
import type { DeliveryOutcome, DueDelivery } from './webhooks.store.ts'

export interface DeliveryContext {
  sql: Sql
  settings: Settings
  outbound: Outbound
  log: Pick<FastifyBaseLogger, 'warn'>
}

const timeoutMs = 10_000
/** How old the owner's rights may be when an event is sent: a right that ends, ends within a second. */
const rightsHoldMs = 500
const answerBytesMax = 16_384
const roundMax = 64
const turnMs = 20_000
const giveUpAfterMs = 3 * 24 * 3_600_000
const waitSecondsMax = 6 * 3_600
const roundWaitSecondsMax = 3_600

/** How long a webhook waits before it asks for a turn again. */
const turnWaitSeconds = 1

/**
 * Delivers to at most half as many webhooks at once as the node runs jobs, so that receivers that never answer leave
 * the other jobs theirs. A webhook beyond that share returns to the queue.
 */
export function shareDeliveries(
  context: DeliveryContext,
): (id: string, signal: AbortSignal) => Promise<void> {
  const turns = new Turns(Math.max(1, Math.floor(context.settings.FORDRA_JOBS / 2)))
  return async (id, signal) => {
    if (!turns.take(id, Date.now())) return store.scheduleDelivery(context.sql, id, turnWaitSeconds)
    try {
      await deliverWebhook(context, id, signal)
    } finally {
      turns.end()
    }
  }
}

/** The job of one webhook: delivers what is due and enqueues itself while more is to come. */
export async function deliverWebhook(
  context: DeliveryContext,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { sql } = context
  const until = Date.now() + turnMs
  // A turn ends after a limited time, so that other webhooks get theirs.
  while (!signal.aborted && Date.now() < until) {
    const target = await store.findTarget(sql, id)
    if (!target) return
    const readAt = Date.now()
    const owner = await findOwnerCaller(sql, target.owner)
    if (!owner) return store.pauseWebhook(sql, id, { owner: target.owner, reason: lostOwner })
    const listed = await store.listDue(sql, id, roundMax)
    if (listed.length === 0) break
    const due = await withoutUnwanted(sql, owner, target, listed)
    if (due.length === 0) continue
    const secret = await openSecret(context, id, target)
    if (Date.now() - readAt > rightsHoldMs && !(await hasRightsStill(sql, target, owner))) continue
    const outcomes =
      secret === undefined
        ? due.map((one) => failedUnsent(one, unreadableSecret))
        : await deliverAll(context, describeReceiver(context, id, secret, target), due)
    if (outcomes.length === 0) return store.scheduleDelivery(sql, id, turnWaitSeconds)
    if (!(await saveAt(sql, id, target.url, outcomes))) continue
    const gone = outcomes.some(({ responseStatus }) => responseStatus === 410)
    const givenUp = outcomes.find(({ status }) => status === 'failed')
    if (gone || givenUp) {
      const reason = gone
        ? 'The address answered 410 Gone.'
        : `A delivery failed for three days. ${givenUp?.lastError}`
      return store.pauseWebhook(sql, id, { url: target.url, reason })
    }
    const isDead = outcomes.every(({ status }) => status !== 'delivered')
    const failures = await store.countFailure(sql, id, isDead)
    // No delivery succeeded: the receiver is down, so the remaining subjects are not tried.
    if (isDead)
      return store.scheduleDelivery(sql, id, Math.min(2 ** Math.min(failures, 12), roundWaitSecondsMax))
  }
  const seconds = await store.findNextTry(sql, id)
  if (seconds !== null) await store.scheduleDelivery(sql, id, seconds)
}

const hasRightsStill = async (sql: Sql, { owner }: store.Target, rights: Caller): Promise<boolean> =>
  isDeepStrictEqual(await findOwnerCaller(sql, owner), rights)

/**
 * Fails the deliveries of events that the owner may no longer read or whose type the webhook no longer has, and returns
 * the others.
 */
async function withoutUnwanted(
  sql: Sql,
  owner: Caller,
  { types }: Pick<store.Target, 'types'>,
  listed: readonly DueDelivery[],
): Promise<readonly DueDelivery[]> {
  const deliverable = await findDeliverable(
    sql,
    { owner, types },
    listed.map(({ position }) => position),
  )
  const hidden = listed.filter(({ position }) => !deliverable.has(position))
  if (hidden.length === 0) return listed
  const outcomes = hidden.map((one) => ({ ...failedUnsent(one, hiddenEvent), status: 'failed' as const }))
  await store.saveOutcomes(sql, outcomes)
  return listed.filter(({ position }) => deliverable.has(position))
}

const hiddenEvent =
  'The owner of the webhook may no longer read this event, or the webhook no longer has events of this type.'

/**
 * Writes down how a round went. Returns false when the address was changed meanwhile: what the former one failed is
 * then due again, at the new one.
 */
const saveAt = (sql: Sql, id: string, url: string, outcomes: readonly DeliveryOutcome[]): Promise<boolean> =>
  inTransaction(sql, async (tx) => {
    const isPresent = await store.holdAddress(tx, id, url)
    const delivered = outcomes.filter(({ status }) => status === 'delivered')
    await store.saveOutcomes(tx, isPresent ? outcomes : delivered)
    return isPresent
  })

const unreadableSecret = 'The secret of the webhook cannot be read: no key in FORDRA_SECRET_KEY decrypts it.'

/**
 * Reads the secret and encrypts it under the first configured key if it is not yet. Returns undefined, and logs it,
 * when no configured key decrypts the secret.
 */
async function openSecret({ sql, settings, log }: DeliveryContext, id: string, target: store.Target) {
  const stored = { seed: target.secret, sealed: target.sealed }
  let secret: string
  try {
    secret = openSeed(settings, id, stored)
  } catch {
    log.warn({ webhook: id }, unreadableSecret)
    return undefined
  }
  if (needsSealing(settings, id, stored))
    await store.replaceSecret(sql, id, target.secret, sealSeed(settings, id, secret))
  return secret
}

/** The present secret, and the one before it while it is being rotated and can be read. */
function listSigners(
  { settings }: DeliveryContext,
  id: string,
  secret: string,
  { previousSecret, previousSealed }: store.Target,
): Webhook[] {
  const present = new Webhook(secret)
  if (!previousSecret) return [present]
  try {
    const before = openSeed(settings, id, { seed: previousSecret, sealed: previousSealed === true })
    return [present, new Webhook(before)]
  } catch {
    return [present]
  }
}

interface DeliveryBody {
  type: string
  text: string
}

/** The event as the feed gives it, with its time under the name that Standard Webhooks uses. */
function writeEvent(due: DueDelivery): DeliveryBody {
  const { eventId, type, version, occurredAt, sequence, subject, data } = due
  return {
    type: 'application/json',
    text: JSON.stringify({
      id: eventId,
      type,
      version,
      timestamp: occurredAt,
      occurredAt,
      sequence,
      subject,
      data,
    }),
  }
}

/**
 * The event by CloudEvents 1.0.2, JSON format, structured content mode. `dataversion` and `subjectsequence` are
 * extensions: the extension `sequence` of the specification counts all events of a source.
 */
function writeCloudEvent(due: DueDelivery, source: string): DeliveryBody {
  const { eventId, type, version, occurredAt, sequence, subject, data } = due
  return {
    type: 'application/cloudevents+json; charset=utf-8',
    text: JSON.stringify({
      specversion: '1.0',
      id: eventId,
      source,
      type,
      subject,
      time: occurredAt,
      datacontenttype: 'application/json',
      dataversion: version,
      subjectsequence: sequence,
      data,
    }),
  }
}

/** The `source` of CloudEvents: the feed of this installation. A name where its address is not set. */
const findSource = ({ FORDRA_PUBLIC_URL: origin }: { FORDRA_PUBLIC_URL?: string | undefined }) =>
  origin === undefined ? 'urn:fordra:events' : new URL(`${basePath}/events`, origin).href

function describeReceiver(
  context: DeliveryContext,
  id: string,
  secret: string,
  target: store.Target,
): Receiver {
  const source = findSource(context.settings)
  return {
    url: target.url,
    signers: listSigners(context, id, secret, target),
    writeBody: target.cloudEvents ? (due) => writeCloudEvent(due, source) : writeEvent,
  }
}

interface Receiver {
  url: string
  signers: readonly Webhook[]
  writeBody(due: DueDelivery): DeliveryBody
}

/** Delivers at once. What found no connection soon has no outcome, and is due again. */
async function deliverAll(
  context: DeliveryContext,
  receiver: Receiver,
  due: readonly DueDelivery[],
): Promise<DeliveryOutcome[]> {
  const outcomes = await Promise.all(due.map((one) => deliverOne(context, receiver, one)))
  return outcomes.filter((outcome) => outcome !== undefined)
}

const failedUnsent = (due: DueDelivery, lastError: string): DeliveryOutcome => ({
  id: due.id,
  responseStatus: null,
  lastError,
  milliseconds: 0,
  ...afterFailure(due),
})

async function deliverOne(
  { outbound }: DeliveryContext,
  { url, signers, writeBody }: Receiver,
  due: DueDelivery,
): Promise<DeliveryOutcome | undefined> {
  const { type, text: body } = writeBody(due)
  const at = new Date()
  const headers = {
    'content-type': type,
    'webhook-id': due.eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signers.map((signer) => signer.sign(due.eventId, at, body)).join(' '),
  }
  const outcome = (responseStatus: number | null, lastError: string | null): DeliveryOutcome => ({
    id: due.id,
    responseStatus,
    lastError,
    milliseconds: Date.now() - at.getTime(),
    ...(lastError === null ? { status: 'delivered', waitSeconds: 0 } : afterFailure(due)),
  })
  try {
    const limits = { timeoutMs, waitMs: rightsHoldMs, bytesMax: answerBytesMax }
    const { status } = await outbound.post(url, { headers, body, ...limits })
    return outcome(status, status >= 200 && status < 300 ? null : `The address answered ${status}.`)
  } catch (error) {
    if (error instanceof OutboundBusy) return undefined
    if (error instanceof OutboundFailure) return outcome(null, error.message)
    throw error
  }
}

/** Delays: two seconds, four, and so on up to six hours. A delivery fails for good after three days. */
function afterFailure({ attempts, createdAt }: DueDelivery): Pick<DeliveryOutcome, 'status' | 'waitSeconds'> {
  const isOver = Date.now() - Date.parse(createdAt) > giveUpAfterMs
  return {
    status: isOver ? 'failed' : 'waiting',
    waitSeconds: Math.min(2 ** (Math.min(attempts, 20) + 1), waitSecondsMax),
  }
}
