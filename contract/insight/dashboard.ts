/** The dashboard: the portfolio, what came in, how plans go, what they are to bring. Operations of ours. */
import { Type, type Static } from 'typebox'
import { operation } from '../platform/operation.ts'

const day = (description: string) => Type.String({ format: 'date-time', description })
const nullableDay = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })
const count = (description: string) => Type.Integer({ description })
const amount = (description: string) => Type.Number({ description })
const currencyCode = Type.String({
  description: 'The currency of the amounts beside it. None is turned into another.',
})
const month = day('The first day of the month.')
const asOf = day('The business date.')

export const PortfolioAge = Type.Object(
  {
    age: count('What the rows name: 0 for the youngest.'),
    fromDays: count('Days since the registration, at least.'),
    toDays: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Days since the registration, at most; null for the oldest.',
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
    status: Type.String({ description: 'Where the cases stand.' }),
    age: count('Of `ages`.'),
    cases: count('How many.'),
    principal: amount('Principal that remains.'),
    interest: amount('Interest that remains, up to the business date.'),
    fee: amount('Costs and fees that remain.'),
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
    payments: count('How many, one that is shared among cases once for each.'),
    amount: amount('What was paid, also to clients and other parties.'),
    toThirdParty: amount('Of that to clients and other parties.'),
  },
  { $id: 'CollectedMonth' },
)
export const Collected = Type.Object(
  { asOf, from: day('The first day that counts.'), value: Type.Array(CollectedMonth) },
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
      description: '`LATE`: active, with a payment overdue. Those that ended did so since `from`.',
    }),
    plans: count('How many.'),
    unpaid: amount('What is still to be paid by them.'),
  },
  { $id: 'PlanStateRow' },
)
export const PlanMonth = Type.Object(
  {
    currencyCode,
    month,
    payments: count('Payments of plans that fell due.'),
    amount: amount('Their sum.'),
    paid: amount('What of it is paid.'),
    inTime: count('Paid in full within the days of grace.'),
    late: count('Paid in full later than that.'),
    unpaid: count('Not paid in full yet.'),
  },
  { $id: 'PlanMonth' },
)
export const PlanPerformance = Type.Object(
  {
    asOf,
    from: day('The first day that counts.'),
    states: Type.Array(PlanStateRow),
    months: Type.Array(PlanMonth),
  },
  { $id: 'PlanPerformance' },
)
export type PlanPerformance = Static<typeof PlanPerformance>

const expected = {
  currencyCode,
  payments: count('Payments of active plans that are not paid in full.'),
  amount: amount('What of them is unpaid.'),
}
export const ExpectedMonth = Type.Object({ ...expected, month }, { $id: 'ExpectedMonth' })
export const ExpectedSum = Type.Object(expected, { $id: 'ExpectedSum' })
export const LiquidityForecast = Type.Object(
  {
    asOf,
    before: day('The months end here.'),
    overdue: Type.Array(ExpectedSum, { description: 'Fallen due before the business date.' }),
    value: Type.Array(ExpectedMonth, { description: 'From the business date on.' }),
    later: Type.Array(ExpectedSum, { description: 'Falling due on `before` or later.' }),
  },
  { $id: 'LiquidityForecast' },
)
export type LiquidityForecast = Static<typeof LiquidityForecast>

const read = { method: 'GET', area: 'System', access: ['report.read'], status: 200 } as const
const query = Type.Object(
  {
    months: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 36,
        default: 12,
        description: 'Months, the one of the business date among them.',
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
  description: 'What remains on the open cases of the clients that the caller may see, by currency.',
  response: Portfolio,
})
export const getCollected = operation({
  ...read,
  id: 'getCollected',
  name: 'getCollected',
  path: '/dashboard/collected',
  summary: 'Get what was collected per month',
  description:
    'Payments on cases by the day from which they count, those that were reversed left out. What was paid above the debt counts too. The rows behind: `GET /payments`.',
  query,
  response: Collected,
  example: { query: { months: 12 } },
})
export const getPlanPerformance = operation({
  ...read,
  id: 'getPlanPerformance',
  name: 'getPlanPerformance',
  path: '/dashboard/plans',
  summary: 'Get how payment plans go',
  description:
    'Plans by their state, and the payments that fell due by month, up to the business date. The rows behind: `GET /paymentplans` and `GET /paymentplans/payments`.',
  query,
  response: PlanPerformance,
  example: { query: { months: 12 } },
})
export const getLiquidityForecast = operation({
  ...read,
  id: 'getLiquidityForecast',
  name: 'getLiquidityForecast',
  path: '/dashboard/liquidity',
  summary: 'Get what active payment plans are to bring',
  description:
    'What is unpaid of the payments of active plans, by the month in which it falls due. Proposals do not count.',
  query,
  response: LiquidityForecast,
  example: { query: { months: 12 } },
})
