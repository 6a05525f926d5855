import { refresh } from '../../api/queries.ts'

/** Reloads what shows letters after one was written or withdrawn. */
export const refreshLetters = (): Promise<unknown> =>
  refresh('listDocuments', 'listTimeline', 'getCasePermissions')
