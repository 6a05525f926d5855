import { Type, type Static } from 'typebox'
import { operation } from '../platform/operation.ts'

export const LookupValue = Type.Object(
  {
    lookupCode: Type.String({ description: 'The lookup.' }),
    lookupKey: Type.String({ description: 'The stored value of a field with this lookup.' }),
    description: Type.String({ description: "In the caller's language." }),
  },
  { $id: 'LookupValue' },
)
export type LookupValue = Static<typeof LookupValue>

export const LookupResult = Type.Object({ values: Type.Array(LookupValue) }, { $id: 'LookupResult' })

/** The maximum number of values in a search result. */
export const lookupValuesMax = 50

const singleLine = '^[^\\u0000-\\u001f\\u007f]*$'
const textOrNull = (maxLength: number) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength, pattern: singleLine })

export const LookupSearch = Type.Object(
  {
    searchStr: Type.Optional(textOrNull(100)),
    arguments: Type.Optional(
      Type.Unsafe<(string | null)[] | null>({
        type: ['array', 'null'],
        maxItems: 10,
        items: { type: ['string', 'null'], maxLength: 100, pattern: singleLine },
      }),
    ),
  },
  { $id: 'LookupSearch', additionalProperties: false },
)
export type LookupSearch = Static<typeof LookupSearch>

const lookupcode = Type.String({ minLength: 1, maxLength: 50, pattern: singleLine, title: 'Lookup' })

export const searchLookup = operation({
  id: 'S7',
  name: 'searchLookup',
  method: 'POST',
  path: '/system/lookups/:lookupcode',
  area: 'System',
  summary: 'Search a lookup',
  description:
    '`searchStr` matches key, code or description anywhere, without regard to case and accents; without it the values come in their order. The best match comes first: the exact key, then keys and codes that begin so, then those that have it inside, then descriptions. At most 50. `arguments` narrow: of `casesubstatus` the status, of `municipality` and `timezone` the country, of `culture` the language, of `servicedefinition` what the service is for (`user`, `debtor`, `global`). The key of a municipality is its official code; a code that two countries have says both, unless the country is given. Records (client, party, user, debtor, case and so on) are those that the caller may see, and need the access code of their area.',
  access: ['lookup.read'],
  params: Type.Object({ lookupcode }),
  body: LookupSearch,
  status: 200,
  response: LookupResult,
  example: {
    params: { lookupcode: 'country' },
    body: { searchStr: 'swe', arguments: [] },
    response: { values: [{ lookupCode: 'country', lookupKey: 'SE', description: 'Sweden' }] },
  },
})
export const getLookupValue = operation({
  id: 'S8',
  name: 'getLookupValue',
  method: 'GET',
  path: '/system/lookups/:lookupcode/:key',
  area: 'System',
  summary: 'Get a value of a lookup',
  description: 'An unknown key returns empty `values`. Letter case is ignored.',
  access: ['lookup.read'],
  params: Type.Object({
    lookupcode,
    key: Type.String({ minLength: 1, maxLength: 100, pattern: singleLine, title: 'Key' }),
  }),
  status: 200,
  response: LookupResult,
  example: {
    params: { lookupcode: 'gender', key: '2' },
    response: { values: [{ lookupCode: 'gender', lookupKey: '2', description: 'Female' }] },
  },
})
