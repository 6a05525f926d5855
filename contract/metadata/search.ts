import { Type, type Static } from 'typebox'
import { ItemDescription } from './items.ts'
import { date, nullable, text } from './fields.ts'
import { operation } from '../platform/operation.ts'

/** The maximum number of hits. */
export const searchHitsMax = 20

export const SearchHit = Type.Object(
  {
    ...ItemDescription.properties,
    matchedOn: Type.Unsafe<'name' | 'reference' | 'idNumber' | 'phone' | 'email'>({
      type: 'string',
      enum: ['name', 'reference', 'idNumber', 'phone', 'email'],
      description: 'The member that matched; never its value.',
    }),
    dateOfBirth: date('Date of birth of a natural person', { personalData: 'birth' }),
    organisationNumber: text(30, 'Number of a legal person', { personalData: 'identity' }),
    city: text(100, 'Town of a debtor', { personalData: 'address' }),
    debtorName: text(200, 'Main debtor of a case, or of the case of an invoice', { personalData: 'name' }),
    caseGuid: nullable<string>({
      type: ['string', 'null'],
      format: 'uuid',
      title: 'Case of an invoice',
    }),
  },
  { $id: 'SearchHit' },
)
export type SearchHit = Static<typeof SearchHit>

export const searchItems = operation({
  id: 'searchItems',
  name: 'searchItems',
  method: 'GET',
  path: '/search',
  area: 'System',
  summary: 'Search everything',
  description:
    'Finds items by name, reference or number, and debtors also by identity number, phone and e-mail. It tolerates misspelt names and e-mails, and matches beginnings of names and numbers. At most 20 hits that the caller may see, best first. Letter case, accents and separators are ignored. Debtors come with town and date of birth or organisation number, cases with their main debtor, invoices with their case and its main debtor. These members are null for other items.',
  access: ['debtor.read', 'case.read', 'client.read'],
  query: Type.Object(
    {
      q: Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '^[^\\u0000-\\u001f\\u007f]*$',
        description: 'The text to search for.',
      }),
      types: Type.Optional(
        Type.String({
          maxLength: 17,
          description: 'Item types, separated by commas, such as `1,3`. Default: all.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  status: 200,
  response: Type.Object({ items: Type.Array(SearchHit) }, { $id: 'SearchHits' }),
  example: {
    query: { q: 'anderson malin', types: '3' },
    response: {
      items: [
        {
          guid: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70',
          type: 3,
          primaryDescription: 'Malin Andersson',
          secondaryDescription: '1000017',
          matchedOn: 'name',
          dateOfBirth: '1990-01-01T00:00:00Z',
          organisationNumber: null,
          city: 'Malmö',
          debtorName: null,
          caseGuid: null,
        },
      ],
    },
  },
})
