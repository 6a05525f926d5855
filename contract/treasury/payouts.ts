/** Payouts of collected money to clients: operations that the specification does not have. */
import { Type, type Static } from 'typebox'
import {
  date,
  dateTime,
  guid,
  inputSchema,
  key,
  outputSchema,
  text,
  type Demands,
} from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { pageQuery } from '../platform/page.ts'
import { pageWithSums, withSums } from '../platform/sums.ts'

const fields = {
  payoutBatchGuid: guid('Payout', { readOnly: true }),
  number: Type.Integer({ title: 'Number' }),
  currencyCode: text(3, 'Currency', { lookup: 'currency' }),
  executionDate: date('To be paid on; none for the business date'),
  businessDate: date('Made on the business date'),
  account: key(40, 'Account that it is paid from'),
  amount: Type.Number({ title: 'Amount', 'x-field': { kind: 'money' } }),
  payouts: Type.Integer({ title: 'Clients' }),
  createdAt: dateTime('Made at'),
  createdBy: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    title: 'By which user',
    'x-field': { readOnly: true },
  }),
}
const listed = [
  'payoutBatchGuid',
  'number',
  'currencyCode',
  'businessDate',
  'executionDate',
  'account',
  'amount',
  'payouts',
  'createdAt',
  'createdBy',
] as const

export const PayoutBatch = outputSchema(fields, listed, { $id: 'PayoutBatch' })
export type PayoutBatch = Static<typeof PayoutBatch>

export const Payout = Type.Object(
  {
    payoutGuid: guid('Payout'),
    number: Type.Integer({ description: 'Within the batch, starting at 1.' }),
    clientGuid: guid('Client'),
    clientName: key(200, 'Client'),
    account: key(40, 'Account'),
    amount: Type.Number(),
    cases: Type.Integer({ description: 'The cases that the money comes from.' }),
  },
  { $id: 'Payout' },
)
export type Payout = Static<typeof Payout>

const leftOut = Type.Array(
  Type.Object({
    clientGuid: guid('Client'),
    clientName: key(200, 'Client'),
    amount: Type.Number(),
    reason: Type.Unsafe<'NO_ACCOUNT' | 'OWES_US'>({ type: 'string', enum: ['NO_ACCOUNT', 'OWES_US'] }),
  }),
  {
    description:
      'Clients left out although they have money in this currency: they have no account, or payments were reversed after a payout.',
  },
)

export const PayoutBatchDetail = Type.Object(
  { ...PayoutBatch.properties, lines: Type.Array(Payout), leftOut },
  { $id: 'PayoutBatchDetail' },
)
export type PayoutBatchDetail = Static<typeof PayoutBatchDetail>

const { payoutGuid: _guid, number: _number, ...due } = Payout.properties
export const PayoutDue = Type.Object(
  {
    currencyCode: key(3, 'Currency'),
    amount: Type.Number({ description: 'The sum of the lines.' }),
    lines: Type.Array(Type.Object(due), { description: 'Clients that would be paid, by name.' }),
    leftOut,
  },
  { $id: 'PayoutDue' },
)
export type PayoutDue = Static<typeof PayoutDue>

export const PayoutInput = inputSchema(fields, ['currencyCode', 'executionDate'], {
  $id: 'PayoutInput',
  'x-demands': { required: ['currencyCode'], members: { currencyCode: { minLength: 3 } } } satisfies Demands,
})
export type PayoutInput = Static<typeof PayoutInput>

const area = 'Debtors'
const params = Type.Object({ payoutBatchGuid: guid('Payout') })
const read = { area, method: 'GET', access: ['payment.read'], status: 200 } as const

export const createPayout = operation({
  id: 'createPayout',
  name: 'createPayout',
  method: 'POST',
  path: '/payouts',
  area,
  summary: 'Pay out to clients',
  description:
    'Books everything owed to clients in a currency as paid out, and creates a bank file (pain.001.001.09), which `getPayoutFile` returns. ' +
    'Owed is what was received on principal and interest, and on costs up to the amount that the client registered, less earlier payouts. Refused when nothing is owed, so that two requests in a row pay once.',
  access: ['payment.admin'],
  problems: ['needs-approval'],
  body: PayoutInput,
  status: 201,
  response: PayoutBatchDetail,
  example: { body: { currencyCode: 'SEK' } },
})
export const getPayoutsDue = operation({
  ...read,
  id: 'getPayoutsDue',
  name: 'getPayoutsDue',
  path: '/payouts/due',
  summary: 'Get the payouts due to clients',
  description:
    'What `createPayout` would pay on the business date, for each currency; nothing is booked. For the agency: a restricted caller sees none.',
  response: Type.Object(
    {
      asOf: Type.String({
        format: 'date-time',
        description: 'The business date.',
        'x-field': { kind: 'date' },
      }),
      value: Type.Array(PayoutDue),
    },
    { $id: 'PayoutsDue' },
  ),
})
export const listPayouts = operation({
  ...read,
  id: 'listPayouts',
  name: 'listPayouts',
  path: '/payouts',
  summary: 'List payouts to clients',
  description: 'The latest first. For the agency: a restricted caller sees none.',
  query: withSums(pageQuery, ['amount']),
  response: pageWithSums(PayoutBatch, ['amount']),
})
export const getPayout = operation({
  ...read,
  id: 'getPayout',
  name: 'getPayout',
  path: '/payouts/:payoutBatchGuid',
  summary: 'Get a payout to clients',
  params,
  response: PayoutBatchDetail,
})
export const getPayoutFile = operation({
  ...read,
  id: 'getPayoutFile',
  name: 'getPayoutFile',
  path: '/payouts/:payoutBatchGuid/file',
  summary: 'Get the file of a payout for the bank',
  description: 'ISO 20022 pain.001.001.09, the same bytes each time.',
  params,
  responseType: 'application/xml',
  response: Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'application/xml' }),
})
