import { Debtor, DebtorListItem } from '../../../contract/parties/debtors.ts'
import { columnsOf, rowOf, selectOf } from '../../platform/database/columns.ts'
import { findRow } from '../../platform/database/find-row.ts'
import { KeptTexts, runStatement, type Parameter } from '../../platform/database/statement.ts'
import {
  listRows,
  type ListContext,
  type ListSource,
  type Page,
  type PageQuery,
} from '../../platform/database/list.ts'
import type { Db } from '../../platform/database/transaction.ts'
import {
  singleRecordParameterCount,
  singleRecordedText,
  singleRecordParameters,
  type Change,
} from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { visibleDebtors } from './debtors.scope.ts'
import { propertiesOf } from '../../platform/odata/properties.ts'
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
  listRows<DebtorListItem, 'debtor'>(db, listSource, visibleDebtors(caller), query, context)

export type StoredDebtor = Omit<Debtor, 'links'>

const { links: _, ...storedMembers } = Debtor.properties
export const findColumns = selectOf(columnsOf(Object.keys(storedMembers), 'd', { debtorGuid: 'id' }))

/** Whole debtors, for an export. */
export const debtorRows: ListSource<'debtor'> = { ...listSource, select: findColumns }

const oneDebtor = { entity: 'debtor', from: 'debtor d', key: 'd.id' } as const
const findSource = { ...oneDebtor, select: `${findColumns}, d.version`, keyMember: 'debtorGuid' }

export const findDebtor = (
  db: Db,
  caller: Caller,
  debtorGuid: string,
): Promise<(StoredDebtor & { version: number }) | undefined> =>
  findRow(db, findSource, debtorGuid, visibleDebtors(caller))

export const recordNames = Object.keys(noDebtor) as (keyof DebtorRecord)[]
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
    visibleDebtors(caller),
  )
  if (!row) return undefined
  const { version, eventSequence, countryCode, ...record } = row
  return { record, version, eventSequence, countryCode }
}

export function columnName(name: string): string {
  return Object.keys(rowOf({ [name]: null }))[0]!
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

export const isSearchedColumn = (column: string): boolean => searchedColumns.includes(column)

/** One more common table expression, that brings the item of a `changed` debtor up to date. */
export const describedText = `
  described as (
    update item i set primary_description = c.full_name, search_keys = c.search_keys from changed c where i.guid = c.id
  )`

const updateTexts = new KeptTexts(100)

function updateText(columns: readonly string[]): string {
  const isSearched = columns.some(isSearchedColumn)
  return `
  with changed as (
    update debtor set version = $2 + 1, event_sequence = $3 + 1,
      ${columns.map((column, index) => `${column} = $${4 + singleRecordParameterCount + index}`).join(', ')}
    where id = $1 and version = $2 and event_sequence = $3
    returning id${isSearched ? ', full_name, debtor_search_keys(debtor) as search_keys' : ''}
  ),
  ${isSearched ? `${describedText},` : ''}
  ${singleRecordedText(4, 'changed')}
  select count(*)::int as changed from changed`
}

/** Stores what changed of a record if nobody else changed the debtor meanwhile; returns whether it did. */
export async function updateDebtor(
  db: Db,
  debtorGuid: string,
  { version, eventSequence }: DebtorForChange,
  changes: Change['changes'],
  options: { origin: Origin; duplicateNumber?: number },
): Promise<boolean> {
  const { idCountryCode: _country, ...audited } = changes
  const record = singleRecordParameters(options.origin, {
    type: 'debtor.updated',
    entityId: debtorGuid,
    subject: debtorGuid,
    sequence: eventSequence + 1,
    data: { debtorGuid, changed: Object.keys(audited) },
    changes: audited,
  })
  const values: Record<string, Parameter> = {}
  for (const [name, [, value]] of Object.entries(changes)) values[columnName(name)] = value as Parameter
  if ('idNumber' in changes || 'idCountryCode' in changes)
    values['duplicate_number'] = options.duplicateNumber ?? 0
  const parameters = [debtorGuid, version, eventSequence, ...record, ...Object.values(values)]
  const columns = Object.keys(values)
  const { text, prepare } = updateTexts.textOf(columns.join(), () => updateText(columns))
  const [row] = await runStatement<{ changed: number }>(db, text, parameters, { prepare })
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
  // Of age from the 18th birthday on; who was born on 29 February from 1 March (core/identity/age.ts).
  await tx`
    update debtor set under_aged = not under_aged
    where date_of_birth between ${first}::date - interval '18 years 2 days' and ${last}::date - interval '18 years' + interval '2 days'
      and under_aged is distinct from
        ((extract(year from date_of_birth)::int + 18)::text || to_char(date_of_birth, '-MM-DD') > ${to})`
}
