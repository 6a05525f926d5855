import type { Static } from 'typebox'
import { dateTime, guid, inputSchema, lines, text } from '../metadata/fields.ts'

const fields = {
  noteGuid: guid('Note', { readOnly: true }),
  text: lines(10_000, 'Text'),
  createdAt: dateTime('Written', { readOnly: true }),
  createdBy: text(200, 'Written by', { readOnly: true, personalData: 'name' }),
}
/** The dictionary of a note about an item: every field once. */
export const noteFields = fields

export const NoteInput = inputSchema(fields, ['text'])
export type NoteInput = Static<typeof NoteInput>
