import { refresh } from '../../api/queries.ts'

/** After anything was done to a case: what shows it is read again. */
export const refreshCase = (): Promise<unknown> =>
  refresh(
    'getCaseByGuid',
    'explainCase',
    'listCaseMovements',
    'listCaseNotes',
    'listAllCases',
    'listCases',
    'getCaseOverview',
    'listAllPayments',
    'listAuditEntries',
    'listTimeline',
  )
