/** Invites a user who cannot sign in yet, by e-mail. */
import { invitationHours } from '../../../contract/access/invitations.ts'
import type { Settings } from '../../platform/config.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { insertAuditEntry } from '../../platform/events/audit-entry.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { queueMessage } from '../../platform/messages/messages.store.ts'
import { hashToken, newSecret } from '../sessions/sessions.ts'
import { findAgencyName } from '../users/parties.store.ts'
import * as store from './invitations.store.ts'

const perUserMax = 3
const perInviterMax = 100

export type InvitationSettings = Pick<Settings, 'FORDRA_PUBLIC_URL' | 'FORDRA_SMTP_URL'>

/** The address to which a link leads. Throws a 422 where an invitation could reach nobody. */
export function requireInvitations(settings: InvitationSettings | undefined): string {
  if (settings?.FORDRA_SMTP_URL !== undefined && settings.FORDRA_PUBLIC_URL !== undefined)
    return settings.FORDRA_PUBLIC_URL.replace(/\/$/, '')
  throw new ApiError(
    'unprocessable',
    'An invitation is an e-mail with a link. The server needs a mail server (FORDRA_SMTP_URL) and its public address (FORDRA_PUBLIC_URL) for it. Give the user a password instead.',
  )
}

export interface InvitationRequest {
  userGuid: string
  invitedBy: string
  settings: InvitationSettings | undefined
}

/** Queues the message, in the transaction that holds the user's row. Throws a 409, 422 or 429. */
export async function sendInvitation(
  tx: Db,
  { userGuid, invitedBy, settings }: InvitationRequest,
  origin: Origin,
): Promise<void> {
  const address = requireInvitations(settings)
  const { email, languageCode, disabled, hasSignIn } = await store.findInvitee(tx, userGuid)
  if (hasSignIn)
    throw new ApiError(
      'conflict',
      'This user can sign in already. Only a user without a password is invited.',
    )
  if (disabled)
    throw new ApiError('conflict', 'This user is disabled. Enable the user first, then send the invitation.')
  await requireFew(tx, userGuid, invitedBy)
  const token = newSecret()
  await store.insertInvitation(tx, { hash: hashToken(token), userGuid, invitedBy, hours: invitationHours })
  await queueMessage(tx, {
    kind: 'invitation',
    channel: 'email',
    recipient: email,
    userGuid,
    languageCode,
    // The token is in the fragment, which browsers do not send: it is in no log and no referrer.
    secret: `${address}/invitation#token=${token}`,
    minutes: invitationHours * 60,
    agency: await findAgencyName(tx),
  })
  await insertAuditEntry(tx, origin, {
    entity: 'user',
    action: 'invited',
    entityId: userGuid,
    subject: userGuid,
    changes: {},
  })
}

async function requireFew(tx: Db, userGuid: string, invitedBy: string): Promise<void> {
  const { toUser, byInviter } = await store.countRecentInvitations(tx, { userGuid, invitedBy })
  const said =
    toUser >= perUserMax
      ? `This user has been invited ${perUserMax} times within an hour. Try again in an hour.`
      : byInviter >= perInviterMax
        ? `You have sent ${perInviterMax} invitations within an hour. Try again in an hour.`
        : undefined
  if (said !== undefined)
    throw new ApiError('too-many-requests', said, { headers: { 'retry-after': '3600' } })
}
