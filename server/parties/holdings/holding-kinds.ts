/** The kinds of what clients have besides cases: their tables, what must be given, how an item of the kind is described. */
import { namesOf } from '../../../contract/metadata/fields.ts'
import * as holdings from '../../../contract/parties/holdings.ts'
import type { TrackedTable } from '../../platform/events/tracked-row.ts'

export type HoldingRecord = Record<string, string | number | null>

export interface HoldingKind extends TrackedTable {
  /** As people say it. */
  noun: string
  itemType: 4 | 6 | 7 | 8 | 9
  members: readonly string[]
  required: readonly string[]
  /** The member that is unique for its client, with its index. */
  number?: { member: string; index: string }
  describe: (record: HoldingRecord) => [primary: string, secondary: string | null]
  /** Where it is pointed at: what those are, and their column. */
  usedBy: readonly { what: string; table: string; column: string }[]
}

const columns = {
  clientGuid: 'client_id',
  customerGuid: 'customer_id',
  debtorGuid: 'debtor_id',
}
const textOf = (value: unknown) => (typeof value === 'string' ? value : null)

export const thirdParty: HoldingKind = {
  table: 'third_party',
  entity: 'thirdparty',
  noun: 'third party',
  guidName: 'thirdPartyGuid',
  columns,
  itemType: 4,
  members: namesOf(holdings.thirdPartyInputs.create.properties),
  required: ['name'],
  describe: ({ name, city }) => [String(name), textOf(city)],
  usedBy: [],
}
export const account: HoldingKind = {
  table: 'account',
  entity: 'account',
  noun: 'account',
  guidName: 'accountGuid',
  columns,
  itemType: 6,
  members: namesOf(holdings.accountInputs.create.properties),
  required: ['accountNumber'],
  number: { member: 'accountNumber', index: 'account_number' },
  describe: ({ accountNumber, name }) => [String(accountNumber), textOf(name)],
  usedBy: [],
}
export const customer: HoldingKind = {
  table: 'customer',
  entity: 'customer',
  noun: 'customer',
  guidName: 'customerGuid',
  columns,
  itemType: 7,
  members: namesOf(holdings.customerInputs.create.properties),
  required: ['customerNumber', 'name'],
  number: { member: 'customerNumber', index: 'customer_number' },
  describe: ({ customerNumber, name }) => [String(name), textOf(customerNumber)],
  usedBy: [{ what: 'purchases', table: 'purchase', column: 'customer_id' }],
}
export const purchase: HoldingKind = {
  table: 'purchase',
  entity: 'purchase',
  noun: 'purchase',
  guidName: 'purchaseGuid',
  columns,
  computed: ['amount'],
  itemType: 8,
  members: namesOf(holdings.purchaseInputs.create.properties),
  required: ['purchaseNumber'],
  number: { member: 'purchaseNumber', index: 'purchase_number' },
  describe: ({ purchaseNumber, description }) => [
    String(purchaseNumber),
    textOf(description)?.split('\n', 1)[0]?.slice(0, 200) ?? null,
  ],
  usedBy: [],
}
export const object: HoldingKind = {
  table: 'object',
  entity: 'object',
  noun: 'object',
  guidName: 'objectGuid',
  columns,
  itemType: 9,
  members: namesOf(holdings.objectInputs.create.properties),
  required: ['objectNumber'],
  number: { member: 'objectNumber', index: 'object_number' },
  describe: ({ objectNumber, name, city }) => [String(objectNumber), textOf(name) ?? textOf(city)],
  usedBy: [],
}
