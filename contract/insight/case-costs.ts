/** What collection costs the agency, on the dashboard: an operation that the specification does not have. */
import { Type, type Static } from 'typebox'
import { operation } from '../platform/operation.ts'
import { monthsQuery } from './dashboard.ts'

const count = (description: string) => Type.Integer({ description })
const amount = (description: string) => Type.Number({ description })
const day = (description: string) =>
  Type.String({ format: 'date-time', description, 'x-field': { kind: 'date' } })
const nullableAmount = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description })

export const ContactPrices = Type.Object(
  {
    currencyCode: Type.String({ description: 'The currency of the prices.' }),
    letter: nullableAmount('The price of a posted letter. Null if none is set.'),
    email: nullableAmount('The price of an e-mail. Null if none is set.'),
    sms: nullableAmount('The price of an SMS. Null if none is set.'),
    call: nullableAmount('The price of a call. Null if none is set.'),
  },
  { $id: 'ContactPrices' },
)
export type ContactPrices = Static<typeof ContactPrices>

export const CostMonth = Type.Object(
  {
    currencyCode: Type.String({
      description: 'The currency of the cases and amounts. Nothing is converted.',
    }),
    month: day('The first day of the month.'),
    outlays: amount('Costs of courts and enforcement authorities that were booked, without reversed ones.'),
    letters: count('Letters that were posted.'),
    emails: count('Letters that were sent by e-mail.'),
    sms: count('Letters that were sent by SMS.'),
    calls: count('Calls that were logged.'),
    unpriced: count(
      'Of the letters and calls those without a price in this currency. They cost nothing here.',
    ),
    cost: amount('The outlays, and the letters and calls at their prices.'),
    workedCases: count('Cases with a letter, a call or an outlay in the month.'),
    closedCases: count('Cases that were closed in the month and still are.'),
    perWorkedCase: nullableAmount('`cost` divided by `workedCases`. Null without any.'),
    perClosedCase: nullableAmount('`cost` divided by `closedCases`: the cost per case. Null without any.'),
  },
  { $id: 'CostMonth' },
)
export type CostMonth = Static<typeof CostMonth>

export const CaseCosts = Type.Object(
  {
    asOf: day('The business date.'),
    from: day('The first day included.'),
    prices: ContactPrices,
    value: Type.Array(CostMonth),
  },
  { $id: 'CaseCosts' },
)
export type CaseCosts = Static<typeof CaseCosts>

export const getCaseCosts = operation({
  id: 'getCaseCosts',
  name: 'getCaseCosts',
  method: 'GET',
  path: '/dashboard/costs',
  area: 'System',
  summary: 'Get the cost per case by month',
  description:
    'What collection costs the agency, up to the business date: outlays by value date, letters and calls by business date. Today’s prices of the settings count for every month. Refused to users who are restricted to clients. `GET /cases` lists the closed cases by `closureDate`.',
  access: ['report.read'],
  unrestricted: true,
  query: monthsQuery,
  problems: ['not-found'],
  status: 200,
  response: CaseCosts,
  example: { query: { months: 13 } },
})
