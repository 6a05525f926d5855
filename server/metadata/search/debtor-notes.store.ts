import { Note } from '../../../contract/cases/all-cases.ts'
import { selectList } from '../../platform/database/columns.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { debtorNotes } from './items.scope.ts'
import type { VisibleGuid } from '../../platform/database/row-scope.ts'
import { filterableProperties } from '../../platform/odata/properties.ts'

const columns = {
  noteGuid: 'n.id',
  text: 'n.text',
  followUpDate: 'n.follow_up_date::timestamptz',
  shownToClient: 'n.shown_to_client',
  createdAt: 'n.created_at',
  createdBy: 'u.full_name',
} satisfies Record<keyof Note, string>
/** Notes about any item, newest first. */
export const noteSource: ListSource<'note'> = {
  entity: 'note',
  from: 'note n left join app_user u on u.id = n.created_by',
  key: 'n.id',
  select: selectList(columns),
  properties: filterableProperties(Note, columns),
  defaultOrder: { terms: [], keyDescending: true, text: 'n.id desc', reversedText: 'n.id' },
}

export const listDebtorNotes = (
  db: Db,
  caller: Caller,
  debtor: VisibleGuid<'debtor'>,
  query: PageQuery,
  context: ListContext,
): Promise<Page<Note>> => listRows<Note, 'note'>(db, noteSource, debtorNotes(caller, debtor), query, context)
