import { refresh } from '../../api/queries.ts'

/** Reloads everything that shows work after a change. */
export const refreshWork = (): Promise<unknown> =>
  refresh('listWork', 'getWorkQueues', 'getCaseWork', 'getCaseByGuid', 'listAuditEntries', 'listTimeline')
