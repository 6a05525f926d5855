import { Address } from '../../../contract/parties/addresses.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { memberColumns, toRow, selectList } from '../../platform/database/columns.ts'
import { findRow } from '../../platform/database/find-row.ts'
import { rowHelper } from '../../platform/database/statement.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { ownedBy } from './debtors.scope.ts'
import { filterableProperties, type Properties } from '../../platform/odata/properties.ts'
import type { AddressRecord } from './addresses.rules.ts'
import type { VisibleDebtor } from './debtor-lock.ts'

const columns = memberColumns(Object.keys(Address.properties), 'a', { addressGuid: 'id' })
const select = selectList(columns)
const source: ListSource<'address'> = {
  entity: 'address',
  from: 'address a',
  key: 'a.id',
  select,
  properties: filterableProperties(Address, columns),
}
const ofDebtor: Properties = new Map([
  ['debtorguid', { name: 'debtorGuid', type: 'guid', nullable: false, column: 'd.id' }],
  [
    'debtorreference',
    { name: 'debtorReference', type: 'string', nullable: true, column: 'd.debtor_reference' },
  ],
])

/** The addresses of all debtors `d`, for an export. */
export const addressRows: ListSource<'debtor'> = {
  entity: 'debtor',
  from: 'address a join debtor d on d.id = a.debtor_id',
  key: 'a.id',
  select: `d.id as "debtorGuid", d.debtor_reference as "debtorReference", ${select}`,
  properties: new Map([...ofDebtor, ...source.properties]),
}
const findSource = { ...source, select: `${select}, a.version, a.marked_by_service as "markedByService"` }

/** `markedByService` says whether a service, not a person, marked it as not valid. */
export type StoredAddress = Address & { version: number; markedByService: boolean }
export type AddressChange = Partial<AddressRecord & Pick<Address, 'validatedAt' | 'validOverride'>>

export const listAddresses = (
  db: Db,
  debtor: VisibleDebtor,
  query: PageQuery,
  context: ListContext,
): Promise<Page<Address>> =>
  listRows<Address, 'address'>(db, source, ownedBy('address', debtor), query, context)

export const findAddress = (
  db: Db,
  debtor: VisibleDebtor,
  addressGuid: string,
): Promise<StoredAddress | undefined> => findRow(db, findSource, addressGuid, ownedBy('address', debtor))

export async function insertAddress(tx: Db, debtorGuid: string, record: AddressRecord): Promise<string> {
  const id = makeId()
  const row = { id, debtor_id: debtorGuid, ...toRow(record), last_updated_at: new Date().toISOString() }
  await tx`insert into address ${rowHelper(tx, row)}`
  return id
}

export async function updateAddress(
  tx: Db,
  addressGuid: string,
  changed: AddressChange,
  markedByService?: boolean,
): Promise<void> {
  const mark = markedByService !== undefined && { marked_by_service: markedByService }
  const row = { ...toRow(changed), ...mark, last_updated_at: new Date().toISOString() }
  await tx`update address set ${rowHelper(tx, row)}, version = version + 1 where id = ${addressGuid}`
}

export async function deleteAddress(tx: Db, addressGuid: string): Promise<void> {
  await tx`delete from address where id = ${addressGuid}`
}

/** The debtor's default address, if another than the given one. */
export async function findDefaultAddress(
  tx: Db,
  debtorGuid: string,
  except: string | null,
): Promise<string | undefined> {
  const [row] = await tx<{ id: string }[]>`
    select id from address where debtor_id = ${debtorGuid} and default_address and id is distinct from ${except}`
  return row?.id
}

/** The newest LEGAL address that is valid on the business date. */
export async function findNewestLegalAddress(
  tx: Db,
  debtorGuid: string,
  today: string,
): Promise<string | undefined> {
  const [row] = await tx<{ id: string }[]>`
    select id from address
    where debtor_id = ${debtorGuid} and address_type = 'LEGAL'
      and (valid_from is null or valid_from <= ${today}::date) and (valid_to is null or valid_to >= ${today}::date)
      and (address_not_valid_date is null or address_not_valid_date > ${today}::date)
    order by valid_from desc nulls last, id desc limit 1`
  return row?.id
}

/** The address type as it is spelt, in whatever case it is given. */
export async function findAddressType(db: Db, addressType: string): Promise<string | undefined> {
  if (addressType.toUpperCase() === 'LEGAL') return 'LEGAL'
  const [row] = await db<{ key: string }[]>`
    select lookup_key as key from lookup_value
    where lookup_code = 'addresstype' and lower(lookup_key) = lower(${addressType})`
  return row?.key
}
