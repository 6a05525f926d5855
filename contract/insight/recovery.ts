/** What is collected of the principal that clients hand over, on the dashboard: an operation that the specification does not have. */
import { Type, type Static } from 'typebox'
import { operation } from '../platform/operation.ts'
import { monthsQuery } from './dashboard.ts'

const count = (description: string) => Type.Integer({ description })
const amount = (description: string) => Type.Number({ description })
const day = (description: string) =>
  Type.String({ format: 'date-time', description, 'x-field': { kind: 'date' } })
const nullableNumber = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description })
const currencyCode = Type.String({ description: 'The currency of the amounts. Amounts are never converted.' })
const rate = nullableNumber('`collected` divided by `principal`, from 0 to 1. Null without principal.')

/** Days since the registration up to which payments count. */
export const recoveryAges = [30, 90, 180, 365] as const

export const RecoveryWithin = Type.Object(
  {
    days: count('Days since the registration of each case.'),
    collected: nullableNumber(
      'Paid by then, of each case at most its principal. Null while some of the cases are younger.',
    ),
    rate,
  },
  { $id: 'RecoveryWithin' },
)

export const RecoveryMonth = Type.Object(
  {
    currencyCode,
    month: day('The first day of the month in which the cases were registered.'),
    cases: count('Cases with a principal.'),
    principal: amount('Their principal when they were registered.'),
    within: Type.Array(RecoveryWithin, { description: 'After 30, 90, 180 and 365 days.' }),
  },
  { $id: 'RecoveryMonth' },
)
export type RecoveryMonth = Static<typeof RecoveryMonth>

export const RecoveryPeriod = Type.Object(
  {
    from: day('Registered on this day or later.'),
    before: day('Registered before this day.'),
    cases: count('Cases with a principal.'),
    principal: amount('Their principal when they were registered.'),
    collected: amount('Paid within 90 days, of each case at most its principal.'),
    rate,
  },
  { $id: 'RecoveryPeriod' },
)
export type RecoveryPeriod = Static<typeof RecoveryPeriod>

export const RecoveryClient = Type.Object(
  {
    clientGuid: Type.String({ format: 'uuid', description: 'The client.' }),
    clientName: Type.String({ description: 'Its name.' }),
    currencyCode,
    latest: RecoveryPeriod,
    former: RecoveryPeriod,
    trend: Type.Array(rate, { description: 'Of each month of `latest`, the oldest first.' }),
  },
  { $id: 'RecoveryClient' },
)
export type RecoveryClient = Static<typeof RecoveryClient>

export const Recovery = Type.Object(
  {
    asOf: day('The business date.'),
    from: day('The first day of registration that is included.'),
    months: Type.Array(RecoveryMonth, { description: 'The oldest first.' }),
    clients: Type.Array(RecoveryClient, {
      description: 'The 50 with the most principal in `latest` and `former`, by currency.',
    }),
  },
  { $id: 'Recovery' },
)
export type Recovery = Static<typeof Recovery>

export const getRecovery = operation({
  id: 'getRecovery',
  name: 'getRecovery',
  method: 'GET',
  path: '/dashboard/recovery',
  area: 'System',
  summary: 'Get the recovery rate by age and client',
  description:
    'What was paid of the principal of the cases that were registered in a month, within 30, 90, 180 and 365 days of the registration of each. So months of different age are comparable. `clients` compares the last `months` months whose cases are all 90 days old with as many before them. Payments count by value date, also those to clients and without reversed ones. `GET /cases` lists the cases by `registrationDate`.',
  access: ['report.read'],
  query: monthsQuery,
  problems: ['not-found'],
  status: 200,
  response: Recovery,
  example: { query: { months: 12 } },
})
