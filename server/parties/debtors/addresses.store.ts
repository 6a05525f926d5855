import { listFieldNames } from '../../../contract/metadata/fields.ts'
import { Address, addressMemberFields } from '../../../contract/parties/addresses.ts'
import { mainAddressFields } from '../../../contract/parties/debtors.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { memberColumns, snakeCase, toRow, selectList } from '../../platform/database/columns.ts'
import { findRow } from '../../platform/database/find-row.ts'
import { batchQueries, changeBatches } from '../../platform/database/query-batcher.ts'
import { rowParameters, rowsFrom, type ColumnTypes } from '../../platform/database/row-text.ts'
import { rowHelper, runStatement } from '../../platform/database/statement.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { recordFromStatement, type Change } from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ownedBy, visibleDebtors } from './debtors.scope.ts'
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

/** An address as it was read for a change, with its debtor's last event. */
export interface AddressForChange {
  address: StoredAddress
  debtorGuid: string
  eventSequence: number
}

const changeSource = {
  entity: 'debtor',
  from: 'address a join debtor d on d.id = a.debtor_id',
  key: 'a.id',
  select: `${findSource.select}, d.id as "debtorGuid", d.event_sequence as "eventSequence"`,
  keyMember: 'addressGuid',
  isChanged: true,
} as const

/** Undefined where there is no such address, or the caller may not see its debtor. Reads at the same time are batched. */
export async function findAddressForChange(
  db: Db,
  caller: Caller,
  { debtorGuid, addressGuid }: { debtorGuid: string; addressGuid: string },
): Promise<AddressForChange | undefined> {
  const row = await findRow<StoredAddress & Omit<AddressForChange, 'address'>, 'debtor'>(
    db,
    changeSource,
    addressGuid,
    visibleDebtors(caller),
  )
  if (row?.debtorGuid !== debtorGuid.toLowerCase()) return undefined
  const { debtorGuid: owner, eventSequence, ...address } = row
  return { address, debtorGuid: owner, eventSequence }
}

/** A change of an address that stays the default, or stays none. */
export interface AddressUpdate {
  before: AddressForChange
  changes: Change['changes']
  markedByService: boolean | undefined
  origin: Origin
}

const updateTypes: ColumnTypes = {
  id: 'uuid',
  debtor_id: 'uuid',
  read_version: 'int',
  read_sequence: 'bigint',
  /** The new values by column; the other columns stay. */
  members: 'text',
  entry_id: 'uuid',
  business_date: 'date',
  actor_id: 'uuid',
  request_id: 'text',
  operation: 'text',
  data: 'text',
  changes: 'text',
}
const updatedColumns = [
  ...listFieldNames(addressMemberFields).map(snakeCase),
  'validated_at',
  'valid_override',
  'marked_by_service',
  'last_updated_at',
]
const shownColumns = listFieldNames(mainAddressFields).map(snakeCase)
/** As `refreshShownAddress` chooses it. */
const isShown = `((h.wanted).valid_from is null or (h.wanted).valid_from <= h.business_date)
  and ((h.wanted).valid_to is null or (h.wanted).valid_to >= h.business_date)
  and ((h.wanted).address_not_valid_date is null or (h.wanted).address_not_valid_date > h.business_date)`
const showColumn = (column: string) => `${column} = case when not (h.wanted).default_address then d.${column}
  when ${isShown} then (h.wanted).${column} end`

/**
 * A debtor that somebody else holds, or whose records have changed since, is passed over: nobody waits for another's.
 * Of two changes of one debtor in a batch one is stored, as an update changes a row once.
 */
const updateText = `
  with held as (
    select g.*, jsonb_populate_record(a, g.members::jsonb) as wanted
    from ${rowsFrom(updateTypes, 1)} g
    join debtor d on d.id = g.debtor_id and d.event_sequence = g.read_sequence
    join address a on a.id = g.id and a.debtor_id = d.id and a.version = g.read_version
    for no key update of d skip locked
  ),
  shown as (
    update debtor d set event_sequence = d.event_sequence + 1, ${shownColumns.map(showColumn).join(', ')}
    from held h where d.id = h.debtor_id
    returning h.*, d.event_sequence
  ),
  changed as (
    update address a set version = a.version + 1,
      ${updatedColumns.map((column) => `${column} = (s.wanted).${column}`).join(', ')}
    from shown s where a.id = s.id
    returning s.*
  ),
  entry as (
    select entry_id as id, business_date, actor_id, request_id, operation,
      'address.updated' as type, 'updated' as action, 'address' as entity, debtor_id as subject, id as entity_id,
      event_sequence as sequence, data::jsonb as data, changes::jsonb as changes
    from changed
  ),
  ${recordFromStatement('entry')}
  select entry_id as id from changed`

/** Returns whether the change was stored: not if somebody else held or changed the debtor or its records meanwhile. */
export const updateAddressAlone: (db: Db, update: AddressUpdate) => Promise<boolean> = batchQueries<
  AddressUpdate,
  boolean
>(async (db, all) => {
  const rows = all.map(makeUpdateRow)
  const parameters = rowParameters(updateTypes, rows)
  const stored = await runStatement<{ id: string }>(db, updateText, parameters, { prepare: true })
  const ids = new Set(stored.map(({ id }) => id))
  return rows.map((row) => ids.has(row.entry_id))
}, changeBatches)

function makeUpdateRow({ before, changes, markedByService, origin }: AddressUpdate) {
  const { address, debtorGuid, eventSequence } = before
  const { addressGuid } = address
  const values = Object.fromEntries(Object.entries(changes).map(([name, [, value]]) => [name, value]))
  const mark = markedByService !== undefined && { marked_by_service: markedByService }
  return {
    id: addressGuid,
    debtor_id: debtorGuid,
    read_version: address.version,
    read_sequence: eventSequence,
    members: JSON.stringify({ ...toRow(values), ...mark, last_updated_at: new Date().toISOString() }),
    entry_id: makeId(),
    business_date: origin.businessDate,
    actor_id: origin.actorId,
    request_id: origin.requestId,
    operation: origin.operation,
    data: JSON.stringify({ debtorGuid, addressGuid, changed: Object.keys(changes) }),
    changes: JSON.stringify(changes),
  }
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
