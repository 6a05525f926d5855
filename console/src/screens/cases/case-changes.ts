import { refresh } from '../../api/queries.ts'

/** Reloads everything that shows a case after a change. */
export const refreshCase = (): Promise<unknown> =>
  refresh(
    'getCaseByGuid',
    'explainCase',
    'getDemandGroup',
    'getCaseStatement',
    'listCaseNotes',
    'listAllCases',
    'listCases',
    'getCaseOverview',
    'listAllPayments',
    'listAuditEntries',
    'listTimeline',
    'listCaseCalls',
    'getCaseWork',
    'listWork',
  )
