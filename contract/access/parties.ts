/** A party: an organisation in the tree whose root is the agency. */
import type { Static } from 'typebox'
import { inputSchema, text } from '../metadata/fields.ts'

export const partyFields = {
  partyReferenceCode: text(50, 'Reference code'),
  name: text(200, 'Name'),
  parentPartyReferenceCode: text(50, 'Party above', { lookup: 'party' }),
}

export const PartyInput = inputSchema(
  partyFields,
  ['partyReferenceCode', 'name', 'parentPartyReferenceCode'],
  {
    $id: 'PartyInput',
  },
)
export type PartyInput = Static<typeof PartyInput>
