/** Messages to users that have not left yet, when what they rest on changes. */
import type { Db } from '../database/transaction.ts'
import { messageKinds, type MessageKind } from './texts.ts'

/** The codes, tokens and links of users ended, so the messages with them do not leave. */
export async function endSecretMessages(
  tx: Db,
  userGuids: readonly string[],
  kinds: readonly MessageKind[] = messageKinds,
): Promise<void> {
  await tx`
    update message set expires_at = now()
    where user_id = any(${[...userGuids]}::uuid[]) and kind = any(${[...kinds]}::text[]) and sent_at is null
      and expires_at > now()`
}

/** E-mails without a secret go to the present address of their user. */
export async function readdressMessages(tx: Db, userGuid: string, recipient: string): Promise<void> {
  await tx`
    update message set recipient = ${recipient}
    where user_id = ${userGuid} and channel = 'email' and kind <> all(${[...messageKinds]}::text[]) and sent_at is null`
}

/** Nothing leaves to a user who is disabled. */
export async function endAllMessages(tx: Db, userGuid: string): Promise<void> {
  await tx`
    update message set expires_at = now()
    where user_id = ${userGuid} and sent_at is null and expires_at > now()`
}

/** The codes, tokens and links of everybody ended. */
export async function endEverySecretMessage(tx: Db): Promise<void> {
  await tx`
    update message set expires_at = now()
    where kind = any(${[...messageKinds]}::text[]) and sent_at is null and expires_at > now()`
}
