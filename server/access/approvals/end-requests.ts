/** Ends requests whose act can no longer be done, without a decision of a person. */
import type { ApprovalAct, ApprovalEndReason } from '../../../contract/access/approvals.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { insertRecords, toRecords } from '../../platform/events/record.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { tellRequester } from './tell-approvers.ts'

/** Ends those of the requests that wait. Who requested them is told, with the reason. */
export async function endRequests(
  tx: Db,
  approvalGuids: readonly string[],
  reason: ApprovalEndReason,
  origin: Origin,
): Promise<void> {
  const ended = await tx<{ approvalGuid: string; act: ApprovalAct; sequence: number }[]>`
    update approval set status = 'ENDED', end_reason = ${reason}, decided_at = now(), event_sequence = event_sequence + 1
    where id = any(${[...approvalGuids]}::uuid[]) and status = 'WAITING'
    returning id as "approvalGuid", act, event_sequence as sequence`
  const changes = ended.map(({ approvalGuid, act, sequence }) => ({
    type: 'approval.ended' as const,
    entityId: approvalGuid,
    subject: approvalGuid,
    sequence,
    data: { approvalGuid, act },
    changes: { status: ['WAITING', 'ENDED'] as const, endReason: [null, reason] as const },
  }))
  await insertRecords(tx, toRecords(origin, changes))
  for (const { approvalGuid } of ended) await tellRequester(tx, approvalGuid)
}
