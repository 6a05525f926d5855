/** The kinds of what clients have besides cases: their tables, what must be given, how an item of the kind is described. */
import { listFieldNames } from '../../../contract/metadata/fields.ts'
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
const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)

export const thirdParty: HoldingKind = {
  table: 'third_party',
  entity: 'thirdparty',
  noun: 'third party',
  guidName: 'thirdPartyGuid',
  columns,
  itemType: 4,
  members: listFieldNames(holdings.thirdPartyInputs.create.properties),
  required: ['name'],
  describe: ({ name, city }) => [String(name), textOrNull(city)],
  usedBy: [],
}
export const account: HoldingKind = {
  table: 'account',
  entity: 'account',
  noun: 'account',
  guidName: 'accountGuid',
  columns,
  itemType: 6,
  members: listFieldNames(holdings.accountInputs.create.properties),
  required: ['accountNumber'],
  number: { member: 'accountNumber', index: 'account_number' },
  describe: ({ accountNumber, name }) => [String(accountNumber), textOrNull(name)],
  usedBy: [],
}
export const customer: HoldingKind = {
  table: 'customer',
  entity: 'customer',
  noun: 'customer',
  guidName: 'customerGuid',
  columns,
  itemType: 7,
  members: listFieldNames(holdings.customerInputs.create.properties),
  required: ['customerNumber', 'name'],
  number: { member: 'customerNumber', index: 'customer_number' },
  describe: ({ customerNumber, name }) => [String(name), textOrNull(customerNumber)],
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
  members: listFieldNames(holdings.purchaseInputs.create.properties),
  required: ['purchaseNumber'],
  number: { member: 'purchaseNumber', index: 'purchase_number' },
  describe: ({ purchaseNumber, description }) => [
    String(purchaseNumber),
    textOrNull(description)?.split('\n', 1)[0]?.slice(0, 200) ?? null,
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
  members: listFieldNames(holdings.objectInputs.create.properties),
  required: ['objectNumber'],
  number: { member: 'objectNumber', index: 'object_number' },
  describe: ({ objectNumber, name, city }) => [String(objectNumber), textOrNull(name) ?? textOrNull(city)],
  usedBy: [],
}
