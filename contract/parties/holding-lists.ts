/** The lists of client records. Records are created and changed by their forms. */
import { Type, type Static } from 'typebox'
import { guid, listFieldNames, outputSchema, text } from '../metadata/fields.ts'
import * as holdings from './holdings.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'
import { pageWithSums, withSums } from '../platform/sums.ts'

const pointer = (title: string, lookup: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid', title, 'x-field': { lookup } })
const owner = { clientGuid: guid('Client'), clientName: text(200, 'Client') }
const personName = (title: string) => text(200, title, { personalData: 'name' })

const thirdParties = { ...holdings.thirdPartyFields, ...owner }
export const ThirdPartyListItem = outputSchema(thirdParties, listFieldNames(thirdParties), {
  $id: 'ThirdPartyListItem',
})
export type ThirdPartyListItem = Static<typeof ThirdPartyListItem>

const accounts = { ...holdings.accountFields, ...owner }
export const AccountListItem = outputSchema(accounts, listFieldNames(accounts), { $id: 'AccountListItem' })
export type AccountListItem = Static<typeof AccountListItem>

const customers = { ...holdings.customerFields, ...owner, debtorGuid: pointer('Debtor', 'debtor') }
export const CustomerListItem = outputSchema(customers, listFieldNames(customers), {
  $id: 'CustomerListItem',
})
export type CustomerListItem = Static<typeof CustomerListItem>

const purchases = {
  ...holdings.purchaseFields,
  ...owner,
  customerGuid: pointer('Customer', 'customer'),
  customerName: personName('Customer'),
}
export const PurchaseListItem = outputSchema(purchases, listFieldNames(purchases), {
  $id: 'PurchaseListItem',
})
export type PurchaseListItem = Static<typeof PurchaseListItem>

const objects = { ...holdings.objectFields, ...owner }
export const ObjectListItem = outputSchema(objects, listFieldNames(objects), { $id: 'ObjectListItem' })
export type ObjectListItem = Static<typeof ObjectListItem>

const read = { area: 'Users', method: 'GET', access: ['client.read'], query: pageQuery, status: 200 } as const
const listDescription = (what: string, entity: string) =>
  `Records of the clients that the caller may see. They are created and changed by the forms of \`${entity}\`${what}.`

export const listThirdParties = operation({
  ...read,
  id: 'listThirdParties',
  name: 'listThirdParties',
  path: '/thirdparties',
  summary: 'List third parties',
  description: listDescription(': courts, lawyers, counsellors and others', 'thirdparty'),
  response: page(ThirdPartyListItem),
  example: { query: { $filter: "contains(name,'tings')", $orderby: 'name' } },
})
export const listAccounts = operation({
  ...read,
  id: 'listAccounts',
  name: 'listAccounts',
  path: '/accounts',
  summary: 'List accounts',
  description: listDescription('', 'account'),
  response: page(AccountListItem),
  example: { query: { $orderby: 'accountNumber' } },
})
export const listCustomers = operation({
  ...read,
  id: 'listCustomers',
  name: 'listCustomers',
  path: '/customers',
  summary: 'List customers',
  description: listDescription('', 'customer'),
  response: page(CustomerListItem),
  example: { query: { $filter: 'debtorGuid ne null', $orderby: 'name' } },
})
export const listPurchases = operation({
  ...read,
  id: 'listPurchases',
  name: 'listPurchases',
  path: '/purchases',
  summary: 'List purchases',
  description: listDescription('', 'purchase'),
  query: withSums(pageQuery, ['amount']),
  response: pageWithSums(PurchaseListItem, ['amount']),
  example: { query: { $filter: 'amount gt 1000', $orderby: 'purchaseDate desc' } },
})
export const listObjects = operation({
  ...read,
  id: 'listObjects',
  name: 'listObjects',
  path: '/objects',
  summary: 'List objects',
  description: listDescription(': flats, vehicles, contracts and the like', 'object'),
  response: page(ObjectListItem),
  example: { query: { $orderby: 'objectNumber' } },
})
