import { Type, type Static } from 'typebox'
import {
  flag,
  guid,
  inputSchema,
  links,
  listFieldNames,
  namesWithout,
  nullable,
  outputSchema,
  text,
} from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'

/** The dictionary of a client: every field once. A client is a party below the agency. */
export const clientFields = {
  clientGuid: guid('Client', { readOnly: true }),
  name: text(200, 'Name'),
  partyReferenceCode: text(50, 'Client code'),
  parentPartyReferenceCode: text(50, 'Belongs to', { lookup: 'party' }),
  countryCode: text(2, 'Country', { lookup: 'country' }),
  currencyCode: text(3, 'Currency', { lookup: 'currency' }),
}

export const ClientInput = inputSchema(clientFields, namesWithout(clientFields, ['clientGuid']))
export type ClientInput = Static<typeof ClientInput>

export const ClientListItem = outputSchema(clientFields, listFieldNames(clientFields), {
  $id: 'ClientListItem',
})
export type ClientListItem = Static<typeof ClientListItem>

const percent = (title: string) => Type.Unsafe<number | null>({ type: ['number', 'null'], title })

const named = (title: string) => nullable<string>({ type: ['string', 'null'], title })

const strings = (title: string) =>
  Type.Unsafe<string[] | null>({ type: ['array', 'null'], items: { type: 'string' }, title })

export const ClientDetail = Type.Object(
  {
    ...ClientListItem.properties,
    interestRate: percent('Interest of its own, percent a year'),
    interestSeries: text(5, 'Interest of its own: series of reference rates'),
    interestPoints: percent('Percentage points above the reference rate'),
    interestDayCount: text(20, 'Days of a year by contract', { lookup: 'daycount' }),
    allocationOrder: text(30, 'Order of its own in which money is used'),
    tolerance: percent('What may remain when a case counts as paid'),
    bankAccountNo: text(40, 'Bank account'),
    claimKind: text(20, 'What its claims against natural persons are for', { lookup: 'claimkind' }),
    services: strings('Services bought'),
    fees: strings('Fees of its own: the kind and the amount'),
    firstDueDays: percent('Payment plans: first payment due after days'),
    intervalType: percent('Payment plans: interval, 1 day, 2 week, 3 month, 4 year'),
    graceDays: percent('Payment plans: days of grace'),
    missesToBreach: percent('Payment plans: missed payments until breach'),
    registrationFee: percent('Payment plans: registration fee'),
    invoiceFee: percent('Payment plans: fee per payment'),
    reminderFee: percent('Payment plans: fee for a late payment'),
    freeMonths: strings('Debt relief: months without a payment'),
    businessDays: flag('Payment plans: due on business days only'),
    evenPayments: flag('Payment plans: rounding spread over the payments'),
    closingPayment: flag('Payment plans: a last payment for what late payment left'),
    parentPartyName: named('Name of the party that it belongs to; null for one that the caller may not see'),
    strategy: named('Code of its own strategy; null for that of the party above'),
    strategyGuid: nullable<string>({
      type: ['string', 'null'],
      format: 'uuid',
      title: 'Strategy in force, its own or that of a party above',
    }),
    strategyName: named('Name of the strategy in force'),
    lettersByEmail: flag('Letters go by e-mail; null for as the party above has it'),
    links,
  },
  { $id: 'ClientDetail' },
)
export type ClientDetail = Static<typeof ClientDetail>

export const listClients = operation({
  id: 'listClients',
  name: 'listClients',
  method: 'GET',
  path: '/clients',
  area: 'Users',
  summary: 'List clients',
  description: 'The clients that the caller may see, without the agency itself.',
  access: ['client.read'],
  query: pageQuery,
  status: 200,
  response: page(ClientListItem),
  example: { query: { $filter: "startswith(name,'Sk')", $orderby: 'name' } },
})
export const getClient = operation({
  id: 'getClient',
  name: 'getClient',
  method: 'GET',
  path: '/clients/:clientGuid',
  area: 'Users',
  summary: 'Get a client with its own terms',
  description: 'A term that is null is inherited from the parent party.',
  access: ['client.read'],
  params: Type.Object({ clientGuid: guid('Client') }),
  status: 200,
  response: ClientDetail,
  versioned: true,
})
