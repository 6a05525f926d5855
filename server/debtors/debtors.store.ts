import { makeId } from '../database/make-id.ts'
import { Debtor, DebtorListItem } from '../../contract/debtors.ts'
import { columnsOf, rowOf, selectOf } from '../database/columns.ts'
import { findRow } from '../database/find-row.ts'
import { jsonOf, runStatement, type Parameter } from '../database/statement.ts'
import { listRows, type ListContext, type ListSource, type Page, type PageQuery } from '../database/list.ts'
import type { Db } from '../database/transaction.ts'
import {
  changesBetween,
  changesOfNew,
  recordedText,
  recordParameterCount,
  recordParameters,
  recordsOf,
  type Change,
} from '../events/record.ts'
import type { Caller, Origin } from '../http/caller.ts'
import { debtorsOf } from '../http/restriction.ts'
import { propertiesOf } from '../odata/properties.ts'
import { noAddress, type AddressRecord } from './addresses.rules.ts'
import { noDebtor, type DebtorRecord } from './debtors.rules.ts'

const listColumns = columnsOf(Object.keys(DebtorListItem.properties), 'd', { debtorGuid: 'id' })
const listSource: ListSource<'debtor'> = {
  entity: 'debtor',
  from: 'debtor d',
  key: 'd.id',
  select: selectOf(listColumns),
  properties: propertiesOf(DebtorListItem, listColumns),
  totalsKeptAs: 'debtor',
}

export const listDebtors = (
  db: Db,
  caller: Caller,
  query: PageQuery,
  context: ListContext,
): Promise<Page<DebtorListItem>> =>
  listRows<DebtorListItem, 'debtor'>(db, listSource, debtorsOf(caller), query, context)

export type StoredDebtor = Omit<Debtor, 'links'>

const { links: _, ...storedMembers } = Debtor.properties
const findColumns = selectOf(columnsOf(Object.keys(storedMembers), 'd', { debtorGuid: 'id' }))

/** Whole debtors, for an export. */
export const debtorRows: ListSource<'debtor'> = { ...listSource, select: findColumns }

const oneDebtor = { entity: 'debtor', from: 'debtor d', key: 'd.id' } as const
const findSource = { ...oneDebtor, select: `${findColumns}, d.version` }

export const findDebtor = (
  db: Db,
  caller: Caller,
  debtorGuid: string,
): Promise<(StoredDebtor & { version: number }) | undefined> =>
  findRow(db, findSource, debtorGuid, debtorsOf(caller))

const recordNames = Object.keys(noDebtor) as (keyof DebtorRecord)[]
const changeSource = {
  ...oneDebtor,
  select: `${selectOf(columnsOf(recordNames, 'd'))}, d.version, d.event_sequence as "eventSequence",
    d.country_code as "countryCode"`,
}

export interface DebtorForChange {
  record: DebtorRecord
  version: number
  eventSequence: number
  /** Of the address shown, to read national phone numbers by. */
  countryCode: string | null
}

export async function findDebtorForChange(
  db: Db,
  caller: Caller,
  debtorGuid: string,
): Promise<DebtorForChange | undefined> {
  const row = await findRow<DebtorRecord & Omit<DebtorForChange, 'record'>, 'debtor'>(
    db,
    changeSource,
    debtorGuid,
    debtorsOf(caller),
  )
  if (!row) return undefined
  const { version, eventSequence, countryCode, ...record } = row
  return { record, version, eventSequence, countryCode }
}

/** A debtor to be inserted with its main address. */
export interface NewDebtor {
  record: DebtorRecord
  mainAddress: AddressRecord | null
  /** The import's own reference. */
  sourceReference: string | null
}

export interface InsertedDebtor {
  debtorGuid: string
  debtorReference: string
}

/** The columns of a debtor's row that come from its record, its address and its making, in one order for all rows. */
const recordPairs = recordNames.map((name) => [name, columnName(name)] as const)
const shownPairs = (
  ['street', 'houseNo', 'houseNoExtension', 'city', 'zipCode', 'stateCode', 'countryCode'] as const
).map((name) => [name, columnName(name)] as const)
const addressPairs = (Object.keys(noAddress) as (keyof AddressRecord)[]).map(
  (name) => [name, columnName(name)] as const,
)
const insertColumns = [
  'id',
  ...[...recordPairs, ...shownPairs].map(([, column]) => column),
  'duplicate_number',
  'reg_date',
  'created_by_party_id',
  'source_reference',
  'event_sequence',
].join(', ')
const addressColumns = [
  'id',
  'debtor_id',
  ...addressPairs.map(([, column]) => column),
  'last_updated_at',
].join(', ')

function columnName(name: string): string {
  return Object.keys(rowOf({ [name]: null }))[0]!
}

export interface InsertOptions {
  origin: Origin
  partyId: string | null
  duplicateNumber?: number
}

/**
 * Inserts debtors with their addresses, events and audit entries, all in one statement. A debtor whose identity number
 * or source reference there is already stays out: it is missing from the result, which is in the order of `debtors`.
 */
export const insertDebtors = (
  db: Db,
  debtors: readonly NewDebtor[],
  options: InsertOptions,
): Promise<(InsertedDebtor | undefined)[]> =>
  insertRows<InsertedDebtor>(
    db,
    debtors,
    options,
    'd.id as "debtorGuid", d.debtor_reference as "debtorReference"',
  )

/** The same for one debtor; its stored record comes back in the same round trip. */
export async function insertDebtor(
  db: Db,
  debtor: NewDebtor,
  options: InsertOptions,
): Promise<(StoredDebtor & { version: number }) | undefined> {
  const [inserted] = await insertRows<StoredDebtor & { version: number }>(
    db,
    [debtor],
    options,
    `${findColumns}, d.version`,
  )
  return inserted
}

const insertText = (select: string) => `
  with inserted as (
    insert into debtor (${insertColumns})
    select ${insertColumns} from jsonb_populate_recordset(null::debtor, $1::text::jsonb)
    on conflict do nothing
    returning *, debtor_search_keys(debtor) as search_keys
  ),
  placed as (
    insert into address (${addressColumns})
    select ${addressColumns} from jsonb_populate_recordset(null::address, $2::text::jsonb)
    where debtor_id in (select id from inserted)
  ),
  described as (
    insert into item (guid, type, primary_description, secondary_description, debtor_id, search_keys)
    select id, 3, full_name, debtor_reference, id, search_keys from inserted
  ),
  ${recordedText(3, 'r.subject in (select id from inserted)')}
  select ${select} from inserted d`

async function insertRows<T extends { debtorGuid: string }>(
  db: Db,
  debtors: readonly NewDebtor[],
  options: InsertOptions,
  select: string,
): Promise<(T | undefined)[]> {
  const rows = debtors.map((debtor) => rowsOf(debtor, options))
  const records = recordsOf(
    options.origin,
    rows.flatMap(({ changes }) => changes),
  )
  const parameters = [
    JSON.stringify(rows.map(({ debtor }) => debtor)),
    JSON.stringify(rows.flatMap(({ address }) => address)),
    ...recordParameters(records),
  ]
  const inserted = await runStatement<T>(db, insertText(select), parameters, { prepare: true })
  const byGuid = new Map(inserted.map((row) => [row.debtorGuid, row as T]))
  return rows.map(({ debtor }) => byGuid.get(debtor.id))
}

type Row = Record<string, unknown> & { id: string }

function rowsOf(
  { record, mainAddress, sourceReference }: NewDebtor,
  {
    origin,
    partyId,
    duplicateNumber = 0,
  }: { origin: Origin; partyId: string | null; duplicateNumber?: number },
): { debtor: Row; address: Row[]; changes: Change[] } {
  const id = makeId()
  const debtor: Row = { id }
  fillRow(debtor, record, recordPairs)
  if (mainAddress) fillRow(debtor, mainAddress, shownPairs)
  debtor['duplicate_number'] = duplicateNumber
  debtor['reg_date'] = `${origin.businessDate}T00:00:00Z`
  debtor['created_by_party_id'] = partyId
  debtor['source_reference'] = sourceReference
  debtor['event_sequence'] = mainAddress ? 2 : 1
  const created = {
    type: 'debtor.created',
    entityId: id,
    subject: id,
    sequence: 1,
    data: { debtorGuid: id },
    changes: changesOfNew(record, 'idCountryCode'),
  }
  if (!mainAddress) return { debtor, address: [], changes: [created] }
  const addressId = makeId()
  const address: Row = { id: addressId, debtor_id: id }
  fillRow(address, mainAddress, addressPairs)
  address['last_updated_at'] = new Date().toISOString()
  const placed = {
    type: 'address.created',
    entityId: addressId,
    subject: id,
    sequence: 2,
    data: { debtorGuid: id, addressGuid: addressId },
    changes: changesOfNew(mainAddress),
  }
  return { debtor, address: [address], changes: [created, placed] }
}

/** Members without a value are left out, which makes them null in the row and halves the JSON of a bulk insert. */
function fillRow<T>(row: Row, members: T, pairs: readonly (readonly [keyof T, string])[]): void {
  for (const [name, column] of pairs) {
    const value = members[name]
    if (value !== null) row[column] = value
  }
}

/** Debtors with the same identity number and country: their number, and one that the caller may see. */
export async function findDuplicate(
  db: Db,
  caller: Caller,
  record: DebtorRecord,
): Promise<{ count: number; debtorGuid: string | null }> {
  const scope = debtorsOf(caller).at(3)
  const [row] = await runStatement<{ count: number; debtorGuid: string | null }>(
    db,
    `select coalesce(max(d.duplicate_number) + 1, 0) as count,
       (array_agg(d.id order by d.id) filter (where ${scope.text}))[1] as "debtorGuid"
     from debtor d where d.id_number = $1 and d.id_country_code = $2`,
    [record.idNumber, record.idCountryCode, ...scope.parameters],
  )
  return row!
}

/** Which of some import references there are. */
export async function findSourceReferences(db: Db, references: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ reference: string }[]>`
    select source_reference as reference from debtor
    where source_reference = any(array(select jsonb_array_elements_text(${jsonOf(db, references)})))`
  return new Set(rows.map(({ reference }) => reference))
}

/** For each record the number that the next debtor with its identity number and country gets: 0 when there is none. */
export async function findNextDuplicateNumbers(db: Db, records: readonly DebtorRecord[]): Promise<number[]> {
  const rows = await db<{ next: number }[]>`
    select coalesce((select max(duplicate_number) + 1 from debtor d where d.id_number = n.id_number and d.id_country_code = n.country), 0) as next
    from unnest(${records.map(({ idNumber }) => idNumber ?? '')}::text[],
      ${records.map(({ idCountryCode }) => idCountryCode ?? '')}::text[]) with ordinality n (id_number, country, position)
    order by n.position`
  return rows.map(({ next }) => next)
}

/** The members that a debtor's item is found by: see `debtor_search_keys`. */
const searchedMembers: readonly (keyof DebtorRecord)[] = [
  'fullName',
  'idNumber',
  'homePhone',
  'workPhone',
  'cellularPhone',
  'email',
  'conversationNotificationEmail',
  'conversationNotificationCellularPhone',
]
const searchedColumns = searchedMembers.map(columnName)

function updateText(columns: readonly string[]): string {
  const isSearched = searchedColumns.some((column) => columns.includes(column))
  return `
  with changed as (
    update debtor set version = $2 + 1, event_sequence = $3 + 1,
      ${columns.map((column, index) => `${column} = $${4 + recordParameterCount + index}`).join(', ')}
    where id = $1 and version = $2 and event_sequence = $3
    returning id${isSearched ? ', full_name, debtor_search_keys(debtor) as search_keys' : ''}
  ),
  ${
    isSearched
      ? `described as (
    update item i set primary_description = c.full_name, search_keys = c.search_keys from changed c where i.guid = c.id
  ),`
      : ''
  }
  ${recordedText(4, 'exists (select from changed)')}
  select count(*)::int as changed from changed`
}

/** Stores a changed record if nobody else changed the debtor meanwhile; returns whether it did. */
export async function updateDebtor(
  db: Db,
  debtorGuid: string,
  before: DebtorForChange,
  after: DebtorRecord,
  options: { origin: Origin; duplicateNumber?: number },
): Promise<boolean> {
  const changes = changesBetween(before.record, after)
  const { idCountryCode: _country, ...audited } = changes
  const records = recordsOf(options.origin, [
    {
      type: 'debtor.updated',
      entityId: debtorGuid,
      subject: debtorGuid,
      sequence: before.eventSequence + 1,
      data: { debtorGuid, changed: Object.keys(audited) },
      changes: audited,
    },
  ])
  const values: Record<string, Parameter> = {}
  for (const [name, [, value]] of Object.entries(changes)) values[columnName(name)] = value as Parameter
  if ('idNumber' in changes || 'idCountryCode' in changes)
    values['duplicate_number'] = options.duplicateNumber ?? 0
  const { eventSequence, version } = before
  const parameters = [
    debtorGuid,
    version,
    eventSequence,
    ...recordParameters(records),
    ...Object.values(values),
  ]
  const [row] = await runStatement<{ changed: number }>(db, updateText(Object.keys(values)), parameters, {
    prepare: true,
  })
  return row!.changed === 1
}

/** Brings the copy of the shown address up to date: for one debtor, or for all whose validity begins or ends. */
const shownAddress = `
  update debtor d set street = a.street, house_no = a.house_no, house_no_extension = a.house_no_extension, city = a.city,
    zip_code = a.zip_code, state_code = a.state_code, country_code = a.country_code
  from touched t left join address a on a.debtor_id = t.debtor_id and a.default_address
    and (a.valid_from is null or a.valid_from <= $1::date) and (a.valid_to is null or a.valid_to >= $1::date)
    and (a.address_not_valid_date is null or a.address_not_valid_date > $1::date)
  where d.id = t.debtor_id and (d.street, d.house_no, d.house_no_extension, d.city, d.zip_code, d.state_code, d.country_code)
    is distinct from (a.street, a.house_no, a.house_no_extension, a.city, a.zip_code, a.state_code, a.country_code)`

export async function refreshShownAddress(tx: Db, debtorGuid: string, today: string): Promise<void> {
  await runStatement(
    tx,
    `with touched as (select $2::uuid as debtor_id) ${shownAddress}`,
    [today, debtorGuid],
    {
      prepare: true,
    },
  )
}

const between = (column: string) => `${column} between $2::date - 1 and $3::date + 1`

/** What follows from the business date: which address is shown, and who is under age. */
export async function rollDebtors(tx: Db, { from, to }: { from: string; to: string }): Promise<void> {
  const [first, last] = from < to ? [from, to] : [to, from]
  await runStatement(
    tx,
    `with touched as (
       select debtor_id from address where default_address and ${between('valid_from')}
       union select debtor_id from address where default_address and ${between('valid_to')}
       union select debtor_id from address where default_address and ${between('address_not_valid_date')}
     ) ${shownAddress}`,
    [to, first, last],
  )
  // Of age from the 18th birthday on; who was born on 29 February from 1 March (core/age.ts).
  await tx`
    update debtor set under_aged = not under_aged
    where date_of_birth between ${first}::date - interval '18 years 2 days' and ${last}::date - interval '18 years' + interval '2 days'
      and under_aged is distinct from
        ((extract(year from date_of_birth)::int + 18)::text || to_char(date_of_birth, '-MM-DD') > ${to})`
}
