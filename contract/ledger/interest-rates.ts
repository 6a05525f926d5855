/** Reference rates: shipped ones and those that the agency has set. */
import { Type, type Static } from 'typebox'
import { dateTime, guid, key, outputSchema, text } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'

const flag = (title: string) => Type.Boolean({ title })

export const InterestRateListItem = outputSchema(
  {
    interestRateGuid: guid('Reference rate'),
    interestSeries: key(5, 'Series', { lookup: 'rateseries' }),
    validFrom: dateTime('Valid from', { kind: 'date' }),
    rate: Type.Number({ title: 'Percent a year' }),
    source: text(500, 'Where it is published'),
    unverified: flag('Nobody has seen it in a source'),
    edited: flag('Set by the agency'),
  },
  ['interestRateGuid', 'interestSeries', 'validFrom', 'rate', 'source', 'unverified', 'edited'],
  { $id: 'InterestRateListItem' },
)
export type InterestRateListItem = Static<typeof InterestRateListItem>

export const listInterestRates = operation({
  id: 'listInterestRates',
  name: 'listInterestRates',
  method: 'GET',
  path: '/system/interestrates',
  area: 'System',
  summary: 'List reference rates',
  description:
    'By series, newest first, unless `$orderby` is given. A rate is valid until the next one of its series. The form `interestrate/create` adds rates; `interestrate/edit` corrects and removes them.',
  access: ['system.read'],
  query: pageQuery,
  status: 200,
  response: page(InterestRateListItem),
  example: { query: { $filter: "interestSeries eq 'SE' and validFrom ge 2024-01-01T00:00:00Z" } },
})
