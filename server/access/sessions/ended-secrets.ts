/** What ends when a user changes: links and codes on their way to a former address, and what a disabled user began. */
import type { Db } from '../../platform/database/transaction.ts'
import type { Change } from '../../platform/events/record.ts'
import {
  endAllMessages,
  endSecretMessages,
  readdressMessages,
} from '../../platform/messages/user-messages.store.ts'
import { endInvitationsBy, endTokens } from '../invitations/invitations.store.ts'

/** Runs in the transaction of the change. */
export async function endWhatRestsOn(tx: Db, userGuid: string, changes: Change['changes']): Promise<void> {
  const email = changes['email']?.[1]
  if (typeof email === 'string') {
    await endTokens(tx, userGuid)
    await readdressMessages(tx, userGuid, email)
  }
  if ('email' in changes || 'cellularPhoneNumber' in changes)
    await endSecretMessages(tx, [userGuid], ['mfa-code'])
  if (changes['disabled']?.[1] !== true) return
  await endAllMessages(tx, userGuid)
  await endInvitationsBy(tx, userGuid)
}
