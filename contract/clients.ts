import { guid, inputOf, text } from './fields.ts'

const fields = {
  clientGuid: guid('Client', { readOnly: true }),
  name: text(200, 'Name'),
  partyReferenceCode: text(50, 'Client code'),
  parentPartyReferenceCode: text(50, 'Belongs to', { lookup: 'party' }),
  countryCode: text(2, 'Country', { lookup: 'country' }),
  currencyCode: text(3, 'Currency', { lookup: 'currency' }),
}
/** The dictionary of a client: every field once. A client is a party below the agency. */
export const clientFields = fields

export const ClientInput = inputOf(fields, [
  'name',
  'partyReferenceCode',
  'parentPartyReferenceCode',
  'countryCode',
  'currencyCode',
])
