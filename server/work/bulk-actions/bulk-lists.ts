/** The lists whose rows a bulk action can take, through the caller's scope. */
import type { BulkList } from '../../../contract/work/bulk-actions.ts'
import { caseRows } from '../../cases/all-cases.store.ts'
import { visibleCases } from '../../claims/cases.scope.ts'
import { clientRows } from '../../parties/clients/clients.store.ts'
import { visibleClients } from '../../parties/clients/clients.scope.ts'
import { writeMatching, type MatchingRows } from '../../platform/database/lists/matching-rows.ts'
import type { Properties } from '../../platform/odata/properties.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { visibleWork } from '../work.scope.ts'
import { workSource } from '../work.store.ts'

export interface BulkFilter {
  list: BulkList
  filter: string | null
}

interface Context {
  today: string
  /** The custom fields of cases. */
  customFields: Properties
  firstParameter: number
}

/** The columns of a list's rows: the subject of the action, the item of work, and the order. */
const columns: Record<BulkList, { subject: string; item: string; order: string }> = {
  cases: { subject: 'c.id', item: 'null::text', order: 'c.case_number' },
  work: { subject: 'w.case_id', item: 'w.item_id', order: 'w.due_date, w.rank, w.item_id' },
  clients: { subject: 'p.id', item: 'null::text', order: 'p.reference_code' },
}

export const bulkColumns = (list: BulkList) => columns[list]

export function matchBulkRows(
  caller: Caller,
  { list, filter }: BulkFilter,
  { today, customFields, firstParameter }: Context,
): MatchingRows {
  const context = { today, firstParameter }
  if (list === 'cases')
    return writeMatching(caseRows, visibleCases(caller), filter, { ...context, customFields })
  if (list === 'work') return writeMatching(workSource, visibleWork(caller), filter, context)
  return writeMatching(clientRows, visibleClients(caller), filter, context)
}
