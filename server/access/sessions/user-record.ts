import type { EventAction } from '../../../contract/platform/event-types.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { insertRecords, toRecords, type Change } from '../../platform/events/record.ts'
import type { Origin } from '../../platform/http/caller.ts'

/**
 * Writes an event and audit entry about a user, for changes outside of the user's own members, such as sessions. Needs
 * its transaction.
 */
export async function recordUserEvent(
  tx: Db,
  userId: string,
  { action, ...happened }: { action: EventAction<'user'> } & Pick<Change, 'data' | 'changes'>,
  origin: Origin,
): Promise<void> {
  const [user] = await tx<{ sequence: number }[]>`
    update app_user set event_sequence = event_sequence + 1 where id = ${userId} returning event_sequence as sequence`
  const change: Change = {
    type: `user.${action}`,
    entityId: userId,
    subject: userId,
    sequence: user!.sequence,
    ...happened,
  }
  await insertRecords(tx, toRecords(origin, [change]))
}
