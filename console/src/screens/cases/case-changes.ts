import { queryClient, refresh } from '../../api/queries.ts'

/** Reloads everything that shows a case after a change: the answers about that case, and the lists of cases. */
export const refreshCase = (): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ predicate: ({ queryKey }) => isOfOneCase(queryKey[1]) }),
    refresh(
      'listAllCases',
      'listCases',
      'getCaseOverview',
      'listAllPayments',
      'listAuditEntries',
      'listTimeline',
      'listWork',
    ),
  ])

const isOfOneCase = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && 'caseGuid' in input
