import { Type, type Static } from 'typebox'
import { ItemDescription } from './items.ts'
import { operation } from '../platform/operation.ts'

/** The most hits of a search. */
export const searchHitsMax = 20

export const SearchHit = Type.Object(
  {
    ...ItemDescription.properties,
    matchedOn: Type.Unsafe<'name' | 'reference' | 'idNumber' | 'phone' | 'email'>({
      type: 'string',
      enum: ['name', 'reference', 'idNumber', 'phone', 'email'],
      description: 'What of the item was found; never the value itself.',
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
    'Finds items by name, reference or number, and debtors by identity number, phone and e-mail too. Names and e-mails may be mistyped; of names and numbers the beginning is enough. At most 20 hits, the best first, of what the caller may see. Case, accents and separators do not count.',
  access: ['debtor.read', 'case.read', 'client.read'],
  query: Type.Object(
    {
      q: Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '^[^\\u0000-\\u001f\\u007f]*$',
        description: 'What to look for.',
      }),
      types: Type.Optional(
        Type.String({
          maxLength: 17,
          description: 'Item types, separated by commas, such as `1,3`; all without.',
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
        },
      ],
    },
  },
})
