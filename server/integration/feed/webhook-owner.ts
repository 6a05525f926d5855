/**
 * A webhook delivers what its owner may read, with the owner's rights of the moment. The owner is who created it, or who
 * took it over after the owner lost the right to have webhooks.
 */
import { findUserCaller } from '../../access/sessions/sessions.ts'
import { requireUserRights } from '../../access/users/grants.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { agencyItself, type Caller } from '../../platform/http/caller.ts'
import { notFound } from '../../platform/http/errors.ts'
import { runStatement } from '../../platform/database/statement.ts'
import { callerCondition, readTypes, typeCondition } from './event-feed.ts'
import { findOwner, findWebhook, type FoundWebhook } from './webhooks.store.ts'

/** The owner with current rights; undefined when the owner may no longer have webhooks. */
export async function findOwnerCaller(db: Db, ownerId: string): Promise<Caller | undefined> {
  if (ownerId === agencyItself.userId) return agencyItself
  const owner = await findUserCaller(db, ownerId, null)
  return owner?.accessCodes.has('system.admin') ? owner : undefined
}

export const lostOwner =
  'Its owner is disabled or may no longer have webhooks. It goes on with the rights of the administrator who enables it.'

/** What the owner may read, as a condition on `event e`. */
const readableCondition = (owner: Caller, first: number): ReturnType<typeof callerCondition> =>
  owner === agencyItself ? { text: 'true', parameters: [] } : callerCondition(owner, first)

/** A condition on `event e`: what the webhook of that owner may deliver. A ping goes to its own webhook alone. */
export function ownerCondition(owner: Caller, first: number): ReturnType<typeof callerCondition> {
  const { text, parameters } = readableCondition(owner, first)
  return { text: `(${text} and e.type <> 'webhook.pinged')`, parameters }
}

/** Those of the events that the owner may still read and the webhook still wants, by their positions. */
export async function findDeliverable(
  db: Db,
  { owner, types }: { owner: Caller; types: readonly string[] },
  positions: readonly number[],
): Promise<ReadonlySet<number>> {
  const wanted = typeCondition(readTypes(types), 2)
  const seen = readableCondition(owner, 2 + wanted.parameters.length)
  const rows = await runStatement<{ position: number }>(
    db,
    `select e.position from event e where e.position = any($1::bigint[]) and ((${wanted.text} and ${seen.text}) or e.type = 'webhook.pinged')`,
    [[...positions], ...wanted.parameters, ...seen.parameters],
  )
  return new Set(rows.map(({ position }) => position))
}

/**
 * The webhook and its owner, for a caller who has at least the owner's rights. `owner` is undefined when the owner may no
 * longer have webhooks. Throws a 404 or 403.
 */
export async function requireWebhook(
  db: Db,
  caller: Caller,
  webhookGuid: string,
): Promise<{ webhook: FoundWebhook; owner: Caller | undefined }> {
  const webhook = await findWebhook(db, caller, webhookGuid)
  const ownerId = webhook && (await findOwner(db, webhookGuid))
  if (!webhook || ownerId === undefined) throw notFound('webhook')
  if (caller !== agencyItself) await requireUserRights(db, caller, ownerId, 'The webhook of a user')
  return { webhook, owner: await findOwnerCaller(db, ownerId) }
}
