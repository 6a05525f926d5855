/** Promises to pay on the dashboard: an operation that the specification does not have. */
import { Type, type Static } from 'typebox'
import { operation } from '../platform/operation.ts'
import { monthsQuery } from './dashboard.ts'

const count = (description: string) => Type.Integer({ description })
const amount = (description: string) => Type.Number({ description })
const day = (description: string) =>
  Type.String({ format: 'date-time', description, 'x-field': { kind: 'date' } })

export const PromiseMonth = Type.Object(
  {
    currencyCode: Type.String({ description: 'The currency of the amounts. Amounts are never converted.' }),
    month: day('The first day of the month for which they were promised.'),
    promises: count('Promises for the month, without those that a later promise replaced.'),
    kept: count('Paid in full by their day.'),
    broken: count('Not paid in full by their day.'),
    open: count('Their day has not passed.'),
    amount: amount('The amount promised.'),
    keptAmount: amount('The amount of the promises that were kept.'),
  },
  { $id: 'PromiseMonth' },
)
export const PromisePerformance = Type.Object(
  { asOf: day('The business date.'), from: day('The first day included.'), value: Type.Array(PromiseMonth) },
  { $id: 'PromisePerformance' },
)
export type PromisePerformance = Static<typeof PromisePerformance>

export const getPromisePerformance = operation({
  id: 'getPromisePerformance',
  name: 'getPromisePerformance',
  method: 'GET',
  path: '/dashboard/promises',
  area: 'System',
  summary: 'Get the promises to pay per month',
  description:
    'Promises of logged calls by promised date, up to the end of the month of the business date. `GET /promises` lists them. Creditors see those of the calls that are shown to them.',
  access: ['report.read'],
  query: monthsQuery,
  problems: ['not-found'],
  status: 200,
  response: PromisePerformance,
  example: { query: { months: 13 } },
})
