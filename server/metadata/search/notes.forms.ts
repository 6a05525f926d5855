import * as layout from '../../../contract/metadata/forms/system.ts'
import { toMidnight } from '../../../core/calendar/date-time.ts'
import { handle, type FormCall, type FormHandler } from '../../platform/dictionary/handler.ts'
import {
  addNote,
  changeNote,
  removeNote,
  requireItem,
  requireNote,
  type StoredNote,
} from './notes.changes.ts'

const storedIn = { table: 'note', columns: { noteGuid: 'id' } }

export const noteForms = (): FormHandler[] => [
  handle(layout.noteCreate, {
    storedIn,
    defaults: noDefaults,
    create: async ({ db, caller, id, body, origin }) => {
      const made = await addNote(db, caller, { itemGuid: id, input: body }, origin)
      const location = `/system/forms/note/edit?initialValues=true&id=${id}&subId=${made.noteGuid}`
      return { record: toRecord(made), version: made.version, location }
    },
  }),
  handle(layout.noteEdit, {
    storedIn,
    defaults: noDefaults,
    find: async ({ db, caller, id, subId }) => {
      const note = await requireNote(db, caller, { itemGuid: id, noteGuid: subId })
      return { record: toRecord(note), version: note.version }
    },
    store: ({ db, caller, id, subId, body, origin, ifMatch }) =>
      changeNote(db, caller, { itemGuid: id, noteGuid: subId, input: body, ifMatch }, origin),
    remove: ({ db, caller, id, subId, origin, ifMatch }) =>
      removeNote(db, caller, { itemGuid: id, noteGuid: subId, ifMatch }, origin),
  }),
]

const toRecord = ({ followUpDate, ...note }: StoredNote) => ({
  ...note,
  followUpDate: followUpDate && toMidnight(followUpDate),
})

/** A new note has no initial values. Throws a 404 when there is no such item. */
async function noDefaults({ db, caller, id }: FormCall): Promise<object> {
  if (id !== '') await requireItem(db, caller, id)
  return {}
}
