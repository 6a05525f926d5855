/**
 * The dashboard: open cases, collected payments, payment plans, expected payments. Operations that the specification
 * does not have.
 */
import { Type, type Static } from 'typebox'
import { operation } from '../platform/operation.ts'

const day = (description: string) =>
  Type.String({ format: 'date-time', description, 'x-field': { kind: 'date' } })
const nullableDay = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })
const count = (description: string) => Type.Integer({ description })
const amount = (description: string) => Type.Number({ description })
const currencyCode = Type.String({
  description: 'The currency of the amounts beside it. Amounts are never converted.',
})
const month = day('The first day of the month.')
const asOf = day('The business date.')

export const PortfolioAge = Type.Object(
  {
    age: count('The age group: 0 is the youngest.'),
    fromDays: count('Minimum days since the registration.'),
    toDays: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Maximum days since the registration; null for the oldest group.',
    }),
    registeredFrom: nullableDay('Registered on this day or later; null for the oldest.'),
    registeredBefore: nullableDay('Registered before this day; null for the youngest.'),
  },
  { $id: 'PortfolioAge' },
)
export type PortfolioAge = Static<typeof PortfolioAge>

export const PortfolioRow = Type.Object(
  {
    currencyCode,
    status: Type.String({ description: 'The status of the cases.' }),
    age: count('Of `ages`.'),
    cases: count('How many.'),
    principal: amount('Principal that remains.'),
    interest: amount('Interest remaining, up to the business date.'),
    fee: amount('Costs and fees remaining.'),
    sum: amount('All that remains.'),
  },
  { $id: 'PortfolioRow' },
)
export const Portfolio = Type.Object(
  { asOf, ages: Type.Array(PortfolioAge), value: Type.Array(PortfolioRow) },
  { $id: 'Portfolio' },
)
export type Portfolio = Static<typeof Portfolio>

export const CollectedMonth = Type.Object(
  {
    currencyCode,
    month,
    payments: count('Number of payments; a payment divided among cases counts once for each.'),
    amount: amount('Amount paid, also directly to clients and other parties.'),
    toThirdParty: amount('The part paid directly to clients and other parties.'),
  },
  { $id: 'CollectedMonth' },
)
export const Collected = Type.Object(
  { asOf, from: day('The first day included.'), value: Type.Array(CollectedMonth) },
  { $id: 'Collected' },
)
export type Collected = Static<typeof Collected>

export const planStates = ['PROPOSED', 'ACTIVE', 'LATE', 'COMPLETED', 'BREACHED', 'CANCELLED'] as const
export const PlanStateRow = Type.Object(
  {
    currencyCode,
    state: Type.Unsafe<(typeof planStates)[number]>({
      type: 'string',
      enum: [...planStates],
      description: '`LATE`: active, with an overdue payment. Ended plans are those that ended since `from`.',
    }),
    plans: count('How many.'),
    unpaid: amount('The amount still to be paid.'),
  },
  { $id: 'PlanStateRow' },
)
export const PlanMonth = Type.Object(
  {
    currencyCode,
    month,
    payments: count('Payments of plans that fell due.'),
    amount: amount('Their sum.'),
    paid: amount('The amount paid of it.'),
    inTime: count('Paid in full within the days of grace.'),
    late: count('Paid in full later than that.'),
    unpaid: count('Not paid in full yet.'),
  },
  { $id: 'PlanMonth' },
)
export const PlanPerformance = Type.Object(
  {
    asOf,
    from: day('The first day included.'),
    states: Type.Array(PlanStateRow),
    months: Type.Array(PlanMonth),
  },
  { $id: 'PlanPerformance' },
)
export type PlanPerformance = Static<typeof PlanPerformance>

const expected = {
  currencyCode,
  payments: count('Payments of active plans that are not paid in full.'),
  amount: amount('The unpaid amount of these payments.'),
}
export const ExpectedMonth = Type.Object({ ...expected, month }, { $id: 'ExpectedMonth' })
export const ExpectedSum = Type.Object(expected, { $id: 'ExpectedSum' })
export const LiquidityForecast = Type.Object(
  {
    asOf,
    before: day('The forecast ends before this day.'),
    overdue: Type.Array(ExpectedSum, { description: 'Due before the business date.' }),
    value: Type.Array(ExpectedMonth, { description: 'Due on the business date or later.' }),
    later: Type.Array(ExpectedSum, { description: 'Due on `before` or later.' }),
  },
  { $id: 'LiquidityForecast' },
)
export type LiquidityForecast = Static<typeof LiquidityForecast>

const read = { method: 'GET', area: 'System', access: ['report.read'], status: 200 } as const
const ofClient = {
  clientGuid: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Figures of this client alone. A plan counts if all its cases are the client’s.',
    }),
  ),
}
export const clientQuery = Type.Object(ofClient, { additionalProperties: false })
export const monthsQuery = Type.Object(
  {
    ...ofClient,
    months: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 36,
        default: 12,
        description: 'Number of months, including that of the business date.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const getPortfolio = operation({
  ...read,
  id: 'getPortfolio',
  name: 'getPortfolio',
  path: '/dashboard/portfolio',
  summary: 'Get the open cases by status and age',
  description: 'The amounts remaining on the open cases of the clients that the caller may see, by currency.',
  query: clientQuery,
  problems: ['not-found'],
  response: Portfolio,
})
export const getCollected = operation({
  ...read,
  id: 'getCollected',
  name: 'getCollected',
  path: '/dashboard/collected',
  summary: 'Get what was collected per month',
  description:
    'Payments on cases by value date, without reversed ones. Payments above the debt count too. `GET /payments` lists the payments behind it.',
  query: monthsQuery,
  problems: ['not-found'],
  response: Collected,
  example: { query: { months: 12 } },
})
export const getPlanPerformance = operation({
  ...read,
  id: 'getPlanPerformance',
  name: 'getPlanPerformance',
  path: '/dashboard/plans',
  summary: 'Get the performance of payment plans',
  description:
    'Plans by state, and the payments that fell due by month, up to the business date. `GET /paymentplans` and `GET /paymentplans/payments` list the rows behind it.',
  query: monthsQuery,
  problems: ['not-found'],
  response: PlanPerformance,
  example: { query: { months: 12 } },
})
export const getLiquidityForecast = operation({
  ...read,
  id: 'getLiquidityForecast',
  name: 'getLiquidityForecast',
  path: '/dashboard/liquidity',
  summary: 'Get the payments expected from active plans',
  description:
    'The unpaid payments of active plans, by the month in which they fall due. Proposals do not count.',
  query: monthsQuery,
  problems: ['not-found'],
  response: LiquidityForecast,
  example: { query: { months: 12 } },
})
