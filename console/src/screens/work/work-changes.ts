import type { WorkItem } from '../../../../contract/work/work.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'

/** Reloads everything that shows work after a change. */
export const refreshWork = (): Promise<unknown> =>
  refresh('listWork', 'getWorkQueues', 'getCaseWork', 'getCaseByGuid', 'listAuditEntries', 'listTimeline')

const atOnceMax = 500

/** Marks items as done, up to 500 in a request. */
export async function markDone(items: readonly WorkItem[]): Promise<void> {
  for (let from = 0; from < items.length; from += atOnceMax) {
    const part = items.slice(from, from + atOnceMax)
    await api.completeWork({
      body: { items: part.map(({ caseGuid, reason, dueDate }) => ({ caseGuid, reason, dueDate })) },
    })
  }
  await refreshWork()
}
