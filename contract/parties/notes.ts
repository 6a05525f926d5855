import type { Static } from 'typebox'
import { date, dateTime, flag, guid, inputSchema, lines, text } from '../metadata/fields.ts'

const fields = {
  noteGuid: guid('Note', { readOnly: true }),
  text: lines(10_000, 'Text'),
  followUpDate: date('Follow up on'),
  shownToClient: flag('Shown to the client'),
  createdAt: dateTime('Written', { readOnly: true }),
  createdBy: text(200, 'Written by', { readOnly: true, personalData: 'name' }),
}
/** The dictionary of a note about an item: every field once. */
export const noteFields = fields

export const NoteInput = inputSchema(fields, ['text', 'followUpDate', 'shownToClient'])
export type NoteInput = Static<typeof NoteInput>
