/** Tells users what concerns them, in the transaction in which it happens. `work/notifications` shows it to them. */
import type { NotificationKind } from '../../../contract/platform/notifications.ts'
import { rowParameters, rowsFrom } from '../database/row-text.ts'
import { runStatement } from '../database/statement.ts'
import type { Db } from '../database/transaction.ts'

export interface NewNotification {
  userId: string
  kind: NotificationKind
  /** Several notifications of a kind with this key are one, with their number: those of one act. */
  mergeKey: string
  count?: number
  caseId?: string | null
  debtorId?: string | null
  clientId?: string | null
  approvalId?: string
  name?: string
  /** Who does it; null for the system. */
  actorId: string | null
}

const types = {
  user_id: 'uuid',
  kind: 'text',
  merge_key: 'text',
  count: 'int',
  case_id: 'uuid',
  debtor_id: 'uuid',
  client_id: 'uuid',
  approval_id: 'uuid',
  name: 'text',
  actor_id: 'uuid',
}
const columns = Object.keys(types).join(', ')

/** People who may sign in: an API user has nobody who reads. */
export const toldUsers = (user: string) =>
  `join app_user told on told.id = ${user} and not told.disabled and not told.api_user`

/** Of several cases none is named. */
const mergeNotifications = `on conflict (user_id, kind, merge_key) do update set
    count = notification.count + excluded.count, case_id = null, debtor_id = null, client_id = null,
    created_at = now(), read_at = null`

const insertText = `
  insert into notification (${columns})
  select given.* from ${rowsFrom(types, 1)} given ${toldUsers('given.user_id')}
  ${mergeNotifications}`

/** At most one for each user, kind and key. Nobody is told what they do themselves. */
export async function notify(tx: Db, notifications: readonly NewNotification[]): Promise<void> {
  const rows = notifications
    .filter(({ userId, actorId }) => userId !== actorId)
    .map((one) => ({
      user_id: one.userId,
      kind: one.kind,
      merge_key: one.mergeKey,
      count: one.count ?? 1,
      case_id: one.caseId,
      debtor_id: one.debtorId,
      client_id: one.clientId,
      approval_id: one.approvalId,
      name: one.name,
      actor_id: one.actorId,
    }))
  if (rows.length === 0) return
  await runStatement(tx, insertText, rowParameters(types, rows), { prepare: true })
}
