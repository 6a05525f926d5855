import { toJson } from '../database/statement.ts'
import type { Db } from '../database/transaction.ts'
import type { Origin } from '../http/caller.ts'
import type { Change } from './record.ts'

/** Writes an audit entry for a change that is not an event, because nobody outside follows it. */
export async function insertAuditEntry(
  tx: Db,
  origin: Origin,
  entry: Pick<Change, 'entityId' | 'subject' | 'changes'> & { entity: string; action: string },
): Promise<void> {
  await tx`
    insert into audit_entry (business_date, actor_id, request_id, operation, action, entity, entity_id, subject, changes)
    values (${origin.businessDate}, ${origin.actorId}, ${origin.requestId}, ${origin.operation}, ${entry.action},
      ${entry.entity}, ${entry.entityId}, ${entry.subject}, ${toJson(tx, entry.changes)})`
}
